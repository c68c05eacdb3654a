"""w = M ⊕.⊗ v on the CPU: by counting, by scattering the rows of entries, or by probing the rows of the result."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from graphla.common.memory import require_large
from graphla.engine.cpu.entries.vectors import NO_FLAGS, NO_MASK, read_flags
from graphla.engine.cpu.templates import compile_product
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.steps import MatVec
from graphla.storage import Array, BitmapVector, FullVector, MatrixStorage, SparseVector, VectorStorage
from graphla.storage.convert import count_true
from graphla.storage.formats import as_bitmap, as_flagged, as_sparse, choose_index_dtype, choose_vector_format
from semirings.dtypes import DType


def count_row_entries(engine: Any, step: MatVec) -> VectorStorage:
    """Return the number of entries of each row that the mask allows: a product that reads no value."""
    lengths = np.diff(engine.orient(step.matrix, step.transposed).indptr)
    masked, flags, keep = read_flags(step.mask, step.size)
    present = (lengths > 0) & (flags == keep) if masked else lengths > 0
    return BitmapVector(present, lengths.astype(step.out.numpy), count_true(present))


def pushes(step: MatVec) -> bool:
    """Whether the plan chose a push."""
    return step.direction == "push"


def push(engine: Any, step: MatVec) -> VectorStorage:
    """Scatter the rows of the entries. Afterwards the work space is cleared for reuse."""
    if step.vector.__class__ is BitmapVector and step.vector.size <= engine.walks_at_once:
        return push_flagged(engine, step)
    matrix: Any = engine.orient(step.matrix, True) if step.transposed else step.matrix
    vector = as_sparse(np, step.vector)
    kernel = compile_step("push", step, matrix).push
    masked, flags, keep = read_flags(step.mask, step.size)
    key = (step.size, step.out.numpy)
    present, out, touched = engine.spare.pop(key, None) or make_workspace(step.size, step.out)
    rows = matrix.indptr, matrix.indices, matrix.values
    count = kernel(*rows, vector.indices, vector.values, masked, flags, keep, present, out, touched)
    if choose_vector_format(count, step.size) != "sparse":
        return as_flagged(present, out, count)
    indices = np.sort(touched[:count])
    result = SparseVector(step.size, indices, out[indices])
    present[indices] = False
    engine.spare[key] = present, out, touched
    return result


def push_flagged(engine: Any, step: MatVec) -> VectorStorage:
    """Scatter the rows of the entries of a short vector with flags: no list of them is made."""
    matrix, vector, size = engine.orient(step.matrix, step.transposed), step.vector, step.size
    kernel = compile_step("push", step, matrix).push_flagged
    present, out = np.zeros(size, bool), np.empty(size, step.out.numpy)
    given = matrix.indptr, matrix.indices, matrix.values, vector.present, vector.values  # type: ignore[union-attr]
    count = kernel(*given, *read_flags(step.mask, size), present, out)
    if choose_vector_format(count, size) == "sparse":
        return as_sparse(np, BitmapVector(present, out, count))
    return as_flagged(present, out, count)


def make_room(size: int, dtype: DType) -> tuple[Array, Array]:
    """Allocate flags and values of the size of the result."""
    require_large(size * (1 + dtype.bits // 8), "a product of {:,} places", size)
    return np.empty(size, bool), np.empty(size, dtype.numpy)


def make_workspace(size: int, dtype: DType) -> tuple[Array, Array, Array]:
    """Allocate cleared flags, values and an index list of the size of the result."""
    require_large(size * (9 + dtype.bits // 8), "a product of {:,} places", size)
    return np.zeros(size, bool), np.empty(size, dtype.numpy), np.empty(size + 1, choose_index_dtype(size))


def pull_full(engine: Any, step: MatVec) -> VectorStorage:
    """Compute the rows of a full matrix that the mask allows."""
    matrix = engine.orient(step.matrix, step.transposed)
    rows = np.arange(step.size + 1) * matrix.shape[1]
    full, has, values = read_vector(step)
    masked, flags, keep = read_flags(step.mask, step.size)
    present, out = make_room(step.size, step.out)
    counts = run_over_rows(
        compile_step("pull", step, matrix).pull_full, rows, matrix.nvals, matrix.shape[1], matrix.values,
        has, values, full, masked, flags, keep, present, out,
    )  # fmt: skip
    return as_flagged(present, out, sum(counts))


def pull(engine: Any, step: MatVec) -> VectorStorage:
    """Compute the rows that the mask allows by probing their arcs."""
    matrix: Any = engine.orient(step.matrix, True) if step.transposed else step.matrix
    full, has, values = read_vector(step)
    masked, flags, keep = NO_MASK if step.mask is None else read_flags(step.mask, step.size)
    present, out = make_room(step.size, step.out)
    counts = run_over_rows(
        compile_step("pull", step, matrix).pull, matrix.indptr, matrix.nvals, matrix.indptr, matrix.indices,
        matrix.values, full, has, values, masked, flags, keep, present, out,
    )  # fmt: skip
    return as_flagged(present, out, sum(counts))


def read_vector(step: MatVec) -> tuple[bool, Array, Array]:
    """Return whether the vector is full, its flags, and its values."""
    if isinstance(step.vector, FullVector):
        return True, NO_FLAGS, step.vector.values
    held = as_bitmap(np, step.vector)
    return False, held.present, held.values


def compile_step(template: str, step: MatVec, matrix: MatrixStorage) -> ModuleType:
    """Compile a template for the dtypes of a step."""
    types = matrix.type, step.vector.type
    return compile_product(template, step.semiring, *types, step.out, step.flip)
