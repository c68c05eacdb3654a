"""What a caller gives as a graph, as the rows of a sparse matrix that kernels may follow."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.doors.csgraph.delegate import call_scipy
from graphla.storage.pointers import find_pointer_fault

Array = Any
WORTH_AN_ENGINE = 2**17
"""Entries and rows below which SciPy answers before the compiled code of an engine is loaded (measured)."""
NUMBERS = "biuf"
"""The kinds of dtypes that become float64 without a loss of sense."""
ZERO = 1e-8
"""The largest magnitude that SciPy takes for a zero of a dense matrix."""
LARGEST = 2**31 - 1
"""The largest number of vertices and of entries that int32 counts."""


class Rows(NamedTuple):
    """The rows of a square sparse matrix; columns may be in any order, and repeated."""

    indptr: Array
    indices: Array
    values: Array

    @property
    def nrows(self) -> int:
        """The number of vertices."""
        return self.indptr.size - 1

    @property
    def nvals(self) -> int:
        """The number of entries."""
        return self.indices.size


def count_cells(csgraph: Any) -> int:
    """Entries and rows of a sparse matrix, or cells of a dense one; 0 of an input that SciPy must judge."""
    shape, kind = getattr(csgraph, "shape", ()), getattr(getattr(csgraph, "dtype", None), "kind", "V")
    if len(shape) != 2 or shape[0] != shape[1] or kind not in NUMBERS:
        return 0
    if hasattr(csgraph, "tocsr"):
        count = int(csgraph.nnz) + shape[0] if hasattr(csgraph, "nnz") and hasattr(csgraph, "format") else 0
    else:
        count = shape[0] * shape[1] if isinstance(csgraph, np.ndarray) else 0
    return count if count <= LARGEST else 0


def is_worth_an_engine(csgraph: Any, searches: float = 1) -> bool:
    """Whether so many searches of a graph take long enough to load and run compiled code of an engine."""
    return count_cells(csgraph) * searches >= WORTH_AN_ENGINE


def read_rows(csgraph: Any, transpose: bool = False) -> Rows:
    """The rows of a matrix that `count_cells` has counted, of the transpose if that is free and may be taken.

    They are cast to float64 by SciPy, as it does for itself: repeated entries of another dtype are added, and their
    columns sorted; those of float64 stay as they are.

    Raises
    ------
    InvalidGraph
        If the matrix is damaged, so that a kernel would leave its arrays.
    """
    sparse = csgraph if hasattr(csgraph, "tocsr") else make_sparse(csgraph)
    csr = (sparse.T if transpose and sparse.format == "csc" else sparse).tocsr()
    if sparse.format == "bsr":
        csr.eliminate_zeros()  # which fill the blocks, and are no edges
    check(make_rows(csr))
    return make_rows(csr.astype(np.float64, copy=False))


def make_rows(csr: Any) -> Rows:
    """The arrays of a CSR matrix."""
    return Rows(as_int32(csr.indptr), as_int32(csr.indices), np.ascontiguousarray(csr.data))


def make_sparse(dense: Any) -> Any:
    """The edges of a dense or a masked array, as SciPy reads them."""
    return call_scipy("csgraph_from_masked" if np.ma.isMaskedArray(dense) else "csgraph_from_dense", dense)


def as_int32(indices: Array) -> Array:
    """Indices of SciPy as int32, which holds them; a copy if they are int64."""
    return np.ascontiguousarray(indices, np.int32)


def check(rows: Rows) -> None:
    """Refuse rows that lead out of their arrays; SciPy would read beyond them."""
    fault = find_pointer_fault(np, rows.indptr, rows.nrows, rows.nvals)
    if not fault and rows.values.size != rows.nvals:
        fault = f"data has {rows.values.size:,} values, and there are {rows.nvals:,} indices"
    if not fault and rows.nvals and int(rows.indices.view(np.uint32).max()) >= rows.nrows:
        fault = f"an index is out of range: 0 to {rows.nrows - 1}"
    if fault:
        raise InvalidGraph(f"csgraph is damaged: {fault}")
