"""Matchings by every method against a loop in Python and SciPy; the verifier against wrong answers."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import maximum_bipartite_matching

import graphla as gl
from graphla.algorithms.matching import _suitor_cpu
from graphla.algorithms.matching._keys import FIRST, INNER_SHIFT, OUTER_SHIFT, SECOND, make_keys
from graphla.algorithms.matching.sides import split_by_levels
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
from tests.graphla.algorithms.graphs import SHAPES, draw_edges, make_undirected
from tests.graphla.engine.engines import get_engine_named


def list_matchings(kind: str) -> list[Any]:
    """The methods that find matchings of a kind, on their engines."""
    return list_cases(gl.matching, only=lambda method, _: method.refuses(None, {"kind": kind}) is None)


MAXIMAL, MAXIMUM = (
    pytest.mark.parametrize(("name", "engine"), list_matchings(kind)) for kind in ("maximal", "maximum")
)


def fresh(seed: int, n: int = 90, edges: int = 300, weights: bool = False) -> gl.Graph:
    """A random undirected graph with loops, hubs and vertices without an edge; few weights, some negative."""
    rng = np.random.default_rng(seed)
    tails, heads = draw_edges(rng, n, edges)
    return make_undirected(tails, heads, n + 3, rng.integers(-2, 4, edges).astype(float) if weights else None)


def match_by_hand(G: gl.Graph, weights: bool, seed: int) -> list[int]:
    """A loop over the edges by falling weight and falling hash."""
    tails, heads, values = (np.asarray(part) for part in G.A.to_coo())
    keys = make_keys(np, tails, heads, seed)
    assert np.unique(keys).size == np.unique(np.minimum(tails, heads) * G.n + np.maximum(tails, heads)).size
    mates = [-1] * G.n
    for k in np.lexsort((keys, values if weights else np.zeros(values.size)))[::-1].tolist():
        u, v = int(tails[k]), int(heads[k])
        if u != v and mates[u] == mates[v] == -1:
            mates[u], mates[v] = v, u
    return mates


def check(G: gl.Graph, name: str, engine: str, weights: bool = False, seed: int = 0) -> None:
    """The very edges."""
    found = gl.matching(G.to(get_engine_named(engine)), weights=weights, seed=seed, method=name)
    assert found.dtype == "INT32"
    assert found.to_numpy(-1).tolist() == match_by_hand(G, weights, seed)
    gl.matching.verify(G, found.to("cpu"), weights=weights)


@MAXIMAL
@pytest.mark.parametrize("weights", [False, True])
def test_random_graphs(name: str, engine: str, weights: bool) -> None:
    for edges in (60, 300, 1500):
        seed = secrets.randbits(31)
        try:
            check(fresh(seed, edges=edges, weights=weights), name, engine, weights, seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {edges} edges") from error


@MAXIMAL
@pytest.mark.parametrize("shape", SHAPES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    check(make_undirected(tails, heads, n), name, engine)


@pytest.mark.parametrize(("name", "engine"), [case for case in list_matchings("maximal") if case.values[0] == "suitor"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "int64", "float32", "float64"])
def test_weights_of_any_type(dtype: str, name: str, engine: str) -> None:
    """Each is ousted by the next on a path of rising weights; values of 64 bits need more than 32."""
    rng = np.random.default_rng(7)
    values = {"bool": [0, 1], "int64": np.arange(-40, 40) << 40, "uint64": np.arange(80) << 57}.get(dtype)
    values = np.arange(-40, 40) / (1 if dtype == "int8" else 7) if values is None else values
    path = np.sort(rng.choice(values, 99).astype(dtype))
    check(make_undirected(np.arange(1, 100), np.arange(99), 100, path), name, engine, weights=True)


@pytest.mark.parametrize("weights", [False, True])
def test_the_least_key_is_that_of_an_edge(weights: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edge is chosen although it has the key that stands for no proposal; a loop is not."""
    G, least = make_undirected([0, 1, 2, 3, 5], [1, 0, 2, 4, 5], 6, np.zeros(5)), -(1 << 63)
    for u, v in ((0, 1), (3, 4), (2, 2), (5, 5)):
        pair = np.uint64(u << 32 | v)
        salt = pair ^ unmix(np.uint64(1 << 63))
        assert _suitor_cpu.find_key(np.uint32(u), np.uint32(v), salt) == least
        monkeypatch.setattr(_suitor_cpu, "make_salt", lambda seed, salt=salt: salt)
        assert gl.matching(G, weights=weights).to_dict() == {0: 1, 1: 0, 3: 4, 4: 3}


def unmix(key: Any) -> Any:
    """The number whose hash a key is, bit by bit from the top."""
    number = np.uint64(0)
    for multiplier, shift in ((None, OUTER_SHIFT), (SECOND, INNER_SHIFT), (FIRST, OUTER_SHIFT)):
        number = key if multiplier is None else np.uint64(int(key) * pow(multiplier, -1, 1 << 64) & (1 << 64) - 1)
        key = number
        for _ in range(64 // shift + 1):
            key = number ^ (key >> np.uint64(shift))
    return key


def test_blocks_of_proposals() -> None:
    """Vertices propose many at once, and more than one block of them waits for its turn again."""
    rng = np.random.default_rng(secrets.randbits(31))
    for n, edges in ((700, 500), (700, 5000), (300, 30000)):
        tails, heads = rng.integers(0, n, (2, edges))
        check(make_undirected(tails, heads, n), "suitor", "cpu", seed=int(rng.integers(1 << 31)))
    check(make_undirected([0] * 299, range(1, 300), 300), "suitor", "cpu")


def make_bipartite(seed: int, left: int, right: int, edges: int) -> gl.Graph:
    """A random bipartite graph; the vertices of both sides are mixed, and some have a loop."""
    rng = np.random.default_rng(seed)
    p = rng.permutation(left + right)
    us, vs = (rng.random(edges) ** 2 * left).astype(int), left + rng.integers(0, right, edges)
    loops = rng.integers(0, left + right, 3)
    return make_undirected(p[np.append(us, loops)], p[np.append(vs, loops)], left + right)


def count_pairs(G: gl.Graph) -> int:
    """The size of a maximum matching, by SciPy."""
    left = split_by_levels(G)
    A = G.A.to_scipy_sparse("csr")
    return int((maximum_bipartite_matching(A[left][:, ~left]) >= 0).sum())


@MAXIMUM
def test_maximum_matchings(name: str, engine: str) -> None:
    for left, right, edges in ((30, 40, 60), (150, 100, 220), (60, 60, 900)):
        seed = secrets.randbits(31)
        G = make_bipartite(seed, left, right, edges)
        found = gl.matching(G.to(get_engine_named(engine)), kind="maximum", method=name).to("cpu")
        assert found.nvals // 2 == count_pairs(G), f"seed {seed}"
        gl.matching.verify(G, found, kind="maximum")


@MAXIMUM
@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "complete"])
def test_corners_of_maximum_matchings(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    G = make_undirected(tails, heads, n)
    found = gl.matching(G.to(get_engine_named(engine)), kind="maximum", method=name).to("cpu")
    assert found.nvals == {"a path": 200, "a star": 2}.get(shape, 0)


@MAXIMUM
def test_long_paths_are_found(name: str, engine: str) -> None:
    """Greedy matchings leave both ends of some paths free; whole paths must change."""
    n = 120
    us = np.concatenate([np.arange(n), np.arange(n - 1)])
    vs = n + np.concatenate([np.arange(n), np.arange(1, n)])
    p = np.random.default_rng(secrets.randbits(32)).permutation(2 * n)
    G = make_undirected(p[us], p[vs], 2 * n)
    found = gl.matching(G.to(get_engine_named(engine)), kind="maximum", method=name)
    assert found.nvals == 2 * n


@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_graphs_that_are_not_bipartite_are_refused(engine: str) -> None:
    ring = make_undirected(np.arange(7), np.roll(np.arange(7), 1), 8).to(get_engine_named(engine))
    with pytest.raises(InvalidGraph, match=r"bipartite graphs, and the edge between \d and \d closes a cycle of odd"):
        gl.matching(ring, kind="maximum")
    even = make_undirected(np.arange(8), np.roll(np.arange(8), 1), 8).to(get_engine_named(engine))
    assert gl.matching(even, kind="maximum").nvals == 8


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(seed: int) -> None:
    """The answer is that of the loop; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    for G in (fresh(secrets.randbits(32), edges=1500, weights=True), gl.generate.kronecker(8, engine="cpu")):
        found = gl.matching(G.to(engine), weights=True, seed=5, method="suitor")
        assert found.to_numpy(-1).tolist() == gl.matching(G, weights=True, seed=5).to_numpy(-1).tolist()


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_searches_in_any_order_of_threads(seed: int) -> None:
    """Hubs and short rows, and many phases; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    for G in (make_bipartite(secrets.randbits(32), 200, 150, 500), make_bipartite(secrets.randbits(32), 30, 400, 700)):
        found = gl.matching(G.to(engine), kind="maximum", method="searches").to("cpu")
        gl.matching.verify(G, found, kind="maximum")


def test_a_larger_graph_and_its_seeds() -> None:
    G = gl.generate.kronecker(12, engine="cpu")
    found = [gl.matching(G, seed=seed) for seed in (0, 0, 1)]
    assert found[0].isequal(found[1])
    assert not found[0].isequal(found[2])
    for mates in found:
        gl.matching.verify(G, mates)


def test_heavy_matchings_weigh_half_of_the_heaviest() -> None:
    import networkx as nx

    G = fresh(secrets.randbits(32), n=40, edges=150, weights=True)
    A = G.A.to_scipy_sparse("csr").toarray()
    mates = gl.matching(G, weights=True).to_dict()
    g = nx.Graph()
    g.add_weighted_edges_from((u, v, A[u, v]) for u, v in np.argwhere(A > 0).tolist() if u != v)
    best = sum(A[u, v] for u, v in nx.max_weight_matching(g))
    assert 2 * sum(A[u, v] for u, v in mates.items() if u < v and A[u, v] > 0) >= best > 0


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    one_way = gl.Graph(([0, 1], [1, 2]))
    with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*matchings are of undirected graphs"):
        gl.matching(one_way)
    with pytest.raises(InvalidGraph, match=r"matching: the arc 0 → 1 has no reverse of the same weight; a heavy"):
        gl.matching(gl.Graph(([0, 1], [1, 0], [2, 3])), weights=True)
    with pytest.raises(NotSupported, match="no method 'blossom'"):
        gl.matching(G, method="blossom")
    with pytest.raises(NotSupported, match="it finds maximal matchings"):
        gl.matching(G, kind="maximum", method="suitor")
    with pytest.raises(NotSupported, match="it finds maximum matchings"):
        gl.matching(G, method="hopcroft_karp")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.matching(3)  # type: ignore[arg-type]
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"seed": -1}, "seed="),
        ({"kind": "best"}, "kind='best': there are 'maximal', 'maximum'"),
        ({"weights": "yes"}, "weights='yes': give True or False"),
        ({"kind": "maximum", "weights": True}, "counts edges"),
        ({"kind": "maximum", "seed": 3}, "seed=3: it chooses among maximal"),
    )
    for options, match in wrong:
        with pytest.raises(InvalidOption, match=match):
            gl.matching(G, **options)
    with pytest.raises(DimensionMismatch, match="mates="):
        gl.matching.verify(G, gl.independent_set(G))


def test_the_verifier_finds_wrong_matchings() -> None:
    G = make_undirected(np.array([0, 1, 2]), np.array([1, 2, 3]), 5, np.array([1, 9, 1]))
    for mates, options, message in (
        ({0: 1}, {}, "the mate of 0 is 1, whose mate is not 0"),
        ({0: 7}, {}, "the mate of 0 is 7, whose mate is not 0"),
        ({0: 2, 2: 0}, {}, "0 and 2 are mates, and no neighbours"),
        ({0: 1, 1: 0}, {}, "2 and 3 are neighbours, and both are free"),
        ({0: 1, 1: 0, 2: 3, 3: 2}, {"weights": True}, "between 1 and 2 weighs 9, more than"),
        ({1: 2, 2: 1}, {"kind": "maximum"}, "1 pairs, and 2 are possible"),
    ):
        wrong = gl.Vector.from_coo(list(mates), list(mates.values()), dtype="INT32", size=5, engine="cpu")
        with pytest.raises(VerificationError, match=message):
            gl.matching.verify(G, wrong, **options)


@pytest.mark.parametrize("kind", ["maximal", "maximum"])
def test_a_comparison(kind: str) -> None:
    found = gl.compare("matching", make_bipartite(3, 40, 30, 90), repeat=1, kind=kind)
    own = {"maximal": "suitor", "maximum": "hopcroft_karp"}
    assert {row.status for row in found if row.name not in own.values()} == {"right"}, str(found)
    assert (found[own[kind]].status, found["NetworkX"].status) == ("right", "right")


def test_the_sizes_of_two_matchings() -> None:
    difference = gl.matching.difference
    assert difference is not None
    one, two, three = (np.array([1, 0] * k + [-1] * (6 - 2 * k)) for k in (1, 2, 3))
    assert difference(two, one, {}) is None
    assert difference(three, one, {}) == "3 edges instead of 1"
    assert difference(two, one, {"kind": "maximum"}) == "2 edges instead of 1"
