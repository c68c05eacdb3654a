"""Problems with many sources on many ranks: the results of one process."""

import numpy as np

import graphla as gl
from graphla.common.errors import InvalidGraph, NegativeCycle, Overflow
from tests.mpi.cases_communicator import raises


def make_graph(weights=(1, 9)):
    return gl.generate.rmat(7, 6, weights=weights, symmetric=False, engine="cpu")


def case_levels_and_distances_are_those_of_one_process(world):
    G = make_graph()
    for count in (0, 1, 3, 130):
        sources = np.random.default_rng(count).integers(0, G.n, count)
        for many, one in ((gl.mpi.bfs, gl.bfs), (gl.mpi.sssp, gl.sssp)):
            rows, wanted = many(G, sources), one(G, sources=sources)
            assert rows.shape == (count, G.n)
            assert rows.local.isequal(wanted[list(rows.own), :].new(), check_dtype=True) or not rows.own
            assert rows.gather().isequal(wanted, check_dtype=True)


def case_no_rank_is_idle(world):
    rows = gl.mpi.bfs(make_graph(), range(128))
    assert len(rows.own) >= 128 // world.size // 2


def case_closeness_is_that_of_one_process(world):
    G = make_graph()
    for options in ({}, {"sources": [5, 3]}, {"weights": True, "harmonic": True}, {"direction": "out"}):
        assert gl.mpi.closeness(G, **options).isequal(gl.closeness(G, **options))


def case_betweenness_is_that_of_one_process(world):
    G = make_graph()
    for options in ({}, {"sources": 20}, {"weights": True, "sources": [1, 2, 3]}, {"edges": True}, {"endpoints": True}):
        options["dtype"] = "FP64"
        assert gl.mpi.betweenness(G, **options).isclose(gl.betweenness(G, **options), rel_tol=1e-12)


def case_ranks_agree_on_errors_and_dtypes(world):
    last = 2 * world.size - 1  # its row is of the last rank
    cycle = gl.Graph(([last, last + 1], [last + 1, last], [1, -2]), n=last + 2, engine="cpu")
    raises(NegativeCycle, gl.mpi.sssp, cycle, range(last + 1))
    raises(InvalidGraph, gl.mpi.bfs, cycle, [0, 99])
    long = gl.Graph(([last, last + 1], [last + 1, last + 2], [2**31 - 5] * 2), n=last + 3, engine="cpu")
    rows = gl.mpi.sssp(long, range(last + 1))
    assert rows.local.dtype.name == "INT64"
    assert rows.gather()[last, last + 2].new().value == 2**32 - 10
    full = gl.Graph(([last, last + 1], [last + 1, last + 2], [2**63 - 5] * 2), n=last + 3, engine="cpu")
    raises(Overflow, gl.mpi.sssp, full, range(last + 1))


def case_different_graphs_are_refused(world):
    G = gl.generate.path(5 + (world.rank == world.size - 1), engine="cpu")
    if world.size > 1:
        assert "same graph on every rank" in raises(InvalidGraph, gl.mpi.bfs, G, [0])
