"""Biconnected components, bridges and articulation points by every method against NetworkX; the verifier."""

from __future__ import annotations

import secrets
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.biconnected_components import _verify, skeleton
from graphla.common.errors import DimensionMismatch, GraphlaError, InvalidGraph, NotSupported, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import EDGELESS, draw_undirected, list_pairs, make_undirected, to_networkx
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.biconnected_components)


def number_edges(g: Any) -> dict[tuple[int, int], int]:
    """The number of each arc: components of NetworkX in the order of their first arcs."""
    parts, first = dict[tuple[int, int], int](), dict[int, int]()
    for number, edges in enumerate(nx.biconnected_component_edges(g)):
        parts |= {arc: number for u, v in edges for arc in ((u, v), (v, u))}
    return {arc: first.setdefault(parts[arc], len(first)) for arc in sorted(parts)}


def list_arcs(A: gl.Matrix) -> list[tuple[int, int]]:
    """The ends of all entries."""
    return list(zip(*(part.tolist() for part in A.to("cpu").to_coo()[:2]), strict=True))


def check(G: gl.Graph, name: str, engine: Any) -> None:
    """The number of each arc, the bridges and the articulation points."""
    g, moved = to_networkx(G), G.to(engine)
    numbers = gl.biconnected_components(moved, method=name).to("cpu")
    assert numbers.dtype == "INT32"
    assert dict(zip(list_arcs(numbers), numbers.to_coo()[2].tolist(), strict=True)) == number_edges(g)
    gl.biconnected_components.verify(G, numbers)
    bridges = sorted(arc for u, v in nx.bridges(g) for arc in ((u, v), (v, u)))
    assert list_arcs(gl.bridges(moved, method=name)) == bridges
    points = gl.articulation_points(moved, method=name)
    assert points.dtype == "BOOL"
    assert set(np.flatnonzero(points.to_numpy(False)).tolist()) == set(nx.articulation_points(g))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for edges in (40, 80, 110, 400):
        seed = secrets.randbits(31)
        try:
            check(draw_undirected(seed, edges=edges), name, get_engine_named(engine))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {edges} edges") from error


def make_grid(seed: int) -> gl.Graph:
    """A grid of roads of which a third is closed."""
    edges = np.array(nx.grid_2d_graph(14, 15).edges).reshape(-1, 4) @ np.kron(np.eye(2, dtype=int), [[15], [1]])
    kept = edges[np.random.default_rng(seed).random(len(edges)) < 0.66]
    return make_undirected(kept[:, 0], kept[:, 1], 210)


def make_cactus(seed: int) -> gl.Graph:
    """Cycles and edges that hang on to each other at vertices, in random order, and another such component."""
    rng, edges, n = np.random.default_rng(seed), list[tuple[int, int]](), 1
    for _ in range(40):
        ring = [0 if n == 90 else int(rng.integers(n)), *range(n, n + int(rng.integers(1, 6)))]
        n = ring[-1] + 1
        edges += pairwise(ring)
        edges += [(ring[-1], ring[0])] if len(ring) > 2 else []
    order = rng.permutation(2 * n)
    tails, heads = np.array(edges).T
    return make_undirected(order[np.append(tails, tails + n)], order[np.append(heads, heads + n)], 2 * n)


WINDMILL = np.arange(1, 81)
CORNERS: dict[str, gl.Graph] = {
    **{name: make_undirected(*shape) for name, shape in EDGELESS.items()},
    "a path": make_undirected(np.arange(39), np.arange(1, 40), 40),
    "a star": make_undirected(np.arange(1, 120), np.zeros(119), 120),
    "a cycle": make_undirected(np.arange(40), np.roll(np.arange(40), 1), 40),
    "complete": make_undirected(*list_pairs(40), 40),
    "triangles around a vertex": make_undirected(
        np.append(np.zeros(80, int), WINDMILL[::2]), np.append(WINDMILL, WINDMILL[1::2]), 81
    ),
    "two cliques and a bridge, loops and repeats": make_undirected(
        [*[u for u in range(10) for _ in range(10)], *[u for u in range(10, 20) for _ in range(10)], 3, 3, 7],
        [*list(range(10)) * 10, *list(range(10, 20)) * 10, 15, 15, 7],
        22,
    ),
    "edges apart": make_undirected(range(0, 80, 2), range(1, 80, 2), 90),
    "a grid": make_grid(1),
    "a cactus": make_cactus(2),
}


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(corner: str, name: str, engine: str) -> None:
    check(CORNERS[corner], name, get_engine_named(engine))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_weights_are_kept_and_do_not_matter(name: str, engine: str) -> None:
    G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3, 1], [1, 0, 2, 1, 0, 2, 3, 2, 1], [0, 5, 6, 0, -7, 7, 0, 9, 4]))
    moved = G.to(get_engine_named(engine))
    assert gl.biconnected_components(moved, method=name).to("cpu").to_dicts() == {
        0: {1: 0, 2: 0}, 1: {0: 0, 2: 0}, 2: {0: 0, 1: 0, 3: 1}, 3: {2: 1}
    }  # fmt: skip
    found = gl.bridges(moved, method=name).to("cpu")
    assert found.dtype == G.dtype
    assert found.to_dicts() == {2: {3: 0}, 3: {2: 9}}


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 4, 0])
def test_the_kernels_in_any_order_of_threads(seed: int) -> None:
    """Any forest and any tour will do; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    drawn = [draw_undirected(secrets.randbits(31), edges=edges) for edges in (90, 700)]
    for G in (*drawn, make_grid(seed), make_cactus(seed), gl.generate.path(1500, engine="cpu")):
        check(G, "skeleton", engine)


def test_larger_graphs() -> None:
    for G in (gl.generate.kronecker(10, engine="cpu"), gl.generate.grid2d(20, 30, engine="cpu"), make_grid(3)):
        numbers = gl.biconnected_components(G)
        gl.biconnected_components.verify(G, numbers)
        assert gl.biconnected_components(G, method="algebraic").isequal(numbers)
    deep = gl.generate.path(200_000, engine="cpu")
    assert gl.bridges(deep).nvals == deep.nvals
    assert gl.articulation_points(deep).to_numpy().sum() == 199_998


def test_too_many_vertices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skeleton, "MOST_VERTICES", 50)
    G = draw_undirected(1).to(get_engine_named("emulated"))
    with pytest.raises(NotSupported, match="83 vertices are too many; method='algebraic'"):
        gl.biconnected_components(G, method="skeleton")


def test_bad_input_is_refused() -> None:
    G, D = draw_undirected(1), gl.Graph(([0, 1], [1, 2]))
    for call in (gl.biconnected_components, gl.bridges, gl.articulation_points):
        with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*are of undirected graphs: gl"):
            call(D)
        with pytest.raises(NotSupported, match="no method 'chains'"):
            call(G, method="chains")
        with pytest.raises(GraphlaError, match="int is no Graph"):
            call(3)  # type: ignore[arg-type]
        with pytest.raises(GraphlaError, match="no option 'root'"):
            call(G, root=3)
    for wrong in (G.A, gl.core_numbers(G), gl.biconnected_components(draw_undirected(2, edges=200))):
        with pytest.raises(DimensionMismatch, match="numbers"):
            gl.biconnected_components.verify(G, wrong)  # type: ignore[arg-type]


RINGS = make_undirected([0, 1, 2, 2, 3, 4, 4], [1, 2, 0, 3, 4, 2, 5], 6)
"""Two triangles at vertex 2, and a bridge from 4 to 5."""


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({(4, 5): 1}, "component 1 of the edge 2 – 3 falls apart: 1 of its 4 edges"),
        ({(2, 3): 0, (2, 4): 0, (3, 4): 0, (4, 5): 1}, "is on no ear of its component"),
        ({(0, 2): 1, (2, 3): 2, (2, 4): 2, (3, 4): 2, (4, 5): 3}, "1 cycles pass through several components"),
        ({(0, 1): 1, (0, 2): 0}, "edge 0 – 1 has a number that is not the next one"),
        ({(4, 5): 3}, "edge 4 – 5 has a number that is not the next one"),
        ({(2, 3): -1}, "edge 2 – 3 has a number that is not the next one"),
    ],
)
def test_the_verifier_finds_wrong_numbers(numbers: dict[tuple[int, int], int], message: str) -> None:
    found = gl.biconnected_components(RINGS)
    gl.biconnected_components.verify(RINGS, found)
    wrong = found.dup()
    for (u, v), number in numbers.items():
        wrong[u, v] = wrong[v, u] = number
    with pytest.raises(VerificationError, match=message):
        gl.biconnected_components.verify(RINGS, wrong)


def test_the_verifier_compares_both_arcs() -> None:
    wrong = gl.biconnected_components(RINGS).dup()
    wrong[5, 4] = 1
    with pytest.raises(VerificationError, match="edge 4 – 5 has different numbers at both arcs"):
        gl.biconnected_components.verify(RINGS, wrong)


def test_the_verifier_finds_any_other_partition() -> None:
    """Two components as one, or one as two, of random graphs."""
    rng = np.random.default_rng(secrets.randbits(31))
    for seed in range(30):
        G = draw_undirected(seed, n=20, edges=30)
        numbers = gl.biconnected_components(G)
        csr = gl.Graph(numbers).csr
        tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
        keys = np.minimum(tails, csr.indices) * G.n + np.maximum(tails, csr.indices)
        merged, split = csr.values.copy(), csr.values.copy()
        merged[merged == rng.integers(1, merged.max() + 1)] = 0
        part = np.bincount(split).argmax()
        split[(split == part) & (keys == rng.choice(keys[split == part]))] = split.max() + 1
        for wrong in (merged, split):
            _, first, inverse = np.unique(wrong, return_index=True, return_inverse=True)
            with pytest.raises(VerificationError):
                _verify.verify(csr, np.argsort(np.argsort(first))[inverse])


def test_a_comparison() -> None:
    found = gl.compare("biconnected_components", draw_undirected(3), repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "lowpoints", "NetworkX"}
