"""Moves and joins by one launch each: those of the algebra, in any order of threads; the emulator reports races."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.leiden import _own_joins
from graphla.algorithms.leiden._joins import Joins
from graphla.algorithms.leiden._joins_cuda import JoinGrid
from graphla.algorithms.louvain.algebraic import Algebra
from graphla.algorithms.shared.communities import cores, grid, own_rounds
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.algorithms.shared.communities.rounds import flag_around
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.mpi.grid import Grid as ProcessGrid
from graphla.engine.mpi.ranks import Ranks
from graphla.engine.mpi.slots import Slots
from graphla.engine.mpi.world import get_world
from tests.emulator import make_loader
from tests.graphla.algorithms.louvain.test_communities import PROBLEMS, make_hub, make_planted

pytestmark = pytest.mark.emulated


@pytest.fixture(params=[7, 0])
def engine(request: Any, monkeypatch: pytest.MonkeyPatch) -> CudaEngine:
    """With small blocks, so that rows of 300 entries have their tables in global memory."""
    monkeypatch.setattr(grid, "THREADS", 64)
    monkeypatch.setattr(grid, "BLOCK_ROW", 128)
    return CudaEngine(np, make_loader(seed=request.param, resident=3))


def make_hubs(n: int, count: int) -> gl.Graph:
    """Some vertices with arcs to all others, of weights at random."""
    tails, heads = np.repeat(np.arange(count), n - count), np.tile(np.arange(count, n), count)
    weights = np.random.default_rng(n).integers(1, 9, tails.size).astype(float)
    both = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    return gl.Graph((*both, np.concatenate([weights, weights])), n=n, engine="cpu")


def spread(level: Level, engine: CudaEngine) -> Level:
    """The level as one whose rows are spread over ranks: here over one."""
    ranks = Ranks(ProcessGrid(get_world().split(0)), engine)
    return replace(level, slots=Slots(ranks, level.n, [0, level.n]))


def make_graphs(seed: int) -> list[gl.Graph]:
    """Rows of a warp, of a block and beyond; a directed graph, hubs, vertices without arcs, a vertex."""
    return [
        make_hub(300),
        make_hubs(300, 6),
        make_planted(seed, 60, directed=True, weights=np.sqrt),
        gl.generate.kronecker(8, 8, seed=seed, engine="cpu"),
        gl.Graph(([0], [0]), engine="cpu"),
    ]


def test_the_kernels_answer_as_the_algebra_does(engine: CudaEngine) -> None:
    seed = secrets.randbits(16)
    for G in make_graphs(seed):
        for problem in PROBLEMS:
            found = problem(G.to(engine), seed=seed, method="parallel").to_numpy().tolist()
            assert found == problem(G, seed=seed, method="algebraic").to_numpy().tolist(), seed


def test_moves_are_those_of_the_algebra(engine: CudaEngine) -> None:
    """From any start, with fixed vertices or without; apart, too."""
    seed = secrets.randbits(16)
    rng, moved = np.random.default_rng(seed), 0
    rounds = Joins(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
    for G in make_graphs(seed):
        for start in (np.arange(G.n), rng.integers(0, -(-G.n // 5), G.n)):
            for fixed in (None, rng.random(G.n) < 0.2):
                given = start.astype(np.int32), 1 / make_level(G).total, seed
                level, here = (replace(make_level(one), fixed=fixed) for one in (G, G.to(engine)))
                found, on_ranks = grid.Grid(engine).move(here, *given), spread(here, engine)
                assert (found == rounds.move(level, *given)).all(), seed
                assert (found == own_rounds.move(grid.Grid(engine), on_ranks, *given)).all(), seed
                apart = grid.Grid(engine).move_apart(here, *given)
                assert (apart == rounds.move_apart(level, *given)).all(), seed
                moved += (found != start).any() and (apart != start).any()
    assert moved >= 12, seed


def test_proposals_are_those_of_the_algebra(engine: CudaEngine) -> None:
    """Of some vertices, to communities that are open."""
    seed = secrets.randbits(16)
    rng, wanting = np.random.default_rng(seed), 0
    rounds = Joins(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
    for G in make_graphs(seed):
        for open_share in (0.6, 1.0):
            community = rng.integers(0, -(-G.n // 3), G.n).astype(np.int32)
            level, movers, is_open = make_level(G), rng.random(G.n) < 0.7, rng.random(G.n) < open_share
            given = community, rounds.add(level, community, G.n), movers, is_open, 1 / level.total
            expected = rounds.propose(level, *given)
            for found in (grid.Grid(engine).propose(make_level(G.to(engine)), *given), cores.propose(level, *given)):
                assert (found == expected).all(), seed
            wanting += (expected != community).any()
            flags = np.zeros((3, G.n), bool)
            for wake, flagged in zip((flag_around, cores.wake, grid.Grid(engine).wake), flags, strict=True):
                wake(level, expected, expected != community, flagged)
            assert (flags == flags[0]).all(), seed
    assert wanting >= 6, seed


def test_joins_are_those_of_the_algebra(engine: CudaEngine) -> None:
    """Within communities of every size, those that are not connected, too."""
    seed = secrets.randbits(16)
    rng, joined = np.random.default_rng(seed), 0
    joins = Joins(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
    for G in make_graphs(seed):
        for groups in (1, -(-G.n // 30), G.n):
            members = rng.integers(0, groups, G.n).astype(np.int32)
            given = members, 1 / make_level(G).total, seed
            level, expected = make_level(G.to(engine)), joins.refine(make_level(G), *given)
            found = JoinGrid(engine).refine(level, *given)
            assert (found == expected).all(), seed
            assert (_own_joins.refine(JoinGrid(engine), spread(level, engine), *given) == expected).all(), seed
            joined += (found != np.arange(G.n)).any()
    assert joined >= 6, seed


@pytest.mark.parametrize("leaves", [50, 300, 1500])
def test_of_equal_gains_the_smallest_community_is_taken(leaves: int) -> None:
    """By each lane, warp and block: to the centre of a star all leaves, which are fixed, are alike."""
    engine = CudaEngine(np, make_loader(seed=2, resident=3))
    level = make_level(gl.generate.star(leaves + 1, engine="cpu").to(engine))
    level = replace(level, fixed=np.arange(level.n) > 0)
    start = np.random.default_rng(leaves).permutation(level.n).astype(np.int32)
    found = {int(grid.Grid(engine).move(level, start, 1 / level.total, draw)[0]) for draw in range(6)}
    assert start[1:].min() in found <= {start[0], start[1:].min()}
