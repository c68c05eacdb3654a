"""Steps on CSR matrices, row by row, by a few kernels that each engine has.

Matrices whose column numbers are wider than 32 bits run by array operations on keys of cells.
"""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.arrays.extract import is_rising, to_positions
from graphla.engine.arrays.operations import ArrayOperations, is_matrix
from graphla.engine.arrays.rearrange import assign_entries
from graphla.engine.arrays.rows import Part, are_rows, is_rows
from graphla.engine.arrays.write import write
from graphla.engine.arrays.write_rows import ALL_ALLOWED, writes_alone
from graphla.planning.steps import AssignStep, EwiseStep, ExtractStep, Plan, SelectStep, Storage
from graphla.storage import Array, CompressedMatrix, FullMatrix
from graphla.storage.convert import cast_indices, gather, make_full, make_range, measure_rows, raise_flags
from graphla.storage.formats import as_cells, as_compressed, choose_index_dtype, list_line


def combine_rows(engine: ArrayOperations, step: EwiseStep) -> Storage:
    """Compute a union or intersection of rows."""
    left, right = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    if left.indices is right.indices and left.indptr is right.indptr:  # both have the same entries
        values = engine.apply_operator(step.op, (left.values, right.values), (left.type, right.type), step.out)
        return replace_values(left, values)
    if step.union:
        return engine.unite_rows(left, right, step.op, step.out, step.fills)
    return engine.intersect_rows(left, right, step.op, step.out)


def is_beside_full(step: EwiseStep) -> bool:
    """Whether a step intersects a full matrix and rows."""
    left, right = step.left, step.right
    if step.union or step.at is not None:
        return False
    return (isinstance(left, FullMatrix) and is_rows(right)) or (is_rows(left) and isinstance(right, FullMatrix))


def select_rows(engine: ArrayOperations, step: SelectStep) -> Storage:
    """Select entries of rows."""
    return engine.select_rows(engine.orient(step.of, step.transposed), step.op, step.thunk)


def extract_rows(engine: ArrayOperations, step: ExtractStep) -> Storage:
    """Extract a part of a matrix; a row or a column is a vector."""
    part = engine.extract_part(engine.orient(step.of, step.transposed), *step.index)
    return as_cells(engine.xp, part) if any(isinstance(index, int) for index in step.index) else part


def fill_mask(engine: ArrayOperations, plan: Plan) -> Any:
    """Write one value at the entries of the mask."""
    step: Any = plan.step
    mask: Any = plan.mask
    entries = engine.list_mask(mask)
    values = make_full(engine.xp, entries.nvals, step.value, plan.dtype.numpy)
    return write(engine, plan, replace_values(entries, values), ALL_ALLOWED)


def fills_mask(plan: Plan) -> bool:
    """Whether one value is written into rows at the entries of a mask."""
    step: Any = plan.step
    return step.index is None and plan.mask is not None and not plan.mask.complement and are_rows(plan.target)


def fills_part(plan: Plan) -> bool:
    """Whether one value is written at every place of a part of rows."""
    return plan.step.index is not None and plan.mask is None and are_rows(plan.target)  # type: ignore[union-attr]


def fill_part(engine: ArrayOperations, plan: Plan) -> Any:
    """Write one value at every place of a part."""
    step: Any = plan.step
    rows, columns = (sort_positions(engine.xp, part)[0] for part in step.index)  # type: ignore[union-attr]
    height, width = int(rows.shape[0]), int(columns.shape[0])
    entries = height * width
    pointers = make_full(engine.xp, height + 1, 0, "int64")
    if width:
        pointers = make_range(engine.xp, range(0, entries + 1, width))
    indices = engine.xp.tile(cast_indices(columns, "int32"), height)
    values = make_full(engine.xp, entries, step.value, plan.dtype.numpy)
    pointers = cast_indices(pointers, choose_index_dtype(entries))
    block = CompressedMatrix(height, plan.target.shape[1], pointers, indices, values)  # type: ignore[union-attr]
    return write(engine, plan, *place_rows(engine, block, rows, columns, plan))


def place_rows(
    engine: ArrayOperations, block: CompressedMatrix, rows: Array, columns: Array, plan: Plan
) -> tuple[CompressedMatrix, Part]:
    """Return rows at their places in the target, or alone if they are few, and the part that they cover."""
    height, covered = plan.target.shape[0], flag_positions(engine, columns, block.ncols)  # type: ignore[union-attr]
    if writes_alone(engine, block.nrows, plan):
        return block, Part(make_full(engine.xp, block.nrows, True, "bool"), covered, rows)
    lengths = engine.xp.zeros(height + 1, "int64")
    lengths[rows + 1] = measure_rows(block.indptr)
    pointers = lengths.cumsum(dtype=block.indptr.dtype)  # NumPy's function takes longer
    placed = CompressedMatrix(height, block.ncols, pointers, block.indices, block.values)
    return placed, Part(flag_positions(engine, rows, height), covered)


def assign_rows(engine: ArrayOperations, plan: Plan) -> Any:
    """Assign the entries of the source at their places in the target."""
    step: Any = plan.step
    target: Any = plan.target
    xp, source = engine.xp, list_source(engine, step)
    if not are_rows(source):
        return assign_entries(engine, plan)
    (rows, row_order), (columns, column_order) = (sort_positions(xp, part) for part in step.index)
    if row_order is not None or column_order is not None:
        every = map(range, source.shape)
        orders = zip((row_order, column_order), every, strict=True)
        source = engine.extract_part(source, *(all_of if order is None else order for order, all_of in orders))
    indices = gather(cast_indices(columns, "int32"), source.indices)
    block = CompressedMatrix(source.nrows, target.ncols, source.indptr, indices, source.values)
    return write(engine, plan, *place_rows(engine, block, rows, columns, plan))


def assigns_rows(plan: Plan) -> bool:
    """Whether the target is written by rows."""
    return are_rows(plan.target)


def list_source(engine: ArrayOperations, step: AssignStep) -> CompressedMatrix:
    """Return what is assigned to a part as a CSR matrix of its shape; a vector is a row or a column."""
    of: Any = step.of
    if is_matrix(of):
        return as_compressed(engine.xp, engine.orient(of, step.transposed))
    shape = len(step.index[0]), len(step.index[1])
    return list_line(engine.xp, of, shape)


def flag_positions(engine: ArrayOperations, index: Any, size: int) -> Array:
    """Return one flag per position up to `size`, true at the positions of an index."""
    flags = engine.xp.zeros(size, bool)
    raise_flags(flags, to_positions(engine.xp, index))
    return flags


def runs_by_rows(step: EwiseStep | SelectStep | ExtractStep) -> bool:
    """Whether kernels over rows compute a step."""
    if isinstance(step, EwiseStep):
        return step.at is None and are_rows(step.left, step.right)
    return are_rows(step.of)


def sort_positions(xp: Any, index: Any) -> tuple[Array, Array | None]:
    """Return the positions of an index in rising order, and the permutation that sorts them (None: they are sorted)."""
    places = to_positions(xp, index)
    if is_rising(index, places):
        return places, None
    order = xp.argsort(places)
    return places[order], order
