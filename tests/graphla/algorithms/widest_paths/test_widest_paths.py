"""Widest paths by every method against thresholds and reachability; the verifier against wrong answers."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import DimensionMismatch, GraphlaError, InvalidGraph, NotSupported, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.widest_paths)


def fresh(seed: int, kind: str = "int32", n: int = 60, arcs: int = 200) -> gl.Graph:
    """A random graph with hubs, loops, few different weights, the least of the dtype among them, and lone vertices."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), rng.integers(0, n, arcs)
    weights = rng.integers(-6 if kind[0] in "if" else 0, 9, arcs).astype(kind)
    if kind != "bool":
        weights[rng.random(arcs) < 0.2] = -np.inf if kind[0] == "f" else np.iinfo(kind).min
    return gl.Graph((tails, heads, weights), n=n + 3, dup="first", engine="cpu")


def measure(G: gl.Graph, source: int) -> dict[int, Any]:
    """For each vertex the greatest weight such that arcs of it or more lead there."""
    rows, cols, weights = (part.tolist() for part in G.A.to_coo())
    whole = True if G.dtype == "BOOL" else np.inf if G.dtype.kind == "f" else int(np.iinfo(G.dtype.numpy).max)
    found = {source: whole}
    if G.dtype == "BOOL":
        weights = list(map(bool, weights))
    for least in sorted(set(weights), reverse=True):
        near: dict[int, list[int]] = {}
        for u, v, weight in zip(rows, cols, weights, strict=True):
            if weight >= least:
                near.setdefault(u, []).append(v)
        stack, seen = [source], {source}
        while stack:
            for v in near.get(stack.pop(), ()):
                if v not in seen:
                    seen.add(v)
                    stack.append(v)
        for v in seen:
            found.setdefault(v, least)
    return found


def check(G: gl.Graph, name: str, engine: str, source: int) -> None:
    """Each width, and parents along widest paths."""
    widths, parents = gl.widest_paths(G.to(get_engine_named(engine)), source, parents=True, method=name)
    assert widths.dtype == G.dtype
    assert widths.to_dict() == measure(G, source)
    gl.widest_paths.verify(G, source, widths.to("cpu"), parents.to("cpu"))


@pytest.mark.parametrize("kind", ["int32", "float32", "uint8", "bool"])
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str, kind: str) -> None:
    for arcs in (60, 300):
        seed = secrets.randbits(31)
        try:
            check(fresh(seed, kind, arcs=arcs), name, engine, seed % 60)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {arcs} arcs") from error


SHAPES = {
    "one vertex": ([], [], 1),
    "a loop": ([0], [0], 1),
    "no arcs": ([], [], 5),
    "a path": (range(149), range(1, 150), 150),
    "a ring": (range(60), np.roll(range(60), -1), 60),
    "a star": ([0] * 119, range(1, 120), 120),
    "complete": (*np.argwhere(~np.eye(40, dtype=bool)).T, 40),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    weights = np.random.default_rng(n).integers(1, 50, len(tails)).astype("int32")
    check(gl.Graph((np.array(tails, int), np.array(heads, int), weights), n=n, engine="cpu"), name, engine, 0)


@pytest.mark.parametrize("kind", ["int32", "float32"])
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_paths_whose_width_is_the_least_number(name: str, engine: str, kind: str) -> None:
    """They lead on, though no width is less than theirs."""
    least = -np.inf if kind == "float32" else np.iinfo(kind).min
    G = gl.Graph(([0, 1, 2], [1, 2, 3], np.array([least, 5, 7], kind)), n=5, engine="cpu")
    check(G, name, engine, 0)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(seed: int) -> None:
    """Long rows, short ones, and frontiers of many vertices; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    for spec in ("kron:8?weights=1..255", "grid2d:24?weights=1..9"):
        G = gl.generate.from_spec(spec).to("cpu")
        found = gl.widest_paths(G.to(engine), 5, method="relaxed")
        assert found.to("cpu").isequal(gl.widest_paths(G, 5, method="dijkstra"))


def test_widths_are_those_of_a_maximum_spanning_forest() -> None:
    G = gl.generate.kronecker(9, weights=(1, 99), engine="cpu")
    F = gl.Graph(gl.spanning_forest(G, kind="maximum"))
    for name in ("dijkstra", "algebraic"):
        assert gl.widest_paths(G, 3, method=name).isequal(gl.widest_paths(F, 3))


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    with pytest.raises(InvalidGraph, match="source=99 is no vertex"):
        gl.widest_paths(G, 99)
    with pytest.raises(NotSupported, match="no method 'prim'"):
        gl.widest_paths(G, 0, method="prim")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.widest_paths(3, 0)  # type: ignore[call-overload]
    with pytest.raises(GraphlaError, match="parents='all'"):
        gl.widest_paths(G, 0, parents="all")  # type: ignore[call-overload]
    with pytest.raises(DimensionMismatch, match="widths=3"):
        gl.widest_paths.verify(G, 0, 3)  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_widths() -> None:
    G = gl.Graph(([0, 0, 1, 2, 3], [1, 2, 2, 3, 2], [4, 1, 3, 9, 9]), n=5, engine="cpu")
    widths, parents = gl.widest_paths(G, 0, parents=True)
    gl.widest_paths.verify(G, 0, widths, parents)
    for change, message in (
        ({2: 1, 3: 1}, "1 → 2 gives the width 3, which is more"),
        ({2: 9, 3: 9}, "no path has the width of vertex 2"),
        ({0: 7}, "the source 0 has no path"),
        ({4: 1}, "no path has the width of vertex 4"),
    ):
        wrong = widths.dup()
        for v, width in change.items():
            wrong[v] = width
        with pytest.raises(VerificationError, match=message):
            gl.widest_paths.verify(G, 0, wrong)
    for v, parent, message in (
        (2, 0, "the arc 0 → 2 does not give"),
        (2, 3, "2 is 2 arcs away, and its parent 3 no nearer"),
        (0, 1, "its own"),
    ):
        wrong = parents.dup()
        wrong[v] = parent
        if parent == 3:
            wrong = gl.Vector.from_coo([0, 1, 2, 3], [0, 0, 3, 2], "INT32", size=5, engine="cpu")
            H = gl.Graph(([0, 0, 1, 2, 3], [1, 2, 2, 3, 2], [4, 1, 3, 3, 3]), n=5, engine="cpu")
            with pytest.raises(VerificationError, match=message):
                gl.widest_paths.verify(H, 0, gl.widest_paths(H, 0), wrong)
            continue
        with pytest.raises(VerificationError, match=message):
            gl.widest_paths.verify(G, 0, widths, wrong)


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_every_vertex_on_the_way_is_reached_by_a_widest_path(name: str, engine: str) -> None:
    arcs = ([0, 1, 2, 0, 3, 0, 5, 6], [1, 2, 3, 3, 4, 5, 6, 4], [5, 5, 5, 3, 3, 3, 3, 3])
    G = gl.Graph(arcs, engine=get_engine_named(engine))
    widths, parents = gl.widest_paths(G, 0, parents=True, method=name)
    assert parents.to_dict() == {0: 0, 1: 0, 2: 1, 3: 2, 4: 6, 5: 0, 6: 5}
    longer = parents.dup()
    longer[4] = 3
    with pytest.raises(VerificationError, match="4 is 3 arcs away, and its parent 3 no nearer"):
        gl.widest_paths.verify(G, 0, widths, longer)


def test_a_comparison() -> None:
    found = gl.compare("widest_paths", fresh(3), source=2, repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} == {"algebraic", "dijkstra"}
