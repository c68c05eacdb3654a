"""Between coordinates, rows and columns."""

from __future__ import annotations

from graphla.storage import CompressedMatrix


def csr_transpose(matrix: CompressedMatrix) -> CompressedMatrix:
    import numpy as np

    rows = np.repeat(np.arange(matrix.nrows, dtype=np.int32), np.diff(matrix.indptr))
    order = np.argsort(matrix.indices, kind="stable")
    indptr = np.zeros(matrix.ncols + 1, matrix.indptr.dtype)
    np.cumsum(np.bincount(matrix.indices, minlength=matrix.ncols), out=indptr[1:])
    return CompressedMatrix(matrix.ncols, matrix.nrows, indptr, rows[order], matrix.values[order])


def csr_from_coo(coo, dup):
    raise NotImplementedError
