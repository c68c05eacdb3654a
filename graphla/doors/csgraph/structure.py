"""Laplacians, spanning trees and orderings, which SciPy computes."""

from __future__ import annotations

from typing import Any

from graphla.doors.csgraph import device_matchings, device_trees
from graphla.doors.csgraph.delegate import call_scipy, call_scipy_on_host, is_on_device


def laplacian(
    csgraph: Any,
    normed: bool = False,
    return_diag: bool = False,
    use_out_degree: bool = False,
    *,
    copy: bool = True,
    form: str = "array",
    dtype: Any = None,
    symmetrized: bool = False,
) -> Any:
    """The Laplacian of a graph: the degrees on the diagonal less the weights.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n).
    normed : bool
        Whether to divide by the square roots of the degrees of both ends.
    return_diag : bool
        Whether to return the degrees, or their square roots if `normed`, too.
    use_out_degree : bool
        Whether degrees are the sums of rows instead of columns.
    copy : bool
        Whether to leave the input as it is.
    form : {"array", "function", "lo"}
        A matrix, a function that multiplies by it, or a `LinearOperator`.
    dtype : dtype, optional
        The dtype of the result.
    symmetrized : bool
        Whether to add the transpose first.

    Returns
    -------
    lap : ndarray, sparse array or matrix, function or LinearOperator
        The Laplacian.
    diag : ndarray
        Shape (n,), only if `return_diag` is true.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> import numpy as np
    >>> from graphla import csgraph
    >>> csgraph.laplacian(np.array([[0, 2], [2, 0]])).tolist()
    [[2, -2], [-2, 2]]
    """
    options = {"copy": copy, "form": form, "dtype": dtype, "symmetrized": symmetrized}
    return call_scipy_on_host("laplacian", csgraph, normed, return_diag, use_out_degree, **options)


def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> Any:
    """A spanning forest of the least weight; each edge counts in both directions.

    Parameters
    ----------
    csgraph : array_like or sparse array or matrix
        The graph, of shape (n, n). An explicit zero joins vertices, and leaves no entry.
    overwrite : bool
        Whether parts of the input may be overwritten.

    Returns
    -------
    csr_array or csr_matrix
        The edges of the forest, as float64.

    Notes
    -----
    SciPy computes it, and of CuPy's and cupyx's matrices `graphla.spanning_forest`. Of edges of one weight these may
    choose different ones.

    Examples
    --------
    >>> from graphla import csgraph
    >>> csgraph.minimum_spanning_tree([[0, 2, 9], [0, 0, 3], [0, 0, 0]]).sum()
    np.float64(5.0)
    """
    if is_on_device(csgraph):
        return device_trees.minimum_spanning_tree(csgraph)
    return call_scipy("minimum_spanning_tree", csgraph, overwrite)


def reverse_cuthill_mckee(graph: Any, symmetric_mode: bool = False) -> Any:
    """An order of the vertices that brings the entries of a matrix near its diagonal.

    Parameters
    ----------
    graph : sparse array or matrix
        CSR or CSC, of shape (n, n).
    symmetric_mode : bool
        Whether the matrix is known to be symmetric.

    Returns
    -------
    ndarray
        int32 of shape (n,): the permutation.

    Notes
    -----
    SciPy computes it.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> csgraph.reverse_cuthill_mckee(csr_array([[0, 0, 1], [0, 0, 1], [1, 1, 0]])).tolist()
    [1, 2, 0]
    """
    return call_scipy_on_host("reverse_cuthill_mckee", graph, symmetric_mode)


def structural_rank(graph: Any) -> Any:
    """The largest rank that a matrix with these entries can have.

    Parameters
    ----------
    graph : sparse array or matrix
        Shape (n, m).

    Returns
    -------
    int
        The structural rank.

    Notes
    -----
    SciPy computes it, and of cupyx's matrices the searches of ``gl.matching(…, kind="maximum")``.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from graphla import csgraph
    >>> int(csgraph.structural_rank(csr_array([[0, 1], [0, 1]])))
    1
    """
    if is_on_device(graph):
        return device_matchings.structural_rank(graph)
    return call_scipy("structural_rank", graph)
