"""The steps that move entries: extract, assign, copy, Kronecker product."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays import assign, extract, merge
from graphla.engine.arrays.extract import to_positions
from graphla.engine.arrays.lookup import list_allowed, test_mask
from graphla.engine.arrays.operations import ArrayOperations, is_matrix
from graphla.engine.arrays.write import VECTORS, filter_by_mask, write
from graphla.planning.steps import (
    CopyStep,
    ExtractStep,
    KroneckerStep,
    Mask,
    Plan,
    ScalarStep,
    Storage,
)
from graphla.storage import (
    BitmapVector,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    SparseVector,
)
from graphla.storage.convert import cast_indices, copy_array, expand_pointers, make_full, make_pointers, transpose_csr
from graphla.storage.formats import (
    as_best_format,
    as_cells,
    as_compressed,
    choose_index_dtype,
)


def extract_entries(engine: ArrayOperations, step: ExtractStep) -> Storage:
    of = engine.orient(step.of, step.transposed)
    if not is_matrix(of):
        return extract.extract_vector(engine.xp, of, step.index[0])
    if isinstance(of, FullMatrix):
        part: Storage = extract.extract_full(engine.xp, of, *step.index)
    else:
        part = extract_compressed(engine, of, *step.index)
    if isinstance(step.index[0], int) or isinstance(step.index[1], int):
        return as_cells(engine.xp, part)
    return part


def extract_compressed(engine: ArrayOperations, of: CompressedMatrix, rows: Any, cols: Any) -> CompressedMatrix:
    """Compute C[k, l] = A[rows[k], cols[l]]: extract rows, then rows of the transpose."""
    if not extract.is_all(rows, of.nrows):
        of = extract.extract_rows(engine.xp, of, rows)
    if extract.is_all(cols, of.ncols):
        return of
    return transpose_csr(extract.extract_rows(engine.xp, transpose_csr(of), cols))


def multiply_kronecker(engine: ArrayOperations, step: KroneckerStep) -> Storage:
    """Compute C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l] in the order of its rows.

    Row (i, k) has a run per entry of row i of A, and a run has the entries of row k of B.
    """
    xp = engine.xp
    a = as_compressed(xp, engine.orient(step.left, step.left_transposed))
    b = as_compressed(xp, engine.orient(step.right, step.right_transposed))
    row_in_a, row_in_b = xp.repeat(xp.arange(a.nrows), b.nrows), xp.tile(xp.arange(b.nrows), a.nrows)
    runs = make_pointers(xp, xp.diff(a.indptr)[row_in_a])
    row = expand_pointers(xp, runs, a.nvals * b.nrows)
    a_of_run, b_row_of_run = number_within(xp, runs, a.indptr[row_in_a], row), row_in_b[row]
    entries = make_pointers(xp, xp.diff(b.indptr)[b_row_of_run])
    run = expand_pointers(xp, entries, a.nvals * b.nvals)
    along_a, along_b = a_of_run[run], number_within(xp, entries, b.indptr[b_row_of_run], run)
    shape = a.nrows * b.nrows, a.ncols * b.ncols
    columns = (a.indices[along_a].astype("int64") * b.ncols + b.indices[along_b]).astype(choose_index_dtype(shape[1]))
    values = engine.bind_operator(step.op, a.type, b.type, step.out)(a.values[along_a], b.values[along_b])
    return CompressedMatrix(*shape, entries[runs].astype(choose_index_dtype(columns.size)), columns, values)


def copy_storage(engine: ArrayOperations, step: CopyStep) -> Storage:
    of = engine.orient(step.of, step.transposed)
    if isinstance(of, FullVector):
        return FullVector(copy_array(of.values))
    if isinstance(of, BitmapVector):
        return BitmapVector(copy_array(of.present), copy_array(of.values), of.nvals)
    if isinstance(of, SparseVector):
        return SparseVector(of.size, of.indices, copy_array(of.values))
    return FullMatrix(of.values.copy()) if isinstance(of, FullMatrix) else of


def fill_cells(engine: ArrayOperations, plan: Plan) -> Any:
    """Write the value at every key that the mask and the index allow."""
    return write(engine, plan, *list_allowed_cells(engine.xp, plan, plan.step))  # type: ignore[arg-type]


def list_allowed_cells(xp: Any, plan: Plan, step: ScalarStep) -> tuple[Storage, Any]:
    """Return the value at every key that the mask and the index allow, and a test of the covered keys."""
    shape = plan.target.shape if is_matrix(plan.target) else (plan.target.size,)  # type: ignore[union-attr]
    covered = assign.make_region_test(xp, step.index, shape) if step.index is not None else None
    if len(shape) == 1 and step.index is None and plan.mask is None:
        return FullVector(make_full(xp, shape[0], step.value, plan.dtype.numpy)), None
    if step.index is not None and not lists_entries(plan.mask):
        return assign.fill_region(xp, step.value, plan.dtype.numpy, step.index, shape), covered
    size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
    keys = list_allowed(xp, plan.mask, size) if plan.mask is not None else xp.arange(size)
    if covered is not None:
        keys = keys[covered(keys)]
    if len(shape) == 1:
        keys = cast_indices(keys, choose_index_dtype(size))
    return SparseVector(size, keys, make_full(xp, int(keys.shape[0]), step.value, plan.dtype.numpy)), covered


def assign_entries(engine: ArrayOperations, plan: Plan) -> Any:
    """Assign the entries of the source at their keys in the target."""
    step: Any = plan.step
    target: Any = plan.target
    shape = target.shape if is_matrix(target) else (target.size,)
    source = engine.orient(step.of, step.transposed)
    sparse = assign.compute_keys(engine.xp, source, step.index, shape[-1])
    size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
    covered = assign.make_region_test(engine.xp, step.index, shape)
    return write(engine, plan, SparseVector(size, sparse.indices, sparse.values), covered)


def copy_to_its_mask(engine: ArrayOperations, plan: Plan) -> Storage:
    """Write every entry of the mask, and delete none."""
    of: Any = plan.step.of  # type: ignore[union-attr]
    target: Any = plan.target
    return as_best_format(engine.xp, merge.put(engine.xp, target, of, None, lambda held: engine.cast(held, plan.dtype)))


def copies_its_mask(plan: Plan) -> bool:
    """Whether the plan is ``d(q.S) << q`` into a bitmap or full d: it writes every allowed entry and deletes none."""
    mask, of = plan.mask, plan.step.of  # type: ignore[union-attr]
    if mask is None or mask.of is not of or plan.accum is not None or plan.replace:
        return False
    plain = mask.structural and not mask.complement and plan.target is not of
    return plain and isinstance(plan.target, (BitmapVector, FullVector))


def combine_operand(engine: ArrayOperations, plan: Plan) -> Storage:
    """Combine the entries of a vector with those of the target."""
    return write(engine, plan, plan.step.of)  # type: ignore[union-attr,return-value]


def combines_operand(plan: Plan) -> bool:
    """Whether the plan is ``w(plus) << x`` with a bitmap or full x, of which nothing is kept."""
    of = plan.step.of  # type: ignore[union-attr]
    if plan.accum is None or plan.mask is not None or of is plan.target:
        return False
    return isinstance(of, (BitmapVector, FullVector))


def fill_place(engine: ArrayOperations, plan: Plan) -> Storage:
    """Write one value to one place of a vector: no list of entries is made, and no kernel called."""
    target, step = plan.target, plan.step
    place = step.index[0][0]  # type: ignore[union-attr,index]
    engine.write_place(target.values, place, step.value)  # type: ignore[union-attr]
    if isinstance(target, FullVector):
        return FullVector(target.values)
    present: Any = target.present  # type: ignore[union-attr]
    if engine.read_places(place, present)[0]:
        return BitmapVector(present, target.values, target.nvals)  # type: ignore[union-attr]
    engine.write_place(present, place, True)
    return as_best_format(engine.xp, BitmapVector(present, target.values, target.nvals + 1))  # type: ignore[union-attr]


def fills_place(plan: Plan) -> bool:
    """Whether one value is written to one place of a vector with flags, or of a full one: ``w[5] = 2``."""
    index = plan.step.index  # type: ignore[union-attr]
    single = index is not None and index[0].__class__ is range and len(index[0]) == 1
    return single and plan.mask is None and plan.accum is None and isinstance(plan.target, (BitmapVector, FullVector))


def scatter(engine: ArrayOperations, plan: Plan) -> Storage:
    """Write a full vector to places of a vector."""
    step: Any = plan.step
    return assign.scatter(engine.xp, plan.target, step.index[0], engine.cast(step.of.values, plan.dtype))  # type: ignore[arg-type]


def assign_in_place(engine: ArrayOperations, plan: Plan) -> Storage:
    """Assign to a part of a bitmap or full vector in place; a mask leaves some places of it as they are."""
    step: Any = plan.step
    target: Any = plan.target
    found = assign.compute_keys(engine.xp, step.of, step.index, target.size)
    cast = SparseVector(found.size, found.indices, engine.cast(found.values, plan.dtype))
    entries = filter_by_mask(engine, cast, plan)
    places = to_positions(engine.xp, step.index[0])
    if plan.mask is not None:
        places = places[test_mask(engine.xp, plan.mask, places)]
    return as_best_format(engine.xp, assign.replace_part(engine.xp, target, places, entries))


def assigns_in_place(plan: Plan) -> bool:
    """Whether the plan is ``x[p] << y`` or ``x(mask)[p] << y`` with a bitmap or full x, which has arrays of its own."""
    of: Any = plan.step.of  # type: ignore[union-attr]
    if plan.accum is not None or (plan.mask is not None and plan.replace) or not isinstance(of, VECTORS):
        return False
    return isinstance(plan.target, (BitmapVector, FullVector)) and plan.target.values is not of.values


def lists_entries(mask: Mask | None) -> bool:
    """Whether a mask is a list of the entries that it allows, so that only these need be computed."""
    return mask is not None and not mask.complement and isinstance(mask.of, (SparseVector, CompressedMatrix))


def number_within(xp: Any, pointers: Any, starts: Any, segment: Any) -> Any:
    """Number the elements of each segment from its start on; `segment` is that of each element."""
    return xp.arange(segment.size, dtype="int64") + (starts - pointers[:-1])[segment]
