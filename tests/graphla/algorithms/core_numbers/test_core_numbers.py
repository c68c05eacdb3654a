"""Core numbers and cores by every method against NetworkX; the verifier against wrong answers."""

from __future__ import annotations

import secrets

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotSupported, VerificationError
from graphla.engine.cuda import blocks
from graphla.engine.cuda.engine import CudaEngine
from semirings import binary
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import SHAPES, draw_undirected, list_pairs, make_undirected, to_networkx
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.core_numbers)


def check(G: gl.Graph, name: str, engine: str) -> None:
    """Each number, and the arcs of the cores."""
    numbers = nx.core_number(to_networkx(G))
    moved = G.to(get_engine_named(engine))
    found = gl.core_numbers(moved, method=name)
    assert found.dtype == "INT32"
    assert found.to_numpy().tolist() == [numbers[v] for v in range(G.n)]
    gl.core_numbers.verify(G, found.to("cpu"))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for edges in (60, 300, 1200):
        seed = secrets.randbits(32)
        try:
            check(draw_undirected(seed, edges=edges), name, engine)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {edges} edges") from error


PAIRS = list_pairs(40)


def list_grid(side: int = 14) -> tuple[np.ndarray, np.ndarray]:
    """Tails and heads of a grid in three dimensions: corners leave first, and what they take along grows."""
    place = np.arange(side**3).reshape(side, side, side)
    ends = [(place.swapaxes(0, k)[:-1], place.swapaxes(0, k)[1:]) for k in range(3)]
    tails, heads = (np.concatenate([pair[i].ravel() for pair in ends]) for i in range(2))
    return tails, heads


CORNERS = {
    **SHAPES,
    "a triangle, loops and more": ([0, 1, 2, 0, 1, 2], [1, 2, 0, 0, 1, 3], 5),
    "waves that outgrow a warp": (*list_grid(), 14**3),
    "a ring": (range(60), np.roll(range(60), 1), 60),
    "complete, with a tail": (np.append(PAIRS[0], range(39, 90)), np.append(PAIRS[1], range(40, 91)), 91),
}


@pytest.mark.parametrize("shape", CORNERS)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = CORNERS[shape]
    check(make_undirected(tails, heads, n), name, engine)


def test_a_larger_graph() -> None:
    G = gl.generate.kronecker(12, engine="cpu")
    numbers = nx.core_number(to_networkx(G))
    assert gl.core_numbers(G).to_numpy().tolist() == [numbers[v] for v in range(G.n)]
    assert gl.core_numbers(G, method="algebraic").isequal(gl.core_numbers(G))


@pytest.mark.emulated
@pytest.mark.parametrize(("seed", "own"), [(11, 96), (0, 96), (3, 2)])
def test_the_kernel_in_any_order_of_threads(monkeypatch: pytest.MonkeyPatch, seed: int, own: int) -> None:
    """Warps take what they find, or leave it to all where there is no room; the emulator reports races."""
    monkeypatch.setattr(blocks, "OWN", own)
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    trees = make_undirected(np.arange(1, 800), np.random.default_rng(seed).integers(0, np.arange(1, 800)), 800)
    for G in (draw_undirected(secrets.randbits(32), n=100, edges=2000), gl.generate.kronecker(8, engine="cpu"), trees):
        gl.core_numbers.verify(G, gl.core_numbers(G.to(engine), method="peel").to("cpu"))


def test_the_cores_are_those_of_networkx() -> None:
    G = draw_undirected(secrets.randbits(32), edges=500)
    g = to_networkx(G)
    for k in (None, 0, 1, 3, 1000):
        F = gl.k_core(G, k)
        edges = {(u, v) for u, v in zip(*(part.tolist() for part in F.to_coo()[:2]), strict=True) if u != v}
        assert edges == {arc for u, v in nx.k_core(g, k).edges for arc in ((u, v), (v, u))}
        assert (F.dtype, F.shape) == (G.dtype, G.A.shape)
    assert gl.k_core(gl.Graph(([], []), n=0)).nvals == 0


def test_a_core_keeps_its_weights_and_loops() -> None:
    G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3, 0], [1, 0, 2, 1, 0, 2, 3, 2, 0], [1, 2, 0, 4, 5, 6, 7, 8, 9]), engine="cpu")
    assert gl.k_core(G, 2).to_dicts() == {0: {0: 9, 1: 1, 2: 6}, 1: {0: 2, 2: 0}, 2: {0: 5, 1: 4}}


def test_bad_input_is_refused() -> None:
    G, D = draw_undirected(1), gl.Graph(([0, 1], [1, 2]))
    for call in (gl.core_numbers, gl.k_core):
        with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*cores are of undirected graphs: gl"):
            call(D)
        with pytest.raises(NotSupported, match="no method 'shells'"):
            call(G, method="shells")
        with pytest.raises(GraphlaError, match="int is no Graph"):
            call(3)  # type: ignore[arg-type]
    for k in (-1, 1.5, "two"):
        with pytest.raises(InvalidOption, match="k="):
            gl.k_core(G, k)  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_numbers() -> None:
    G = draw_undirected(3)
    cores = gl.core_numbers(G)
    top = int(cores.to_numpy().argmax())
    gl.core_numbers.verify(G, cores)
    for change, message in ((1, f"vertex {top} has .* and needs as many"), (-1, "in a core of more|needs as many")):
        wrong = cores.dup()
        wrong[top] = cores[top].value + change
        with pytest.raises(VerificationError, match=message):
            gl.core_numbers.verify(G, wrong)
    with pytest.raises(VerificationError, match="is in a core of more than 0"):
        gl.core_numbers.verify(G, gl.Vector.from_dense(np.zeros(G.n, "int32")))


def test_a_comparison() -> None:
    found = gl.compare(
        "core_numbers", gl.Graph(binary.any(draw_undirected(3).A | draw_undirected(4).A).new()), repeat=1
    )
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "buckets", "NetworkX"}
