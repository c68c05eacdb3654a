"""The operations that every engine implements itself, and the common operations on values and storages."""

from __future__ import annotations

import math
from typing import Any, ClassVar, TypeGuard

import numpy as np

from graphla.language.scalars import choose_scalar_dtype
from graphla.planning.steps import (
    MatMat,
    MatVec,
    Storage,
)
from graphla.storage import (
    Array,
    CompressedMatrix,
    Deferred,
    FullMatrix,
    MatrixStorage,
    SparseVector,
    VectorStorage,
    get_dtype_name,
)
from graphla.storage.convert import cast_indices, make_range, transpose_csr
from graphla.storage.formats import (
    list_row_ids,
)
from semirings import BinaryOp, Monoid, unary
from semirings.dtypes import DType, lookup


class ArrayOperations:
    """An array module, and the computations with values that each engine implements."""

    name: ClassVar[str]
    xp: Any

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        """Apply op to arrays and scalars, element by element."""
        raise NotImplementedError

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        """Reduce each segment ``values[indptr[i]:indptr[i + 1]]`` with ⊕; an empty segment gives the identity."""
        raise NotImplementedError

    def reduce_values(self, monoid: Monoid, values: Array, out: DType) -> Array:
        """Reduce all values, at least one, with ⊕; return an array of one element."""
        return self.reduce_segments(monoid, values, self.xp.array([0, values.shape[0]], "int64"), out)

    def matvec(self, step: MatVec) -> VectorStorage | Deferred:
        raise NotImplementedError

    def matmat(self, step: MatMat) -> MatrixStorage:
        raise NotImplementedError

    def bind_operator(self, op: BinaryOp, left: DType, right: DType, out: DType) -> Any:
        """Return op as a function of two arrays."""
        return lambda x, y: self.apply_operator(op, (x, y), (left, right), out)

    def cast(self, values: Array, dtype: DType) -> Array:
        """Convert values to another dtype; no copy if they have it already."""
        if get_dtype_name(values.dtype) == dtype.numpy:
            return values
        if values.dtype.kind == "f" and dtype.kind in "iu":  # the operator defines NaN and out-of-range values
            return self.apply_operator(unary.identity, (values,), (lookup(values.dtype),), dtype)
        if dtype.kind == "b":
            return values != 0
        if values.dtype.kind == "c" and dtype.kind != "c":
            return self.cast(values.real, dtype)
        with np.errstate(over="ignore"):  # large FP64 becomes infinite in FP32; values of absent entries are arbitrary
            return values.astype(dtype.numpy)

    def fill_value(self, value: Any, dtype: DType) -> Any:
        """Convert a fill value to the dtype of the entries; ±inf maps to the limits of an integer dtype."""
        if dtype.kind not in "fc" and value in (math.inf, -math.inf):
            value = dtype.max if value > 0 else dtype.min
        return np.asarray(value, dtype.numpy)[()]

    def cast_scalar(self, value: Any, beside: DType) -> Any:
        """Convert a bound scalar, on the host, to the dtype that it has next to entries of dtype `beside`."""
        return np.asarray(value, choose_scalar_dtype(value, beside).numpy)[()]

    def orient(self, storage: Any, transposed: bool) -> Any:
        """Return the storage, or its cached transpose."""
        if not transposed:
            return storage
        if isinstance(storage, FullMatrix):
            return FullMatrix(self.xp.ascontiguousarray(storage.values.T))
        return self.transpose(storage)

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        """Return the transpose, which is built once and cached with the matrix."""
        return matrix.cached("transposed", transpose_csr)

    def list_coordinates(self, of: Storage) -> tuple[Array, Array]:
        """Return row and column of each value, in the order of the values; the columns of a vector are 0."""
        xp = self.xp
        if isinstance(of, CompressedMatrix):
            return list_row_ids(of), cast_indices(of.indices, "int64")
        if isinstance(of, FullMatrix):
            rows, cols = of.shape
            i, j = xp.arange(rows, dtype="int64")[:, None], xp.arange(cols, dtype="int64")[None, :]
            return xp.broadcast_to(i, of.shape), xp.broadcast_to(j, of.shape)
        indices = of.indices if isinstance(of, SparseVector) else make_range(xp, range(of.size))
        return cast_indices(indices, "int64"), xp.zeros(indices.shape, "int64")

    def adopt(self, storage: Any) -> Any:
        return storage

    def collect(self, storage: Any) -> Any:
        return storage

    def collect_first(self, storage: Any, count: int) -> Any:
        return storage

    def find_largest(self, number: int) -> int:
        return number

    def asarray(self, values: Any) -> Array:
        return self.xp.asarray(values)

    def to_host(self, array: Array) -> Any:
        return array


def is_matrix(storage: Any) -> TypeGuard[MatrixStorage]:
    return isinstance(storage, (CompressedMatrix, FullMatrix))  # a tuple, because a union would be created per call
