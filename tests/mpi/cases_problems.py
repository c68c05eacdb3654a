"""Problems on graphs that are spread over the ranks, against one process."""

import numpy as np

import graphla as gl
from graphla.errors import NotSupported
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
    assert "on 'mpi'" in raises(NotSupported, gl.core_numbers, spread)
    assert "on 'mpi'" in raises(NotSupported, lambda: gl.bfs(spread, 0, method="queue"))
    assert "whole" in raises(NotSupported, gl.mpi.bfs, spread, [0])
