"""The Laplacian of a graph, and its pseudoinverse by a factor.

L = D − W of an undirected graph with weights W and degrees D is singular: L x = 0 for x constant on each component.
So one vertex a component gets s on the diagonal. For b with zero sum on each component (L + s e eᵀ) x = b gives
x_e = 0, so that L x = b holds exactly; less its mean x is L⁺ b. In D^-½ L D^-½ √d stands for 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.equations import read_matrix
from graphla.algorithms.apsp.elimination.factor import factorize
from graphla.algorithms.apsp.elimination.linear_factor import LinearFactor
from graphla.algorithms.shared.undirected import require_undirected
from graphla.common.arguments import show
from graphla.common.errors import InvalidGraph, SingularMatrix
from graphla.graphs.graph import Graph
from graphla.problem import require_graph


@dataclass(frozen=True, eq=False)
class Laplacian:
    """A Laplacian with a factor.

    Parameters
    ----------
    matrix : csr_array
        The Laplacian, FP64, on the host.
    degrees : ndarray
        float64[n]: the weight of each vertex's arcs, without loops.
    labels : ndarray
        int32[n]: the component of each vertex, numbered by its smallest vertex.
    null : ndarray
        float64[n]: of each vertex the value in the null vector of its component, whose length is 1.
    factor : LinearFactor
        That of the Laplacian with something added to the diagonal once a component.
    """

    matrix: Any
    degrees: Any
    labels: Any
    null: Any
    factor: LinearFactor

    @property
    def engine(self) -> Any:
        """Where the factor is."""
        return self.factor._graph.engine

    @property
    def n(self) -> int:
        """The number of vertices."""
        return int(self.labels.size)

    @property
    def components(self) -> int:
        """The number of components."""
        return int(self.labels.max(initial=-1)) + 1

    @cached_property
    def operator(self) -> Any:
        """The Laplacian on the engine."""
        return make_operator(self.matrix, self.engine)

    @cached_property
    def project(self) -> Callable[[Any], Any]:
        """What takes from vectors of the engine, of shape (n,) or (n, k), their parts along the null vectors."""
        if self.engine.name == "cpu":
            return self._project
        from graphla.algorithms.spectrum.lanczos_cuda import DeviceNull

        return DeviceNull(self.engine, self.labels, self.null).project

    def _project(self, x: Any) -> Any:
        """Do it on the host."""
        if x.ndim == 2:
            return np.stack([self._project(column) for column in x.T], axis=1) if x.shape[1] else x
        if self.components == 1:
            return x - self.null * (x @ self.null)
        parts = np.bincount(self.labels, x * self.null, self.components)
        return x - self.null * parts[self.labels]

    def list_null_vectors(self, count: int) -> Any:
        """Return null vectors as columns, those of the first components by their smallest vertices."""
        vectors = np.zeros((self.n, min(count, self.components)))
        chosen = np.flatnonzero(self.labels < count)
        vectors[chosen, self.labels[chosen]] = self.null[chosen]
        return vectors


def make_operator(A: Any, engine: Any) -> Any:
    """Return a CSR array of the host as what measures residuals on an engine."""
    if engine.name == "cpu":
        return A
    from graphla.algorithms.apsp.elimination.equations_cuda import DeviceMatrix

    return DeviceMatrix(Graph(A, engine="cpu").to(engine))


def get_laplacian(G: Any, name: str, normalized: bool = False) -> Laplacian:
    """Return the Laplacian of a graph, for a function of that name; cached with the graph."""
    require_graph(G)
    return G.cached(f"spectrum.laplacian.{normalized}", lambda G: make_laplacian(G, name, normalized))


def make_laplacian(G: Graph, name: str, normalized: bool) -> Laplacian:
    """Make the Laplacian of a graph, and factorize it."""
    from scipy.sparse import coo_array, diags_array
    from scipy.sparse.csgraph import connected_components

    W = read_conductances(G, name)
    degrees = np.asarray(W.sum(axis=1)).reshape(-1)
    L = diags_array(degrees).tocsr() - W
    labels = number_by_first(connected_components(W, directed=False)[1])
    null = np.sqrt(degrees) if normalized else np.ones(G.n)
    if normalized:
        null = np.where(degrees > 0, null, 1)
        L.data /= np.repeat(null, np.diff(L.indptr)) * null[L.indices]
    null = null / np.sqrt(np.bincount(labels, null * null))[labels] if G.n else null
    at = find_heaviest(labels, degrees)
    added = np.where(L.diagonal()[at] > 0, L.diagonal()[at], 1)
    grounded = (L + coo_array((added, (at, at)), shape=L.shape)).tocsr()
    F = factorize_grounded(grounded, G, name)
    return Laplacian(L, degrees, labels, null, F)


def factorize_grounded(A: Any, G: Graph, name: str) -> LinearFactor:
    """Factorize a part of the Laplacian of a graph that is not singular but by rounding."""
    try:
        return factorize(Graph(A, engine="cpu").to(G.engine), semiring="plus_times")
    except SingularMatrix as error:
        raise SingularMatrix(
            f"{name}: G={show(G)}: weights from {find_least(A):.1e} to {abs(A.data).max():.1e} are too far apart for "
            "the equations of its Laplacian in FP64: leave out the smallest, or scale them"
        ) from error


def find_least(A: Any) -> float:
    """Return the smallest magnitude of the entries that are not zero."""
    sizes = abs(A.data)
    return float(sizes[sizes > 0].min(initial=np.inf))


def read_conductances(G: Graph, name: str) -> Any:
    """Return the weights as a CSR array of the host without loops and zeros; refuse a graph that has no Laplacian."""
    require_undirected(G, name, "Laplacians")
    W = read_matrix(G)
    values, tails = W.data, np.repeat(np.arange(G.n), np.diff(W.indptr))
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any() or not G.symmetric:
        where = (
            f"the arc {tails[bad][0]} → {W.indices[bad][0]} weighs {values[bad][0]}"
            if bad.any()
            else ("the two arcs of an edge differ")
        )
        raise InvalidGraph(
            f"{name}: G={show(G)}: {where}: weights are conductances, finite, zero or more, and equal both ways"
        )
    W.data = np.where((tails != W.indices) & (values > 0), values, 0)
    W = W.copy()  # the engine's own places
    W.eliminate_zeros()
    return W


def number_by_first(labels: Any) -> Any:
    """Number components by their smallest vertices."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, np.int32)
    rank[np.argsort(first)] = np.arange(first.size, dtype=np.int32)
    return rank[inverse.reshape(-1)]


def find_heaviest(labels: Any, degrees: Any) -> Any:
    """Return the vertex of the largest degree of each component."""
    order = np.lexsort((-degrees, labels))
    return order[np.searchsorted(labels[order], np.arange(int(labels.max(initial=-1)) + 1))]


def require_connected(L: Laplacian, name: str) -> None:
    """Refuse a graph of several components."""
    if L.components > 1:
        raise InvalidGraph(
            f"{name}: the graph has {L.components:,} components, and this is of connected graphs: take one of them, as "
            "gl.subgraph(G, vertices) of the vertices with one number in gl.components(G)"
        )
