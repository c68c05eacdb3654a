"""The steps that move entries: extract, assign, copy, Kronecker product."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays import assign, extract, merge
from graphla.engine.arrays.lookup import list_allowed
from graphla.engine.arrays.operations import ArrayOperations, is_matrix
from graphla.planning.steps import (
    AssignStep,
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
    MatrixStorage,
    SparseVector,
)
from graphla.storage.convert import cast_indices, copy_array, expand_pointers, make_full, make_pointers, transpose_csr
from graphla.storage.formats import (
    as_cells,
    as_compressed,
    choose_index_dtype,
)


class Rearrange(ArrayOperations):
    """Implements the steps that move entries."""

    def extract(self, step: ExtractStep) -> Storage:
        of = self.orient(step.of, step.transposed)
        if not is_matrix(of):
            return extract.extract_vector(self.xp, of, step.index[0])
        if isinstance(of, FullMatrix):
            part: Storage = extract.extract_full(self.xp, of, *step.index)
        else:
            part = self.extract_compressed(of, *step.index)
        if isinstance(step.index[0], int) or isinstance(step.index[1], int):
            return as_cells(self.xp, part)
        return part

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

    def extract_compressed(self, of: CompressedMatrix, rows: Any, cols: Any) -> CompressedMatrix:
        """Compute C[k, l] = A[rows[k], cols[l]]: extract rows, then rows of the transpose."""
        if not extract.is_all(rows, of.nrows):
            of = extract.extract_rows(self.xp, of, rows)
        if extract.is_all(cols, of.ncols):
            return of
        return transpose_csr(extract.extract_rows(self.xp, transpose_csr(of), cols))

    def kronecker(self, step: KroneckerStep) -> Storage:
        """Compute C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l] in the order of its rows.

        Row (i, k) has a run per entry of row i of A, and a run has the entries of row k of B.
        """
        xp = self.xp
        a = as_compressed(xp, self.orient(step.left, step.left_transposed))
        b = as_compressed(xp, self.orient(step.right, step.right_transposed))
        row_in_a, row_in_b = xp.repeat(xp.arange(a.nrows), b.nrows), xp.tile(xp.arange(b.nrows), a.nrows)
        runs = make_pointers(xp, xp.diff(a.indptr)[row_in_a])
        row = expand_pointers(xp, runs, a.nvals * b.nrows)
        a_of_run, b_row_of_run = number_within(xp, runs, a.indptr[row_in_a], row), row_in_b[row]
        entries = make_pointers(xp, xp.diff(b.indptr)[b_row_of_run])
        run = expand_pointers(xp, entries, a.nvals * b.nvals)
        along_a, along_b = a_of_run[run], number_within(xp, entries, b.indptr[b_row_of_run], run)
        shape = a.nrows * b.nrows, a.ncols * b.ncols
        columns = (a.indices[along_a].astype("int64") * b.ncols + b.indices[along_b]).astype(
            choose_index_dtype(shape[1])
        )
        values = self.bind_operator(step.op, a.type, b.type, step.out)(a.values[along_a], b.values[along_b])
        return CompressedMatrix(*shape, entries[runs].astype(choose_index_dtype(columns.size)), columns, values)

    def copy(self, step: CopyStep) -> Storage:
        of = self.orient(step.of, step.transposed)
        if isinstance(of, BitmapVector):
            return BitmapVector(copy_array(of.present), copy_array(of.values), of.nvals)
        return (
            of
            if isinstance(of, CompressedMatrix)
            else merge.set_values(of, copy_array(of.values))
            if not isinstance(of, FullMatrix)
            else FullMatrix(of.values.copy())
        )

    def assign_scalar(self, step: ScalarStep, plan: Plan) -> tuple[Storage, Any]:
        """Return the value at every key that the mask and the index allow, and a test of the covered keys."""
        xp, shape = self.xp, plan.target.shape if is_matrix(plan.target) else (plan.target.size,)  # type: ignore[union-attr]
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

    def assign(self, step: AssignStep, plan: Plan) -> tuple[Storage, Any]:
        """Return the entries of the source at their keys in the target, and a test of the covered keys."""
        target: Any = plan.target
        shape = target.shape if is_matrix(target) else (target.size,)
        source = self.orient(step.of, step.transposed)
        sparse = assign.compute_keys(self.xp, source, step.index, shape[-1])
        size = shape[0] if len(shape) == 1 else shape[0] * shape[1]
        return SparseVector(size, sparse.indices, sparse.values), assign.make_region_test(self.xp, step.index, shape)


def lists_entries(mask: Mask | None) -> bool:
    """Whether a mask is a list of the entries that it allows, so that only these need be computed."""
    return mask is not None and not mask.complement and isinstance(mask.of, SparseVector | CompressedMatrix)


def number_within(xp: Any, pointers: Any, starts: Any, segment: Any) -> Any:
    """Number the elements of each segment from its start on; `segment` is that of each element."""
    return xp.arange(segment.size, dtype="int64") + (starts - pointers[:-1])[segment]
