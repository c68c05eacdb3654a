"""Problems on graphs that are spread over the ranks, against one process."""

import os
from functools import partial

import numpy as np

import graphla as gl
from graphla.algorithms.bfs.ranks import run as bfs_ranks
from graphla.algorithms.pagerank._ranks import count_entering
from graphla.algorithms.sssp import _ranks
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.mpi.engine import MpiEngine
from graphla.engine.mpi.grid import Grid
from graphla.engine.mpi.slots import cut_by_weight
from graphla.storage import SentinelBlocks
from semirings import unary
from tests.emulator import make_loader
from tests.mpi import ON_GPUS
from tests.mpi.cases_communicator import raises


def make_pair(**options):
    """The same graph on one process and spread over the ranks."""
    return (gl.generate.rmat(7, 6, engine=engine, **options) for engine in ("cpu", "mpi"))


def case_searches_of_spread_graphs(world):
    for symmetric in (True, False):
        alone, spread = make_pair(symmetric=symmetric)
        for method in (None, "algebraic"):
            levels, parents = gl.bfs(spread, 5, parents=True, method=method)
            assert levels.engine.name == parents.engine.name == "mpi"
            assert levels.to("cpu").isequal(gl.bfs(alone, 5), check_dtype=True)
            gl.bfs.verify(alone, 5, levels.to("cpu"), parents.to("cpu"))
        assert gl.bfs(spread, 5).nvals == levels.nvals
        assert gl.bfs(spread, sources=[3, 9]).to("cpu").isequal(gl.bfs(alone, sources=[3, 9]))
    alone, spread = (gl.generate.path(256 * world.size, engine=engine) for engine in ("cpu", "mpi"))  # blocks are slots
    assert gl.bfs(spread, 7).to("cpu").isequal(gl.bfs(alone, 7))


def case_levels_are_operands_before_they_are_read(world):
    alone, spread = make_pair()
    expected = gl.bfs(alone, 5)
    twice = expected.apply(unary.ainv).new()
    for write in (
        lambda v: v << v.apply(unary.ainv),
        lambda v: v << gl.bfs(spread, 5).apply(unary.ainv),
        lambda v: v(v.S, gl.replace) << gl.bfs(spread, 5).apply(unary.ainv),
    ):
        levels = gl.bfs(spread, 5)
        assert isinstance(levels._held, SentinelBlocks)
        assert (len(levels), levels.dtype) == (alone.n, expected.dtype)
        write(levels)
        assert levels.to("cpu").isequal(twice)
    assert gl.bfs(spread, 5).nvals == expected.nvals
    assert gl.bfs(spread, 5).dup().isequal(gl.bfs(spread, 5))


def case_searches_of_whole_graphs_on_emulated_gpus(world):
    engine, before = make_engine(world, CudaEngine(np, make_loader(build="plain"))), bfs_ranks.has_gpus
    alone = gl.generate.rmat(7, 6, engine="cpu", symmetric=False)
    bfs_ranks.has_gpus = lambda ranks: True
    try:
        spread = gl.Graph(alone.A.to_coo()[:2], n=alone.n, engine=engine)
        assert bfs_ranks.explain(spread).startswith("each rank searches the whole graph"), bfs_ranks.explain(spread)
        levels, parents = gl.bfs(spread, 5, parents=True)
    finally:
        bfs_ranks.has_gpus = before
    assert levels.to("cpu").isequal(gl.bfs(alone, 5), check_dtype=True)
    gl.bfs.verify(alone, 5, levels.to("cpu"), parents.to("cpu"))


def case_ways_to_search(world):
    make = {"skewed": partial(gl.generate.rmat, 7, 6), "path": partial(gl.generate.path, 300)}
    before = bfs_ranks.has_gpus, bfs_ranks.WHOLE_ARCS, bfs_ranks.COLLECT_BYTES
    graphs = {name: one(engine="mpi") for name, one in make.items()}
    try:
        bfs_ranks.has_gpus = lambda ranks: False
        assert not any(bfs_ranks.find_way(G).whole for G in graphs.values()), "on CPUs"
        bfs_ranks.has_gpus = lambda ranks: True
        assert all(bfs_ranks.find_way(G).whole for G in graphs.values()), "small"
        bfs_ranks.WHOLE_ARCS = 100
        assert [bfs_ranks.find_way(G).whole for G in graphs.values()] == [False, True], "the path is deep"
        bfs_ranks.COLLECT_BYTES = 2**50
        assert "no memory" in bfs_ranks.find_way(graphs["path"]).why
    finally:
        bfs_ranks.has_gpus, bfs_ranks.WHOLE_ARCS, bfs_ranks.COLLECT_BYTES = before
    assert ("whole graph" if bfs_ranks.has_gpus(graphs["path"].engine.ranks) else "level") in gl.mpi.explain(
        graphs["path"]
    )
    assert "'mpi'" in raises(InvalidOption, gl.mpi.explain, gl.generate.path(3, engine="cpu"))


def case_distances_in_spread_graphs(world):
    alone, spread = make_pair(weights=(1, 9), symmetric=False)
    distances, parents = gl.sssp(spread, 5, parents=True)
    assert distances.to("cpu").isequal(gl.sssp(alone, 5), check_dtype=True)
    gl.sssp.verify(alone, 5, distances.to("cpu"), parents.to("cpu"))
    long = gl.Graph((np.arange(5), np.arange(1, 6), np.full(5, 2**30, np.int32)), engine="mpi")
    assert gl.sssp(long, 0).to("cpu").to_dict()[5] == 5 * 2**30


def case_components_and_ranks_of_spread_graphs(world):
    alone, spread = make_pair()
    assert gl.components(spread).to("cpu").isequal(gl.components(alone))
    found, wanted = gl.pagerank(spread).to("cpu"), gl.pagerank(alone)
    assert found.dtype == wanted.dtype
    assert found.isclose(wanted, rel_tol=1e-4)


def case_what_needs_the_whole_graph_is_refused(world):
    _, spread = make_pair()
    assert "on 'mpi'" in raises(NotSupported, gl.coloring, spread)
    assert "on 'mpi'" in raises(NotSupported, lambda: gl.bfs(spread, 0, method="queue"))
    assert "whole" in raises(NotSupported, gl.mpi.bfs, spread, [0])


RANKINGS = (
    {"rounds": 5},
    {"dtype": "FP64", "tolerance": 1e-10},
    {"weights": True, "tolerance": 1e-5},
    {"personalization": {3: 1, 7: 2}, "dangling": "ignore"},
    {"rounds": 2, "start": list(range(1 << 7))},
)


def check_rankings(engine):
    """Rounds over own arcs give the ranks of one process."""
    alone = gl.generate.rmat(7, 4, symmetric=False, weights=(1, 9), engine="cpu")
    spread = alone.to(engine)
    for asked in RANKINGS:
        found, wanted = gl.pagerank(spread, method="fused", **asked), gl.pagerank(alone, method="fused", **asked)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found.to("cpu").to_numpy(), wanted.to_numpy(), rtol=1e-5, atol=1e-7)


def case_ranks_by_own_arcs(world):
    check_rankings(get_engine("mpi"))
    os.environ["GRAPHLA_MPI_SHARED"] = "0"
    check_rankings(make_engine(world, get_engine("cpu")))
    del os.environ["GRAPHLA_MPI_SHARED"]


def case_ranks_by_own_arcs_on_emulated_gpus(world):
    check_rankings(make_engine(world, CudaEngine(np, make_loader(build="plain"))))


def make_engine(world, local):
    """The engine of a communicator of its own."""
    return MpiEngine(Grid(world.split(0)), local, "asked")


def case_few_vertices_are_ranked(world):
    for ends, n in ((([], []), 0), (([0], [0]), 1), (([0, 1], [1, 0]), 2), (([0], [4]), 5)):
        found, wanted = (gl.pagerank(gl.Graph(ends, n=n, engine=engine)).to_numpy() for engine in ("mpi", "cpu"))
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def case_vertices_are_cut_by_their_arcs(world):
    """Vertex 0 has as many arcs as half of the others together: its rank owns few others."""
    n = 64 * world.size
    tails, heads = np.r_[1:n, : n - 1], np.r_[np.zeros(n - 1, int), 1:n]
    star = gl.Graph((tails, heads), n=n, engine="mpi")
    slots = cut_by_weight(star.engine.ranks, count_entering(star) + 1, n)
    assert (slots.bounds[0], slots.bounds[-1]) == (0, n)
    own = np.arange(slots.first, slots.last)
    weights = world.all_gather(np.array([int(np.where(own == 0, n, 2).sum())]))
    assert weights.sum() == star.nvals + n
    assert weights.max() <= max(weights.sum() // world.size, n) + 2
    local = slots.ranks.local
    places = local.to_host(slots.to_places(local.asarray(own)))
    np.testing.assert_array_equal(places, np.arange(slots.own) + world.rank * slots.width)


BY_LANGUAGE = {
    "betweenness": {"sources": [5]},
    "closeness": {"sources": [1, 2, 5]},
    "clustering": {},
    "core_numbers": {},
    "eccentricity": {},
    "eigenvector": {"rounds": 2},
    "hits": {"rounds": 2},
    "katz": {"rounds": 2},
    "label_propagation": {"rounds": 3},
    "transitive_closure": {},
    "triangles": {},
    "widest_paths": {"source": 3},
}
"""Problems that run on parts by their statements, and what is asked of them."""
DIRECTED = "closeness", "widest_paths"
REFUSED = {
    "coloring": {},
    "matching": {},
    "spanning_forest": {},
    "apsp": {},
    "diameter": {},
    "random_walks": {"length": 3},
}


def to_numbers(answer):
    """An answer as arrays."""
    if isinstance(answer, tuple):
        return [array for part in answer for array in to_numbers(part)]
    if isinstance(answer, gl.Vector | gl.Matrix):
        return [np.asarray(array) for array in answer.to("cpu").to_coo()]
    return [np.asarray(answer)]


def case_problems_run_by_the_language(world):
    graphs = {
        engine: {sym: gl.generate.rmat(6, 4, symmetric=sym, weights=(1, 9), engine=engine) for sym in (True, False)}
        for engine in ("mpi", "cpu")
    }
    for name, asked in BY_LANGUAGE.items():
        for symmetric in (True, False) if name in DIRECTED else (True,):
            found, wanted = (to_numbers(getattr(gl, name)(graphs[e][symmetric], **asked)) for e in ("mpi", "cpu"))
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6, err_msg=f"{name} {symmetric}")
    many = (to_numbers(gl.sssp(graphs[engine][False], sources=[0, 3])) for engine in ("mpi", "cpu"))
    for one, other in zip(*many, strict=True):
        np.testing.assert_array_equal(one, other)


def case_orders_of_spread_graphs(world):
    order = gl.topological_order(gl.Graph(([2, 2, 0, 3], [0, 1, 3, 1]), engine="mpi"))
    assert order.to_dense().tolist() == [2, 0, 3, 1]
    cycle = gl.Graph(([0, 1, 2], [1, 2, 0]), engine="mpi")
    assert gl.find_cycle(cycle) == [0, 1, 2]
    assert "the arc 0 → 1 has no reverse (3 have none)" in raises(InvalidGraph, gl.triangles, cycle)


def case_negative_weights_in_spread_graphs(world):
    short = gl.Graph(([0, 1, 0], [1, 2, 2], [4, -3, 2]), engine="mpi")
    assert gl.sssp(short, 0).to_dict() == {0: 0, 1: 4, 2: 1}
    cycle = gl.Graph(([0, 1, 2], [1, 2, 0], [-1, -1, -1]), engine="mpi")
    for asked in ({"source": 0}, {"sources": [0, 1]}):
        said = raises(NotSupported, lambda asked=asked: gl.sssp(cycle, **asked))
        assert "cycle of negative weight" in said


def case_other_problems_name_the_way_out(world):
    spread = gl.generate.rmat(4, 4, engine="mpi")
    for name, asked in REFUSED.items():
        said = raises(NotSupported, lambda name=name, asked=asked: getattr(gl, name)(spread, **asked))
        assert said.startswith(f"{name} is not written for graphs that are spread over ranks"), said
        assert "G.to('cpu')" in said


def case_trees_are_joined_in_shared_memory(world):
    engine = make_engine(world, get_engine("cpu"))
    if ON_GPUS:  # these share none
        return
    rng = np.random.default_rng(world.share_object(int.from_bytes(os.urandom(4), "little")))
    for n, arcs in ((1, 0), (5, 3), (300, 280), (1000, 8000)):
        tails, heads = rng.integers(0, n, arcs), rng.integers(0, n, arcs)
        for ends in ((tails, heads), (np.r_[tails, heads], np.r_[heads, tails])):
            alone = gl.Graph(ends, n=n, dup="first", engine="cpu")
            found = gl.components(alone.to(engine), method="afforest")
            assert found.engine is engine
            assert found.to("cpu").isequal(gl.components(alone), check_dtype=True), (ends, n)


def case_distances_by_boxes_in_shared_memory(world):
    engine = make_engine(world, get_engine("cpu"))
    rng = np.random.default_rng(world.share_object(int.from_bytes(os.urandom(4), "little")))
    before, seed = (_ranks.BOX, _ranks.LEAST), int(rng.integers(1000))
    graphs = (
        gl.generate.kronecker(9, weights=(1, 255), seed=seed, engine="cpu"),
        gl.generate.rmat(8, 3, weights=(0.0, 1.0), symmetric=False, seed=seed, engine="cpu"),
        gl.generate.path(70, engine="cpu"),
        gl.Graph(([], []), n=1, engine="cpu"),
    )
    for alone in graphs:
        for _ranks.BOX, delta in ((before[0], None), (3, 1), (3, 1e9)):
            _ranks.LEAST, source = 1, int(rng.integers(alone.n))
            found, parents = gl.sssp(alone.to(engine), source, parents=True, method="delta_stepping", delta=delta)
            assert found.engine is parents.engine is engine
            assert found.to("cpu").isclose(gl.sssp(alone, source), rel_tol=1e-5, check_dtype=True), (seed, source)
            gl.sssp.verify(alone, source, found.to("cpu"), parents.to("cpu"))
    _ranks.BOX, _ranks.LEAST = before


def case_ranks_without_shared_memory_run_the_statements(world):
    for local in (get_engine("cpu"), CudaEngine(np, make_loader(build="plain"))):
        os.environ["GRAPHLA_MPI_SHARED"] = "0"
        spread = gl.generate.path(9, engine="cpu").to(make_engine(world, local))
        alone = world.size == 1 and local.name == "cpu"
        assert gl.components.choose(spread, None, {}).name == ("afforest" if alone else "algebraic")
        assert gl.pagerank.choose(spread, None, {}).name == "fused"
        spread.engine.ranks.grid.rows = spread.engine.ranks.grid.columns = 5
        assert gl.pagerank.choose(spread, None, {}).name == ("fused" if world.size == 1 else "algebraic")
        assert gl.sssp.choose(spread, None, {}).name == ("delta_stepping" if alone else "algebraic")
        del os.environ["GRAPHLA_MPI_SHARED"]
