"""Louvain and Leiden on ranks find the communities of one process."""

import os
from contextlib import contextmanager

import numpy as np

import graphla as gl
from graphla.algorithms.leiden import _own_joins
from graphla.algorithms.leiden._joins import Joins
from graphla.algorithms.leiden._joins_cuda import JoinGrid
from graphla.algorithms.louvain.algebraic import Algebra
from graphla.algorithms.shared.communities import own_rounds, row_shares
from graphla.algorithms.shared.communities.level import make_level
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.mpi.engine import MpiEngine
from graphla.engine.mpi.grid import Grid
from tests.emulator import make_loader
from tests.mpi.cases_communicator import raises

PROBLEMS = gl.louvain, gl.leiden


@contextmanager
def spread_from(arcs):
    """Let levels be spread over the ranks from so many arcs on."""
    before, row_shares.SMALL = row_shares.SMALL, arcs
    yield
    row_shares.SMALL = before


def draw(rng, n, arcs, weights=None, directed=False):
    """A random graph with loops and isolated vertices, on one process."""
    tails, heads = rng.integers(0, n, (2, arcs)) if n else np.zeros((2, 0), int)
    values = None if weights is None else weights(tails, heads)
    ends = (tails, heads) if directed else (np.r_[tails, heads], np.r_[heads, tails])
    values = values if directed or values is None else np.r_[values, values]
    return gl.Graph(ends if values is None else (*ends, values), n=n, dup="first", engine="cpu")


def check(problem, alone, engine="mpi", least=(0, 60, row_shares.SMALL), **asked):
    """The labels of a graph that is spread over the ranks are those of the graph on one process."""
    expected = problem(alone, method="parallel", **asked)
    for small in least:
        with spread_from(small):
            found = problem(alone.to(engine), **asked)
            assert found.engine.name == "mpi"
            assert found.to("cpu").isequal(expected, check_dtype=True), (problem.name, alone, small, asked)


def share_rng(world):
    """Random numbers that are the same on all ranks."""
    return np.random.default_rng(world.share_object(int.from_bytes(os.urandom(4), "little")))


def case_communities_of_graphs_in_parts(world):
    rng = share_rng(world)
    for n, arcs in ((0, 0), (1, 0), (1, 1), (2, 1), (7, 0), (40, 60), (300, 900)):
        for directed in (False, True):
            G = draw(rng, n, arcs, directed=directed)
            for problem in PROBLEMS:
                check(problem, G, seed=int(rng.integers(1000)))


def case_options_of_communities_on_ranks(world):
    rng = share_rng(world)
    for directed in (False, True):
        weights = lambda tails, heads: (tails * heads) % 9 / 7  # noqa: E731
        G = draw(rng, 120, 400, weights, directed)
        start, fixed = rng.integers(0, 40, G.n), rng.choice(G.n, 9, replace=False)
        for problem in PROBLEMS:
            for asked in (
                {"resolution": 1.7},
                {"quality": "cpm", "resolution": 0.05},
                {"quality": "erdos_renyi"},
                {"threshold": 0.01},
                {"max_levels": 1},
                {"start": start},
                {"fixed": fixed.tolist()},
                {"max_community_size": 7, "fixed": fixed.tolist()},
                {"start": start, "fixed": np.isin(np.arange(G.n), fixed)},
            ):
                check(problem, G, least=(0, 60), seed=int(rng.integers(1000)), **asked)
        check(gl.leiden, G, least=(0,), iterations=4)


def case_hubs_and_groups_in_parts(world):
    seed = int(share_rng(world).integers(1000))
    star = gl.Graph((np.r_[np.zeros(200, int), 1:201], np.r_[1:201, np.zeros(200, int)]), n=203, engine="cpu")
    groups = gl.generate.planted_partition(8, 12, 0.6, 0.03, seed=seed, engine="cpu")
    for G in (star, groups, gl.generate.grid2d(14, engine="cpu"), gl.generate.kronecker(8, 8, seed=seed, engine="cpu")):
        for problem in PROBLEMS:
            check(problem, G, least=(0, 300), seed=seed)


def case_levels_of_communities_on_ranks(world):
    alone = draw(share_rng(world), 150, 500)
    for problem in PROBLEMS:
        expected, levels = problem(alone, method="parallel", levels=True)
        with spread_from(0):
            found, spread_levels = problem(alone.to("mpi"), levels=True)
        assert found.to("cpu").isequal(expected)
        assert spread_levels.labels.to("cpu").isequal(levels.labels)
        np.testing.assert_allclose(spread_levels.qualities, levels.qualities)
        assert np.isclose(gl.modularity(alone.to("mpi"), found), levels.qualities[-1])
        assert "levels.cut" in raises(NotSupported, spread_levels.cut, 3)


def case_communities_on_emulated_gpus(world):
    engine = MpiEngine(Grid(world.split(0)), CudaEngine(np, make_loader(build="plain")), "asked")
    rng = share_rng(world)
    for n, arcs, directed in ((0, 0, False), (3, 1, True), (60, 200, False), (60, 200, True)):
        G = draw(rng, n, arcs, directed=directed)
        for problem in PROBLEMS:
            check(problem, G, engine, least=(0, 60), seed=int(rng.integers(1000)))
            check(problem, G, engine, least=(0,), seed=3, max_community_size=5)
    hubs, others = np.repeat(np.arange(3), 150), np.tile(np.arange(3, 153), 3)
    G = gl.Graph((np.r_[hubs, others], np.r_[others, hubs]), engine="cpu")
    for fixed in (None, [1, 7, 100]):
        check(gl.leiden, G, engine, least=(0,), seed=int(rng.integers(1000)), fixed=fixed)


def case_moves_and_joins_on_emulated_gpus(world):
    """Of one level, from any start, and within any communities."""
    local = CudaEngine(np, make_loader(build="plain"))
    engine, rng = MpiEngine(Grid(world.split(0)), local, "asked"), share_rng(world)
    expected, grid = Joins(get_engine("cpu"), Algebra(get_engine("cpu")).propose), JoinGrid(local)
    for k in range(6):
        alone = draw(rng, 150, 2400, directed=k % 2 == 1)
        groups, draw_of = rng.integers(0, 1 + 4 * k, alone.n).astype(np.int32), int(rng.integers(1 << 30))
        with spread_from(0):
            level = make_level(alone.to(engine))
        given = groups, 1 / level.total, draw_of
        assert (own_rounds.move(grid, level, *given) == expected.move(make_level(alone), *given)).all(), given
        assert (_own_joins.refine(grid, level, *given) == expected.refine(make_level(alone), *given)).all(), given


def case_wrong_weights_of_communities_on_ranks(world):
    for weight, said in ((-1.0, "-1.0"), (np.inf, "inf")):
        G = gl.Graph(([0, 1, 2], [1, 2, 3], [1.0, weight, 2.0]), engine="mpi")
        for problem in PROBLEMS:
            assert said in raises(InvalidGraph, problem, G)
