"""Harmonic functions: values that are known at some vertices, and at all others the mean of their neighbours'."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.factor import factorize
from graphla.algorithms.spectrum.laplacian import read_conductances
from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, DomainMismatch
from graphla.common.interrupts import show_interrupts
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph


@show_interrupts
def harmonic(G: Graph, known: Vector) -> Vector:
    """Extend values at some vertices to all others, each the weighted mean of its neighbours' values.

    Parameters
    ----------
    G : Graph
        An undirected graph, with weights of zero or more, the same both ways.
    known : Vector
        Numbers at some of n vertices.

    Returns
    -------
    Vector
        FP64 of size n, `known` where it has entries. Components without a known value have none.

    Raises
    ------
    DimensionMismatch
        If `known` is no Vector of size n.
    DomainMismatch
        If a known value is NaN, infinite or complex.
    InvalidGraph
        If the graph is directed, or a weight is negative or infinite.

    See Also
    --------
    label_propagation : Labels without known ones.

    Notes
    -----
    The Laplacian of the unknown vertices is positive definite, and L_uu x_u = −L_uk x_k is solved by its factor. With 1
    at the vertices of a class and 0 at those of others it is the probability that a random walk meets that class first:
    X. Zhu, Z. Ghahramani, J. Lafferty, "Semi-supervised learning using Gaussian fields and harmonic functions", ICML
    2003.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.path(5, engine="cpu")
    >>> gl.harmonic(G, gl.Vector.from_dict({0: 0, 4: 8}, size=5)).to_numpy().round(9).tolist()
    [0.0, 2.0, 4.0, 6.0, 8.0]
    """
    from scipy.sparse import diags_array
    from scipy.sparse.csgraph import connected_components

    require_graph(G)
    at, values = read_known(known, G.n)
    W = read_conductances(G, "harmonic")
    labels = connected_components(W, directed=False)[1]
    x, is_known = np.zeros(G.n), np.zeros(G.n, bool)
    x[at], is_known[at] = values, True
    reached = np.isin(labels, labels[at])
    unknown, fixed = np.flatnonzero(reached & ~is_known), np.flatnonzero(is_known)
    if unknown.size:
        L = (diags_array(np.asarray(W.sum(axis=1)).reshape(-1)) - W).tocsr()[unknown]
        F = factorize(Graph(L[:, unknown].tocsr(), engine="cpu").to(G.engine), semiring="plus_times")
        x[unknown] = F.solve(-(L[:, fixed] @ x[fixed]))
    return Vector.from_coo(np.flatnonzero(reached), x[reached], size=G.n, engine=G.engine)


def read_known(known: Any, n: int) -> tuple[Any, Any]:
    """Return the vertices of known values, and these as FP64."""
    if not isinstance(known, Vector) or known.size != n:
        raise DimensionMismatch(f"known={show(known)}: give a Vector of size {n} with the known values")
    at, values = known.to_coo()
    at, values = (np.asarray(known.engine.to_host(part)) for part in (at, values))
    if values.dtype.kind not in "biuf" or not np.isfinite(values.astype(np.float64)).all():
        raise DomainMismatch(f"known={show(known)}: give finite real numbers")
    return at, values.astype(np.float64)
