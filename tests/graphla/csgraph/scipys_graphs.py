"""Random graphs as SciPy may hold them, and what holds for predecessors."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp


def make_csr(seed: int, n: int = 60, degree: float = 3.0, low: int = 0, high: int = 9) -> sp.csr_array:
    """Edges with whole weights, some zero; rows unsorted, with parallel edges and loops."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(degree, n)
    indptr = np.concatenate([[0], counts.cumsum()]).astype(np.int32)
    indices = rng.integers(0, n, indptr[-1], dtype=np.int32)
    return sp.csr_array((rng.integers(low, high + 1, indptr[-1]).astype(float), indices, indptr), shape=(n, n))


def list_forms(csr: sp.csr_array) -> dict[str, Any]:
    """The same graph in other formats and dtypes."""
    unique = csr.copy()
    unique.sum_duplicates()
    dense = unique.toarray()
    with_nulls = np.where(dense == 0, np.nan, dense)
    with_nulls[0, -1] = np.inf
    wide = sp.csr_array((csr.data, csr.indices.astype("int64"), csr.indptr.astype("int64")), shape=csr.shape)
    return {
        "csr_matrix": sp.csr_matrix(csr),
        "csc": unique.tocsc(),
        "coo": unique.tocoo(),
        "lil": unique.tolil(),
        "int64 indices": wide,
        "int32": csr.astype("int32"),
        "bool": csr.astype(bool),
        "float32": csr.astype("float32"),
        "dense": dense,
        "dense in columns": np.asfortranarray(dense),
        "dense with NaN and inf": with_nulls,
        "masked": np.ma.masked_greater(dense, 5),
    }


def check_predecessors(distances: Any, predecessors: Any, sources: Any, weights: Any) -> None:
    """Each predecessor lies on a shortest path, and the walk back from each vertex ends at the source.

    `weights` is dense: inf where there is no edge, and the lightest of parallel ones.
    """
    assert predecessors.dtype == np.int32
    n = weights.shape[0]
    for distance, before, source in zip(
        distances.reshape(-1, n), predecessors.reshape(-1, n), np.ravel(sources), strict=True
    ):
        reached = np.isfinite(distance)
        assert before[source] == -9999
        assert np.array_equal(before != -9999, reached & (np.arange(n) != source))
        others = np.flatnonzero(before >= 0)
        np.testing.assert_allclose(distance[before[others]] + weights[before[others], others], distance[others])
        walk = np.where(before >= 0, before, np.arange(n))
        for _ in range(n.bit_length()):
            walk = walk[walk]
        assert (walk[reached] == source).all()


def find_lightest(csr: Any, directed: bool, unweighted: bool = False) -> Any:
    """The lightest edge between each pair as a dense matrix, inf where there is none."""
    coo = sp.coo_array(csr)
    weights = np.full(coo.shape, np.inf)
    np.minimum.at(weights, coo.coords, np.ones(coo.nnz) if unweighted else coo.data)
    return weights if directed else np.minimum(weights, weights.T)
