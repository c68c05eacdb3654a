"""Routing beside SciPy's Dijkstra, on fresh random graphs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graphla as gl
from graphla import errors
from graphla.algorithms.roads import roads as roads_module
from graphla.algorithms.shared.limits import Limits
from graphla.algorithms.shared.nearby import search_in


def make_graph(seed: int, *, dtype: Any = np.int32, n: int = 90, labels: Any = None) -> gl.Graph:
    """A sparse directed graph: with weights of zero, loops, and vertices that are not reached."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(n, 3 * n))
    tails = rng.integers(0, n, m)
    heads = np.where(rng.random(m) < 0.8, np.minimum(tails + rng.integers(0, 6, m), n - 1), rng.integers(0, n, m))
    weights = rng.integers(0, 9, m).astype(dtype) / (1 if np.dtype(dtype).kind == "i" else dtype(7))
    return gl.Graph((tails, heads, weights), n=n, dup="min", labels=labels, engine="cpu")


def solve(G: gl.Graph) -> Any:
    """All distances by SciPy, which takes a stored zero for an arc."""
    A = csr_array((np.asarray(G.csr.values).astype(float), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))
    return dijkstra(A)


def as_floats(roads: Any, found: Any) -> Any:
    """Distances with infinity where there is no path."""
    return np.where(found == roads.unreachable, np.inf, found)


def measure(G: gl.Graph, path: list[int]) -> float:
    """The length of a path; a KeyError if it has an arc that is not there."""
    arcs = {(t, h): w for t, h, w in zip(*(part.tolist() for part in G.A.to_coo()), strict=True)}
    return sum(arcs[arc] for arc in pairwise(path))


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
@pytest.mark.parametrize("seed", range(4))
def test_distances_and_paths(seed: int, dtype: Any) -> None:
    G = make_graph(seed, dtype=dtype)
    roads, D = gl.roads.prepare(G), solve(G)
    pairs = np.random.default_rng(seed).integers(0, G.n, (300, 2))
    wanted = D[pairs[:, 0], pairs[:, 1]]
    np.testing.assert_allclose(as_floats(roads, roads.distances(pairs=pairs)), wanted, rtol=1e-6)
    np.testing.assert_allclose(as_floats(roads, roads.distances(range(G.n), [3, 7])), D[:, [3, 7]], rtol=1e-6)
    for (source, target), path, d in zip(pairs.tolist(), roads.paths(pairs), wanted, strict=True):
        assert bool(path) == np.isfinite(d)
        if path:
            assert (path[0], path[-1]) == (source, target)
            np.testing.assert_allclose(measure(G, path), d, rtol=1e-5)
    vertices, indptr = roads.paths(pairs, ragged=True)
    assert [vertices[low:high].tolist() for low, high in pairwise(indptr.tolist())] == roads.paths(pairs)


@pytest.mark.parametrize("seed", range(3))
def test_paths_where_all_weights_are_zero(seed: int) -> None:
    G = make_graph(seed, n=40)
    G = gl.Graph((*G.A.to_coo()[:2], np.zeros(G.nvals, np.int32)), n=40, engine="cpu")
    D, F = solve(G), gl.factorize(G)
    for source, target in np.random.default_rng(seed).integers(0, 40, (60, 2)).tolist():
        path = F.path(source, target)
        assert bool(path) == np.isfinite(D[source, target])
        assert len(set(path)) == len(path)
        assert not path or ((path[0], path[-1]) == (source, target) and measure(G, path) == 0)


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
@pytest.mark.parametrize("seed", range(2))
def test_no_path_is_searched_where_weights_are_positive(seed: int, dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("graphla.algorithms.apsp.elimination.unpack.Unpacker._search")
    G = make_graph(seed, dtype=dtype)
    roads, D = gl.roads.prepare(G).customize(G.A.to_coo()[2] + 1), solve(G)
    pairs = np.argwhere(np.isfinite(D))
    assert [(path[0], path[-1]) for path in roads.paths(pairs)] == [tuple(pair) for pair in pairs.tolist()]


@pytest.mark.parametrize("seed", range(3))
def test_isochrones(seed: int) -> None:
    G = make_graph(seed)
    roads, D = gl.roads.prepare(G), solve(G)
    sources, limits = [5, 60, 5], [7, 12.5, 0]
    for source, limit, area in zip(sources, limits, roads.isochrone(sources, limits), strict=True):
        assert area.vertices.tolist() == np.flatnonzero(D[source] <= limit).tolist()
        assert area.times.tolist() == D[source][area.vertices].tolist()
    assert roads.isochrone(5, 7).vertices.tolist() == roads.isochrone([5], 7)[0].vertices.tolist()
    assert roads.isochrone([], 7) == []


@pytest.mark.parametrize("k", [1, 4, 30])
@pytest.mark.parametrize("seed", range(3))
def test_nearest(seed: int, k: int) -> None:
    G = make_graph(seed)
    roads, D = gl.roads.prepare(G), solve(G)
    targets = np.random.default_rng(seed).integers(0, G.n, 20)
    unique = np.unique(targets)
    found = roads.nearest(range(G.n), targets, k)
    for source in range(G.n):
        order = unique[np.lexsort((unique, D[source, unique]))]
        order = order[np.isfinite(D[source, order])][:k]
        assert found.vertices[source].tolist() == [*order.tolist(), *[-1] * (k - order.size)]
        assert found.times[source][: order.size].tolist() == D[source, order].tolist()
        assert (found.times[source][order.size :] == roads.unreachable).all()


def test_other_weights_on_the_same_order() -> None:
    G = make_graph(3)
    other = make_graph(3, dtype=np.float64)
    roads = gl.roads.prepare(G)
    for weights in (other, other.A.to_coo()[2]):
        custom = roads.customize(weights)
        np.testing.assert_allclose(as_floats(custom, custom.distances(range(90), range(90))), solve(other))
    np.testing.assert_array_equal(as_floats(roads, roads.distances(range(90), range(90))), solve(G))


def test_order_in_a_file(tmp_path: Path) -> None:
    G = make_graph(1)
    gl.roads.prepare(G).save_order(tmp_path / "order.npz")
    again = gl.roads.prepare(G, order=tmp_path / "order.npz")
    np.testing.assert_array_equal(as_floats(again, again.distances(range(90), range(90))), solve(G))
    with pytest.raises(errors.GraphlaError, match="other arcs"):
        gl.roads.prepare(make_graph(2), order=tmp_path / "order.npz")
    (tmp_path / "order.npz").write_bytes((tmp_path / "order.npz").read_bytes()[:500])
    with pytest.raises(errors.GraphlaError, match="cannot be read"):
        gl.roads.prepare(G, order=tmp_path / "order.npz")


def walk_turns(G: gl.Graph, turns: dict[Any, float], u_turn: float, source: int) -> dict[int, float]:
    """Distances by rounds over the arcs that end a path."""
    tails, heads, weights = (part.tolist() for part in G.A.to_coo())
    arcs = list(zip(tails, heads, weights, strict=True))
    best = {(t, h): float(w) for t, h, w in arcs if t == source}
    for _ in range(len(arcs)):
        old = dict(best)
        for (a, b), d in old.items():
            for t, c, w in arcs:
                if t != b:
                    continue
                cost = turns.get((a, b, c), u_turn if c == a != b else 0)
                best[b, c] = min(best.get((b, c), np.inf), d + w + cost)
        if best == old:
            break
    found = {source: 0.0}
    for (_, b), d in best.items():
        if d < found.get(b, np.inf):
            found[b] = d
    return found


@pytest.mark.parametrize("seed", range(4))
def test_turns(seed: int) -> None:
    rng, G = np.random.default_rng(seed), make_graph(seed, n=14)
    tails, heads = (part.tolist() for part in G.A.to_coo()[:2])
    every = [(a, b, c) for a, b in zip(tails, heads, strict=True) for t, c in zip(tails, heads, strict=True) if t == b]
    turns = {every[i]: [2.0, np.inf][i % 2] for i in rng.integers(0, len(every), 12).tolist()}
    u_turn = float(rng.choice([0, 3, np.inf]))
    roads = gl.roads.prepare(G, turns=turns, u_turn=u_turn)
    D = np.full((14, 14), np.inf)
    for source in range(14):
        for target, d in walk_turns(G, turns, u_turn, source).items():
            D[source, target] = d
    pairs = np.array([(s, t) for s in range(14) for t in range(14)])
    np.testing.assert_array_equal(as_floats(roads, roads.distances(range(14), range(14))), D)
    np.testing.assert_array_equal(as_floats(roads, roads.distances(pairs=pairs)), D.reshape(-1))
    for (source, target), path in zip(pairs.tolist(), roads.paths(pairs), strict=True):
        assert bool(path) == np.isfinite(D[source, target])
        prices = [
            turns.get(turn, u_turn if turn[0] == turn[2] != turn[1] else 0)
            for turn in zip(path[:-2], path[1:-1], path[2:], strict=False)
        ]
        assert not path or (path[-1] == target and measure(G, path) + sum(prices) == D[source, target])
    area = roads.isochrone(3, 9)
    assert dict(zip(area.vertices.tolist(), area.times.tolist(), strict=True)) == {
        v: d for v, d in enumerate(D[3]) if d <= 9
    }
    assert roads.nearest([3], range(14), 14).times[0].tolist()[: np.isfinite(D[3]).sum()] == sorted(
        D[3][np.isfinite(D[3])]
    )
    np.testing.assert_array_equal(as_floats(roads, roads.customize(2 * G.A.to_coo()[2]).distances([3], [3])), [[0]])


def test_labels() -> None:
    G = gl.Graph(([0, 1, 0], [1, 2, 3], [4, 5, 6]), n=5, labels=["a", "b", "c", "d", "e"], engine="cpu")
    for roads in (gl.roads.prepare(G), gl.roads.prepare(G, u_turn=1)):
        assert roads.paths([("a", "c"), ("c", "a")]) == [["a", "b", "c"], []]
        assert roads.distances(["a"], ["c", "d"]).tolist() == [[9, 6]]
        assert roads.isochrone("a", 6).vertices.tolist() == ["a", "b", "d"]
        assert roads.nearest(["a", "e"], ["c", "d"], 1).vertices.tolist() == [["d"], [None]]
        assert roads.paths([("a", "c")], ragged=True)[0].tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("n", [0, 1])
def test_small_graphs(n: int) -> None:
    G = gl.Graph(([0] * n, [0] * n, [3] * n), n=n, engine="cpu")
    for roads in (gl.roads.prepare(G), gl.roads.prepare(G, u_turn=2)):
        assert roads.paths([(0, 0)] * n) == [[0]] * n
        assert roads.distances(pairs=[(0, 0)] * n).tolist() == [0] * n
        assert roads.distances(range(n), range(n)).tolist() == [[0]] * n
        assert [area.vertices.tolist() for area in roads.isochrone(range(n), 5)] == [[0]] * n
        assert roads.nearest(range(n), range(n), 2).vertices.tolist() == [[0, -1]] * n


def test_what_is_refused() -> None:
    G = make_graph(1)
    roads = gl.roads.prepare(G)
    with pytest.raises(errors.NotSupported, match="zero or more"):
        gl.roads.prepare(gl.Graph(([0], [1], [-1]), engine="cpu"))
    with pytest.raises(errors.NotSupported, match="zero or more"):
        roads.customize(-np.ones(G.nvals))
    with pytest.raises(errors.DimensionMismatch, match="one for each arc"):
        roads.customize([1, 2])
    with pytest.raises(errors.DomainMismatch, match="real numbers"):
        roads.customize(["a"] * G.nvals)
    with pytest.raises(errors.DomainMismatch, match="no NaN"):
        gl.roads.prepare(G, u_turn=1).customize([float("nan")] * G.nvals)
    with pytest.raises(errors.InvalidOption, match="ragged"):
        roads.paths([(1, 2)], ragged=np.zeros(2))  # pyright: ignore[reportCallIssue, reportArgumentType]
    with pytest.raises(errors.InvalidOption, match="turns"):
        gl.roads.prepare(G, turns=np.zeros((2, 3)))  # pyright: ignore[reportArgumentType]
    with pytest.raises(errors.InvalidGraph, match="its arcs"):
        roads.customize(make_graph(2))
    with pytest.raises(errors.InvalidOption, match="pairs"):
        roads.distances([1])
    with pytest.raises(errors.InvalidOption, match="pairs"):
        roads.distances([1], [2], pairs=[(1, 2)])
    with pytest.raises(errors.DimensionMismatch, match="no pair"):
        roads.paths([(1, 2, 3)])
    with pytest.raises(errors.InvalidGraph, match="pairs=90"):
        roads.paths([(1, 90)])
    with pytest.raises(errors.InvalidOption, match="limits"):
        roads.isochrone(1, -1)
    with pytest.raises(errors.DimensionMismatch, match="limits"):
        roads.isochrone([1], [1, 2])
    with pytest.raises(errors.InvalidOption, match="k="):
        roads.nearest([1], [2], 0)
    with pytest.raises(errors.InvalidGraph, match="an arc that"):
        gl.roads.prepare(gl.Graph(([0], [1]), engine="cpu"), turns={(1, 0, 1): 2})
    with pytest.raises(errors.InvalidOption, match="three vertices"):
        gl.roads.prepare(G, turns={(1, 0): 2})
    with pytest.raises(errors.InvalidOption, match="u_turn"):
        gl.roads.prepare(G, u_turn=-2)


def test_distances_that_do_not_fit() -> None:
    far = 2**31 - 2
    roads = gl.roads.prepare(gl.Graph(([0, 1], [1, 2], np.array([far, far], np.int32)), engine="cpu"))
    with pytest.raises(errors.Overflow):
        roads.distances(pairs=[(0, 2)])
    with pytest.raises(errors.Overflow):
        roads.paths([(0, 2)])


@pytest.mark.parametrize("dtype", ["INT64", "INT32", "FP64", "FP32"])
@pytest.mark.parametrize("turns", [False, True])
def test_isochrones_of_much_of_the_graph_are_those_of_searches(dtype: str, turns: bool) -> None:
    rng = np.random.default_rng(4)
    G = gl.generate.road(900, engine="cpu")
    weights = rng.integers(1, 99, G.nvals) / (1 if dtype.startswith("INT") else 7)
    how: Any = {"u_turn": 3} if turns else {}
    roads = gl.roads.prepare(G, dtype=dtype, **how).customize(weights.astype(dtype.replace("FP", "float").lower()))
    starts = rng.integers(0, G.n, 40)
    limits = [*rng.integers(0, 900, 20).astype(float), *np.full(20, 1e6)]
    for sources, ends in ((starts, limits), (starts, [float("inf")] * 40), (starts[:3], [5, float("inf"), 1e9])):
        inner, found = roads._factor._graph, roads.isochrone(sources, ends)
        how_far = inner, roads._weights, sources.tolist(), Limits(limit=max(ends)), roads.unreachable
        right = search_in(*how_far, inner.n)
        begins = [0, *right.ends.tolist()]
        for area, begin, end, limit in zip(found, begins[:-1], begins[1:], ends, strict=True):
            expected = roads._cut(right, begin, end, limit)
            assert np.array_equal(area.vertices, expected.vertices)
            assert np.array_equal(area.times, expected.times)


def test_isochrones_that_do_not_fit_are_refused_by_what_the_first_ones_take(monkeypatch: pytest.MonkeyPatch) -> None:
    roads = gl.roads.prepare(gl.generate.grid2d(40, 40, engine="cpu"))
    with gl.config.set(memory_limit=8_000_000):
        assert len(roads.isochrone(range(100), float("inf"))) == 100
        with pytest.raises(errors.OutOfMemory, match=r"1,584 more sources reach, .*give some sources"):
            roads.isochrone(range(1600), float("inf"))
    monkeypatch.setattr(roads_module, "search_near", fail)
    with pytest.raises(errors.OutOfMemory, match=r"Roads.isochrone"):
        roads.isochrone(3, 4)


def fail(*_: Any) -> Any:
    """Act as an array that does not fit."""
    raise MemoryError("Unable to allocate 3.00 GiB")
