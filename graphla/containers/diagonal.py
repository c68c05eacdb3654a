"""Read a diagonal of a matrix, and write into it."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array, to_int
from graphla.common.errors import DimensionMismatch, DomainMismatch, IndexOutOfBounds
from graphla.language.apply import Select
from graphla.language.expr import Expr
from graphla.language.masks import MaskView
from graphla.storage import Distributed, MatrixStorage, SparseVector, VectorStorage
from graphla.storage.cast import cast_values
from graphla.storage.convert import copy_array
from graphla.storage.formats import as_best_format, as_compressed, choose_index_dtype
from semirings import binary, indexunary
from semirings.dtypes import DType


def read_diagonal(xp: Any, matrix: MatrixStorage, k: int, size: int, dtype: DType) -> VectorStorage:
    """The entries of a matrix that has entries on diagonal `k` alone, as a vector that shares no array with it."""
    held = as_compressed(xp, matrix)
    places = held.indices - k if k > 0 else held.indices
    values = copy_array(cast_values(xp, held.values, dtype))
    return as_best_format(xp, SparseVector(size, places.astype(choose_index_dtype(size)), values))


def set_diagonal(matrix: Any, values: Any, k: int, mask: Any, accum: Any) -> None:
    """``A[i, i + k] = values[i]``: update the diagonal as a vector, and merge it with the rest of the matrix."""
    k = to_int(k, "setdiag: k must be an integer, and k", error=DomainMismatch)
    line = matrix.diag(k)
    if not (-matrix.nrows < k < matrix.ncols or k == 0):
        raise IndexOutOfBounds(
            f"setdiag: diagonal is out of range, k={k} is none of a matrix of {matrix.nrows} × {matrix.ncols}"
        )
    if isinstance(mask, MaskView) and mask.of.rank == 2:
        if mask.of.shape != matrix.shape:
            raise DimensionMismatch(
                f"Matrix mask in setdiag is the wrong shape: {mask.of.shape}, and the matrix has {matrix.shape}"
            )
        of: Any = mask.of
        mask = MaskView(of.diag(k), mask.structural, mask.complement)
    if isinstance(mask, MaskView) and mask.of.shape != line.shape:
        raise DimensionMismatch(
            f"Vector mask in setdiag is the wrong size: {mask.of.shape[0]}, and the diagonal has {line.size} places"
        )
    line(mask=mask, accum=accum) << to_diagonal(line, values)
    diagonal = make_diagonal(matrix, line, k)
    rest = Select(matrix, indexunary.offdiag, k).new()
    matrix << binary.second(rest | diagonal)


def make_diagonal(matrix: Any, line: Any, k: int) -> Any:
    """The matrix of the shape of another with the entries of a vector on a diagonal."""
    if isinstance(line._storage, Distributed):
        held = line._storage.ranks.make_diagonal(line._storage, k, matrix.shape)
        return type(matrix)._from_storage(held, matrix.engine)
    places, held = line.to_coo()
    shape = {"nrows": matrix.nrows, "ncols": matrix.ncols, "engine": matrix.engine}
    return type(matrix).from_coo(places + max(0, -k), places + max(0, k), held, matrix.dtype, **shape)


def to_diagonal(line: Any, values: Any) -> Any:
    """Convert an array to a vector like `line`; a number or an expression stays as it is."""
    if isinstance(values, Expr):
        held = values
    elif to_array(np.ndim, values, "values") == 0:
        if np.asarray(values).dtype.kind not in "biufc" and not isinstance(values, int):
            raise DomainMismatch(
                f"Bad type for argument `values` in Matrix.setdiag: values={show(values)}. Expected type: Vector, "
                "array or number"
            )
        return values
    else:
        held = type(line).from_dense(values, dtype=line.dtype, engine=line.engine)
    if held.rank == 1 and held.shape != line.shape:
        raise DimensionMismatch(
            f"Dimensions not compatible in Matrix.setdiag: {held.shape[0]} values for {line.size} places"
        )
    return held
