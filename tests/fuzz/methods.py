"""Every problem by name, by every method of an engine: verifiers, references in plain Python, and errors that are due.

The graphs have at most eleven vertices, so that what is right can be written out with numbers of Python, which neither
wrap nor overflow. An error must be one of graphla's own, of a class that the rule of the problem expects for the graph.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import graphla as gl
from graphla.common.errors import GraphlaError, NotSupported
from graphla.problem import all_problems
from tests.fuzz.drawn import Case, draw
from tests.fuzz.rules import list_rules

RULES = list_rules()
ELSEWHERE = {"bfs", "sssp", "apsp"}
"""Problems that `tests.fuzz.problems` looks at."""


Errors = type[GraphlaError] | tuple[type[GraphlaError], ...]


class Ask:
    """Asks every method of a problem; each answer is verified, and errors of other libraries are faults."""

    def __init__(self, case: Case, engine: Any) -> None:
        self.case, self.G = case, case.graph(engine)

    def __call__(
        self, problem: Any, *takes: Any, due: Errors = (), may: Errors = (), **asked: Any
    ) -> Iterator[tuple[str, Any]]:
        """What was asked of each method, and its answer; all must raise one of the errors `due`, and `may` others."""
        for name in (None, *problem.methods):
            told = f"gl.{problem.name}(G, *{takes}, method={name!r}, **{asked})\n{self.case}"
            if name is not None and problem.methods[name].refusal(self.G, {**problem.defaults, **asked}):
                continue
            try:
                found = self.solve(problem, takes, name, asked, told)
            except GraphlaError as error:
                self.expect(error, name, due or may, told)
                continue
            assert not due, f"no error, and one of {due} is due: {found}\n{told}"
            self.verify(problem, takes, found, asked, told)
            yield told, found

    def solve(self, problem: Any, takes: Any, name: str | None, asked: dict[str, Any], told: str) -> Any:
        """The answer of a method; a warning of NumPy is a fault."""
        try:
            with warnings.catch_warnings(action="error", category=RuntimeWarning):
                return problem(self.G, *takes, method=name, **asked)
        except RuntimeWarning as warning:
            raise AssertionError(f"RuntimeWarning: {warning}\n{told}") from warning

    def expect(self, error: GraphlaError, name: str | None, errors: Errors, told: str) -> None:
        """Let errors pass that are expected, and refusals of one method by name."""
        if not isinstance(error, errors or ()) and (name is None or not isinstance(error, NotSupported)):
            raise AssertionError(f"{type(error).__name__}: {error}\n{told}") from error

    def verify(self, problem: Any, takes: Any, found: Any, asked: dict[str, Any], told: str) -> None:
        """Hand the answer to the verifier of the problem."""
        if asked.get("sweeps") is not None:
            return  # two bounds, which the verifier of the diameter does not take
        given = problem.list_given(asked)
        answers = found if isinstance(found, tuple) and len(given) > 1 else (found,)
        options = {name: value for name, value in asked.items() if name in problem.defining}
        try:
            problem.verify(self.G, *takes, *answers, **options)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{told}") from error


def check(seed: int, engine: Any = "cpu") -> None:
    """Ask every problem about the graph of a seed."""
    case = draw(seed)
    ask = Ask(case, engine)
    for number, name in enumerate(all_problems()):
        if name in RULES:
            RULES[name](ask, case, np.random.default_rng([seed, number]))


def list_missing() -> set[str]:
    """The problems that no fuzzer looks at."""
    return set(all_problems()) - set(RULES) - ELSEWHERE


def to_list(answer: Any) -> list[Any]:
    """The values of a full vector on the host."""
    assert answer.nvals == answer.size, answer
    return gl.Vector.to(answer, "cpu").to_dense(0).tolist()


def to_dict(answer: Any) -> Any:
    """The entries of an answer on the host."""
    host = answer.to("cpu")
    return host.to_dicts() if isinstance(host, gl.Matrix) else host.to_dict()
