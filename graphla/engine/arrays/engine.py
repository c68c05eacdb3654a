"""`ArrayEngine`: every plan answered, given the few computations that a device does its own way."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from graphla.convert import csr_transpose
from graphla.engine.arrays import merge, parts
from graphla.engine.arrays.formats import (
    as_bitmap,
    as_cells,
    as_sparse,
    from_cells,
    index_dtype,
    row_ids,
    suited,
)
from graphla.engine.arrays.lookup import allowed_keys, at
from graphla.errors import NotSupported
from graphla.expr import beside_thunk, scalar_dtype
from graphla.steps import (
    CopyStep,
    EwiseStep,
    FilterStep,
    FoldStep,
    GatherStep,
    Inner,
    KroneckerStep,
    MapStep,
    MatMat,
    MatVec,
    PlaceStep,
    Plan,
    ScalarStep,
    Storage,
)
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
    name_of,
)
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp, unary
from semirings.dtypes import DType, lookup


class ArrayEngine:
    """Answers plans over one array module; `matvec`, `matmat`, `elementwise` and `folds` belong to the device."""

    name: ClassVar[str]
    xp: Any

    # --- what a device does its own way

    def elementwise(self, op: Any, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        """op over arrays (and scalars) place by place."""
        raise NotImplementedError

    def folds(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        """⊕ of each segment ``values[indptr[i]:indptr[i + 1]]``; the identity where a segment is empty."""
        raise NotImplementedError

    def matvec(self, step: MatVec) -> VectorStorage:
        raise NotImplementedError

    def matmat(self, step: MatMat) -> MatrixStorage:
        raise NotImplementedError

    # --- the answer to a plan

    def run(self, plan: Plan) -> Any:
        """Compute the step and write it into the target."""
        if isinstance(plan.step, Inner):
            return self.inner(plan.step)
        if isinstance(plan.step, FoldStep) and plan.step.axis is None:
            return self.fold_all(plan.step)
        if copies_its_mask(plan):
            cells = merge.put(self.xp, plan.target, plan.step.of, None, lambda held: self.cast(held, plan.dtype))  # type: ignore
            return self.finished(cells, (cells.size,))
        result, region = self.compute(plan)
        if is_all_of_target(plan):
            whole = restored(result, self.cast(result.values, plan.dtype))
            return whole if is_matrix(whole) else self.finished(whole, (whole.size,))
        if plan.target is None:
            return self.finished(self.written(None, result, plan, region), shape_of(result, plan))
        return self.finished(self.written(plan.target, result, plan, region), shape_of(plan.target, plan))

    def compute(self, plan: Plan) -> tuple[Storage, Any]:
        """The result T of the step, and the part of the target that it covers (None: all)."""
        step = plan.step
        if isinstance(step, ScalarStep):
            return self.scalar_everywhere(step, plan)
        if isinstance(step, PlaceStep):
            return self.placed(step, plan)
        return ANSWERS[type(step)](self, step), None

    def written(self, target: Storage | None, result: Storage, plan: Plan, region: Any) -> VectorStorage:
        """C<M, replace> ⊙= T over cells."""
        xp, t = self.xp, as_cells(self.xp, result)

        def cast(values: Array) -> Array:
            return self.cast(values, plan.dtype)

        if target is None:
            t = merge.with_values(t, cast(t.values))
            return t if plan.mask is None or honours_mask(plan) else merge.only(xp, t, plan.mask)
        accumulate = self.combine(plan.accum, plan.dtype, plan.dtype, plan.dtype) if plan.accum else None
        if fits_in_place(target, t, plan):
            return merge.put(xp, target, self.allowed_part(t, plan), accumulate, cast)  # type: ignore[arg-type]
        if plan.replace and honours_mask(plan) and accumulate is None and region is None:
            return merge.with_values(t, cast(t.values))
        return merge.write(xp, as_cells(xp, target), t, plan.mask, accumulate, cast, plan.replace, region)

    def allowed_part(self, result: SparseVector, plan: Plan) -> SparseVector:
        """The entries of `result` that the mask lets through."""
        if plan.mask is None or honours_mask(plan):
            return result
        return merge.only(self.xp, result, plan.mask)  # type: ignore[return-value]

    def finished(self, cells: VectorStorage, shape: tuple[int, ...]) -> Storage:
        """In the format that the plan wants, with the shape of the target."""
        return suited(self.xp, cells) if len(shape) == 1 else from_cells(self.xp, cells, shape)

    # --- the steps

    def ewise(self, step: EwiseStep) -> Storage:
        left, right = self.turned(step.left, step.left_turned), self.turned(step.right, step.right_turned)
        x, y = as_cells(self.xp, left), as_cells(self.xp, right)
        types = lookup(left.dtype), lookup(right.dtype)
        f = self.combine(step.op, *types, step.out)

        def cast(values: Array) -> Array:
            return self.cast(values, step.out)

        fills = tuple(map(self.fill_value, step.fills, types)) if step.fills is not None else None
        if step.at is not None:
            return self.ewise_at(step, x, y, f, cast, fills)
        mix = merge.union(self.xp, x, y, f, cast, fills) if step.union else merge.intersect(self.xp, x, y, f, cast)
        return from_cells(self.xp, mix, left.shape) if is_matrix(left) else mix

    def ewise_at(
        self, step: EwiseStep, x: VectorStorage, y: VectorStorage, f: Any, cast: Any, fills: Any
    ) -> VectorStorage:
        """Union or intersection, only at the places of a sparse structural mask."""
        xp, places = self.xp, step.at.indices  # type: ignore[union-attr]
        (has_x, vx), (has_y, vy) = at(xp, x, places), at(xp, y, places)
        values = merge.blend(xp, has_x, vx, has_y, vy, f, cast, fills) if step.union else f(vx, vy)
        present = has_x | has_y if step.union else has_x & has_y
        return SparseVector(x.size, places[present], values[present])

    def map(self, step: MapStep) -> Storage:
        of = self.turned(step.of, step.turned)
        values = self.mapped(of, step.op, step.bound, step.bound_left, step.out)
        if isinstance(of, BitmapVector):  # flags are written in place later on: each vector has its own
            return BitmapVector(of.present.copy(), values, of.nvals)
        return restored(of, values)

    def mapped(self, of: Storage, op: Any, bound: Any, bound_left: bool, out: DType) -> Array:
        """op over the values of a storage; a bound scalar or thunk beside them."""
        kind = lookup(of.dtype)
        if isinstance(op, UnaryOp):
            return self.elementwise(op, (of.values,), (kind,), out)
        if isinstance(op, IndexUnaryOp):
            scalar, (i, j) = self.scalar(bound, beside_thunk(op, kind)), self.coordinates(of)
            return self.elementwise(op, (of.values, i, j, scalar), (kind, lookup(scalar.dtype)), out)
        scalar = self.scalar(bound, kind)
        pair = (of.values, scalar) if not bound_left else (scalar, of.values)
        return self.elementwise(op, pair, tuple(lookup(part.dtype) for part in pair), out)

    def coordinates(self, of: Storage) -> tuple[Array, Array]:
        """Row and column of each value in the order of the values; the column of a vector is 0."""
        xp = self.xp
        if isinstance(of, CompressedMatrix):
            return row_ids(xp, of), of.indices.astype("int64")
        if isinstance(of, FullMatrix):
            rows, cols = of.shape
            i, j = xp.arange(rows, dtype="int64")[:, None], xp.arange(cols, dtype="int64")[None, :]
            return xp.broadcast_to(i, of.shape), xp.broadcast_to(j, of.shape)
        places = of.indices if isinstance(of, SparseVector) else xp.arange(of.size)
        return places.astype("int64"), xp.zeros(places.shape, "int64")

    def filter(self, step: FilterStep) -> Storage:
        of = self.turned(step.of, step.turned)
        flags = self.mapped(of, step.op, step.thunk, False, lookup("BOOL")).astype(bool)
        if isinstance(of, BitmapVector | FullVector):
            bitmap = as_bitmap(self.xp, of)
            present = bitmap.present & flags
            return BitmapVector(present, bitmap.values.copy(), int(self.xp.count_nonzero(present)))
        cells = as_sparse(self.xp, as_cells(self.xp, of))
        kept = merge.kept(self.xp, cells, flags.reshape(-1))
        return from_cells(self.xp, kept, of.shape) if is_matrix(of) else kept

    def fold(self, step: FoldStep) -> VectorStorage:
        """⊕ along the rows (or the columns) of a matrix; empty ones have no entry."""
        of = self.turned(step.of, step.turned != (step.axis == 0))
        if isinstance(of, FullMatrix):
            rows, cols = of.shape
            pointers = self.xp.arange(0, rows * cols + 1, max(1, cols), dtype="int64")
            if cols == 0:
                return SparseVector(rows, self.xp.zeros(0, "int32"), self.xp.zeros(0, step.out.numpy))
            return FullVector(self.folds(step.monoid, of.values.reshape(-1), pointers, step.out))
        values = self.folds(step.monoid, of.values, of.indptr, step.out)  # type: ignore[union-attr]
        present = self.xp.diff(of.indptr) > 0  # type: ignore[union-attr]
        return BitmapVector(present, values, int(self.xp.count_nonzero(present)))

    def fold_all(self, step: FoldStep) -> Any:
        """⊕ of everything, as a value of NumPy; None where there is no entry."""
        cells = as_cells(self.xp, step.of)
        if cells.nvals == 0:
            return None
        return self.to_host(self.total(step.monoid, as_sparse(self.xp, cells).values, step.out))[0]

    def total(self, monoid: Monoid, values: Array, out: DType) -> Array:
        """⊕ of all values, of which there is one at least: an array of one."""
        return self.folds(monoid, values, self.xp.asarray([0, values.shape[0]], "int64"), out)

    def inner(self, step: Inner) -> Any:
        """⊕_k u[k] ⊗ v[k], as a value of NumPy; None where the vectors share no entry."""
        if step.semiring.multiply.positional:
            raise NotSupported(f"{step.semiring.name}: positional operators have no meaning in an inner product")
        types = lookup(step.left.dtype), lookup(step.right.dtype)
        f = self.combine(step.semiring.multiply, *types, step.out)
        product = as_sparse(self.xp, merge.intersect(self.xp, step.left, step.right, f, lambda values: values))
        return self.fold_all(FoldStep(product, False, step.semiring.add, step.out, None))

    def gather(self, step: GatherStep) -> Storage:
        of = self.turned(step.of, step.turned)
        if not is_matrix(of):
            return parts.gather_vector(self.xp, of, step.index[0])
        if isinstance(of, FullMatrix):
            part: Storage = parts.gather_full(self.xp, of, *step.index)
        else:
            part = self.gather_compressed(of, *step.index)
        if isinstance(step.index[0], int) or isinstance(step.index[1], int):
            return as_cells(self.xp, part)
        return part

    def gather_compressed(self, of: CompressedMatrix, rows: Any, cols: Any) -> CompressedMatrix:
        """C[k, l] = A[rows[k], cols[l]]: rows, then rows of the transpose."""
        if not parts.is_all(rows, of.nrows):
            of = parts.gather_rows(self.xp, of, rows)
        if parts.is_all(cols, of.ncols):
            return of
        return csr_transpose(parts.gather_rows(self.xp, csr_transpose(of), cols))

    def kronecker(self, step: KroneckerStep) -> Storage:
        """C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l]."""
        xp = self.xp
        left, right = self.turned(step.left, step.left_turned), self.turned(step.right, step.right_turned)
        (nrows, ncols), (m, n) = left.shape, right.shape
        (a, b), (i, j), (k, ll) = (left, right), self.coordinates(left), self.coordinates(right)
        rows = (i.reshape(-1)[:, None] * m + k.reshape(-1)[None, :]).reshape(-1)
        cols = (j.reshape(-1)[:, None] * n + ll.reshape(-1)[None, :]).reshape(-1)
        shape = (a.nvals, b.nvals)
        x = xp.broadcast_to(a.values.reshape(-1)[:, None], shape).reshape(-1)
        y = xp.broadcast_to(b.values.reshape(-1)[None, :], shape).reshape(-1)
        values = self.combine(step.op, lookup(a.dtype), lookup(b.dtype), step.out)(x, y)
        keys = rows * (ncols * n) + cols
        order = xp.argsort(keys)
        return from_cells(xp, SparseVector(nrows * m * ncols * n, keys[order], values[order]), (nrows * m, ncols * n))

    def copy(self, step: CopyStep) -> Storage:
        of = self.turned(step.of, step.turned)
        if isinstance(of, BitmapVector):
            return BitmapVector(of.present.copy(), of.values.copy(), of.nvals)
        return (
            of
            if isinstance(of, CompressedMatrix)
            else merge.with_values(of, of.values.copy())
            if not isinstance(of, FullMatrix)
            else FullMatrix(of.values.copy())
        )

    def scalar_everywhere(self, step: ScalarStep, plan: Plan) -> tuple[Storage, Any]:
        """The value at every place that the mask (and the index) names."""
        xp, shape = self.xp, plan.target.shape if is_matrix(plan.target) else (plan.target.size,)  # type: ignore[union-attr]
        if step.index is not None:
            covered = parts.region(xp, step.index, shape)
            return parts.filled(xp, step.value, plan.dtype.numpy, step.index, shape), covered
        size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
        keys = allowed_keys(xp, plan.mask, size) if plan.mask is not None else xp.arange(size)
        if len(shape) == 1:
            keys = keys.astype(index_dtype(size))
        return SparseVector(size, keys, xp.full(keys.shape, step.value, plan.dtype.numpy)), None

    def placed(self, step: PlaceStep, plan: Plan) -> tuple[Storage, Any]:
        """The entries of the source at their places in the target, and the part that they cover."""
        target: Any = plan.target
        shape = target.shape if is_matrix(target) else (target.size,)
        source = self.turned(step.of, step.turned)
        sparse = parts.place_keys(self.xp, source, step.index, shape[-1])
        size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
        return SparseVector(size, sparse.indices, sparse.values), parts.region(self.xp, step.index, shape)

    # --- small things

    def combine(self, op: BinaryOp, left: DType, right: DType, out: DType) -> Any:
        """op as a function of two arrays."""
        return lambda x, y: self.elementwise(op, (x, y), (left, right), out)

    def cast(self, values: Array, dtype: DType) -> Array:
        """The same values in another dtype; no copy where it is theirs already."""
        if name_of(values.dtype) == dtype.numpy:
            return values
        if values.dtype.kind == "f" and dtype.kind in "iu":  # NaN and what lies outside have a meaning there
            return self.elementwise(unary.identity, (values,), (lookup(values.dtype),), dtype)
        if dtype.kind == "b":
            return values != 0
        with np.errstate(over="ignore"):  # FP64 beyond FP32 is infinite there, and absent places hold anything
            return values.astype(dtype.numpy)

    def fill_value(self, value: Any, dtype: DType) -> Any:
        """A default for absent entries in their dtype; an infinity is the end of an integer type."""
        if isinstance(value, float) and math.isinf(value) and dtype.kind != "f":
            value = dtype.max if value > 0 else dtype.min
        return np.asarray(value, dtype.numpy)[()]

    def scalar(self, value: Any, beside: DType) -> Any:
        """A bound scalar, on the host, in the dtype that it takes beside others."""
        return np.asarray(value, scalar_dtype(value, beside).numpy)[()]

    def turned(self, storage: Any, turned: bool) -> Any:
        """The storage, or its kept transpose."""
        if not turned:
            return storage
        if isinstance(storage, FullMatrix):
            return FullMatrix(self.xp.ascontiguousarray(storage.values.T))
        return self.transposed(storage)

    def transposed(self, matrix: CompressedMatrix) -> CompressedMatrix:
        """The transpose, built once and kept with the matrix."""
        return matrix.kept("transposed", csr_transpose)

    def asarray(self, values: Any) -> Array:
        return self.xp.asarray(values)

    def to_host(self, array: Array) -> Any:
        return array


def is_matrix(storage: Any) -> bool:
    return isinstance(storage, CompressedMatrix | FullMatrix)


def shape_of(storage: Any, plan: Plan) -> tuple[int, ...]:
    return storage.shape if is_matrix(storage) else (storage.size,)


def restored(of: Storage, values: Array) -> Storage:
    """The structure of `of` with other values."""
    if isinstance(of, CompressedMatrix):
        return CompressedMatrix(of.nrows, of.ncols, of.indptr, of.indices, values)
    return FullMatrix(values) if isinstance(of, FullMatrix) else merge.with_values(of, values)


def is_all_of_target(plan: Plan) -> bool:
    """Whether nothing of the target survives and no mask is left to apply: the result is the answer."""
    if plan.accum is not None or isinstance(plan.step, ScalarStep | PlaceStep):
        return False
    keeps_old = plan.target is not None and plan.mask is not None and not plan.replace
    return not keeps_old and (plan.mask is None or honours_mask(plan))


def fits_in_place(target: Storage, result: VectorStorage, plan: Plan) -> bool:
    """Few entries over a bitmap or a full vector, of which no old entry must go."""
    if not (isinstance(target, BitmapVector | FullVector) and isinstance(result, SparseVector)):
        return False
    if plan.mask is not None and plan.replace:
        return False
    return plan.accum is not None or isinstance(plan.step, ScalarStep)


def copies_its_mask(plan: Plan) -> bool:
    """``d(q.S) << q`` over a bitmap or a full vector: every place that may be written is, and none loses its entry."""
    if not isinstance(plan.step, CopyStep) or plan.accum is not None or plan.replace or plan.mask is None:
        return False
    structure = plan.mask.structural and not plan.mask.complement and plan.mask.of is plan.step.of
    return structure and isinstance(plan.target, BitmapVector | FullVector) and plan.target is not plan.step.of


def honours_mask(plan: Plan) -> bool:
    """Whether the step has filtered its result by the mask already."""
    if isinstance(plan.step, MatVec | MatMat):
        return plan.step.mask is not None
    if isinstance(plan.step, EwiseStep):
        return plan.step.at is not None
    return isinstance(plan.step, ScalarStep) and plan.step.index is None


ANSWERS: dict[type, Any] = {
    MatVec: lambda engine, step: engine.matvec(step),
    MatMat: lambda engine, step: engine.matmat(step),
    EwiseStep: ArrayEngine.ewise,
    MapStep: ArrayEngine.map,
    FilterStep: ArrayEngine.filter,
    FoldStep: ArrayEngine.fold,
    GatherStep: ArrayEngine.gather,
    KroneckerStep: ArrayEngine.kronecker,
    CopyStep: ArrayEngine.copy,
}

__all__ = ["ArrayEngine", "Semiring"]
