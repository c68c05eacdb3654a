"""Elements of a matrix that are set and deleted one at a time: they wait, and are merged into it when it is read.

GraphBLAS calls them pending tuples and zombies. Each of them costs the host a look into a dictionary; without them each
would copy the matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphla.containers.execute import run
from graphla.engine.protocol import Engine
from graphla.engine.tracing import watchers
from graphla.language.index import resolve_index
from graphla.language.operand import Transposed
from graphla.planning.steps import CopyStep, Mask, Plan
from graphla.storage import BitmapVector, CompressedMatrix, Deferred, FullVector, MatrixStorage
from graphla.storage.formats import make_row_pointers
from graphla.storage.frozen import once
from semirings import BinaryOp
from semirings.dtypes import DType
from semirings.python import evaluate

Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class PendingElements(Deferred):
    """A matrix and the values of cells that have changed since; None for those that were deleted.

    Only the newest one of a container is read: it shares `changes` with those before.
    """

    base: MatrixStorage
    engine: Engine
    changes: dict[Cell, Any]

    @once
    def shape(self) -> tuple[int, ...]:
        return self.base.shape

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return self.base.dtype

    def resolve(self) -> MatrixStorage:
        """Merge the changes: where a cell has changed, the new entries replace the old ones."""
        changed = sorted(self.changes)
        kept = [cell for cell in changed if self.changes[cell] is not None]
        mask = self.collect(changed)
        entries = self.collect(kept) if len(kept) < len(changed) else mask
        return run(self.engine, Plan(CopyStep(entries, False), self.base, self.base.type, Mask(mask, True, False)))

    def collect(self, cells: list[Cell]) -> CompressedMatrix:
        """Make a matrix of the values of sorted cells."""
        xp, kind = self.engine.xp, self.base.type
        rows, columns = (xp.asarray([cell[side] for cell in cells], "int32") for side in (0, 1))
        values = xp.asarray([self.changes[cell] or 0 for cell in cells], kind.numpy)
        height, width = self.shape
        return CompressedMatrix(height, width, make_row_pointers(xp, rows, height), columns, values)


def is_watched() -> bool:
    """Whether a trace is active, which records each operation when it is written."""
    return bool(watchers.anywhere) and watchers.get_innermost() is not None


def change_element(matrix: Any, cell: Cell, value: Any) -> None:
    """Set an element of a matrix, or delete it if `value` is None."""
    held = matrix._held
    if not isinstance(held, PendingElements):
        held = PendingElements(matrix._storage, matrix.engine, {})
    held.changes[cell] = value
    matrix._held = PendingElements(held.base, held.engine, held.changes)
    matrix.plan = None


@lru_cache(maxsize=256)
def make_combiner(accum: BinaryOp, dtype: DType) -> Callable[[Any, Any], Any]:
    """The accumulator as a function of two numbers of a dtype."""
    return evaluate(accum, (dtype, dtype), dtype)


def is_element(matrix: Any, index: Any) -> bool:
    """Whether an index that was resolved names one element of a matrix, or of a vector that is no list of entries."""
    of = matrix.of if isinstance(matrix, Transposed) else matrix
    if not hasattr(of, "_held") or not all(isinstance(part, int) for part in index):
        return False
    return len(index) == 2 or isinstance(of._storage, (FullVector, BitmapVector))


def read_place(vector: Any, index: Any) -> Any:
    """Return the value at an index of a vector as a number of Python, or None."""
    place = resolve_index(index, vector.shape)
    if not is_element(vector, place) or is_watched():
        return vector[index].new().value
    found = read_element(vector, place)
    return None if found is None else found.item()


def read_element(matrix: Any, index: Any) -> Any:
    """Return the value of an element, or None, without merging what waits."""
    cell, of = (index[::-1], matrix.of) if isinstance(matrix, Transposed) else (index, matrix)
    held = of._held
    if isinstance(held, FullVector):
        return of.engine.read_places(cell[0], held.values)[0]
    if isinstance(held, BitmapVector):
        present, value = of.engine.read_places(cell[0], held.present, held.values)
        return value if present else None
    if isinstance(held, PendingElements):
        if cell in held.changes:
            return held.changes[cell]
        return of.engine.read_element(held.base, cell)
    return of.engine.read_element(of._storage, cell)
