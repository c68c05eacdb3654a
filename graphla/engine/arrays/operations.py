"""The operations that every engine implements itself, and the common operations on values and storages."""

from __future__ import annotations

import math
from typing import Any, ClassVar, TypeGuard

import numpy as np

from graphla.engine.arrays.rows import Part, splice_rows
from graphla.engine.rules import Writes
from graphla.language.scalars import choose_scalar_dtype
from graphla.planning.steps import Mask, MatMat, Plan, Step, Storage
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage, SparseVector, get_dtype_name
from graphla.storage.convert import cast_indices, make_range, transpose_csr
from graphla.storage.formats import as_compressed, list_row_ids
from semirings import BinaryOp, IndexUnaryOp, Monoid, binary, unary
from semirings.dtypes import BOOL, DType, lookup


class ArrayOperations:
    """An array module, and the computations with values and with rows that each engine implements."""

    name: ClassVar[str]
    xp: Any
    writes: ClassVar[Writes]
    """The ways to write a result into a target, by the kind of result."""
    few_rows: ClassVar[int]
    """Rows that an assignment may cover to be written alone: each makes a piece of the new arrays."""
    walks_at_once: ClassVar[int] = 0
    """Of fewer rows and entries all are walked over: that takes less time than the calls that pick some of them."""
    copies_between: ClassVar[bool] = True
    """Whether few rows are written alone without a mask or an accumulator, too, and those between them copied."""
    overlays: ClassVar[bool] = False
    """Whether ``C(A.S) << A`` lays A over C; else what is outside A is filtered from C first."""

    adopt: Any = None
    """Containers hold storages as they are."""

    def compute(self, step: Step) -> Any:
        """Compute a step by the first rule that applies, wherever its result is written."""
        raise NotImplementedError

    def apply_operator(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        """Apply op to arrays and scalars, element by element."""
        raise NotImplementedError

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        """Reduce each segment ``values[indptr[i]:indptr[i + 1]]`` with ⊕; an empty segment gives the identity."""
        raise NotImplementedError

    def reduce_values(self, monoid: Monoid, values: Array, out: DType) -> Array:
        """Reduce all values, at least one, with ⊕; return an array of one element."""
        return self.reduce_segments(monoid, values, self.xp.array([0, values.shape[0]], "int64"), out)

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

    def read_places(self, place: int, *arrays: Array) -> list[Any]:
        """Return the element at one place of each array."""
        return [array[place] for array in arrays]

    def write_place(self, array: Array, place: int, value: Any) -> None:
        """Write one element of an array."""
        array[place] = value

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

    def read_element(self, storage: MatrixStorage, cell: tuple[int, int]) -> Any:
        """Return the value at (row, column), or None if there is no entry."""
        row, column = cell
        if isinstance(storage, FullMatrix):
            return self.to_host(storage.values[row, column])[()]
        first, last = self.to_host(storage.indptr[row : row + 2]).tolist()
        columns = self.to_host(storage.indices[first:last])
        place = int(np.searchsorted(columns, column))
        if place == columns.size or columns[place] != column:
            return None
        return self.to_host(storage.values[first + place])[()]

    def number_cells(self, matrix: CompressedMatrix) -> Array:
        """Return the number of each entry's cell, row after row."""
        return list_row_ids(matrix) * matrix.ncols + matrix.indices

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

    # --- kernels over the rows of CSR matrices

    def unite_rows(
        self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType, fills: Any = None
    ) -> CompressedMatrix:
        """Compute op where both have an entry; elsewhere the entry that there is, or op with the fill of the other."""
        raise NotImplementedError

    def join_rows(self, left: CompressedMatrix, right: CompressedMatrix, out: DType) -> CompressedMatrix:
        """Unite matrices that have no entry in common."""
        return self.unite_rows(left, right, binary.first, out)

    def overlay_rows(self, target: CompressedMatrix, result: CompressedMatrix, out: DType) -> CompressedMatrix:
        """Return the entries of a result, and those of a target elsewhere."""
        return self.unite_rows(target, result, binary.second, out)

    def intersect_rows(self, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType) -> CompressedMatrix:
        """Compute op where both have an entry."""
        raise NotImplementedError

    def filter_rows(self, matrix: CompressedMatrix, mask: CompressedMatrix, complement: bool) -> CompressedMatrix:
        """Return the entries where `mask` has one; with `complement` those where it has none."""
        raise NotImplementedError

    def select_rows(self, matrix: CompressedMatrix, op: IndexUnaryOp, thunk: Any) -> CompressedMatrix:
        """Return the entries for which op(value, i, j, thunk) holds."""
        raise NotImplementedError

    def select_flagged_rows(self, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
        """Return the entries with a flag."""
        raise NotImplementedError

    def select_outside_rows(self, matrix: CompressedMatrix, part: Part) -> CompressedMatrix:
        """Return the entries that are not in the part."""
        raise NotImplementedError

    def extract_part(self, of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
        """C[k, l] = A[rows[k], columns[l]]."""
        raise NotImplementedError

    def splice_rows(self, matrix: CompressedMatrix, places: Array, rows: CompressedMatrix) -> CompressedMatrix:
        """Return a matrix with some of its rows, at rising places, replaced by others."""
        return splice_rows(self.xp, matrix, places, rows)

    def replace_part(
        self, target: CompressedMatrix, result: CompressedMatrix, part: Part, dtype: DType
    ) -> CompressedMatrix:
        """Return the entries of the target outside a part, and those of the result, which are inside."""
        return self.join_rows(self.select_outside_rows(target, part), result, dtype)

    def write_under_mask(
        self, target: CompressedMatrix, z: CompressedMatrix, mask: CompressedMatrix, plan: Plan, within: bool
    ) -> CompressedMatrix:
        """Z where the mask allows, which may already be `within` it, and C elsewhere."""
        complement = plan.mask.complement  # type: ignore[union-attr]
        z = z if within else self.filter_rows(z, mask, complement)
        return self.join_rows(self.filter_rows(target, mask, not complement), z, plan.dtype)

    def list_mask(self, mask: Mask) -> CompressedMatrix:
        """Return the entries of a mask that count: all, or those whose value is true."""
        matrix = as_compressed(self.xp, mask.of)  # type: ignore[arg-type]
        return matrix if mask.structural else self.select_flagged_rows(matrix, self.cast(matrix.values, BOOL))

    def scale(self, step: MatMat, by_rows: bool, diagonal: Array, matrix: CompressedMatrix) -> Array:
        """Compute d[i] ⊗ A[i, j] or A[i, j] ⊗ d[j] for each entry of A."""
        raise NotImplementedError


def is_matrix(storage: Any) -> TypeGuard[MatrixStorage]:
    return isinstance(storage, (CompressedMatrix, FullMatrix))  # a tuple, because a union would be created per call
