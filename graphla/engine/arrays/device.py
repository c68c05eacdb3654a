"""What a device does its own way, and what is said of values and storages on any."""

from __future__ import annotations

import math
from typing import Any, ClassVar, TypeGuard

import numpy as np

from graphla.language.scalars import scalar_dtype
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
    name_of,
)
from graphla.storage.convert import csr_transpose
from graphla.storage.formats import (
    row_ids,
)
from semirings import BinaryOp, Monoid, unary
from semirings.dtypes import DType, lookup


class Device:
    """An array module, with the few computations that it leaves to a device."""

    name: ClassVar[str]
    xp: Any

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        """op over arrays (and scalars) place by place."""
        raise NotImplementedError

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        """⊕ of each segment ``values[indptr[i]:indptr[i + 1]]``; the identity where a segment is empty."""
        raise NotImplementedError

    def total(self, monoid: Monoid, values: Array, out: DType) -> Array:
        """⊕ of all values, of which there is one at least: an array of one."""
        return self.reduce_segments(monoid, values, self.xp.asarray([0, values.shape[0]], "int64"), out)

    def matvec(self, step: MatVec) -> VectorStorage | Deferred:
        raise NotImplementedError

    def matmat(self, step: MatMat) -> MatrixStorage:
        raise NotImplementedError

    def combine(self, op: BinaryOp, left: DType, right: DType, out: DType) -> Any:
        """op as a function of two arrays."""
        return lambda x, y: self.apply_operator(op, (x, y), (left, right), out)

    def cast(self, values: Array, dtype: DType) -> Array:
        """The same values in another dtype; no copy where it is theirs already."""
        if name_of(values.dtype) == dtype.numpy:
            return values
        if values.dtype.kind == "f" and dtype.kind in "iu":  # NaN and what lies outside have a meaning there
            return self.apply_operator(unary.identity, (values,), (lookup(values.dtype),), dtype)
        if dtype.kind == "b":
            return values != 0
        if values.dtype.kind == "c" and dtype.kind != "c":
            return self.cast(values.real, dtype)
        with np.errstate(over="ignore"):  # FP64 beyond FP32 is infinite there, and absent places hold anything
            return values.astype(dtype.numpy)

    def fill_value(self, value: Any, dtype: DType) -> Any:
        """A default for absent entries in their dtype; an infinity is the end of an integer type."""
        if dtype.kind not in "fc" and value in (math.inf, -math.inf):
            value = dtype.max if value > 0 else dtype.min
        return np.asarray(value, dtype.numpy)[()]

    def scalar(self, value: Any, beside: DType) -> Any:
        """A bound scalar, on the host, in the dtype that it takes beside others."""
        return np.asarray(value, scalar_dtype(value, beside).numpy)[()]

    def orient(self, storage: Any, transposed: bool) -> Any:
        """The storage, or its cached transpose."""
        if not transposed:
            return storage
        if isinstance(storage, FullMatrix):
            return FullMatrix(self.xp.ascontiguousarray(storage.values.T))
        return self.transpose(storage)

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        """The transpose, built once and kept with the matrix."""
        return matrix.cached("transposed", csr_transpose)

    def coordinates(self, of: Storage) -> tuple[Array, Array]:
        """Row and column of each value in the order of the values; the column of a vector is 0."""
        xp = self.xp
        if isinstance(of, CompressedMatrix):
            return row_ids(of), of.indices.astype("int64")
        if isinstance(of, FullMatrix):
            rows, cols = of.shape
            i, j = xp.arange(rows, dtype="int64")[:, None], xp.arange(cols, dtype="int64")[None, :]
            return xp.broadcast_to(i, of.shape), xp.broadcast_to(j, of.shape)
        places = of.indices if isinstance(of, SparseVector) else xp.arange(of.size)
        return places.astype("int64"), xp.zeros(places.shape, "int64")

    def asarray(self, values: Any) -> Array:
        return self.xp.asarray(values)

    def to_host(self, array: Array) -> Any:
        return array


def is_matrix(storage: Any) -> TypeGuard[MatrixStorage]:
    return isinstance(storage, (CompressedMatrix, FullMatrix))  # a tuple: a union would be made anew each time
