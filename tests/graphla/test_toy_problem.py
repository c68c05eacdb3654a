"""A problem that is a folder and nothing else is found by every door."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import graphla as gl
from graphla import algorithms
from graphla.errors import VerificationError
from graphla.problem import Problem, all_problems
from tests.fuzz.calls.graphs import list_unlisted

INIT = '''"""Loops of a graph."""

from dataclasses import dataclass

from graphla.containers.vector import Vector
from graphla.errors import VerificationError
from graphla.graphs.graph import Graph
from graphla.problem import Problem, flag
from graphla.problem.answer import PerVertex
from graphla.problem import Settings as Checked


@dataclass(frozen=True)
class Settings(Checked):
    """What is asked."""

    doubled: bool = flag()


class Toy(Problem):
    """Loops; call it, or ask it for its `methods`."""

    def __call__(self, G: Graph, source: int, *, doubled: bool = False, method: str | None = None) -> Vector:
        """Distances around a ring: how far each vertex is from a source, as numbers.

        Parameters
        ----------
        G : Graph
            The graph.
        source : int
            The vertex to begin at.
        doubled : bool
            Twice as far. Nobody asks for it.
        method : str, optional
            A name of `toy.methods`.

        Returns
        -------
        Vector
            INT32 of size n.
        """
        return self.solve(locals())


def check(G: Graph, settings: Settings, source: int, steps: Vector) -> None:
    """Check the first."""
    if steps[source] != 0:
        raise VerificationError("toy: the source is not where it begins")


toy = Toy(
    "toy",
    __name__,
    check,
    settings=Settings,
    takes=("source",),
    gives=(PerVertex("steps"),),
    defining=("doubled",),
)
'''
METHOD = '''"""Differences of numbers."""

from graphla.problem import Method


def run(G, source, s):
    """Steps as int32."""
    xp = G.engine.xp
    return ((xp.arange(G.n, dtype="int32") - source) % max(1, G.n) * (2 if s.doubled else 1),)


method = Method(runs={"cpu": run, "cuda": run}, idea="differences of numbers", source="a test")
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Problem]:
    """The problem, in a folder beside those of the package."""
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "__init__.py").write_text(INIT)
    (folder / "algebraic.py").write_text(METHOD)
    monkeypatch.setattr(algorithms, "__path__", [*algorithms.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    yield all_problems()["toy"]
    for name in [name for name in sys.modules if name.startswith("graphla.algorithms.toy")]:
        del sys.modules[name]
    vars(algorithms).pop("toy", None)


def run_command(*words: str) -> Any:
    from graphla.doors.cli import _main

    result = CliRunner().invoke(_main.root, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_it_is_called(toy: Problem) -> None:
    assert gl.toy is toy
    assert gl.toy(gl.generate.cycle(4, engine="cpu"), 1).to_dense().tolist() == [3, 0, 1, 2]
    with pytest.raises(AttributeError, match="'graphla' has no attribute 'toys'"):
        _ = gl.toys


def test_the_command_line_has_it(toy: Problem, tmp_path: Path) -> None:
    assert "toy" in run_command("--help")
    text = run_command("toy", "--help")
    assert "Distances around a ring" in text
    assert "Twice as far." in text
    file = tmp_path / "steps.csv"
    found = json.loads(
        run_command("toy", "cycle:4", "--source", "1", "--doubled", "--verify", "--json", "--output", str(file))
    )
    assert (found["problem"], found["source"], found["verified"]) == ("toy", 1, True)
    assert file.read_text().splitlines() == ["vertex,step", "0,6", "1,0", "2,2", "3,4"]
    assert "differences of numbers" in run_command("methods", "toy")


def test_a_comparison_has_it(toy: Problem) -> None:
    found = gl.compare("toy", gl.generate.cycle(5, engine="cpu"), peers=False, repeat=1)
    assert [(row.name, row.status) for row in found] == [("algebraic", "right")]


def test_benchmarks_have_it(toy: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "asv_bench"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)
    problems = importlib.import_module("benchmarks.problems")
    assert "algebraic cpu kron:12" in problems.Toy.params[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == "benchmarks"]:
        monkeypatch.delitem(sys.modules, name)


def test_the_fuzzer_calls_it(toy: Problem) -> None:
    calls = {call.name: call for call in list_unlisted([each for each in all_problems().values() if each is not toy])}
    assert calls["toy"].arguments.keys() == {"G", "source", "doubled", "method"}
    calls["toy"].run()
    calls["toy.verify"].run()
    with pytest.raises(VerificationError):
        calls["toy.verify"].run(source=2)


def test_the_pages_have_it(toy: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    lists = importlib.import_module("lists")
    call = "[`gl.toy(G, source)`](../reference/generated/graphla.toy.rst)"
    assert f"| Distances around a ring | {call} |" in lists.overview()
    assert "## Toy\n\n`gl.toy`. Distances around a ring" in lists.sections()
    assert "differences of numbers" in lists.sections()
    assert "toy" in lists.problems().split()


def test_every_problem_has_a_page_that_its_section_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    lists = importlib.import_module("lists")
    assert {name: (lists.PAGES / lists.find_page(name)).exists() for name in all_problems()} == dict.fromkeys(
        all_problems(), True
    )
    headings = [line for line in lists.sections().splitlines() if line.startswith("## ")]
    assert len(headings) == len({*headings}) == len({lists.find_page(name) for name in all_problems()})
    assert "## [Betweenness and closeness](betweenness.md)" in headings


def test_a_page_gets_the_lists_that_it_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    docs = Path(__file__).parents[2] / "docs"
    monkeypatch.syspath_prepend(str(docs))
    lists = importlib.import_module("lists")
    for page, said in (
        ("reference.md", "   widest_paths\n"),
        ("methods/index.md", "## [Breadth-first search](bfs.md)"),
    ):
        text = [(docs / page).read_text("utf-8")]
        assert "<!-- lists." in text[0]
        lists.fill_in(None, page, text)
        assert ("<!-- lists." in text[0], said in text[0]) == (False, True)
