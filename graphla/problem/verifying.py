"""Verify: bring a graph and the answers of a problem to the host, and hand them to what checks them there."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from graphla.graphs.graph import require_graph

TEXT = """Check an answer of `{name}` against what defines it, on the host.

    Parameters
    ----------
    G : Graph
        The graph.
    {takes}
        As in the call.
    {answers}
        What the call returned.
    {options}
        The options that decide which answer is right, as in the call.

    Raises
    ------
    VerificationError
        If a property does not hold; the message names the first place that breaks it.
    DimensionMismatch
        If an answer has not the shape of one.
    """


def make_verifier(problem: Any) -> Callable[..., None]:
    """The verifier of a problem: its arguments are the graph, what the problem takes, what it gives, and options."""
    signature = make_signature(problem)

    def verify(G: Any, *given: Any, **named: Any) -> None:
        free = [name for name in signature.parameters if name != "G" and name not in named]
        if len(given) > len(free):
            signature.bind(G, *given, **named)
        bound = signature.bind(G, **dict(zip(free, given, strict=False)), **named).arguments
        require_graph(G)
        host = G.to("cpu")
        takes = problem._read_takes(host, bound)
        settings = problem.resolve(host, **{name: bound[name] for name in problem.defining if name in bound})
        problem._require(host, settings)
        problem.check(host.plain, settings, *takes, *read_answers(problem, host, settings, bound))

    verify.__signature__ = signature  # type: ignore[attr-defined]
    verify.__doc__ = describe(problem)
    verify.__qualname__ = f"{problem.name}.verify"
    return verify


def make_signature(problem: Any) -> inspect.Signature:
    """The signature of a verifier, with the defaults of the call; an answer that need not be asked for may be None."""
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    needed = ["G", *problem.takes, *(a.argument or a.name for a in problem.gives if not a.asked_by)]
    named: dict[str, Any] = {a.argument or a.name: None for a in problem.gives if a.asked_by}
    named |= {name: problem.defaults[name] for name in problem.defining}
    late = [name for name, default in named.items() if default is inspect.Parameter.empty]
    parameters = [inspect.Parameter(name, plain) for name in (*needed, *late)]
    return inspect.Signature(
        [*parameters, *(inspect.Parameter(name, plain, default=named[name]) for name in named if name not in late)]
    )


def read_answers(problem: Any, host: Any, settings: Any, bound: dict[str, Any]) -> list[Any]:
    """The arrays of the answers, None of those that were not asked for."""
    values = [(each, bound.get(each.argument or each.name)) for each in problem.gives]
    return [None if value is None and each.asked_by else each.read(host, value, settings) for each, value in values]


def describe(problem: Any) -> str:
    """The docstring of a verifier."""
    groups = {
        "takes": problem.takes,
        "answers": [each.argument or each.name for each in problem.gives],
        "options": problem.defining,
    }
    lines = [str(line) for line in TEXT.split("\n")]
    for group, names in groups.items():
        place = next(k for k, line in enumerate(lines) if f"{{{group}}}" in line)
        if names:
            lines[place] = lines[place].format(**{group: ", ".join(names)})
        else:
            del lines[place : place + 2]
    return "\n".join(lines).format(name=problem.name)
