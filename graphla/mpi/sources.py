"""Problems with many sources: each rank holds the whole graph and solves some of the sources.

Nothing travels but the results, so that P ranks take little more than 1 / P of the time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from graphla.algorithms import betweenness as betweenness_problem
from graphla.algorithms import closeness as closeness_problem
from graphla.algorithms.bfs import bfs as search_levels
from graphla.algorithms.bfs.many.multi_source import WORD
from graphla.algorithms.sssp import sssp as search_distances
from graphla.common.typing import NoOptions, Vertices
from graphla.containers.labels import Number
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine.mpi.agree import run_on_all
from graphla.graphs.graph import Graph
from graphla.mpi.rows import Rows, require_one_graph, split_rows
from semirings import monoid
from semirings.dtypes import lookup, unify


def bfs(G: Graph, sources: Vertices, *, method: str | None = None) -> Rows:
    """Breadth-first search from many sources, which the ranks share out.

    Parameters
    ----------
    G : Graph
        The same graph on every rank, on the rank's own engine.
    sources : sequence of int
        k vertices to start from.
    method : str, optional
        None or ``"algebraic"``, as `graphla.bfs` takes it for many sources.

    Returns
    -------
    Rows
        INT32 levels of shape (k, n); each rank holds some of the rows.

    Raises
    ------
    InvalidGraph
        If a source is no vertex of G, or the ranks do not hold one graph.
    NotSupported
        If many sources do not take the method.

    See Also
    --------
    graphla.bfs : The same on one process.

    Notes
    -----
    Ranks get words of 64 sources, each O((V + E) · levels shared) work; only sizes travel.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.bfs(gl.Graph(([0, 1], [1, 2])), [0, 2]).local.to_dicts()
    {0: {0: 0, 1: 1, 2: 2}, 1: {2: 0}}
    """
    return search(G, sources, WORD, lambda own: search_levels(G, sources=own, method=method))


def sssp(G: Graph, sources: Vertices, *, method: str | None = None) -> Rows:
    """Shortest paths from many sources, which the ranks share out.

    Parameters
    ----------
    G : Graph
        The same graph on every rank, on the rank's own engine.
    sources : sequence of int
        k vertices to start from.
    method : str, optional
        None or ``"algebraic"``, as `graphla.sssp` takes it for many sources.

    Returns
    -------
    Rows
        Distances of shape (k, n), in the dtype that they need on any rank; each rank holds some of the rows.

    Raises
    ------
    InvalidGraph
        If a source is no vertex of G, or the ranks do not hold one graph.
    NegativeCycle
        If a cycle of negative weight can be reached from a source, whatever its rank.
    NotSupported
        If many sources do not take the method.

    See Also
    --------
    graphla.sssp : The same on one process.

    Notes
    -----
    The work of `graphla.sssp` for each source; only sizes travel.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.sssp(gl.Graph(([0, 1], [1, 2], [4, 5])), [0, 2]).local.to_dicts()
    {0: {0: 0, 1: 4, 2: 9}, 1: {2: 0}}
    """
    rows = search(G, sources, 1, lambda own: search_distances(G, sources=own, method=method))
    return replace(rows, local=widen(rows))


def search(G: Graph, sources: Vertices, together: int, solve: Any) -> Rows:
    """Solve the sources of this rank."""
    world = require_one_graph(G)
    chosen = np.asarray(G.vertices(sources, "sources"), np.int64)
    bounds = split_rows(len(chosen), world.size, together)
    own = list(map(Number, chosen[slice(*bounds[world.rank : world.rank + 2])].tolist()))
    return Rows(run_on_all(world, lambda: solve(own)), bounds, world)


def widen(rows: Rows) -> Matrix:
    """The rows of this rank in the dtype that holds the values of all ranks."""
    names = [rows.world.share_object(rows.local.dtype.name, rank) for rank in range(rows.world.size)]
    dtype = unify(*(lookup(name) for name in names))
    return rows.local if dtype == rows.local.dtype else rows.local.dup(dtype)


def closeness(
    G: Graph,
    sources: Vertices | None = None,
    *,
    weights: bool = False,
    harmonic: bool = False,
    improved: bool = True,
    direction: closeness_problem.Way = "in",
    method: str | None = None,
    **options: Unpack[NoOptions],
) -> Vector:
    """Closeness centrality, whose sources the ranks share out.

    Parameters
    ----------
    G : Graph
        The same graph on every rank, on the rank's own engine.
    sources, weights, harmonic, improved, direction, method, **options : as there
        As `graphla` takes them.

    Returns
    -------
    Vector
        FP64 of size n, with an entry for each source, on every rank.

    Raises
    ------
    InvalidGraph
        If the ranks do not hold one graph; and what `graphla.closeness` raises, on every rank.

    See Also
    --------
    graphla.closeness : The same on one process.

    Notes
    -----
    The work of `graphla.closeness`, shared out; two numbers per source travel.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.closeness(gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1]))).to_dict()
    {0: 0.6666666666666666, 1: 1.0, 2: 0.6666666666666666}
    """
    world, problem = require_one_graph(G), closeness_problem.closeness
    asked: dict[str, Any] = {"sources": sources, "weights": weights, "harmonic": harmonic}
    asked |= {"improved": improved, "direction": direction}
    whole = problem.resolve(G, **asked)
    bounds = split_rows(len(whole.sources), world.size, WORD)
    part = replace(whole, sources=whole.sources[slice(*bounds[world.rank : world.rank + 2])])
    chosen = problem.choose(G, method, {**asked, "sources": part.sources, **options})
    found = run_on_all(world, lambda: chosen.solve(G, (part,), options))
    reached, sums = (world.all_gather(each) for each in found)
    return Vector.from_coo(whole.sources, whole.rate(G, reached, sums), "FP64", size=G.n, engine=G.engine)


def betweenness(
    G: Graph,
    *,
    sources: betweenness_problem.Sources = None,
    seed: int = 0,
    weights: bool = False,
    normalized: bool = True,
    endpoints: bool = False,
    edges: bool = False,
    directed: bool | None = None,
    dtype: betweenness_problem.Precision = "FP32",
    method: str | None = None,
    **options: Unpack[NoOptions],
) -> Vector | Matrix:
    """Betweenness centrality, whose sources the ranks share out.

    Parameters
    ----------
    G : Graph
        The same graph on every rank, on the rank's own engine.
    sources, seed, weights, normalized, endpoints, edges, directed, dtype, method, **options : as there
        As `graphla` takes them.

    Returns
    -------
    Vector or Matrix
        As `graphla.betweenness` returns it, on every rank. Sums are added in another order than on one process.

    Raises
    ------
    InvalidGraph
        If the ranks do not hold one graph; and what `graphla.betweenness` raises, on every rank.

    See Also
    --------
    graphla.betweenness : The same on one process.

    Notes
    -----
    The work of `graphla.betweenness`, shared out; a number per vertex, or per arc, travels.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]))
    >>> gl.mpi.betweenness(G, normalized=False).to_dense().tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    problem = betweenness_problem.betweenness
    asked = {name: value for name, value in locals().items() if name in problem.common}
    world = require_one_graph(G)
    whole = problem.resolve(G, **asked)
    bounds = split_rows(len(whole.sources), world.size, WORD)
    part = replace(whole, sources=whole.sources[slice(*bounds[world.rank : world.rank + 2])])
    asked |= {"sources": whole.sources, "weights": whole.weighted}
    chosen = problem.choose(G, method, {**asked, **options})
    sums = world.all_reduce(run_on_all(world, lambda: chosen.solve(G, (part,), options)[0]), monoid.plus)
    wrap = betweenness_problem.wrap_edges if whole.edges else betweenness_problem.wrap
    return wrap(G, sums, whole)
