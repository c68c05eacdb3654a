"""`ArrayEngine` runs plans: it computes the step and writes the result into the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from graphla.engine.arrays import assign, merge, work
from graphla.engine.arrays.entrywise import Entrywise, replace_values
from graphla.engine.arrays.extract import to_positions
from graphla.engine.arrays.lookup import test_mask
from graphla.engine.arrays.operations import is_matrix
from graphla.engine.arrays.pieces import find_most_entries, split_rows
from graphla.engine.arrays.rearrange import Rearrange
from graphla.planning.degrees import is_diagonal
from graphla.planning.steps import (
    ApplyStep,
    AssignStep,
    CopyStep,
    EwiseStep,
    ExtractStep,
    Inner,
    KroneckerStep,
    MatMat,
    MatVec,
    Plan,
    ReduceProductStep,
    ReduceStep,
    ScalarStep,
    SelectStep,
    Step,
    Storage,
    is_scatter,
)
from graphla.storage import (
    Array,
    BitmapVector,
    CompressedMatrix,
    Deferred,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import count_true, expand_rows, gather
from graphla.storage.formats import (
    as_best_format,
    as_bitmap,
    as_cells,
    as_compressed,
    as_row_or_column,
    from_cells,
    list_row_ids,
    list_rows,
)
from semirings import Monoid
from semirings.dtypes import DType

VECTORS = FullVector, BitmapVector, SparseVector


@dataclass(frozen=True, eq=False)
class Line(Deferred):
    """A matrix of one row or one column, made of a vector that is still being computed."""

    vector: Deferred
    shape: tuple[int, int]
    lay_out: Callable[[Any], MatrixStorage]

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return self.vector.dtype

    def resolve(self) -> MatrixStorage:
        return self.lay_out(self.vector.resolve())


class ArrayEngine(Entrywise, Rearrange):
    """Runs plans with one array module; subclasses add `matvec`, `matmat`, `apply_operator` and `reduce_segments`."""

    defers_small_inputs: ClassVar[bool] = False
    schedules_products: ClassVar[bool] = True
    holds_words: ClassVar[bool] = False
    streams_words: ClassVar[bool] = False

    def run(self, plan: Plan) -> Any:
        """Compute the step and write it into the target."""
        step = plan.step
        if isinstance(step, Inner):
            return self.inner(step)
        if isinstance(step, ReduceStep) and step.axis is None:
            return self.reduce_all(step)
        if isinstance(step, ReduceProductStep):
            return self.reduce_product(step)
        if isinstance(step, CopyStep) and copies_its_mask(step, plan):
            cells = merge.put(self.xp, plan.target, step.of, None, lambda held: self.cast(held, plan.dtype))  # type: ignore
            return self.to_storage(cells, (cells.size,))
        if isinstance(step, AssignStep) and is_scatter(plan):
            return assign.scatter(self.xp, plan.target, step.index[0], self.cast(step.of.values, plan.dtype))  # type: ignore
        if isinstance(step, AssignStep) and assigns_in_place(plan):
            return self.assign_in_place(step, plan)
        result, region = self.compute(plan)
        if is_all_of_target(plan):
            return self.convert_result(result, plan.dtype)
        result = result.resolve() if isinstance(result, Deferred) else result
        if plan.target is None:
            return self.to_storage(self.write_result(None, result, plan, region), find_shape(result, plan))
        return self.to_storage(self.write_result(plan.target, result, plan, region), find_shape(plan.target, plan))

    def assign_in_place(self, step: AssignStep, plan: Plan) -> Storage:
        """Assign to a part of a bitmap or full vector in place; a mask leaves some places of it as they are."""
        target: Any = plan.target
        found = assign.compute_keys(self.xp, step.of, step.index, target.size)
        cast = SparseVector(found.size, found.indices, self.cast(found.values, plan.dtype))
        entries = self.filter_by_mask(cast, plan)
        places = to_positions(self.xp, step.index[0])
        if plan.mask is not None:
            places = places[test_mask(self.xp, plan.mask, places)]
        return as_best_format(self.xp, assign.replace_part(self.xp, target, places, entries))

    def reduce_product(self, step: ReduceProductStep) -> Any:
        """Reduce a masked product, a piece of its rows after the other; None if it has no entry."""
        pieces = split_rows(self, step.product, find_most_entries(step.product))
        reduced = [self.reduce_dots(piece, step.monoid, step.out) for piece in pieces]
        found = [part for part in reduced if part is not None]
        if not found:
            return None
        whole = found[0] if len(found) == 1 else self.reduce_values(step.monoid, self.xp.concatenate(found), step.out)
        return self.to_host(whole)[0]

    def reduce_dots(self, product: MatMat, monoid: Monoid, out: DType) -> Array | None:
        """Reduce a product of which all entries are computed at once, to an array of one; None if there is none."""
        matrix = as_compressed(self.xp, self.matmat(product))
        return self.reduce_values(monoid, matrix.values, out) if matrix.nvals else None

    def convert_result(self, result: Storage | Deferred, dtype: DType) -> Storage | Deferred:
        """Convert a result that replaces the whole target to the dtype of the target."""
        if result.dtype != dtype.numpy:
            result = result.resolve() if isinstance(result, Deferred) else result
            result = replace_values(result, self.cast(result.values, dtype))
        return as_best_format(self.xp, result) if isinstance(result, VECTORS) else result

    def work_bytes(self, step: Step) -> int:
        """Predict the bytes of work space that a step takes beyond its result."""
        return work.work_bytes(step)

    def release(self) -> None:
        """Free the work space and unused memory."""

    def compute(self, plan: Plan) -> tuple[Storage | Deferred, Any]:
        """Compute the result T of the step; return it with a test of the keys that it covers (None: all)."""
        step = plan.step
        if isinstance(step, ScalarStep):
            return self.assign_scalar(step, plan)
        if isinstance(step, AssignStep):
            return self.assign(step, plan)
        if isinstance(step, MatMat) and step.vector is not None:
            return self.multiply_by_vector(step, step.vector), None
        if isinstance(step, MatMat) and step.how == "scale":
            return self.multiply_by_diagonal(step), None
        return getattr(self, ANSWERS[type(step)])(step), None

    def multiply_by_diagonal(self, step: MatMat) -> MatrixStorage:
        """Compute a product with a diagonal matrix: the structure of the other operand stays.

        Where the diagonal has no entry, neither has the row or the column of the result.
        """
        by_rows = is_diagonal(step.left)
        scaled, transposed = (step.right, step.right_transposed) if by_rows else (step.left, step.left_transposed)
        matrix = as_compressed(self.xp, self.orient(scaled, transposed))
        held: Any = step.left if by_rows else step.right
        diagonal = held.values
        if held.nvals < held.nrows:
            spread = as_bitmap(self.xp, SparseVector(held.nrows, held.indices, held.values))
            matrix, diagonal = self.select_lines(matrix, spread.present, by_rows), spread.values
        return CompressedMatrix(*step.shape, matrix.indptr, matrix.indices, self.scale(step, by_rows, diagonal, matrix))

    def select_lines(self, matrix: CompressedMatrix, present: Array, by_rows: bool) -> CompressedMatrix:
        """Return the entries in the rows, or in the columns, with a flag; the matrix itself if these are all."""
        if by_rows and count_true(gather(present, list_rows(matrix))) == list_rows(matrix).shape[0]:
            return matrix
        flags = gather(present, expand_rows(matrix) if by_rows else matrix.indices)
        return matrix if count_true(flags) == matrix.nvals else self.select_flagged_rows(matrix, flags)

    def select_flagged_rows(self, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
        """Return the entries with a flag."""
        return merge.select_flagged_entries(self.xp, matrix, flags)

    def scale(self, step: MatMat, by_rows: bool, diagonal: Array, matrix: CompressedMatrix) -> Array:
        """Compute d[i] ⊗ A[i, j] or A[i, j] ⊗ d[j] for each entry of A."""
        raise NotImplementedError

    def multiply_by_vector(self, step: MatMat, product: MatVec) -> MatrixStorage:
        """Compute a product with a matrix of one row or one column as the product with a vector."""
        result = self.matvec(product)
        if isinstance(result, Deferred):
            return Line(result, step.shape, lambda found: self.lay_out(step, product, found))  # type: ignore[return-value]
        return self.lay_out(step, product, result)

    def lay_out(self, step: MatMat, product: MatVec, found: Any) -> MatrixStorage:
        """Return the product with a vector as a matrix of one row or one column."""
        if isinstance(found, BitmapVector) and reads_every_arc(product):
            matrix = self.orient(product.matrix, product.transposed)
            along = "row" if step.shape[0] == 1 else "column"
            pointers, indices = matrix.cached(f"filled_{along}", lambda held: self.place_line(held, along))
            return CompressedMatrix(*step.shape, pointers, indices, gather(found.values, list_rows(matrix)))
        return as_row_or_column(self.xp, found, step.shape)

    def place_line(self, matrix: CompressedMatrix, along: str) -> tuple[Array, Array]:
        """Return row pointers and columns of a row, or of a column, with an entry for each row that has any."""
        rows = list_rows(matrix)
        shape = (1, matrix.nrows) if along == "row" else (matrix.nrows, 1)
        line = as_row_or_column(self.xp, SparseVector(matrix.nrows, rows, rows), shape)
        compressed = as_compressed(self.xp, line)
        return compressed.indptr, compressed.indices

    def write_result(self, target: Storage | None, result: Storage, plan: Plan, region: Any) -> VectorStorage:
        """Write T into the target: C<M, replace> ⊙= T, on vectors of cells."""
        if isinstance(target, FullMatrix) and isinstance(result, CompressedMatrix) and only_accumulates(plan, region):
            return self.accumulate_into_full(target, result, plan)
        xp, t = self.xp, as_cells(self.xp, result)

        def cast(values: Array) -> Array:
            return self.cast(values, plan.dtype)

        if target is None:
            t = merge.set_values(t, cast(t.values))
            return t if plan.mask is None or honours_mask(plan) else merge.filter_by_mask(xp, t, plan.mask)
        if plan.replace and honours_mask(plan) and plan.accum is None and region is None:
            return merge.set_values(t, cast(t.values))
        return self.write_cells(target, merge.set_values(t, cast(t.values)), plan, region)

    def write_cells(self, target: Storage, t: VectorStorage, plan: Plan, region: Any) -> VectorStorage:
        """Write T, in the dtype of the target, into its cells: C<M, replace> ⊙= T."""

        def cast(values: Array) -> Array:
            return values

        accumulate = self.bind_operator(plan.accum, plan.dtype, plan.dtype, plan.dtype) if plan.accum else None
        if fits_in_place(target, t, plan):
            return merge.put(self.xp, target, self.filter_by_mask(t, plan), accumulate, cast)  # type: ignore[arg-type]
        cells = as_cells(self.xp, target)  # type: ignore[arg-type]
        return merge.write(self.xp, cells, t, plan.mask, accumulate, cast, plan.replace, region)

    def accumulate_into_full(self, target: FullMatrix, result: CompressedMatrix, plan: Plan) -> FullVector:
        """Compute C ⊙= T where C has every entry and T has some."""
        values, cells = target.values.copy().reshape(-1), self.number_cells(result)
        accumulate = self.bind_operator(plan.accum, plan.dtype, plan.dtype, plan.dtype)  # type: ignore[arg-type]
        values[cells] = accumulate(values[cells], self.cast(result.values, plan.dtype))
        return FullVector(values)

    def number_cells(self, matrix: CompressedMatrix) -> Array:
        """Return the number of each entry's cell, row after row."""
        return list_row_ids(matrix) * matrix.ncols + matrix.indices

    def filter_by_mask(self, result: SparseVector, plan: Plan) -> SparseVector:
        """Drop the entries of `result` that the mask does not allow."""
        if plan.mask is None or honours_mask(plan):
            return result
        return merge.filter_by_mask(self.xp, result, plan.mask)  # type: ignore[return-value]

    def to_storage(self, cells: VectorStorage, shape: tuple[int, ...]) -> Storage:
        """Convert cells to a storage of `shape`, in the best format."""
        return as_best_format(self.xp, cells) if len(shape) == 1 else from_cells(self.xp, cells, shape)


def assigns_in_place(plan: Plan) -> bool:
    """Whether the plan is ``x[p] << y`` or ``x(mask)[p] << y`` with a bitmap or full x, which has arrays of its own."""
    of: Any = plan.step.of  # type: ignore[union-attr]
    if plan.accum is not None or (plan.mask is not None and plan.replace) or not isinstance(of, VECTORS):
        return False
    return isinstance(plan.target, BitmapVector | FullVector) and plan.target.values is not of.values


def reads_every_arc(product: MatVec) -> bool:
    """Whether a pull has a result in each row that has entries."""
    full = isinstance(product.vector, FullVector) and isinstance(product.matrix, CompressedMatrix)
    return full and product.mask is None and product.direction == "pull"


def find_shape(storage: Any, plan: Plan) -> tuple[int, ...]:
    return storage.shape if is_matrix(storage) else (storage.size,)


def is_all_of_target(plan: Plan) -> bool:
    """Whether the result replaces the whole target and no mask remains to be applied."""
    if plan.accum is not None or isinstance(plan.step, AssignStep):
        return False
    if isinstance(plan.step, ScalarStep):
        return plan.step.index is None and plan.mask is None and isinstance(plan.target, VECTORS)
    return plan.mask is None or ((plan.target is None or plan.replace) and honours_mask(plan))


def fits_in_place(target: Storage, result: VectorStorage, plan: Plan) -> bool:
    """Whether sparse entries can be written into a bitmap or full target in place, because no old entry is deleted."""
    if not (isinstance(target, BitmapVector | FullVector) and isinstance(result, SparseVector)):
        return False
    if plan.mask is not None and plan.replace:
        return False
    return plan.accum is not None or isinstance(plan.step, ScalarStep)


def only_accumulates(plan: Plan, region: Any) -> bool:
    """Whether a plan accumulates without a mask: then no old entry goes."""
    return plan.accum is not None and plan.mask is None and region is None


def copies_its_mask(step: CopyStep, plan: Plan) -> bool:
    """Whether the plan is ``d(q.S) << q`` into a bitmap or full d: it writes every allowed entry and deletes none."""
    if plan.accum is not None or plan.replace or plan.mask is None:
        return False
    structure = plan.mask.structural and not plan.mask.complement and plan.mask.of is step.of
    return structure and isinstance(plan.target, BitmapVector | FullVector) and plan.target is not step.of


def honours_mask(plan: Plan) -> bool:
    """Whether the step itself has applied the mask to its result."""
    if isinstance(plan.step, MatVec | MatMat):
        return plan.step.mask is not None
    if isinstance(plan.step, EwiseStep):
        return plan.step.at is not None
    return isinstance(plan.step, ScalarStep) and plan.step.index is None


ANSWERS = {
    MatVec: "matvec",
    MatMat: "matmat",
    EwiseStep: "ewise",
    ApplyStep: "apply",
    SelectStep: "select",
    ReduceStep: "reduce",
    ExtractStep: "extract",
    KroneckerStep: "kronecker",
    CopyStep: "copy",
}
"""The method that computes each step."""
