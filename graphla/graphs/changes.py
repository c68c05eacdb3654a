"""Arcs in and out of a CSR matrix: what changes is looked up by bisection, and the rest is copied once.

Arcs stand on the engine of the matrix or, where they are few, on the host.

Of a batch of b arcs in a matrix of m entries: O(b log b) to sort it, O(b log d) to look it up in rows of length d, and
one pass over the entries. The transpose is changed by the same batch with its ends exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.storage import CompressedMatrix
from graphla.storage.convert import (
    are_equal,
    copy_array,
    gather,
    get_array_module,
    list_true,
    number_cells,
    order_stably,
    scatter,
    tally,
)
from graphla.storage.formats import choose_index_dtype


@dataclass(frozen=True, eq=False)
class Arcs:
    """Some arcs, no two of them alike, and their weights if these matter; arrays of one engine.

    `places` is where each stands, or would, among the entries of the matrix that is changed; None if not yet looked up.
    """

    rows: Any
    cols: Any
    values: Any = None
    places: Any = None

    def pick(self, which: Any) -> Arcs:
        """Those that a mask or places choose."""
        places = list_true(which) if which.dtype == bool else which
        return self.convert(lambda array: gather(array, places))

    def swap(self) -> Arcs:
        """The same arcs the other way round, in the order of their rows."""
        return Arcs(self.cols, self.rows, self.values).sort()

    def sort(self) -> Arcs:
        """In the order of a CSR matrix."""
        return self.pick(order_stably(self.number()))

    def number(self) -> Any:
        """One number for each arc, in the order of a CSR matrix."""
        return number_cells(self.rows, self.cols, 1 << 32)

    def convert(self, to: Any) -> Arcs:
        """The same with other arrays, each of them made by a function."""
        held = self.rows, self.cols, self.values, self.places
        return Arcs(*(None if array is None else to(array) for array in held))


@dataclass(frozen=True, eq=False)
class Change:
    """What a batch does to a matrix: arcs that go, that get another weight, and that are new; each in order."""

    gone: Arcs
    changed: Arcs
    fresh: Arcs

    def swap(self) -> Change:
        """The same of the transpose."""
        return Change(self.gone.swap(), self.changed.swap(), self.fresh.swap())

    def list_cells(self) -> Arcs:
        """All cells that it touches."""
        parts, xp = (self.gone, self.changed, self.fresh), get_array_module(self.gone.rows)
        return Arcs(xp.concatenate([each.rows for each in parts]), xp.concatenate([each.cols for each in parts]))


def locate(engine: Any, matrix: CompressedMatrix, arcs: Arcs) -> tuple[Any, Any]:
    """Where each arc stands, or would, among the entries; and whether it is there.

    Equation: place = indptr[i] + |{k : A[i, k] stored, k < j}|.
    """
    if engine.name == "cpu":
        from graphla.graphs import changes_cpu  # here, because Numba takes a second

        places, there = np.empty(arcs.rows.size, np.int64), np.empty(arcs.rows.size, bool)
        changes_cpu.locate(matrix.indptr, matrix.indices, arcs.rows, arcs.cols, places, there)
        return places, there
    from graphla.graphs import changes_cuda  # here, because a machine without a GPU needs none of it

    find = changes_cuda.locate_for_host if get_array_module(arcs.rows) is np else changes_cuda.locate
    return find(engine, matrix, arcs.rows, arcs.cols)


def find_places(engine: Any, matrix: CompressedMatrix, arcs: Arcs) -> Any:
    """Where each arc stands, or would, among the entries of the matrix that is changed."""
    return locate(engine, matrix, arcs)[0] if arcs.places is None else arcs.places


def read_values(engine: Any, matrix: CompressedMatrix, places: Any) -> Any:
    """The values at some places, where these stand: on the host or on the engine."""
    if get_array_module(places) is not np:
        return gather(matrix.values, places)
    if not places.size:
        return np.empty(0, matrix.values.dtype)
    return engine.to_host(gather(matrix.values, engine.asarray(places)))


def apply(engine: Any, matrix: CompressedMatrix, n: int, change: Change) -> CompressedMatrix:
    """The matrix after a change, on n vertices; the old one stays as it is."""
    gone, changed, fresh = change.gone, change.changed, change.fresh
    out, into = (find_places(engine, matrix, each) for each in (gone, fresh))
    xp = get_array_module(into)
    into = into - xp.searchsorted(out, into) + xp.arange(into.size)
    count = matrix.nvals - out.size + into.size
    out, into = map(engine.asarray, (out, into))
    indices = splice(engine, matrix.indices, out, into, fresh.cols.astype(np.int32))
    values = splice(engine, matrix.values, out, into, fresh.values)
    if changed.rows.size and values is matrix.values:
        values = copy_array(values)
    made = CompressedMatrix(n, n, move_pointers(engine, matrix, n, change, count), indices, values)
    if changed.rows.size:
        scatter(values, *map(engine.asarray, (locate(engine, made, changed)[0], changed.values)))
    return made


def splice(engine: Any, held: Any, out: Any, into: Any, fresh: Any) -> Any:
    """Entries without those at some places, and with new ones where they belong in what is made."""
    if not out.size and not into.size:
        return held
    xp = engine.xp
    made = xp.empty(held.size - out.size + into.size, held.dtype)
    fresh = engine.asarray(fresh.astype(held.dtype, copy=False))
    if engine.name == "cpu":
        from graphla.graphs import changes_cpu  # here, because Numba takes a second

        bits = f"u{held.itemsize}" if held.itemsize <= 8 else held.dtype  # one kernel for all dtypes of a size
        changes_cpu.splice(held.view(bits), out, into, fresh.view(bits), made.view(bits))
        return made
    from graphla.graphs import changes_cuda  # here, because a machine without a GPU needs none of it

    changes_cuda.splice(engine, held, out, into, fresh, made)
    return made


def move_pointers(engine: Any, matrix: CompressedMatrix, n: int, change: Change, count: int) -> Any:
    """The row pointers after a change; added vertices have empty rows but for what is new."""
    if engine.name != "cpu":
        from graphla.graphs import changes_cuda  # here, because a machine without a GPU needs none of it

        gone, fresh = map(engine.asarray, (change.gone.rows, change.fresh.rows))
        return changes_cuda.move_pointers(engine, matrix.indptr, gone, fresh, n, choose_index_dtype(count))
    longer = tally(change.fresh.rows, n) - tally(change.gone.rows, n)
    old = matrix.indptr.astype(np.int64)
    pointers = np.concatenate([old, np.full(n - matrix.nrows, old[-1])])
    pointers[1:] += np.cumsum(longer)
    return pointers.astype(choose_index_dtype(count))


def is_symmetric(engine: Any, matrix: CompressedMatrix, change: Change) -> bool:
    """Whether the matrix equals its transpose after a change, if it did before: a look at the cells that changed."""
    cells = change.list_cells()
    here, there = (locate(engine, matrix, each) for each in (cells, Arcs(cells.cols, cells.rows)))
    if not are_equal(here[1], there[1]):
        return False
    return are_equal(*(read_values(engine, matrix, places[here[1]]) for places, _ in (here, there)))
