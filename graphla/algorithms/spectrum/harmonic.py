"""Harmonic functions: values that are known at some vertices, and at all others the mean of their neighbours'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.algorithms.spectrum.laplacian import factorize_grounded, read_conductances
from graphla.common.arguments import show, to_real
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidOption
from graphla.common.interrupts import show_interrupts
from graphla.common.typing import Vertex
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.problem.answer import name_values


@show_interrupts
def harmonic(G: Graph, known: Vector | Mapping[Vertex, float]) -> Vector:
    """Extend values at some vertices to all others, each the weighted mean of its neighbours' values.

    Parameters
    ----------
    G : Graph
        An undirected graph, with weights of zero or more, the same both ways.
    known : Vector or dict
        Numbers at some of n vertices: a Vector of size n, or a number for each of these vertices.

    Returns
    -------
    Vector
        FP64 of size n, `known` where it has entries. Components without a known value have none.

    Raises
    ------
    DimensionMismatch
        If `known` is no Vector of size n and no dict.
    DomainMismatch
        If a known value is NaN, infinite or complex, or no number.
    InvalidGraph
        If a key is no vertex, the graph is directed, or a weight is negative or infinite.
    SingularMatrix
        If weights are too far apart for FP64.

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
    >>> gl.harmonic(G, {0: 0, 4: 8}).to_numpy().round(9).tolist()
    [0.0, 2.0, 4.0, 6.0, 8.0]
    """
    from scipy.sparse import diags_array
    from scipy.sparse.csgraph import connected_components

    require_graph(G)
    at, values = read_known(G, known)
    W = read_conductances(G, "harmonic")
    labels = connected_components(W, directed=False)[1]
    x, is_known = np.zeros(G.n), np.zeros(G.n, bool)
    x[at], is_known[at] = values, True
    reached = np.isin(labels, labels[at])
    unknown, fixed = np.flatnonzero(reached & ~is_known), np.flatnonzero(is_known)
    if unknown.size:
        L = (diags_array(np.asarray(W.sum(axis=1)).reshape(-1)) - W).tocsr()[unknown]
        F = factorize_grounded(L[:, unknown].tocsr(), G, "harmonic")
        x[unknown] = F.solve(-(L[:, fixed] @ x[fixed]))
    found = Vector.from_coo(np.flatnonzero(reached), x[reached], size=G.n, engine=G.engine)
    return name_values(G, found, "harmonic")


def read_known(G: Graph, known: Any) -> tuple[Any, Any]:
    """Return the vertices of known values, and these as FP64."""
    if isinstance(known, Mapping):
        return read_mapping(G, known)
    if not isinstance(known, Vector) or known.size != G.n:
        raise DimensionMismatch(
            f"known={show(known)}: give a Vector of size {G.n} with the known values, or a dict of vertices to these"
        )
    at, values = known.to_coo()
    at, values = (np.asarray(known.engine.to_host(part)) for part in (at, values))
    if values.dtype.kind not in "biuf" or not np.isfinite(values.astype(np.float64)).all():
        raise DomainMismatch(f"known={show(known)}: give finite real numbers")
    return at, values.astype(np.float64)


def read_mapping(G: Graph, known: Mapping[Any, Any]) -> tuple[Any, Any]:
    """Return the same of a dict of vertices to values."""
    try:
        found = {G.vertex(v, "known"): to_real(value, f"known[{show(v)}]") for v, value in known.items()}
    except InvalidOption as error:
        raise DomainMismatch(str(error)) from None
    at = np.fromiter(found, np.int64, len(found))
    return np.sort(at), np.fromiter(found.values(), np.float64, len(found))[np.argsort(at)]
