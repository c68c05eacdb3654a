"""Sampled neighbourhoods: arcs of the graph, as many as asked, in the order of discovery, drawn as they should be."""

from __future__ import annotations

import secrets
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import graphla as gl
from graphla.algorithms.shared.weight_sums import add_up_rows
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, UnknownLabel
from tests.graphla.engine.engines import NAMES, get_engine_named

UNLIKELY = 1e-7
"""A fair draw fails a test of so small a level once in ten million runs."""
CASES = [(direction, replace, disjoint) for direction in ("in", "out") for replace in (0, 1) for disjoint in (0, 1)]


def fresh(seed: int, n: int = 50, arcs: int = 400) -> gl.Graph:
    """A directed random graph with hubs, loops, weights of zero, and vertices without an arc."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), (rng.random(arcs) ** 2 * n).astype(int)
    return gl.Graph((tails, heads, rng.integers(0, 4, arcs)), n=n + 3, dup="first", engine="cpu")


def list_arcs(G: gl.Graph) -> tuple[Any, Any]:
    """Tails and heads in the order of ``G.csr``."""
    return np.repeat(np.arange(G.n), np.diff(G.csr.indptr)), G.csr.indices


def grow_all(G: gl.Graph, seeds: list[int], hops: int, inward: bool) -> tuple[list[int], ...]:
    """Row, col, node and edge where all arcs are taken, arc by arc."""
    tails, heads = list_arcs(G)
    node, row, col, edge, first = list(seeds), [], [], [], 0
    for _ in range(hops):
        last = len(node)
        for number in range(first, last):
            near, far = (heads, tails) if inward else (tails, heads)
            for place in np.flatnonzero(near == node[number]):
                v = int(far[place])
                if v not in node:
                    node.append(v)
                row.append(node.index(v))
                col.append(number)
                edge.append(int(place))
        first = last
    return (row, col, node, edge) if inward else (col, row, node, edge)


@pytest.mark.parametrize("engine", NAMES)
@pytest.mark.parametrize("kind", ["bool", "uint8", "int32", "int64", "float32", "float64"])
def test_running_sums_of_weights_are_those_of_a_cpu(kind: str, engine: str) -> None:
    seed, home = secrets.randbits(31), get_engine_named(engine)
    rng = np.random.default_rng(seed)
    for n, arcs in ((1, 0), (1, 1), (40, 300), (300, 900)):
        keys = np.unique(rng.integers(0, n, arcs) ** 2 // n * n + rng.integers(0, n, arcs))
        weights = (rng.random(keys.size) * 10.0 ** rng.integers(0, 9 if kind == "float64" else 2)).astype(kind)
        G = gl.Graph((keys // n, keys % n, weights), n=n, engine="cpu")
        sums = home.to_host(add_up_rows(home, G.to(home).csr))
        np.testing.assert_array_equal(sums, add_up_rows(G.engine, G.csr), err_msg=f"seed {seed}", strict=True)


@pytest.mark.parametrize("direction", ["in", "out"])
@pytest.mark.parametrize("fanout", [-1, 1000])
def test_all_arcs_come_in_the_order_of_discovery(fanout: int, direction: str) -> None:
    for seed in range(4):
        G = fresh(seed)
        seeds = np.random.default_rng(seed).permutation(G.n)[:5]
        found = gl.sample_neighbors(G, seeds, [fanout] * 3, direction=direction)
        expected = grow_all(G, seeds.tolist(), 3, direction == "in")
        assert tuple(part.tolist() for part in found[:4]) == tuple(expected)
        assert found.batch is None
        assert sum(found.num_sampled_nodes) == len(expected[2])
        assert sum(found.num_sampled_edges) == len(expected[0])


@pytest.mark.parametrize(("direction", "replace", "disjoint"), CASES)
def test_every_arc_is_one_and_every_vertex_draws_as_many_as_it_is_to(
    direction: str, replace: bool, disjoint: bool
) -> None:
    seed, fanouts = secrets.randbits(31), [4, 3, 2]
    G, inward = fresh(seed), direction == "in"
    seeds = np.random.default_rng(seed).permutation(G.n)[:9]
    options: dict[str, Any] = {"replace": replace, "disjoint": disjoint, "direction": direction, "seed": seed}
    s = gl.sample_neighbors(G, seeds, fanouts, **options)
    tails, heads = list_arcs(G)
    assert (s.node[s.row] == tails[s.edge]).all()
    assert (s.node[s.col] == heads[s.edge]).all()
    near, far = (s.col, s.row) if inward else (s.row, s.col)
    degrees = np.bincount(heads if inward else tails, minlength=G.n)
    first = arcs = 0
    for hop, fanout in enumerate(fanouts):
        last = first + s.num_sampled_nodes[hop]
        drew = np.bincount(near[arcs : arcs + s.num_sampled_edges[hop]], minlength=s.node.size)
        degree = degrees[s.node[first:last]]
        assert (drew[first:last] == (fanout * (degree > 0) if replace else np.minimum(degree, fanout))).all()
        assert drew.sum() == s.num_sampled_edges[hop]
        first, arcs = last, arcs + s.num_sampled_edges[hop]
    assert (np.sort(near, kind="stable") == near).all()
    assert (s.node[:9] == seeds).all()
    keys = s.node if s.batch is None else s.batch * G.n + s.node
    assert np.unique(keys).size == s.node.size
    new = list(dict.fromkeys(far[far >= 9].tolist()))
    assert new == list(range(9, s.node.size))
    if s.batch is not None:
        assert (s.batch[:9] == np.arange(9)).all()
        assert (s.batch[s.row] == s.batch[s.col]).all()
    if not replace:
        assert np.unique(near * G.nvals + s.edge).size == s.edge.size
    again = gl.sample_neighbors(G, seeds, fanouts, **options)
    assert all((a == b).all() for a, b in zip(s[:4], again[:4], strict=True))
    other = gl.sample_neighbors(G, seeds, fanouts, **{**options, "seed": seed + 1})
    assert s.edge.tolist() != other.edge.tolist()


def test_what_a_vertex_draws_does_not_depend_on_others() -> None:
    G = gl.generate.kronecker(8, engine="cpu")
    hubs = np.argsort(-G.degrees)[:20]
    together = gl.sample_neighbors(G, hubs, [5], seed=3)
    for number, hub in enumerate(hubs):
        alone = gl.sample_neighbors(G, [hub], [5], seed=3)
        assert alone.edge.tolist() == together.edge[together.col == number].tolist()


def count_draws(shares: list[int], fanout: int, **options: Any) -> Counter[Any]:
    """How often each list of arcs is drawn from a vertex whose arcs have these weights, in 40,000 samples."""
    degree = len(shares)
    G = gl.Graph((np.zeros(degree, int), np.arange(1, degree + 1), shares), engine="cpu")
    draws = 40_000
    found = gl.sample_neighbors(
        G, [0] * draws, [fanout], disjoint=True, direction="out", seed=secrets.randbits(31), **options
    )
    return Counter(map(tuple, found.edge.reshape(draws, -1).tolist()))


def test_sets_without_replacement_are_alike() -> None:
    for degree, fanout in ((6, 3), (9, 2), (5, 4)):
        counts: Counter[Any] = Counter()
        for draw, count in count_draws([1] * degree, fanout).items():
            counts[tuple(sorted(draw))] += count
        observed = [counts[each] for each in combinations(range(degree), fanout)]
        assert sum(observed) == 40_000
        assert stats.chisquare(observed).pvalue > UNLIKELY


def test_draws_with_replacement_are_independent() -> None:
    counts = count_draws([1] * 5, 2, replace=True)
    assert len(counts) == 25
    assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY
    weighted = count_draws([1, 0, 5, 2], 2, replace=True, weights=True)
    pairs = [(a, b) for a in (0, 2, 3) for b in (0, 2, 3)]
    share = {0: 1 / 8, 2: 5 / 8, 3: 2 / 8}
    expected = np.array([share[a] * share[b] for a, b in pairs]) * 40_000
    assert sum(weighted[pair] for pair in pairs) == 40_000
    assert stats.chisquare([weighted[pair] for pair in pairs], expected).pvalue > UNLIKELY


def test_draws_by_weight_without_replacement_are_by_what_is_left() -> None:
    weights = [3, 1, 0, 7, 2]
    counts = count_draws(weights, 3, weights=True)
    orders, total = list(permutations((0, 1, 3, 4), 3)), sum(weights)
    expected = []
    for order in orders:
        left, chance = total, 1.0
        for arc in order:
            chance *= weights[arc] / left
            left -= weights[arc]
        expected.append(chance * 40_000)
    assert sum(counts[order] for order in orders) == 40_000
    assert stats.chisquare([counts[order] for order in orders], expected).pvalue > UNLIKELY


def test_arcs_of_no_weight_are_never_drawn() -> None:
    G = gl.Graph((np.zeros(6, int), np.arange(1, 7), [0, 4, 0, 0, 1, 0]), engine="cpu")
    for fanout in (2, 3, 5, 6, 9, -1):
        for replace in (False, True):
            s = gl.sample_neighbors(G, [0], [fanout, 2], weights=True, replace=replace, direction="out")
            assert set(s.edge.tolist()) == {1, 4} or (replace and fanout > 0 and set(s.edge.tolist()) <= {1, 4})
            assert (s.node[s.col] == G.csr.indices[s.edge]).all()


@pytest.mark.parametrize("direction", ["in", "out"])
def test_no_arc_is_later_than_the_seed(direction: str) -> None:
    seed = secrets.randbits(31)
    rng, G = np.random.default_rng(seed), fresh(seed)
    time, seeds = rng.integers(0, 20, G.nvals), rng.integers(0, G.n, 30)
    limits = rng.integers(-1, 20, 30)
    tails, heads = list_arcs(G)
    near = heads if direction == "in" else tails
    for options in ({}, {"replace": True}, {"latest": True}, {"weights": True}):
        s = gl.sample_neighbors(G, seeds, [3, 2], time=time, seed_time=limits, direction=direction, **options)
        assert (time[s.edge] <= limits[s.batch[s.row]]).all()
        drew = s.col if direction == "in" else s.row
        for number in range(30):
            place = np.flatnonzero((near == seeds[number]) & (time <= limits[number]))
            found = s.edge[drew == number]
            if "latest" in options:
                assert sorted(time[found]) == sorted(time[place])[-3:]
            elif not options:
                assert found.size == min(3, place.size)
    of_vertices = rng.integers(0, 20, G.n).astype("datetime64[D]")
    s = gl.sample_neighbors(G, seeds, [3, 2], vertex_time=of_vertices, direction=direction)
    far = s.node[s.row if direction == "in" else s.col]
    assert (of_vertices[far] <= of_vertices[seeds][s.batch[s.row]]).all()


def test_arcs_that_are_early_enough_are_drawn_alike() -> None:
    G = gl.Graph((np.zeros(7, int), np.arange(1, 8)), engine="cpu")
    time, draws = np.array([5, 1, 9, 3, 4, 8, 2.5]), 30_000
    s = gl.sample_neighbors(
        G, [0] * draws, [2], time=time, seed_time=np.full(draws, 5), direction="out", seed=secrets.randbits(31)
    )
    counts = np.bincount(s.edge, minlength=7)
    assert counts[[2, 5]].sum() == 0
    assert stats.chisquare(counts[[0, 1, 3, 4, 6]]).pvalue > UNLIKELY


def test_times_that_change_are_taken_anew() -> None:
    G = gl.Graph(([0, 0], [1, 2]), engine="cpu")
    time = np.array([1, 5])
    options: dict[str, Any] = {"seed_time": [2], "direction": "out"}
    assert gl.sample_neighbors(G, [0], [2], time=time, **options).edge.tolist() == [0]
    time[:] = 5, 1
    assert gl.sample_neighbors(G, [0], [2], time=time, **options).edge.tolist() == [1]


def test_several_relations_draw_one_after_the_other() -> None:
    """Two types of vertices as parts of one graph: what comes is the same by name."""
    cites = gl.Graph(([1, 2, 2], [0, 0, 1]), n=3, engine="cpu")
    writes = gl.Matrix.from_coo([0, 0, 1], [0, 1, 2], 1, nrows=2, ncols=3, engine="cpu")
    graphs = {("paper", "cites", "paper"): cites, ("author", "writes", "paper"): writes}
    s = gl.sample_neighbors(graphs, {"paper": [0]}, [-1, -1])
    cite, write = graphs
    assert s.node["paper"].tolist() == [0, 1, 2]
    assert s.node["author"].tolist() == [0, 1]
    assert (s.row[cite].tolist(), s.col[cite].tolist()) == ([1, 2, 2], [0, 0, 1])
    assert (s.row[write].tolist(), s.col[write].tolist()) == ([0, 0, 1], [0, 1, 2])
    assert s.edge[write].tolist() == [0, 1, 2]
    assert s.num_sampled_nodes == {"paper": [1, 2, 0], "author": [0, 1, 1]}
    assert s.num_sampled_edges == {cite: [2, 1], write: [1, 2]}
    few = gl.sample_neighbors(graphs, {"paper": [0, 0]}, {cite: [1], write: [0, 1]}, disjoint=True)
    assert few.batch["paper"].tolist()[:2] == [0, 1]
    assert few.num_sampled_edges[write] == [0, 2]
    timed = gl.sample_neighbors(graphs, {"paper": [0]}, [-1, -1], vertex_time={"paper": [3, 2, 4], "author": [1, 9]})
    assert (timed.node["paper"].tolist(), timed.node["author"].tolist()) == ([0, 1], [0])


def test_one_relation_is_one_graph() -> None:
    G = gl.generate.kronecker(7, engine="cpu")
    key = ("v", "e", "v")
    alone, typed = (
        gl.sample_neighbors(graphs, seeds, [4, 3], seed=5) for graphs, seeds in ((G, [1, 2]), ({key: G}, {"v": [1, 2]}))
    )
    assert typed.row[key].tolist() == alone.row.tolist()
    assert typed.node["v"].tolist() == alone.node.tolist()


def test_seeds_by_label() -> None:
    G = gl.Graph.from_arrow({"source": ["b", "c"], "target": ["a", "b"]}, engine="cpu")
    s = gl.sample_neighbors(G, ["a"], [2, 2])
    assert s.labels.tolist() == ["a", "b", "c"]
    with pytest.raises(UnknownLabel):
        gl.sample_neighbors(G, ["x"], [1])


def test_corners() -> None:
    for G in (gl.Graph(([], []), n=0), gl.Graph(([], []), n=3), gl.Graph(([0], [0])), gl.generate.path(4)):
        held = G.to("cpu")
        for seeds in ([], [0]):
            if len(seeds) <= held.n:
                for fanouts in ([], [0], [2, 0, 2], [-1, -1]):
                    for options in ({}, {"weights": True}, {"replace": True}, {"disjoint": True}):
                        s = gl.sample_neighbors(held, seeds, fanouts, **options)
                        assert s.node[: len(seeds)].tolist() == seeds
                        assert len(s.num_sampled_edges) == len(fanouts)
    loop = gl.sample_neighbors(gl.Graph(([0], [0]), engine="cpu"), [0], [3, 3])
    assert (loop.row.tolist(), loop.node.tolist(), loop.num_sampled_edges) == ([0], [0], [1, 0])


def test_bad_input_is_refused() -> None:
    G = fresh(2)
    time = np.zeros(G.nvals)
    for options, message in (
        ({"fanouts": [-2]}, "fanouts=-2"),
        ({"fanouts": 3}, "fanouts=3: give a sequence"),
        ({"direction": "up"}, "direction='up'"),
        ({"seed": -1}, "seed=-1"),
        ({"replace": 2}, "replace=2"),
        ({"time": time}, "seed_time=None: with time="),
        ({"time": time[1:], "seed_time": [1]}, "time: its shape is"),
        ({"time": time, "seed_time": [1, 2]}, "seed_time: its shape is"),
        ({"time": time * np.nan, "seed_time": [1]}, "none of them missing"),
        ({"time": time, "seed_time": [1], "disjoint": False}, "disjoint=False: with times"),
        ({"time": time, "vertex_time": time}, "give the times of arcs or those of vertices"),
        ({"seed_time": [1]}, "seed_time=: it needs"),
        ({"latest": True}, "latest=True: it needs"),
        ({"latest": True, "weights": True}, "leave out replace= and weights="),
    ):
        with pytest.raises(InvalidOption, match=message):
            gl.sample_neighbors(G, **{"seeds": [0], "fanouts": [2], **options})
    with pytest.raises(InvalidGraph, match="seeds: vertex 4 is there 2 times"):
        gl.sample_neighbors(G, [4, 4], [2])
    with pytest.raises(InvalidGraph, match="seeds=99 is no vertex"):
        gl.sample_neighbors(G, [99], [2])
    with pytest.raises(InvalidGraph, match="a weight is -1"):
        gl.sample_neighbors(gl.Graph(([0], [1], [-1])), [0], [1], weights=True)
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.sample_neighbors(3, [0], [1])  # type: ignore[arg-type]
    key = ("a", "b", "c")
    for graphs, seeds, fanouts, message in (
        ({}, {}, [1], "at least one relation"),
        ({"a": G}, {}, [1], "'a' is no relation"),
        ({key: 3}, {}, [1], "is 3: give a Graph or a Matrix"),
        ({key: G}, [0], [1], "give a dict of numbers by type"),
        ({key: G}, {"d": [0]}, [1], "no relation has vertices of the type 'd'"),
        ({key: G}, {"c": [0]}, {"x": [1]}, "is missing"),
        ({key: G, ("c", "d", "c"): gl.Graph(([], []), n=4)}, {"c": [0]}, [1], "53 vertices of the type 'c', and 4 in"),
    ):
        with pytest.raises(InvalidOption, match=message):
            gl.sample_neighbors(graphs, seeds, fanouts)
    with pytest.raises(InvalidGraph, match=r"seeds\['c'\]=99"):
        gl.sample_neighbors({key: G}, {"c": [99]}, [1])
