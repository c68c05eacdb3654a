"""C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l]: the places of the entries by one kernel, the values by the operator's."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import CompressedMatrix
from graphla.storage.convert import choose_index_dtype, make_pointers, match_pointers


def multiply(apply: Any, a: CompressedMatrix, b: CompressedMatrix) -> CompressedMatrix:
    """Compute the Kronecker product; ``apply(x, y)`` combines two arrays of values."""
    lengths = np.diff(a.indptr).astype("int64")[:, None] * np.diff(b.indptr)[None, :]
    pointers, shape = make_pointers(np, lengths.reshape(-1)), (a.nrows * b.nrows, a.ncols * b.ncols)
    entries = int(pointers[-1])
    columns = np.empty(entries, choose_index_dtype(shape[1]))
    of_a, of_b = (np.empty(entries, choose_index_dtype(max(a.nvals, b.nvals))) for _ in range(2))
    given = *match_pointers(a.indptr, b.indptr), a.indices, b.indices, b.nrows, b.ncols
    run_over_rows(structure.pair_entries, pointers, entries, *given, pointers, columns, of_a, of_b)
    values = apply(a.values[of_a], b.values[of_b])
    return CompressedMatrix(*shape, pointers.astype(choose_index_dtype(entries)), columns, values)
