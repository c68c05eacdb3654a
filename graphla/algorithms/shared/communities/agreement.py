"""How far two partitions agree, by three measures."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.common.arguments import show, speaks, to_array
from graphla.common.errors import DimensionMismatch
from graphla.common.typing import ArrayLike
from graphla.containers.vector import Vector

Array = Any


class Agreement(NamedTuple):
    """How far two partitions agree.

    Attributes
    ----------
    ari : float
        The adjusted Rand index: 1 if they are the same, 0 in the mean of partitions that chance draws.
    nmi : float
        Normalized mutual information, from 0 to 1: what they share, beside the mean of their entropies.
    vi : float
        The variation of information, in nats: a distance, 0 if they are the same.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.compare_partitions([0, 0, 1, 1], [0, 0, 0, 0]).ari
    0.0
    """

    ari: float
    nmi: float
    vi: float


def compare_partitions(a: Vector | ArrayLike, b: Vector | ArrayLike) -> Agreement:
    """How far two partitions agree: adjusted Rand index, normalized mutual information, variation of information.

    Parameters
    ----------
    a, b : Vector or array
        A label for each vertex, whole numbers or words; which ones does not matter.

    Returns
    -------
    Agreement
        ``ari``, ``nmi`` and ``vi``, as scikit-learn's ``adjusted_rand_score`` and ``normalized_mutual_info_score`` and
        igraph's ``compare_communities(…, "vi")`` compute them.

    Raises
    ------
    DimensionMismatch
        If one has no label for each vertex, or the other has not as many.

    See Also
    --------
    modularity : How good communities of a graph are.

    Notes
    -----
    O(V log V), on the host: L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2, 1985; M. Meila,
    "Comparing clusterings", Journal of Multivariate Analysis 98, 2007.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.compare_partitions([0, 0, 1, 1], [5, 5, 3, 3])
    Agreement(ari=1.0, nmi=1.0, vi=0.0)
    >>> round(gl.compare_partitions([0, 0, 1, 1], [0, 0, 1, 2]).ari, 3)
    0.571
    """
    one, other = (number(each, name) for each, name in ((a, "a"), (b, "b")))
    if one.size != other.size:
        raise DimensionMismatch(
            f"a has {one.size:,} labels and b {other.size:,}: give one for each of the same vertices"
        )
    cells = np.unique(one * max(1, one.size) + other, return_counts=True)[1]
    sizes = cells, np.bincount(one), np.bincount(other)
    both, h_one, h_other = (find_entropy(each) for each in sizes)
    shared = max(0.0, h_one + h_other - both)
    nmi = 1.0 if not h_one + h_other else min(1.0, 2 * shared / (h_one + h_other))
    same = len({each.size for each in sizes}) == 1
    ari = adjust(count_pairs(sizes[0]), count_pairs(sizes[1]), count_pairs(sizes[2]), one.size)
    return Agreement(ari, nmi, 0.0 if same else 2 * both - h_one - h_other)


def number(labels: Any, name: str) -> Array:
    """Numbers from 0 on for labels."""
    if isinstance(labels, Vector):
        array = labels.to_numpy(0) if labels.nvals == labels.size else None
    else:
        array = to_array(
            np.asarray, labels.get() if speaks(labels, "__cuda_array_interface__") else labels, name, DimensionMismatch
        )
    if array is None or array.ndim != 1 or (array.size and array.dtype.kind not in "biuUS"):
        raise DimensionMismatch(f"{name}={show(labels)}: give a label for each vertex, whole numbers or words")
    return np.unique(array, return_inverse=True)[1].reshape(-1).astype(np.int64)


def find_entropy(sizes: Array) -> float:
    """The entropy of a partition with these sizes, in nats."""
    shares = sizes / max(1, sizes.sum())
    return float(-(shares * np.log(shares)).sum()) + 0.0


def count_pairs(sizes: Array) -> int:
    """How many ordered pairs of vertices are together."""
    return int((sizes * (sizes - 1)).sum())


def adjust(together: int, one: int, other: int, n: int) -> float:
    """The adjusted Rand index, of pairs that are together in both and in each."""
    if one == other == together:
        return 1.0
    pairs = n * (n - 1)
    return 2 * (together * pairs - one * other) / ((one + other) * pairs - 2 * one * other)
