"""What right components look like, on host arrays: checks that share nothing with the methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def refuse_first(wrong: Array, what: str) -> None:
    """Raise for the first vertex (or arc) where `wrong` holds."""
    at = np.flatnonzero(wrong)
    if at.size:
        raise VerificationError(f"components: vertex {int(at[0])}: {what} ({at.size} in all)")


def verify_labels(labels: Array, n: int) -> None:
    """Assert that each label is a vertex with that label, the smallest one that has it."""
    if labels.shape != (n,):
        raise VerificationError(f"components: labels has shape {labels.shape}, the graph has {n} vertices")
    refuse_first((labels < 0) | (labels >= max(n, 1)), "its label is no vertex")
    refuse_first(labels > np.arange(n), "its label is larger than itself")
    refuse_first(labels[labels] != labels, "the vertex that is its label has another one")


def verify_weak(csr: Any, labels: Array) -> None:
    """Assert that no arc leaves a component, and that there are as many as SciPy counts."""
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    across = labels[tails] != labels[csr.indices]
    outside = np.zeros(csr.nrows, bool)
    outside[tails[across]] = True
    refuse_first(outside, "an arc leads from it to a vertex of another component")
    count, _ = scipy_components(csr, "weak")
    found = int((labels == np.arange(csr.nrows)).sum())
    if found != count:
        raise VerificationError(f"components: {found} components are told apart, and there are {count}")


def verify_strong(csr: Any, labels: Array) -> None:
    """Assert that two vertices have the same label if and only if SciPy puts them into one component."""
    count, theirs = scipy_components(csr, "strong")
    smallest = np.full(count, csr.nrows, labels.dtype)
    np.minimum.at(smallest, theirs, np.arange(csr.nrows, dtype=labels.dtype))
    refuse_first(labels != smallest[theirs], "its label is not the smallest vertex of its strong component")


def scipy_components(csr: Any, kind: str) -> tuple[int, Array]:
    """The number of components and a number for each vertex, by SciPy; an arc of weight zero is an arc."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if csr.nrows == 0:
        return 0, np.zeros(0, np.int32)
    A = csr_array((np.ones(csr.nvals, np.float32), csr.indices, csr.indptr), shape=csr.shape)
    return connected_components(A, directed=True, connection=kind)


def verify_sizes(labels: Array, sizes: Array) -> None:
    """Assert that each label has the number of its vertices, and no other vertex has one; 0 stands for none."""
    if sizes.shape != labels.shape:
        raise VerificationError(f"components: sizes has shape {sizes.shape}, labels {labels.shape}")
    refuse_first(sizes != np.bincount(labels, minlength=labels.size), "the size there is not that of a component")


def verify(csr: Any, labels: Array, sizes: Array | None, kind: str) -> None:
    """Assert labels and, where given, sizes of components; see the checks above."""
    verify_labels(labels, csr.nrows)
    (verify_strong if kind == "strong" else verify_weak)(csr, labels)
    if sizes is not None:
        verify_sizes(labels, sizes)
