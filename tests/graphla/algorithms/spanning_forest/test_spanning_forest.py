"""Spanning forests by every method against SciPy, NetworkX and Kruskal by hand; the verifier against wrong answers."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.shared.edge_order import order_values, rank_values
from graphla.algorithms.spanning_forest import boruvka, filter_kruskal
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import EDGELESS
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.spanning_forest)
KINDS = ("minimum", "maximum")


def draw_weights(rng: np.random.Generator, count: int, kind: int) -> Any:
    """Weights of several dtypes, with ties; those of 64 bits do not all fit 32."""
    return [
        lambda: rng.integers(-3, 3, count).astype("int32"),
        lambda: rng.random(count),
        lambda: rng.integers(0, 2, count).astype(bool),
        lambda: rng.integers(-4, 4, count) * 2**40,
        lambda: (rng.normal(size=count).round(1) + 0.0).astype("float32") * np.float32(-1),
        lambda: rng.integers(0, 9, count).astype("uint8"),
    ][kind % 6]()


def make_symmetric(u: Any, v: Any, weights: Any, n: int, engine: Any = "cpu") -> gl.Graph:
    """The graph of edges; of repeated ones the last stays."""
    edges = {(min(a, b), max(a, b)): w for a, b, w in zip(u, v, weights, strict=True)}
    arcs = {**edges, **{(b, a): w for (a, b), w in edges.items()}}
    tails, heads = np.array([*arcs], int).reshape(-1, 2).T
    return gl.Graph((tails, heads, np.array([*arcs.values()], weights.dtype)), n=n, engine=engine)


def fresh(seed: int, n: int = 60, edges: int = 150, kind: int = 0) -> gl.Graph:
    """A random undirected graph with loops, ties, hubs and vertices without an edge."""
    rng = np.random.default_rng(seed)
    u, v = (rng.random(edges) ** 2 * n).astype(int).tolist(), rng.integers(0, n, edges).tolist()
    return make_symmetric(u, v, draw_weights(rng, edges, kind), n + 3)


def find_by_hand(G: gl.Graph, kind: str) -> dict[tuple[int, int], Any]:
    """Kruskal with sets."""
    arcs = zip(*(part.tolist() for part in G.A.to_coo()), strict=True)
    sign = -1 if kind == "maximum" else 1
    edges = sorted((sign * w, u, v) for u, v, w in arcs if u < v)
    tree = [{v} for v in range(G.n)]
    found = {}
    for w, u, v in edges:
        if tree[u] is not tree[v]:
            joined = tree[u] | tree[v]
            for x in joined:
                tree[x] = joined
            found[u, v] = found[v, u] = sign * w
    return found


def check(G: gl.Graph, name: str, engine: str, kind: Any = "minimum") -> None:
    """The very edges, with their weights, in both directions."""
    forest = gl.spanning_forest(G.to(get_engine_named(engine)), kind=kind, method=name)
    assert forest.dtype == G.dtype
    tails, heads, weights = (forest.engine.to_host(part).tolist() for part in forest.to_coo())
    assert dict(zip(zip(tails, heads, strict=True), weights, strict=True)) == find_by_hand(G, kind)
    gl.spanning_forest.verify(G, forest.to("cpu"), kind=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str, kind: str) -> None:
    for weights in range(6) if engine != "emulated" else (0, 1, 3):
        for edges in (40, 150, 600):
            seed = secrets.randbits(32)
            try:
                check(fresh(seed, edges=edges, kind=weights), name, engine, kind)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, {edges} edges, weights {weights}") from error


SHAPES = {
    **EDGELESS,
    "one edge": ([0], [1], 2),
    "a triangle, loops and more": ([0, 1, 2, 0, 1], [1, 2, 0, 0, 1], 5),
    "a path": (range(1, 40), range(39), 40),
    "a star": (range(1, 40), [0] * 39, 40),
    "complete": (np.repeat(range(30), 30), np.tile(range(30), 30), 30),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    """Also where all weights are the same, so that numbers alone decide."""
    u, v, n = SHAPES[shape]
    for weights in (np.ones(len(u), "int32"), np.arange(len(u), dtype="int32") * 7 % 11):
        check(make_symmetric(list(u), list(v), weights, n), name, engine)


def test_the_weights_in_order() -> None:
    """Keys order as weights do, whatever the dtype, and are of 32 bits where that is enough."""
    for values, bits in [
        (np.array([-2.5, -0.0, 0.0, 1e-40, 3, np.inf, -np.inf]), 64),
        (np.array([-2.5, -0.0, 0.0, 3, np.inf, -np.inf]), 32),
        (np.array([-2.5, 0.0, 3], "float32"), 32),
        (np.array([0.5, 0.0, 3], "float32"), 32),
        (np.array([2.5, -0.0, 3], "float16"), 32),
        (np.array([5, -7, 0, 2**31 - 1, -(2**31)]), 32),
        (np.array([5, -7, 0, 2**31, -(2**31)]), 64),
        (np.array([2**64 - 1, 0, 1], "uint64"), 64),
        (np.array([5, -7, 0], "int8"), 32),
        (np.array([True, False]), 32),
    ]:
        keys = order_values(np, values)
        assert keys.dtype == f"uint{bits}", values
        for found in (keys, rank_values(np, keys)):
            for key, value in zip(found, values, strict=True):
                assert ((found < key) == (values < value)).all()
                assert ((found == key) == (values == value)).all()


def test_a_graph_whose_heavy_edges_are_filtered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many edges per vertex: the lightest go first, and the others are still looked at."""
    monkeypatch.setattr(filter_kruskal, "SAMPLES", 256)
    for kind in KINDS:
        for weights in range(6):
            check(fresh(secrets.randbits(32), n=40, edges=2000, kind=weights), "filter_kruskal", "cpu", kind)
    G = gl.generate.from_spec("kron:12?weights=1..255", engine="cpu")
    gl.spanning_forest.verify(G, gl.spanning_forest(G))


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """With a filter and without; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    G = fresh(secrets.randbits(32), n=100, edges=2500, kind=1)
    for filtered in (boruvka.FILTERED, 1000):
        monkeypatch.setattr(boruvka, "FILTERED", filtered)
        moved = G.to(engine)
        assert (boruvka.count_light(moved) > 0) == (filtered < 1000)
        for kind in KINDS:
            gl.spanning_forest.verify(G, gl.spanning_forest(moved, kind=kind, method="boruvka").to("cpu"), kind=kind)


def test_the_forest_is_a_graph_with_the_same_components() -> None:
    G = fresh(5)
    F = gl.Graph(gl.spanning_forest(G))
    assert gl.components(F).isequal(gl.components(G))
    assert F.nvals == 2 * (G.n - len(set(gl.components(G).to_dense().tolist())))


@pytest.mark.parametrize("weights", [
    [1.0, 1.0 + 2.3e-16], [5e-324, 1e-323], [np.inf, 1.0], [2**53, 2**53 + 1], np.uint64([2**64 - 1, 2**64 - 2]),
    np.int64([2**63 - 1, 2**63 - 2]), np.int8([-128, 127]),
], ids=str)  # fmt: skip
def test_both_arcs_of_an_edge_weigh_the_same_bit_by_bit(weights: Any) -> None:
    G = gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1], np.append([weights[0]] * 2, weights).astype(np.asarray(weights).dtype)))
    with pytest.raises(InvalidGraph, match="spanning_forest: the arc 1 → 2 has no reverse of the same weight"):
        gl.spanning_forest(G)
    with pytest.raises(InvalidGraph, match="matching: the arc 1 → 2 has no reverse of the same weight"):
        gl.matching(G, weights=True)


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    for arcs in (([0, 1], [1, 2]), ([0, 1], [1, 0], [1, 2]), ([0, 1, 2], [1, 0, 2], [0, -1, 3])):
        with pytest.raises(InvalidGraph, match=r"the arc .* has no reverse of the same weight.*binary\.min"):
            gl.spanning_forest(gl.Graph(arcs))
    with pytest.raises(InvalidOption, match="kind='least': there are 'minimum', 'maximum'"):
        gl.spanning_forest(G, kind="least")  # type: ignore[arg-type]
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.spanning_forest(3)  # type: ignore[arg-type]
    with pytest.raises(NotSupported, match="no method 'prim'"):
        gl.spanning_forest(G, method="prim")
    with pytest.raises(DimensionMismatch, match="give the matrix of shape"):
        gl.spanning_forest.verify(G, gl.components(G))  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_forests() -> None:
    G = make_symmetric([0, 1, 2, 0], [1, 2, 0, 3], np.array([1, 2, 3, 4]), 5)
    right = gl.spanning_forest(G).to_dicts()
    for change, message in [
        ({0: {1: 1, 2: 3, 3: 4}, 1: {0: 1}, 2: {0: 3}, 3: {0: 4}}, "0 – 2 is not in the minimum"),
        ({0: {1: 1}, 1: {0: 1, 2: 2}, 2: {1: 2}}, "0 – 3 of the minimum spanning forest is missing"),
        ({**right, 3: {}}, "0 – 3 is there one way only"),
        ({**right, 4: {0: 1}}, "4 – 0 is no edge of the graph"),
        ({**right, 3: {0: 5}}, "3 – 0 has another weight"),
    ]:
        cells = [(u, v, w) for u, row in change.items() for v, w in row.items()]
        forest = gl.Matrix.from_coo(*map(np.array, zip(*cells, strict=True)), nrows=5, ncols=5, engine="cpu")
        with pytest.raises(VerificationError, match=message):
            gl.spanning_forest.verify(G, forest)


@pytest.mark.parametrize("kind", KINDS)
def test_a_comparison(kind: str) -> None:
    found = gl.compare("spanning_forest", fresh(3, edges=400), kind=kind, repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "filter_kruskal", "SciPy", "NetworkX"}


def test_a_comparison_tells_a_wrong_forest() -> None:
    differ = gl.spanning_forest.difference
    assert differ is not None
    G = fresh(3, edges=400)
    least, greatest = (gl.spanning_forest.gives[0].to_array(gl.spanning_forest(G, kind=kind)) for kind in KINDS)
    assert differ(least, least, {}) is None
    assert "instead of" in str(differ(greatest, least, {}))
    assert "edges instead of" in str(differ(least[4:], least, {}))


def test_the_weight_is_that_of_networkx() -> None:
    G = fresh(secrets.randbits(32), kind=1)
    g = nx.Graph()
    g.add_weighted_edges_from(zip(*(part.tolist() for part in G.A.to_coo()), strict=True))
    for kind, solve in (("minimum", nx.minimum_spanning_tree), ("maximum", nx.maximum_spanning_tree)):
        total = gl.spanning_forest(G, kind=kind).reduce_scalar("plus").new().get(0) / 2  # type: ignore[arg-type]
        assert total == pytest.approx(solve(g).size("weight"))
