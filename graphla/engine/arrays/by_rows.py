"""`RowEngine` runs the steps on CSR matrices row by row, by a few kernels that each engine implements.

Everything else, and matrices whose column numbers are wider than 32 bits, runs by array operations on keys of cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graphla.engine.arrays.engine import ArrayEngine, honours_mask
from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.extract import is_rising, to_positions
from graphla.engine.arrays.operations import is_matrix
from graphla.planning.steps import (
    AssignStep,
    CopyStep,
    EwiseStep,
    ExtractStep,
    Mask,
    Plan,
    ScalarStep,
    SelectStep,
    Storage,
)
from graphla.storage import Array, CompressedMatrix, FullMatrix
from graphla.storage.convert import (
    cast_indices,
    gather,
    make_full,
    make_range,
    measure_rows,
    raise_flags,
)
from graphla.storage.formats import as_compressed, choose_index_dtype, list_line, list_rows
from semirings import IndexUnaryOp, binary
from semirings.dtypes import BOOL, DType


@dataclass(frozen=True, eq=False)
class Part:
    """The rows and columns of a target that an assignment covers, as flags.

    Of few rows `places` lists them, in rising order: then the result has these rows alone, and so have the flags.
    """

    rows: Array
    columns: Array
    places: Array | None = None


MANY_TIMES = 16
"""Rows of a target, relative to those that are few, from which writing only the changed ones pays."""
ALL_ALLOWED = object()
"""In the place of a part: the result has an entry wherever the mask allows one, and nowhere else."""


class RowEngine(ArrayEngine):
    """Runs plans on CSR matrices by kernels over their rows."""

    few_rows: ClassVar[int]
    """Rows that an assignment may cover to be written alone: each makes a piece of the new arrays."""
    overlays: ClassVar[bool] = False
    """Whether ``C(A.S) << A`` lays A over C; else what is outside A is filtered from C first."""

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

    def intersect_full(self, step: EwiseStep) -> Storage:
        """Compute op at the entries of a CSR matrix beside a full one; the result has the structure of the former."""
        left, right = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        full_left = isinstance(left, FullMatrix)
        full, sparse = (left, right) if full_left else (right, left)
        values = gather(full.values.reshape(-1), self.number_cells(sparse))
        pair = (values, sparse.values) if full_left else (sparse.values, values)
        return replace_values(sparse, self.apply_operator(step.op, pair, (left.type, right.type), step.out))

    def ewise(self, step: EwiseStep) -> Storage:
        if is_beside_full(step):
            return self.intersect_full(step)
        if not runs_by_rows(step):
            return super().ewise(step)
        left, right = self.orient(step.left, step.left_transposed), self.orient(step.right, step.right_transposed)
        if left.indices is right.indices and left.indptr is right.indptr:  # both have the same entries
            values = self.apply_operator(step.op, (left.values, right.values), (left.type, right.type), step.out)
            return replace_values(left, values)
        if step.union:
            return self.unite_rows(left, right, step.op, step.out, step.fills)
        return self.intersect_rows(left, right, step.op, step.out)

    def select(self, step: SelectStep) -> Storage:
        if not runs_by_rows(step):
            return super().select(step)
        return self.select_rows(self.orient(step.of, step.transposed), step.op, step.thunk)

    def extract_compressed(self, of: CompressedMatrix, rows: Any, cols: Any) -> CompressedMatrix:
        return self.extract_part(of, rows, cols) if are_rows(of) else super().extract_compressed(of, rows, cols)

    def assign_scalar(self, step: ScalarStep, plan: Plan) -> tuple[Storage, Any]:
        target: Any = plan.target
        if not are_rows(target):
            return super().assign_scalar(step, plan)
        if step.index is None and plan.mask is not None and not plan.mask.complement:
            return self.spread_value(self.list_mask(plan.mask), step.value, plan.dtype), ALL_ALLOWED
        if step.index is None or plan.mask is not None:
            return super().assign_scalar(step, plan)
        return self.fill_part(step, plan)

    def spread_value(self, entries: CompressedMatrix, value: Any, dtype: DType) -> Storage:
        """Return a matrix with one value at the entries of another."""
        return replace_values(entries, make_full(self.xp, entries.nvals, value, dtype.numpy))

    def fill_part(self, step: ScalarStep, plan: Plan) -> tuple[CompressedMatrix, Part]:
        """Return one value at every place of a part, and the part."""
        rows, columns = (sort_positions(self.xp, part)[0] for part in step.index)  # type: ignore[union-attr]
        height, width = int(rows.shape[0]), int(columns.shape[0])
        entries = height * width
        pointers = make_full(self.xp, height + 1, 0, "int64")
        if width:
            pointers = make_range(self.xp, range(0, entries + 1, width))
        indices = self.xp.tile(cast_indices(columns, "int32"), height)
        values = make_full(self.xp, entries, step.value, plan.dtype.numpy)
        pointers = cast_indices(pointers, choose_index_dtype(entries))
        block = CompressedMatrix(height, plan.target.shape[1], pointers, indices, values)  # type: ignore[union-attr]
        return self.place_rows(block, rows, columns, plan)

    def place_rows(
        self, block: CompressedMatrix, rows: Array, columns: Array, plan: Plan
    ) -> tuple[CompressedMatrix, Part]:
        """Return rows at their places in the target, or alone if they are few, and the part that they cover."""
        height, covered = plan.target.shape[0], self.flag_positions(columns, block.ncols)  # type: ignore[union-attr]
        if self.writes_alone(block.nrows, plan):
            return block, Part(make_full(self.xp, block.nrows, True, "bool"), covered, rows)
        lengths = self.xp.zeros(height + 1, "int64")
        lengths[rows + 1] = measure_rows(block.indptr)
        pointers = lengths.cumsum(dtype=block.indptr.dtype)  # NumPy's function takes longer
        placed = CompressedMatrix(height, block.ncols, pointers, block.indices, block.values)
        return placed, Part(self.flag_positions(rows, height), covered)

    def assign(self, step: AssignStep, plan: Plan) -> tuple[Storage, Any]:
        """Return the entries of the source at their places in the target, and the part that they cover."""
        target: Any = plan.target
        if not are_rows(target):
            return super().assign(step, plan)
        xp, source = self.xp, self.list_source(step)
        if not are_rows(source):
            return super().assign(step, plan)
        (rows, row_order), (columns, column_order) = (sort_positions(xp, part) for part in step.index)
        if row_order is not None or column_order is not None:
            every = map(range, source.shape)
            orders = zip((row_order, column_order), every, strict=True)
            source = self.extract_part(source, *(all_of if order is None else order for order, all_of in orders))
        indices = gather(cast_indices(columns, "int32"), source.indices)
        block = CompressedMatrix(source.nrows, target.ncols, source.indptr, indices, source.values)
        return self.place_rows(block, rows, columns, plan)

    def list_source(self, step: AssignStep) -> CompressedMatrix:
        """Return what is assigned to a part as a CSR matrix of its shape; a vector is a row or a column."""
        of: Any = step.of
        if is_matrix(of):
            return as_compressed(self.xp, self.orient(of, step.transposed))
        shape = len(step.index[0]), len(step.index[1])
        return list_line(self.xp, of, shape)

    def flag_positions(self, index: Any, size: int) -> Array:
        """Return one flag per position up to `size`, true at the positions of an index."""
        flags = self.xp.zeros(size, bool)
        raise_flags(flags, to_positions(self.xp, index))
        return flags

    def write_result(self, target: Any, result: Storage, plan: Plan, region: Any) -> Any:
        if not are_rows(result, *(() if target is None else (target,))):
            return super().write_result(target, result, plan, region)
        t: Any = replace_values(result, self.cast(result.values, plan.dtype))
        if target is None:
            return t if plan.mask is None or honours_mask(plan) else self.keep_allowed(t, plan.mask)
        return self.write_rows(target, t, plan, region)

    def write_rows(self, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Any) -> CompressedMatrix:
        """Z = C ⊙ T, or T beside what the assignment does not cover; then Z where the mask allows, else C."""
        if part is ALL_ALLOWED:
            return self.write_all_allowed(target, result, plan)
        if part is not None and part.places is not None:
            return self.write_few_rows(target, result, plan, part.places, part)
        if part is None and self.changes_few_rows(target, plan):
            places = cast_indices(list_rows(as_compressed(self.xp, plan.mask.of)), "int64")  # type: ignore[union-attr, arg-type]
            return self.write_few_rows(target, result, plan, places, None)
        if part is None and self.overlays and is_its_mask(plan) and target.nvals:
            return self.write_all_allowed(target, result, plan)
        return self.write_all_rows(target, result, plan, part)

    def writes_alone(self, rows: int, plan: Plan) -> bool:
        """Whether the rows of a part are written alone, and those between them copied."""
        return rows <= self.few_rows and keeps_other_rows(plan)

    def changes_few_rows(self, target: CompressedMatrix, plan: Plan) -> bool:
        """Whether a mask has so few entries that most rows of the target stay as they are."""
        mask = plan.mask
        if mask is None or mask.complement or plan.replace or not are_rows(mask.of):
            return False
        return mask.of.nvals <= self.few_rows and target.nrows >= MANY_TIMES * self.few_rows

    def write_all_allowed(self, target: CompressedMatrix, result: CompressedMatrix, plan: Plan) -> CompressedMatrix:
        """Write entries that are all of those that the mask allows: what else there is in C is outside the mask."""
        if plan.replace and plan.accum is None:
            return result
        if plan.accum is None:
            return self.overlay_rows(target, result, plan.dtype)
        z = self.unite_rows(target, result, plan.accum, plan.dtype)
        return self.filter_rows(z, result, False) if plan.replace else z

    def write_all_rows(
        self, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Part | None
    ) -> CompressedMatrix:
        if plan.accum is not None and plan.mask is not None and not plan.replace:
            allowed = result if honours_mask(plan) else self.keep_allowed(result, plan.mask)
            return self.unite_rows(target, allowed, plan.accum, plan.dtype)
        z = self.combine_with_target(target, result, plan, part)
        if plan.mask is None:
            return z
        mask, complement = self.list_mask(plan.mask), plan.mask.complement
        replaces, within = plan.replace or target.nvals == 0, z is result and honours_mask(plan)
        if replaces:
            return z if within else self.filter_rows(z, mask, complement)
        return self.write_under_mask(target, z, mask, plan, within)

    def write_under_mask(
        self, target: CompressedMatrix, z: CompressedMatrix, mask: CompressedMatrix, plan: Plan, within: bool
    ) -> CompressedMatrix:
        """Z where the mask allows, which may already be `within` it, and C elsewhere."""
        complement = plan.mask.complement  # type: ignore[union-attr]
        z = z if within else self.filter_rows(z, mask, complement)
        return self.join_rows(self.filter_rows(target, mask, not complement), z, plan.dtype)

    def write_few_rows(
        self, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, places: Array, inner: Part | None
    ) -> CompressedMatrix:
        """Write only the rows at some places, whose part `inner` is assigned; copy those between them.

        Of an assignment the result has these rows alone.
        """
        all_columns = range(target.ncols)
        old = self.extract_part(target, places, all_columns)
        new = result if inner is not None else self.extract_part(result, places, all_columns)
        mask = plan.mask
        if mask is not None:
            mask = replace(mask, of=self.extract_part(as_compressed(self.xp, mask.of), places, all_columns))  # type: ignore[arg-type]
        return self.splice_rows(target, places, self.write_all_rows(old, new, replace(plan, mask=mask), inner))

    def splice_rows(self, matrix: CompressedMatrix, places: Array, rows: CompressedMatrix) -> CompressedMatrix:
        """Return a matrix with some of its rows, at rising places, replaced by others."""
        return splice_rows(self.xp, matrix, places, rows)

    def combine_with_target(
        self, target: CompressedMatrix, result: CompressedMatrix, plan: Plan, part: Part | None
    ) -> CompressedMatrix:
        """Z = C ⊙ T with an accumulator; without one T, and the entries of C that the assignment does not cover."""
        if plan.accum is not None:
            return self.unite_rows(target, result, plan.accum, plan.dtype)
        if part is None:
            return result
        return self.replace_part(target, result, part, plan.dtype)

    def replace_part(
        self, target: CompressedMatrix, result: CompressedMatrix, part: Part, dtype: DType
    ) -> CompressedMatrix:
        """Return the entries of the target outside a part, and those of the result, which are inside."""
        return self.join_rows(self.select_outside_rows(target, part), result, dtype)

    def keep_allowed(self, matrix: CompressedMatrix, mask: Mask) -> CompressedMatrix:
        """Return the entries that the mask allows."""
        return self.filter_rows(matrix, self.list_mask(mask), mask.complement)

    def list_mask(self, mask: Mask) -> CompressedMatrix:
        """Return the entries of a mask that count: all, or those whose value is true."""
        matrix = as_compressed(self.xp, mask.of)  # type: ignore[arg-type]
        return matrix if mask.structural else self.select_flagged_rows(matrix, self.cast(matrix.values, BOOL))

    def to_storage(self, cells: Storage, shape: tuple[int, ...]) -> Storage:
        return cells if is_matrix(cells) else super().to_storage(cells, shape)  # type: ignore[arg-type]


def are_rows(*storages: Any) -> bool:
    """Whether all are CSR matrices whose columns the kernels can read."""
    return all(map(is_rows, storages))


def is_rows(storage: Any) -> bool:
    """Whether this is a CSR matrix whose columns the kernels can read."""
    return isinstance(storage, CompressedMatrix) and storage.indices.itemsize == 4


def is_beside_full(step: EwiseStep) -> bool:
    """Whether a step intersects a full matrix and a CSR matrix."""
    left, right = step.left, step.right
    if step.union or step.at is not None:
        return False
    return (isinstance(left, FullMatrix) and is_rows(right)) or (is_rows(left) and isinstance(right, FullMatrix))


def runs_by_rows(step: EwiseStep | SelectStep | ExtractStep) -> bool:
    """Whether kernels over rows compute a step."""
    if isinstance(step, EwiseStep):
        return step.at is None and are_rows(step.left, step.right)
    return are_rows(step.of)


def is_its_mask(plan: Plan) -> bool:
    """Whether the plan is ``C(A.S) << A``: the result has every entry that the mask allows."""
    step, mask = plan.step, plan.mask
    if mask is None or mask.complement or not mask.structural or not isinstance(step, CopyStep):
        return False
    return mask.of is step.of and not step.transposed


def keeps_other_rows(plan: Plan) -> bool:
    """Whether an assignment changes no row beside those that it covers: with `replace` a mask deletes everywhere."""
    return not (plan.replace and plan.mask is not None)


def splice_rows(xp: Any, matrix: CompressedMatrix, places: Array, rows: CompressedMatrix) -> CompressedMatrix:
    """Return a matrix with some of its rows, at rising places, replaced by others."""
    begins, ends = matrix.indptr[places].tolist(), matrix.indptr[places + 1].tolist()
    cuts, following = rows.indptr.tolist(), [place + 1 for place in places.tolist()]
    entries = matrix.nvals - sum(ends) + sum(begins) + rows.nvals
    pointers = matrix.indptr.astype(choose_index_dtype(entries))
    stops, shift = [*begins, matrix.nvals], 0
    indices, values = [matrix.indices[: stops[0]]], [matrix.values[: stops[0]]]
    for k, (kept_from, kept_to) in enumerate(zip(ends, stops[1:], strict=True)):
        indices += [rows.indices[cuts[k] : cuts[k + 1]], matrix.indices[kept_from:kept_to]]
        values += [rows.values[cuts[k] : cuts[k + 1]], matrix.values[kept_from:kept_to]]
        shift += cuts[k + 1] - cuts[k] - (ends[k] - begins[k])
        pointers[following[k] : following[k + 1] if k + 1 < len(following) else None] += shift
    return CompressedMatrix(*matrix.shape, pointers, xp.concatenate(indices), xp.concatenate(values))


def sort_positions(xp: Any, index: Any) -> tuple[Array, Array | None]:
    """Return the positions of an index in rising order, and the permutation that sorts them (None: they are sorted)."""
    places = to_positions(xp, index)
    if is_rising(index, places):
        return places, None
    order = xp.argsort(places)
    return places[order], order
