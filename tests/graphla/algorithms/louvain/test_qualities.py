"""Qualities, starts, fixed vertices, limits and levels of Louvain and Leiden, against definitions pair by pair."""

from __future__ import annotations

import itertools
import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.shared.communities import cores, grid
from graphla.common.errors import DimensionMismatch, InvalidGraph, InvalidOption, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.louvain.test_communities import PROBLEMS, make_hub, make_planted

QUALITIES = {"modularity": 0.8, "cpm": 0.2, "erdos_renyi": 1.2}
METHODS = ["parallel", "sequential", "algebraic"]


def measure_by_hand(G: gl.Graph, labels: list[int], resolution: float, quality: str) -> float:
    """Over all pairs of vertices, as the definitions of the null models say."""
    A = G.A.to_dense(0).astype(float)
    m, n = A.sum(), G.n
    loops = bool(np.diag(A).any())
    chance = {
        "modularity": np.outer(A.sum(1), A.sum(0)) / m,
        "cpm": np.ones((n, n)),
        "erdos_renyi": np.full((n, n), m / (n * n if loops else n * (n - 1))),
    }[quality]
    together = np.equal.outer(labels, labels)
    return float((A - resolution * chance)[together].sum() / m)


@pytest.mark.parametrize("quality", QUALITIES)
@pytest.mark.parametrize("directed", [False, True])
def test_a_quality_is_that_of_its_definition(quality: str, directed: bool) -> None:
    seed = secrets.randbits(32)
    for loops in (True, False):
        G = make_planted(seed, 30, directed=directed, weights=lambda pairs: (pairs % 7 + 1) / 3e4)
        G = G if loops else gl.Graph(G.A.select("offdiag").new())
        labels = np.random.default_rng(seed).integers(0, 4, G.n)
        for resolution in (0.0, 0.4, 3.0):
            expected = measure_by_hand(G, labels.tolist(), resolution, quality)
            assert gl.modularity(G, labels, resolution, quality=quality) == pytest.approx(expected, rel=1e-9), seed  # type: ignore[arg-type]


@pytest.mark.parametrize("quality", QUALITIES)
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_no_two_communities_gain_if_joined(problem: Any, name: str, quality: str) -> None:
    seed = secrets.randbits(32)
    for directed in (False, True):
        G = make_planted(seed, 40, directed=directed, weights=lambda pairs: pairs % 3 + 1)
        asked = {"resolution": QUALITIES[quality], "quality": quality}
        labels = problem(G, method=name, seed=seed % 99, **asked)
        problem.verify(G, labels, **asked)
        found = labels.to_numpy()
        reached = measure_by_hand(G, found.tolist(), *asked.values())
        assert reached > measure_by_hand(G, list(range(G.n)), *asked.values()), seed
        for c, d in itertools.combinations(range(min(9, found.max() + 1)), 2):
            joined = np.where(found == d, c, found).tolist()
            assert measure_by_hand(G, joined, *asked.values()) < reached + 1e-9, (seed, c, d)


def list_requests(seed: int) -> list[tuple[gl.Graph, dict[str, Any]]]:
    rng = np.random.default_rng(seed)
    G, H = make_planted(seed, 60, directed=True, weights=lambda pairs: pairs % 5 + 0.5), make_hub(200)
    return [
        (G, {"quality": "cpm", "resolution": 0.3, "levels": True}),
        (H, {"quality": "erdos_renyi", "fixed": rng.integers(0, H.n, 20)}),
        (G, {"start": rng.integers(0, 9, G.n), "fixed": rng.random(G.n) < 0.3}),
    ]


def to_lists(found: Any) -> Any:
    return [each.labels.to_numpy(-1).tolist() if hasattr(each, "cut") else each.to_numpy().tolist() for each in found]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_cores_answer_as_the_algebra_does(problem: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "count_workers", lambda: 2)
    seed = secrets.randbits(32)
    for G, asked in list_requests(seed):
        found = [problem(G, method=name, seed=3, **asked) for name in ("parallel", "algebraic")]
        one, other = (to_lists(each if isinstance(each, tuple) else [each]) for each in found)
        assert one == other, (seed, asked)


@pytest.mark.emulated
def test_kernels_answer_as_the_algebra_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "THREADS", 64)
    monkeypatch.setattr(grid, "BLOCK_ROW", 128)
    engine, seed = CudaEngine(np, make_loader(seed=5, resident=3)), secrets.randbits(32)
    for G, asked in list_requests(seed):
        found = [gl.leiden(g, method=name, **asked) for g, name in ((G.to(engine), "parallel"), (G, "algebraic"))]
        one, other = (to_lists(each if isinstance(each, tuple) else [each]) for each in found)
        assert one == other, (seed, asked)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_starts_and_fixed_vertices(problem: Any, name: str) -> None:
    seed = secrets.randbits(32)
    rng = np.random.default_rng(seed)
    for directed in (False, True):
        G = make_planted(seed, directed=directed)
        start, fixed = rng.integers(0, 12, G.n), rng.random(G.n) < 0.4
        asked = {"start": start, "fixed": fixed}
        labels = problem(G, seed=1, method=name, **asked)
        problem.verify(G, labels, **asked)
        found = labels.to_numpy()
        assert (np.equal.outer(start[fixed], start[fixed]) == np.equal.outer(found[fixed], found[fixed])).all(), seed
        best = problem(G, method=name)
        again = problem(G, seed=5, start=best, method=name)
        assert gl.modularity(G, again) >= gl.modularity(G, best) - 1e-12, seed
        everywhere = problem(G, start=start, fixed=range(G.n), method=name).to_numpy()
        assert gl.compare_partitions(everywhere, start).ari == 1, seed
        apart = problem(G, fixed=[0, 1, 2], method=name).to_numpy()
        assert len(set(apart[:3].tolist())) == 3, seed


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_largest_size_of_a_community(problem: Any) -> None:
    seed = secrets.randbits(32)
    G, fixed = make_planted(seed, 90, 3, directed=True), [0, 5, 40]
    for most in (1, 7, 20):
        for asked in ({}, {"fixed": fixed}, {"fixed": fixed, "start": np.arange(G.n) // most}):
            found = {name: problem(G, seed=7, max_community_size=most, method=name, **asked) for name in METHODS}
            for name, labels in found.items():
                problem.verify(G, labels, max_community_size=most, **asked)
                assert np.bincount(labels.to_numpy()).max() <= most, (seed, name)
            assert found["parallel"].isequal(found["algebraic"]), (seed, most)
    with pytest.raises(VerificationError, match="more than max_community_size=7"):
        problem.verify(G, problem(G), max_community_size=7)
    with pytest.raises(InvalidOption, match="start= has a community of 93 vertices"):
        problem(G, max_community_size=7, start=np.zeros(G.n, int))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_levels_and_cuts(problem: Any, name: str) -> None:
    seed = secrets.randbits(32)
    G = make_planted(seed, 70, directed=True, weights=lambda pairs: pairs % 4 + 1)
    labels, levels = problem(G, 0.7, seed % 50, levels=True, method=name)
    assert labels.isequal(problem(G, 0.7, seed % 50, method=name)), seed
    problem.verify(G, labels, levels=levels, resolution=0.7)
    rows = levels.labels.to_numpy(-1)
    assert levels.qualities == tuple(gl.modularity(G, row, 0.7) for row in rows)
    assert list(levels.qualities) == sorted(levels.qualities) or problem is gl.leiden
    for low, high in itertools.pairwise(rows):
        assert len(set(zip(low.tolist(), high.tolist(), strict=True))) == low.max() + 1 > high.max() + 1, seed
    least = np.unique(gl.components(G).to_numpy()).size
    for count in (least, rows[-1].max() + 1, rows[0].max() + 2, G.n):
        cut = levels.cut(int(count)).to_numpy()
        assert np.unique(cut).size == count, seed
    assert gl.compare_partitions(levels.cut(int(rows[-1].max()) + 1), labels).vi == 0
    for count, message in ((least - 1, "connected components|it goes from 1"), (G.n + 1, "there are 73 vertices")):
        with pytest.raises(InvalidOption, match=message):
            levels.cut(int(count))


@pytest.mark.parametrize("name", METHODS)
def test_levels_are_listed_from_small_to_large_communities(name: str) -> None:
    for problem in PROBLEMS:
        rows = problem(gl.generate.grid2d(20, engine="cpu"), levels=True, method=name)[1].labels.to_numpy(-1)
        counts = [row.max() + 1 for row in rows]
        assert len(counts) >= 3
        assert 400 > counts[0] > 5 * counts[-1]


def test_a_cut_joins_the_pair_of_the_greatest_gain() -> None:
    """One join at a time, against all pairs tried by the definition."""
    seed = secrets.randbits(32)
    G = make_planted(seed, 30, 6)
    labels, levels = gl.leiden(G, 3.0, levels=True)
    before, after = labels.to_numpy(), levels.cut(labels.to_numpy().max()).to_numpy()
    A = gl.contract(G, labels).A.to_dense(0)
    tried = [
        gl.modularity(G, np.where(before == d, c, before), 3.0)
        for c, d in itertools.combinations(range(before.max() + 1), 2)
        if A[c, d]
    ]
    assert gl.modularity(G, after, 3.0) == pytest.approx(max(tried), abs=1e-12), seed


def test_small_graphs_and_labels() -> None:
    for n in (0, 1, 3):
        G = gl.Graph(([], []), n=n, engine="cpu")
        for problem in PROBLEMS:
            labels, levels = problem(G, levels=True, quality="cpm", start=[0] * n, fixed=[])
            assert labels.to_numpy().tolist() == ([0] * n if problem is gl.louvain else list(range(n)))
            assert levels.labels.shape == (1, n)
            problem.verify(G, labels, levels=levels, start=[0] * n, fixed=[])
            assert problem(G, fixed=range(n)).to_numpy().tolist() == list(range(n))
    G = gl.Graph(([0, 1, 2, 3], [1, 0, 3, 2]), engine="cpu", labels=["a", "b", "x", "y"])
    labels, levels = gl.leiden(G, fixed=["a", "y"], levels=True)
    marked = gl.Vector.from_dense(np.array([True, False, False, True]), engine="cpu")
    assert gl.leiden(G, fixed=marked).isequal(labels)
    assert labels.to_arrow().to_pydict() == {"vertex": ["a", "b", "x", "y"], "label": [0, 0, 1, 1]}
    assert levels.labels.to_arrow().to_pydict()["vertex"] == ["a", "b", "x", "y"]
    assert "Levels of 2 communities" in repr(levels)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_wrong_requests_are_refused(problem: Any) -> None:
    G = make_planted(2)
    for asked, error, message in (
        ({"quality": "Q"}, InvalidOption, "quality="),
        ({"start": [0, 1]}, DimensionMismatch, "start="),
        ({"start": np.zeros(G.n)}, DimensionMismatch, "start="),
        ({"fixed": [G.n]}, InvalidGraph, "fixed"),
        ({"fixed": 3}, InvalidGraph, "fixed"),
        ({"max_community_size": 0}, InvalidOption, "max_community_size=0"),
        ({"quality": "cpm", "resolution": 1e308}, InvalidOption, "too large beside the weights"),
    ):
        graph = gl.Graph(([0], [1], [1e-300]), n=G.n) if "resolution" in asked else G
        with pytest.raises(error, match=message):
            problem(graph, **asked)
    labels, levels = problem(G, levels=True)
    rows = levels.labels.to_numpy(-1)
    for wrong, message in ((rows[:-1], "the last level differs"), (rows[::-1][[0, 1, 0]], "level 1 divides")):
        with pytest.raises(VerificationError, match=message):
            problem.verify(G, labels, levels=gl.Matrix.from_dense(wrong.copy()))
    with pytest.raises(DimensionMismatch, match="levels="):
        problem.verify(G, labels, levels=3)


@pytest.mark.parametrize("method", METHODS)
def test_the_ends_of_a_lone_arc_are_joined(method: Any) -> None:
    """Beside vertices without arcs both have many times the mean, and wait for turns of hubs."""
    G = gl.Graph(([5, 7], [7, 5]), n=10, engine="cpu")
    for seed in range(40):
        for problem in (gl.louvain, gl.leiden):
            labels = problem(G, seed=seed, method=method).to_numpy(0)
            assert labels[5] == labels[7], (problem, seed)
