"""Vertices as points by the eigenvectors of the normalized Laplacian, and clusters of these points."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from graphla.algorithms.shared.communities.labels import number_by_size
from graphla.algorithms.shared.seed import to_seed
from graphla.algorithms.spectrum.eigenvectors import find_pairs
from graphla.algorithms.spectrum.laplacian import get_laplacian, require_connected
from graphla.common.arguments import to_int
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem.answer import name_values

STARTS = 10
"""Runs of k-means, of which the best counts."""


def spectral_embedding(G: Graph, k: int = 2) -> Any:
    """Place the vertices of a connected graph in k dimensions, so that neighbours are near.

    Parameters
    ----------
    G : Graph
        A connected undirected graph, with weights of zero or more, the same both ways.
    k : int
        How many dimensions, from 1 to n − 1.

    Returns
    -------
    array
        float64[n, k], on the engine: the eigenvectors D^-½ v₂ … D^-½ v₍ₖ₊₁₎ of the random walk's Laplacian, whose
        columns x have Σ d x² = 1 and Σ d x = 0. The first is the Fiedler vector of the walk, whose signs cut the graph.

    Raises
    ------
    InvalidGraph
        If the graph is directed or not connected, or a weight is negative or infinite.
    InvalidOption
        If `k` is not from 1 to n − 1.
    NotConverged
        If Lanczos does not end.
    SingularMatrix
        If weights are too far apart for FP64.

    See Also
    --------
    spectral_clustering : Clusters of such points; of graphs of several components, too.
    laplacian_eigenvectors : The eigenvectors themselves.

    Notes
    -----
    M. Belkin, P. Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation", Neural Computation
    15(6), 2003. scikit-learn's function of this name gives the same points up to signs and the scale of each dimension.

    Examples
    --------
    >>> import graphla as gl
    >>> x = gl.spectral_embedding(gl.generate.path(5, engine="cpu"), 1)[:, 0]
    >>> bool(abs(x[0] + x[4]) < 1e-9), len(set((x > 0)[:2])), len(set((x > 0)[3:]))
    (True, 1, 1)
    """
    L = get_laplacian(G, "spectral_embedding", normalized=True)
    require_connected(L, "spectral_embedding")
    count = to_int(k, "k", 1, max(1, L.n - 1))
    vectors, lengths = find_pairs(L, min(L.n, count + 1)).vectors, np.sqrt(np.where(L.degrees > 0, L.degrees, 1))
    if G.engine.name == "cpu":
        return vectors[:, 1:] / lengths[:, None]
    from graphla.algorithms.spectrum.lanczos_cuda import divide_rows

    return divide_rows(L.engine, vectors, 1, lengths)


def spectral_clustering(G: Graph, k: int, *, seed: int = 0) -> Vector:
    """Partition the vertices into k clusters, between which there is little weight beside what is within.

    Parameters
    ----------
    G : Graph
        An undirected graph, with weights of zero or more, the same both ways.
    k : int
        How many clusters, from 1 to n; there may be fewer where vertices cannot be told apart.
    seed : int
        Of the starts of k-means.

    Returns
    -------
    Vector
        INT32 of size n: the number of each vertex's cluster, the largest first, of equal ones that of the smallest
        vertex.

    Raises
    ------
    InvalidGraph
        If the graph is directed, or a weight is negative or infinite.
    InvalidOption
        If `k` is not from 1 to n.
    NotConverged
        If Lanczos does not end.
    SingularMatrix
        If weights are too far apart for FP64.

    See Also
    --------
    leiden : Communities whose number need not be known.

    Notes
    -----
    The k smallest eigenvectors of the normalized Laplacian, rows scaled to length 1, and k-means with ten starts
    (``scipy.cluster.vq.kmeans2``). A. Ng, M. Jordan, Y. Weiss, "On spectral clustering", NIPS 2001.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.spectral_clustering(gl.generate.path(6, engine="cpu"), 2).to_numpy().tolist()
    [0, 0, 0, 1, 1, 1]
    """
    number = to_seed(seed)
    pairs = find_pairs(get_laplacian(G, "spectral_clustering", normalized=True), k)
    vectors = G.engine.to_host(pairs.vectors)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = run_k_means(vectors / np.where(length > 0, length, 1), vectors.shape[1], number)
    clusters = Vector.from_dense(number_by_size(np, labels), engine=G.engine)
    return name_values(G, clusters, "cluster")


def run_k_means(points: Any, k: int, seed: int) -> Any:
    """Return the labels of the best of several runs of k-means."""
    import scipy.cluster.vq

    kmeans2: Any = scipy.cluster.vq.kmeans2
    best, labels = np.inf, np.zeros(len(points), np.int32)
    distinct, place = np.unique(points.round(12), axis=0, return_inverse=True)
    if len(distinct) <= k:
        return place.reshape(-1)
    for start in range(STARTS if k > 1 else 0):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an empty cluster: the answer has fewer
            centers, found = kmeans2(points, k, minit="++", seed=np.random.default_rng([seed, start]))
        loss = float(((points - centers[found]) ** 2).sum())
        if loss < best:
            best, labels = loss, found
    return labels
