"""Louvain and Leiden: modularity against a loop in Python, each promise by its verifier, engines and seeds."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.leiden import _parts_cpu, _refine
from graphla.algorithms.leiden._inside import split
from graphla.algorithms.leiden._joins import Joins
from graphla.algorithms.louvain.algebraic import Algebra
from graphla.algorithms.shared.communities.level import LEAST_GAIN, make_level
from graphla.algorithms.shared.communities.rounds import Rounds
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from graphla.engine import get_engine
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import make_directed
from tests.graphla.engine.engines import get_engine_named

PROBLEMS = [gl.louvain, gl.leiden]
CASES = [case for problem in PROBLEMS for case in list_cases(problem, problem)]


def make_planted(seed: int, n: int = 80, groups: int = 5, *, directed: bool = False, weights: Any = None) -> gl.Graph:
    """A graph with groups of many arcs among them, with loops and vertices without an arc."""
    rng = np.random.default_rng(seed)
    of, tails, heads = rng.integers(0, groups, n), *rng.integers(0, n, (2, 12 * n))
    kept = (of[tails] == of[heads]) | (rng.random(tails.size) < 0.05)
    tails, heads = tails[kept], heads[kept]
    if not directed:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    pairs = np.minimum(tails, heads) * n + np.maximum(tails, heads)
    values = [] if weights is None else [weights(pairs).astype(float)]
    return gl.Graph((tails, heads, *values), n=n + 3, dup="first", engine="cpu")


def measure_by_hand(G: gl.Graph, labels: list[int], resolution: float) -> float:
    """The definition, pair by pair."""
    rows, columns, values = (part.tolist() for part in G.A.to_coo())
    m = sum(map(float, values))
    out, into = [0.0] * G.n, [0.0] * G.n
    for i, j, w in zip(rows, columns, values, strict=True):
        out[i] += w
        into[j] += w
    inside = sum(w for i, j, w in zip(rows, columns, values, strict=True) if labels[i] == labels[j])
    pairs = [(i, j) for i in range(G.n) for j in range(G.n) if labels[i] == labels[j]]
    return inside / m - resolution * sum(out[i] * into[j] for i, j in pairs) / m**2


@pytest.mark.parametrize("directed", [False, True])
def test_modularity_is_that_of_its_definition(directed: bool) -> None:
    seed = secrets.randbits(32)
    G = make_planted(seed, 40, directed=directed, weights=lambda pairs: pairs % 7 / 3)
    labels = np.random.default_rng(seed).integers(-3, 4, G.n)
    for resolution in (0.0, 0.4, 1.0, 3.0):
        expected = measure_by_hand(G, labels.tolist(), resolution)
        assert gl.modularity(G, labels, resolution) == pytest.approx(expected, abs=1e-12), seed
    assert gl.modularity(G, gl.Vector.from_dense(labels, engine="cpu")) == gl.modularity(G, labels.tolist())


def test_modularity_is_that_of_networkx() -> None:
    g = nx.karate_club_graph()
    G, sets = gl.Graph(g), nx.community.greedy_modularity_communities(g)
    labels = np.zeros(len(g), int)
    for number, nodes in enumerate(sets):
        labels[list(nodes)] = number
    for resolution in (1, 0.5):
        expected = nx.community.modularity(g, sets, resolution=resolution)
        assert gl.modularity(G, labels, resolution) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("problem", "name", "engine"), CASES)
def test_random_graphs(problem: Any, name: str, engine: str) -> None:
    """The promises, and no worse than what was planted."""
    seed = secrets.randbits(32)
    for directed, resolution in ((False, 1.0), (True, 0.7)):
        G = make_planted(seed, directed=directed, weights=lambda pairs: pairs % 5 + 1)
        labels = problem(G.to(get_engine_named(engine)), resolution, seed % 1000, method=name)
        assert (labels.dtype, labels.nvals) == ("INT32", G.n)
        problem.verify(G, labels.to("cpu"), resolution=resolution)
        assert gl.modularity(G, labels.to("cpu"), resolution) > 0.45, seed


SHAPES = {
    "empty": ([], [], 0, []),
    "one vertex": ([], [], 1, [0]),
    "a loop": ([0], [0], 1, [0]),
    "no arcs": ([], [], 4, [0, 1, 2, 3]),
    "an edge": ([0, 1], [1, 0], 3, [0, 0, 1]),
    "one arc": ([0], [1], 3, [0, 1, 2]),
    "two triangles": ([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], 6, [0, 0, 0, 1, 1, 1]),
    "the largest comes first": ([1, 2, 3, 4, 2, 1], [2, 1, 4, 3, 0, 0], 5, [0, 0, 0, 1, 1]),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("problem", "name", "engine"), CASES)
def test_corners(shape: str, problem: Any, name: str, engine: str) -> None:
    tails, heads, n, expected = SHAPES[shape]
    G = make_directed(tails, heads, n)
    found = problem(G.to(get_engine_named(engine)), method=name).to("cpu")
    assert found.to_numpy().tolist() == expected
    problem.verify(G, found)


def make_hub(n: int) -> gl.Graph:
    """A vertex with arcs to all others, which form rings of seven with more weight: rows of every class."""
    ring = np.arange(1, n)
    following = np.where(ring % 7 == 0, ring - 6, ring + 1)
    following[following >= n] = ring[-1]
    tails, heads = np.concatenate([ring * 0, ring]), np.concatenate([ring, following])
    weights = np.concatenate([np.ones(n - 1), np.full(n - 1, 9.5)])
    both = np.concatenate([tails, heads]), np.concatenate([heads, tails]), np.concatenate([weights, weights])
    return gl.Graph(both, n=n, dup="min", engine="cpu")


def test_of_two_vertices_alone_one_joins_the_other() -> None:
    """Both propose at once; if both moved they would swap."""
    level = make_level(gl.Graph(([0, 1], [1, 0]), engine="cpu"))
    rounds = Rounds(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
    alone = np.arange(2, dtype=np.int32)
    assert [each.tolist() for each in rounds.want(level, alone, np.ones(2, bool), 1 / level.total)] == [[1, 0], [0, 0]]


@pytest.mark.parametrize(("problem", "name", "engine"), CASES)
def test_communities_are_no_worse_than_single_vertices(problem: Any, name: str, engine: str) -> None:
    loops = gl.Graph(([0, 0, 0, 1, 1, 2, 2], [0, 1, 2, 0, 1, 0, 2]), engine=get_engine_named(engine))
    arcs = gl.Graph(([0, 2], [1, 0]), engine=get_engine_named(engine))
    for G, resolution in ((loops, 1.0), (arcs, 1.5)):
        for seed in range(8):
            problem.verify(G, problem(G, resolution, seed, method=name), resolution=resolution)


def test_moves_that_are_apart_gain_what_they_promise() -> None:
    rounds, seed = Rounds(get_engine("cpu"), Algebra(get_engine("cpu")).propose), secrets.randbits(32)
    G = make_planted(seed, directed=True, weights=lambda pairs: pairs % 5 + 1)
    level, n = make_level(G), G.n
    reached, community = gl.modularity(G, np.arange(n)), np.arange(n, dtype="int32")
    moves = rounds.propose(level, community, level.strengths, np.ones(n, bool), np.ones(n, bool), 1 / level.total)
    movers = np.flatnonzero(moves != community)
    kept = rounds.keep_apart(movers, community[movers], moves[movers], n, seed)
    touched = np.concatenate([community[kept], moves[kept]])
    assert 0 < kept.size < movers.size, seed
    assert np.unique(touched).size == touched.size, seed
    ends = rounds.move_apart(level, community, 1 / level.total, seed)
    assert gl.modularity(G, ends) > reached, seed
    assert (rounds.move_apart(level, ends, 1 / level.total, seed + 1) == ends).all(), seed


def test_a_proposal_is_the_best_of_all() -> None:
    """K = W S against a loop over all communities."""
    seed = secrets.randbits(32)
    G = make_planted(seed, 50, directed=True, weights=lambda pairs: pairs % 3 + 1)
    level, rng = make_level(G), np.random.default_rng(seed)
    community = rng.integers(0, 9, G.n).astype(np.int32)
    movers, opened = rng.random(G.n) < 0.7, rng.random(G.n) < 0.8
    totals = np.zeros_like(level.strengths)
    np.add.at(totals, community, level.strengths)
    scale = 0.8 / level.total
    found = Algebra(get_engine("cpu")).propose(level, community, totals, movers, opened, scale)
    W, (out, into) = gl.Matrix._from_storage(level.rows, get_engine("cpu")).to_dense(0.0), level.strengths.T
    for v in range(G.n):
        gains = {}
        for c in set(community[W[v] > 0].tolist()) | {int(community[v])}:
            t_out, t_in = totals[c] - (level.strengths[v] if c == community[v] else 0)
            gains[c] = W[v, community == c].sum() - ((scale * out[v]) * t_in + (scale * into[v]) * t_out)
        stay = gains.pop(int(community[v]))
        some = {c: gain for c, gain in gains.items() if opened[c]}
        best = min(some, key=lambda c: (-some[c], c), default=-1)
        moves = movers[v] and best >= 0 and some[best] > stay + LEAST_GAIN * (out[v] + into[v])
        assert found[v] == (best if moves else community[v]), (seed, v)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_seeds_and_weights(problem: Any) -> None:
    """One seed, one answer; floats and whole numbers of the same ratios are one graph; zeros are no arcs."""
    G = gl.generate.kronecker(10, engine="cpu")
    answers = [problem(G, seed=seed).to_numpy().tolist() for seed in (0, 0, 1, 2)]
    assert answers[0] == answers[1]
    assert answers[0] != answers[2] or answers[0] != answers[3]
    labels = [
        problem(make_planted(5, weights=lambda pairs, f=factor: f * (pairs % 4)), method=name).to_numpy().tolist()
        for factor in (1, 0.25, 2.0**900, 2.0**-900)
        for name in ("sequential", "parallel")
    ]
    assert all(each == labels[k % 2] for k, each in enumerate(labels))


def test_resolution_threshold_and_levels() -> None:
    G = make_planted(3, 300, 10)
    count = [np.unique(gl.louvain(G, resolution).to_numpy()).size for resolution in (0.0, 0.3, 1.0, 9.0)]
    assert count[0] < count[1] <= count[2] < count[3]
    high = gl.modularity(G, gl.louvain(G))
    one = gl.louvain(G, max_levels=1)
    assert gl.modularity(G, one) < high
    assert gl.louvain(G, threshold=0.9).isequal(one)
    gl.louvain.verify(G, one, max_levels=1)
    with pytest.raises(VerificationError, match="would gain"):
        gl.louvain.verify(G, one)


def test_louvain_and_leiden_are_as_good_as_networkx() -> None:
    """Modularity no less than that of NetworkX's Louvain by 0.005, by the better of two seeds; more by Leiden."""
    g = nx.powerlaw_cluster_graph(800, 5, 0.4, seed=1)
    G = gl.Graph(g, engine="cpu")
    other = max(nx.community.modularity(g, nx.community.louvain_communities(g, seed=seed)) for seed in (0, 1))
    for name in ("sequential", "parallel"):
        louvain, leiden = (
            max(gl.modularity(G, problem(G, seed=seed, method=name)) for seed in (0, 1)) for problem in PROBLEMS
        )
        assert louvain > other - 0.005, name
        assert leiden > louvain, name


def test_leidens_communities_are_connected_where_louvains_may_not_be() -> None:
    G = gl.Graph(([0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]), n=5, engine="cpu")
    whole = np.zeros(5, np.int32)
    assert split(G.engine, make_level(G), whole).tolist() == [0, 0, 0, 3, 3]
    with pytest.raises(VerificationError, match="community 0 is not connected: 3 is of another piece"):
        gl.leiden.verify(G, gl.Vector.from_dense(whole, engine="cpu"))


def test_parts_of_communities_are_connected_and_within_them() -> None:
    """By the loop and by rounds, of communities that are large and loose."""
    for seed in range(6):
        G = gl.generate.grid2d(12, engine="cpu")
        level, members = make_level(G), np.repeat(np.arange(0, G.n, G.n // 2), G.n // 2).astype(np.int32)
        joins = Joins(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
        for refine in (_refine.refine, joins.refine, _parts_cpu.refine):
            parts = refine(level, members, 1 / level.total, seed)
            assert (members[parts] == members).all()
            numbers = np.unique(parts, return_inverse=True)[1]
            assert 2 < numbers.max() < G.n - 1
            assert np.unique(split(G.engine, make_level(G), numbers.astype(np.int32))).size == numbers.max() + 1


def test_only_vertices_that_are_alone_join_parts() -> None:
    """However much they would gain."""
    level = make_level(gl.generate.grid2d(12, engine="cpu"))
    joins = Joins(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
    part = np.arange(144, dtype=np.int32)
    part[100:] -= 100
    alone = np.bincount(part, minlength=144)[part] == 1
    totals = np.full((144, 1), 2 * level.total)
    found = joins.join_some(level, part, totals, np.arange(144) % 2 == 0, 1e-9 / level.total)
    assert (found[~alone] == part[~alone]).all()
    assert (found[alone] != part[alone]).any()


@pytest.mark.parametrize("name", list(gl.leiden.methods))
def test_no_level_of_leiden_is_worse_than_the_one_before(name: str) -> None:
    """Parts of communities may be better than these: then they are the communities."""
    cubic = [(0, 4), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5), (3, 5)]
    karate = gl.Graph(nx.karate_club_graph(), weight="weight", engine="cpu")
    for G, seeds in ((gl.Graph(nx.Graph(cubic), engine="cpu"), range(30)), (karate, range(9))):
        for seed in seeds:
            qualities = np.array(gl.leiden(G, seed=seed, levels=True, method=name)[1].qualities)
            assert (np.diff(qualities) > -1e-12).all(), (seed, qualities)


def test_split_communities_are_moved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A climb that joins what is apart is followed by others."""
    from graphla.algorithms.shared.communities import climb

    ring = np.arange(12)
    heads = ring // 4 * 4 + (ring + 1) % 4
    G, calls = gl.Graph((np.concatenate([ring, heads]), np.concatenate([heads, ring])), engine="cpu"), []
    rise = climb.Climb.rise

    def join(self: Any, xp: Any, level: Any, start: Any, draw: int, levels: Any) -> Any:
        calls.append(draw)
        found = rise(self, xp, level, start, draw, levels)
        return xp.where(found == found[-1], found[0], found) if len(calls) == 1 else found

    monkeypatch.setattr(climb.Climb, "rise", join)
    labels = gl.leiden(G, iterations=1, method="sequential")
    assert labels.to_numpy().tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert len(calls) == 2


def test_the_verifier_finds_wrong_labels() -> None:
    G = gl.Graph(([0, 1, 2, 3], [1, 0, 3, 2]), n=5, engine="cpu")
    for labels, message in (
        ([0, 0, 1, 1, 5], "vertex 4 has the label 5"),
        ([0, 0, 1, 1, -1], "vertex 4 has the label -1"),
        ([1, 1, 0, 0, 2], "vertex 0 has the label 1: numbers go by size"),
        ([0, 1, 1, 0, 2], "the modularity is"),
        ([1, 2, 0, 0, 3], "to join 1 and 2 would gain"),
        ([1, 1, 1, 1, 0], "vertex 0 has the label 1"),
    ):
        with pytest.raises(VerificationError, match=message):
            gl.louvain.verify(G, gl.Vector.from_dense(np.array(labels, np.int32), engine="cpu"))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_bad_input_is_refused(problem: Any) -> None:
    G = make_planted(1)
    for weight, message in ((-2.0, "an arc has the weight -2.0"), (np.inf, "an arc has the weight inf")):
        with pytest.raises(InvalidGraph, match=message):
            problem(gl.Graph(([0, 1], [1, 2], [1.0, weight])))
    with pytest.raises(NotSupported, match="no method 'fast'"):
        problem(G, method="fast")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        problem(3)
    for name, value in (
        ("resolution", -1),
        ("resolution", np.inf),
        ("seed", -1),
        ("threshold", "x"),
        ("max_levels", 0),
    ):
        with pytest.raises(InvalidOption, match=f"{name}="):
            problem(G, **{name: value})
    with pytest.raises(InvalidOption, match="iterations="):
        gl.leiden(G, iterations=1001)
    for labels in ([0], np.zeros(G.n), gl.Vector("INT32", G.n, engine="cpu"), "labels"):
        with pytest.raises(DimensionMismatch, match="labels="):
            gl.modularity(G, labels)
    assert np.isnan(gl.modularity(gl.Graph(([], []), n=2), [0, 1]))


def test_a_comparison_looks_at_the_names_of_communities() -> None:
    right = np.array([0, 0, 1])
    for found, fault in (
        ([1, 0, 0], None),
        ([0, 1, 1], "vertex 0 has the label 0"),
        ([0, 0], "there are 2 labels, not 3"),
    ):
        said = gl.louvain.difference(np.array(found), right, {})
        assert said is None if fault is None else fault in said


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_comparison(problem: Any) -> None:
    found = gl.compare(problem.name, gl.Graph(nx.karate_club_graph(), engine="cpu"), repeat=1, seed=4)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "sequential"}
    assert ("NetworkX" in {row.name for row in found}) == (problem is gl.louvain)
