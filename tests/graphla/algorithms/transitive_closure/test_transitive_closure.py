"""Transitive closures by every method against SciPy's searches; the verifier against wrong answers."""

from __future__ import annotations

import secrets

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import DimensionMismatch, GraphlaError, NotSupported, OutOfMemory, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import EDGELESS, make_directed, to_networkx
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.transitive_closure)


def fresh(seed: int, n: int = 70, arcs: int = 90) -> gl.Graph:
    """A random graph with components of many sizes, loops, and vertices without an arc."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), rng.integers(0, n, arcs)
    return gl.Graph((tails, heads), n=n + 3, dup="first", engine="cpu")


def reach(G: gl.Graph, reflexive: bool) -> list[tuple[int, int]]:
    """The pairs that NetworkX finds."""
    return sorted(nx.transitive_closure(to_networkx(G, nx.DiGraph), reflexive=reflexive).edges)


def check(G: gl.Graph, name: str, engine: str) -> None:
    """Each pair, with and without the vertices themselves."""
    for reflexive in (False, True):
        found = gl.transitive_closure(G.to(get_engine_named(engine)), reflexive=reflexive, method=name).to("cpu")
        assert (found.dtype, found.shape) == ("BOOL", (G.n, G.n))
        rows, cols, values = (part.tolist() for part in found.to_coo())
        assert list(zip(rows, cols, strict=True)) == reach(G, reflexive)
        assert all(values)
        gl.transitive_closure.verify(G, found, reflexive=reflexive)


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for arcs in (30, 70, 200):
        seed = secrets.randbits(31)
        try:
            check(fresh(seed, arcs=arcs), name, engine)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {arcs} arcs") from error


SHAPES = {
    **EDGELESS,
    "a path": (range(129), range(1, 130), 130),
    "a path backward": (range(1, 130), range(129), 130),
    "a ring, and a tail": ([*range(66), 3, 66], [*np.roll(range(66), -1), 66, 67], 70),
    "a star": ([0] * 119, range(1, 120), 120),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    check(make_directed(tails, heads, n), name, engine)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernels_in_any_order_of_threads(seed: int) -> None:
    """More words than a warp has lanes, and more components than blocks; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    G = fresh(secrets.randbits(31), n=2300, arcs=2500)
    found = gl.transitive_closure(G.to(engine), method="levels")
    assert found.to("cpu").isequal(gl.transitive_closure(G, method="words"))


def test_a_larger_graph() -> None:
    G = fresh(secrets.randbits(31), n=3000, arcs=4000)
    assert gl.transitive_closure(G).isequal(gl.transitive_closure(G, method="algebraic"))


@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_what_does_not_fit_is_refused(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the bits, then the entries."""
    G = gl.Graph((np.arange(1000), np.arange(1, 1001)), n=1001).to(get_engine_named(engine))
    for limit, message in ((10**5, "1,001 strong components and 1,001 vertices"), (10**6, "500,500 entries")):
        monkeypatch.setattr(gl.config, "memory_limit", limit)
        with pytest.raises(OutOfMemory, match=rf"{message} needs about .* bytes.*gl.bfs\(G, sources="):
            gl.transitive_closure(G)


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    with pytest.raises(NotSupported, match="no method 'warshall'"):
        gl.transitive_closure(G, method="warshall")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.transitive_closure(3)  # type: ignore[arg-type]
    with pytest.raises(GraphlaError, match="reflexive='yes'"):
        gl.transitive_closure(G, reflexive="yes")  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="closure=3"):
        gl.transitive_closure.verify(G, 3)  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_closures() -> None:
    G = gl.Graph(([0, 1, 3], [1, 2, 3]), n=5, engine="cpu")
    right = gl.transitive_closure(G)
    for change, message in (((0, 2), "0 reaches 2, and the closure has no entry"), ((3, 3), "3 reaches 3, and")):
        wrong = right.dup()
        del wrong[change]
        with pytest.raises(VerificationError, match=message):
            gl.transitive_closure.verify(G, wrong)
    for change, message in (((2, 0), "2 does not reach 0"), ((4, 4), "4 does not reach 4")):
        wrong = right.dup()
        wrong[change] = True
        with pytest.raises(VerificationError, match=message):
            gl.transitive_closure.verify(G, wrong)
    with pytest.raises(VerificationError, match="0 reaches 0, and"):
        gl.transitive_closure.verify(G, right, reflexive=True)


def test_a_comparison() -> None:
    found = gl.compare("transitive_closure", fresh(3), repeat=1, reflexive=True)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "words", "NetworkX"}
