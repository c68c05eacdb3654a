"""C[k, l] = A[rows[k], columns[l]] of a CSR matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays.extract import is_all, is_rising, to_positions
from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.entries.one_pass import SELECTED_COST, fill_once
from graphla.engine.cpu.entries.pointers import make_pointers
from graphla.engine.cpu.entries.two_pass import fill_rows
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage import Array, CompressedMatrix, SparseVector
from graphla.storage.convert import choose_index_dtype, make_row_pointers, transpose_csr

RENUMBERED_COST = 8
"""What an entry takes whose column gets another number, in passes over an entry."""
FEW = 1 / 16
"""Columns for each entry of an average row up to which bisection beats looking at every entry."""


def extract_part(of: CompressedMatrix, rows: Any, columns: Any) -> CompressedMatrix:
    """Extract in one walk over the rows; columns of which one is asked for twice are rows of the transpose."""
    if is_run(rows) and is_run(columns):
        return extract_window(of, rows, columns)
    places = to_positions(np, rows)
    if is_all(columns, of.ncols):
        return extract_rows(of, places)
    wanted = to_positions(np, columns)
    if bisects_columns(of, wanted.shape[0]):
        return extract_few_columns(of, places, wanted)
    number = number_columns(wanted, of.ncols)
    if number is None:
        return transpose_csr(extract_rows(transpose_csr(extract_rows(of, places)), wanted))
    lengths, _ = make_pointers(measure_rows(of, places))
    rising = is_rising(columns, wanted)
    kernel, cost = (structure.copy_numbered, 1) if rising else (structure.copy_renumbered, RENUMBERED_COST)
    given = places, of.indptr, of.indices, of.values, number
    return fill_once(kernel, (lengths,), (lengths,), given, wanted.shape[0], of.dtype, cost)


def is_run(index: Any) -> bool:
    """Whether an index names neighboring positions in order."""
    return isinstance(index, range) and index.step == 1 and len(index) > 0


def extract_window(of: CompressedMatrix, rows: range, columns: range) -> CompressedMatrix:
    """Copy a run of columns of each row of a run."""
    absolute = of.indptr[rows.start : rows.stop + 1]
    cut = slice(*absolute[[0, -1]].tolist())
    pointers = absolute - absolute[0]
    if is_all(columns, of.ncols):
        return CompressedMatrix(len(rows), of.ncols, pointers, of.indices[cut].copy(), of.values[cut].copy())
    given = absolute, of.indices, of.values, 0, columns.start, columns.stop, columns.start
    return fill_once(structure.copy_window, (pointers,), (pointers,), given, len(columns), of.dtype, SELECTED_COST)


def extract_row(of: CompressedMatrix, row: int) -> SparseVector:
    """Copy the entries of a row."""
    part = slice(*of.indptr[row : row + 2].tolist())
    return SparseVector(of.ncols, of.indices[part].copy(), of.values[part].copy())


def extract_column(of: CompressedMatrix, column: int) -> SparseVector:
    """Look for a column in each row; a row of the transpose if that is cached."""
    if of.is_cached("transposed"):
        turned = of.cached("transposed", None)
        part = slice(*turned.indptr[column : column + 2].tolist())
        return SparseVector(of.nrows, turned.indices[part].copy(), turned.values[part].copy())
    rows, positions = np.empty(of.nrows, choose_index_dtype(of.nrows)), np.empty(of.nrows, "int64")
    counts = np.zeros(of.nrows + 1, "int64")  # a range of no rows writes its count, too
    given = of.indptr, of.indices, np.int64(column), rows, positions, counts
    run_over_rows(structure.list_column, of.indptr, 4 * of.nrows, *given)
    found = [slice(first, first + counts[first]) for first in np.flatnonzero(counts)]
    if len(found) == 1:
        return SparseVector(of.nrows, rows[found[0]].copy(), of.values[positions[found[0]]])
    places = np.concatenate([positions[part] for part in found]) if found else positions[:0]
    return SparseVector(of.nrows, np.concatenate([rows[part] for part in found] or [rows[:0]]), of.values[places])


def bisects_columns(of: CompressedMatrix, wanted: int) -> bool:
    """Whether so few columns are wanted that each is looked for in each row."""
    return wanted <= FEW * of.nvals / max(1, of.nrows)


def extract_few_columns(of: CompressedMatrix, places: Array, wanted: Array) -> CompressedMatrix:
    """Bisect each row for each column; columns may be in any order, and repeat."""
    found = np.empty((places.shape[0], wanted.shape[0]), "int64")
    weights = np.arange(places.shape[0] + 1) * wanted.shape[0]
    run_over_rows(structure.find_columns, weights, 4 * found.size, places, of.indptr, of.indices, wanted, found)
    row, column = np.nonzero(found >= 0)
    pointers = make_row_pointers(np, row, places.shape[0])
    values = of.values[found[row, column]]
    return CompressedMatrix(places.shape[0], wanted.shape[0], pointers, column.astype("int32"), values)


def extract_rows(of: CompressedMatrix, places: Array) -> CompressedMatrix:
    """C[k, :] = A[places[k], :]."""
    given = of.indptr.take(places), of.indices, of.values
    return fill_rows(structure.copy_runs, given, measure_rows(of, places), of.ncols, of.dtype)


def measure_rows(of: CompressedMatrix, places: Array) -> Array:
    """Return the number of entries of each row at `places`."""
    return (of.indptr.take(places + 1) - of.indptr.take(places)).astype("int64")


def number_columns(wanted: Array, ncols: int) -> Array | None:
    """Return for each column its place in `wanted`, -1 if it is not there; None if one is wanted twice."""
    number = np.full(ncols, -1, "int32")
    number[wanted] = np.arange(wanted.shape[0], dtype="int32")
    return number if np.array_equal(number[wanted], np.arange(wanted.shape[0])) else None
