"""A trace tells what ran, why, on how much, and for how long."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import NotSupported
from graphla.engine import tracing
from graphla.engine.tracing import Wave
from graphla.measuring import pictures
from graphla.measuring.watching import Trace, trace, watch
from graphla.measuring.watching.level_plot import draw_amounts
from semirings import min_plus, plus_times


@pytest.fixture
def star_of_paths() -> gl.Graph:
    """A centre with 30 neighbours, each the head of a path of three: 0 → 1…30 → 31…60 → 61…90."""
    tails = [0] * 30 + list(range(1, 61))
    return gl.Graph((tails, list(range(1, 91))), n=91, engine="cpu")


@pytest.fixture
def searched(star_of_paths: gl.Graph) -> Trace:
    with trace() as t:
        gl.bfs(star_of_paths, 0, method="algebraic", direction="push")
    return t


def test_frontiers_and_arcs_are_counted(searched: Trace) -> None:
    assert [step.frontier for step in searched.levels] == [1, 30, 30, 30]
    assert [step.edges for step in searched.levels] == [30, 30, 30, 0]
    assert [step.result for step in searched.levels] == [30, 30, 30, 0]
    assert {step.direction for step in searched.levels} == {"push"}


def test_why_and_equation_are_told(searched: Trace) -> None:
    first = searched.levels[0]
    assert first.why == ("push: requested by the caller",)
    assert first.equation == "w⟨¬m, replace⟩ = any_pair(A v)"
    assert searched.operations[0].equation == "w⟨m⟩ = 0"


def test_times_follow_each_other(searched: Trace) -> None:
    steps = searched.operations
    assert all(step.seconds > 0 for step in steps)
    assert all(a.began + a.seconds <= b.began for a, b in pairwise(steps))
    assert searched.seconds == pytest.approx(sum(step.seconds for step in searched))


def test_nothing_is_watched_before_or_after(star_of_paths: gl.Graph) -> None:
    with pytest.raises(ZeroDivisionError), trace() as t:
        raise ZeroDivisionError
    assert tracing.watchers.anywhere == tracing.method_watchers.anywhere == []
    gl.bfs(star_of_paths, 0, method="algebraic")
    assert len(t) == 0


def test_the_innermost_trace_sees(star_of_paths: gl.Graph) -> None:
    A = star_of_paths.A
    with trace() as outer:
        with trace() as inner:
            plus_times(A @ A).new()
        plus_times(A @ A).new()
    assert len(inner) == len(outer) == 1


def test_a_compiled_method_is_one_row(star_of_paths: gl.Graph) -> None:
    with trace() as t:
        gl.sssp(star_of_paths, 0, method="delta_stepping")
        gl.bfs(star_of_paths, 0)
    searched, levelled = t.operations
    assert (searched.equation, searched.kind, searched.engine) == ("sssp delta_stepping", "method", "cpu")
    assert searched.edges == star_of_paths.nvals
    assert searched.work == 1
    assert levelled.equation.startswith("bfs ")
    assert (levelled.edges, levelled.work) == (None, None)
    assert searched.seconds > 0
    assert levelled.began >= searched.began + searched.seconds
    assert "1 arcs relaxed per arc" in str(t)
    assert json.loads(json.dumps(t.to_dict()))[0]["work"] == 1
    assert (t.levels, tracing.counters.anywhere) == ((), [])


def test_a_compiled_search_tells_its_levels(star_of_paths: gl.Graph) -> None:
    with trace() as t:
        gl.bfs(star_of_paths, 0, method="direction_optimized")
    assert t.waves == tuple(
        Wave(f"level {d}", *sizes) for d, sizes in enumerate([(1, 30), (30, 30), (30, 30), (30, 0)])
    )
    (step,) = t.operations
    assert (step.result, step.direction) == (91, None)
    lines = str(t).splitlines()
    assert [line.split()[:4] for line in lines[2:6]] == [
        ["level", str(d), *map(str, sizes)] for d, sizes in enumerate([(1, 30), (30, 30), (30, 30), (30, 0)])
    ]
    assert "chosen by method" in lines[1]
    assert lines[-1].startswith("bfs direction_optimized: 4 levels, ")
    assert t.to_html().count("<tr>") == 6
    assert json.loads(t.to_chrome())["traceEvents"][-1]["args"]["waves"][1] == {
        "name": "level 1",
        "vertices": 30,
        "arcs": 30,
    }


@pytest.mark.parametrize(
    ("kind", "sizes", "ranges"),
    [("int", [(2, 2), (1, 1), (1, 0)], 30), ("float", [(1, 1), (1, 1), (1, 1), (1, 0)], 32)],
)
def test_shortest_paths_tell_vertices_by_distance(kind: str, sizes: list[tuple[int, int]], ranges: int) -> None:
    weights = np.array([10, 10, 300, 1], kind)
    G = gl.Graph(([0, 1, 2, 4], [1, 2, 3, 5], weights), n=6, engine="cpu")
    with trace() as t:
        gl.sssp(G, 0, method="delta_stepping")
    waves = [wave for wave in t.waves if wave.vertices]
    assert [(wave.vertices, wave.arcs) for wave in waves] == sizes
    assert waves[0].name == "distance from 0"
    assert (len(t.waves), sum(wave.vertices for wave in t.waves)) == (ranges, 4)
    assert "ranges of distance" in str(t)


def test_a_first_call_tells_what_went_into_compiling(star_of_paths: gl.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = iter([0.0, 0.25])
    monkeypatch.setattr(watch, "seconds_compiling", lambda: next(spent))
    with trace() as t:
        gl.bfs(star_of_paths, 0, method="direction_optimized")
    assert t.operations[0].compiling == 0.25
    assert str(t).splitlines()[-1].endswith("of which 250 ms compiling or loading kernels: a second call does without")
    assert "250 ms spent compiling or loading kernels" in str(t)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_pictures_of_compiled_searches(star_of_paths: gl.Graph, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    with trace() as t:
        gl.bfs(star_of_paths, 0, method="direction_optimized")
    t.plot(path)
    assert path.stat().st_size > 1000


def test_a_method_of_operations_is_shown_by_them(star_of_paths: gl.Graph) -> None:
    with trace() as t:
        gl.sssp(star_of_paths, 0, method="algebraic")
    assert t.levels
    assert all(step.kind != "method" for step in t)


def test_a_method_that_fails_leaves_no_row_and_no_listener(star_of_paths: gl.Graph) -> None:
    with trace() as t, pytest.raises(ValueError, match="step"):
        gl.sssp(star_of_paths, 0, method="delta_stepping", delta=-1.0)
    broken = gl.problem.Method(runs={"cpu": lambda _: 1 // 0}, idea="i", source="s")
    with trace() as t, pytest.raises(ZeroDivisionError):
        broken.run(star_of_paths)
    assert len(t) == 0
    assert (tracing.counters.anywhere, tracing.method_watchers.anywhere) == ([], [])


def test_a_pull_that_cannot_stop_reads_all(star_of_paths: gl.Graph) -> None:
    v = gl.Vector.from_scalar(1.0, star_of_paths.n, engine="cpu")
    w = gl.Vector("FP64", star_of_paths.n, engine="cpu")
    with trace() as t:
        w(direction="pull") << plus_times(star_of_paths.A @ v)
    assert t.levels[0].edges == star_of_paths.nvals


def test_products_of_matrices_and_other_steps_are_told(star_of_paths: gl.Graph) -> None:
    A = star_of_paths.A
    with trace() as t:
        C = min_plus(A @ A).new("INT32")
        C(accum=gl.binary.plus) << gl.unary.abs(C)
        C.reduce_scalar(gl.monoid.plus).new()
        (C | C)._over(gl.binary.plus).new()
        C[0, :].new()
    told = [step.equation for step in t]
    assert told[0] == "new = min_plus(A B)"
    assert any("abs(A)" in line and "plus" in line for line in told)
    assert any(line.endswith("plus(A | B)") for line in told)
    assert t.operations[0].direction in ("rows", "dots")


def test_text_has_a_line_each(searched: Trace) -> None:
    lines = str(searched).splitlines()
    assert len(lines) == len(searched) + 2
    assert lines[-1].startswith(f"{len(searched)} operations, 4 pushes and 0 pulls")
    assert "requested by the caller" in lines[2]


def test_html_is_escaped(searched: Trace) -> None:
    page = searched.to_html()
    assert page.count("<tr>") == len(searched) + 1
    assert "graphla-trace" in searched._repr_html_()
    assert "<script" not in page


def test_chrome_events(searched: Trace, tmp_path: Path) -> None:
    searched.to_chrome(tmp_path / "t.json")
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    complete = [e for e in events if e["ph"] == "X"]
    assert len(complete) == len(searched)
    assert [e["ts"] for e in complete] == [step.began * 1e6 for step in searched]
    assert [e["dur"] for e in complete] == [step.seconds * 1e6 for step in searched]
    assert [e["args"]["entries"] for e in events if e["ph"] == "C"] == [1, 30, 30, 30]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_pictures(searched: Trace, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"t.{kind}"
    searched.plot(path)
    assert path.read_bytes()[:5] == {"png": b"\x89PNG\r", "svg": b"<?xml"}[kind]


def test_levels_are_whole_numbers_and_bars_begin_at_zero(searched: Trace) -> None:
    _, below = searched.plot().axes
    ticks = [tick for tick in below.get_xticks() if below.get_xlim()[0] <= tick <= below.get_xlim()[1]]
    assert ticks == [0, 1, 2, 3]
    assert below.get_ylim()[0] == 0
    work = [(step.seconds - step.compiling) * 1e3 for step in searched.levels]
    assert [patch.get_height() for patch in below.patches] == pytest.approx(work)


def test_a_logarithmic_panel_has_no_bars() -> None:
    axes = pictures.make_figure(3, 2).subplots()
    draw_amounts(axes, [1, 5000], "blue")
    assert (axes.get_yscale(), len(axes.patches)) == ("log", 0)
    assert axes.collections[0].get_offsets().tolist() == [[0, 1], [1, 5000]]


def test_compiling_is_named_and_not_drawn(searched: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = tuple(replace(step, seconds=0.25) for step in searched.operations)
    first = replace(steps[1], seconds=3.0, compiling=2.5)
    monkeypatch.setattr(Trace, "operations", (steps[0], first, *steps[2:]))
    above, below = searched.plot().axes
    assert [patch.get_height() for patch in below.patches] == [500, 250, 250, 250]
    assert above.get_title(loc="left") == "4 levels, 2.25 s on cpu, after 2.50 s of compiling or loading kernels"


def test_an_empty_trace_says_why() -> None:
    with trace() as t:
        pass
    assert "nothing was recorded" in str(t)
    with pytest.raises(NotSupported, match="no levels"):
        t.plot()
