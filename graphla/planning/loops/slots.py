"""What a loop names, numbered: slots for containers, products and intermediate results, cells for Scalars."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.planning.few_rows import FEW_ROWS
from graphla.planning.loops.key import is_full
from graphla.planning.loops.terms import Cell, Constant, Layout, Presence, Product
from semirings.dtypes import DType

MOST_SLOTS, MOST_CONSTANTS, MOST_CELLS = 24, 16, 16
"""The most vectors (with products and intermediate ones), bound numbers and Scalars that a round takes."""


def both(p: Presence, q: Presence) -> Presence:
    """Where both have entries."""
    return q if p is True else p if q is True or p == q else ("and", p, q)


def either(p: Presence, q: Presence) -> Presence:
    """Where one of them has entries."""
    return True if p is True or q is True else p if p == q else ("or", p, q)


class Unfused(Exception):
    """The engine cannot run the body as a whole; the message says why."""


class NeedsFlags(Unfused):
    """A container needs flags that a round writes: where its entries are changes from round to round."""

    def __init__(self, container: Any, why: str) -> None:
        super().__init__(why)
        self.container = container


def has_few_rows(shape: tuple[int, ...]) -> bool:
    """Whether the vertices of a matrix are its columns, and not its rows."""
    return len(shape) == 2 and shape[0] < shape[1]


def choose_layout(shape: tuple[int, ...]) -> Layout:
    """Where the entries of a container stand.

    Raises
    ------
    Unfused
        If a matrix has neither few rows nor few columns.
    """
    layout = Layout(max(shape), min(shape)) if len(shape) == 2 else Layout(shape[0])
    if layout.width > FEW_ROWS:
        raise Unfused(
            f"it computes with a {shape[0]:,} × {shape[1]:,} matrix, which has neither few rows nor few columns: how "
            "many entries it has after a round is not known ahead"
        )
    if 0 in shape:
        raise Unfused(f"it has a container of shape {shape}")
    return layout


class Slots:
    """Numbers what a loop names: each container, product and intermediate result gets a slot, each Scalar a cell.

    Parameters
    ----------
    targets : sequence
        What the body writes.
    flagged : set of int or None
        The `id` of each container with flags that a round writes; None if there are none at all.
    """

    def __init__(self, targets: Sequence[Any], flagged: set[int] | None = None) -> None:
        self.targets = {id(target) for target in targets}
        self.with_flags = flagged or set[int]()
        self.may_flag = flagged is not None
        self.flagged: set[int] = set()  # slots whose flags a round writes
        self.changing: set[int] = set()  # those of them where that gives other flags in each round
        self.vectors: list[Any] = []
        self.types: list[DType] = []
        self.layouts: list[Layout] = []
        self.shapes: list[tuple[int, ...]] = []
        self.known: dict[int, int] = {}
        self.kept: list[Any] = []  # what `known` names by its number stays alive
        self.presence: list[Presence | None] = []
        self.numbers: list[tuple[Any, DType]] = []
        self.scalars: list[Any] = []
        self.valid: dict[int, int] = {}
        self.read_cells: set[int] = set()
        self.cells: dict[int, Cell] = {}
        self.cell_types: list[DType] = []
        self.filled: set[int] = set()
        self.products: list[Product] = []
        self.steps: list[tuple[Any, Layout | None]] = []

    def add(self, step: Any, layout: Layout | None = None) -> None:
        """Add a statement at each cell of a layout, a product, a cell that is set; None ends what runs side by side."""
        self.steps.append((step, layout))

    def is_static(self, p: Presence) -> bool:
        """Whether where entries are is the same in each round."""
        if p is True or p[0] == "slot":
            return p is True or p[1] not in self.changing
        return p[0] in ("and", "or", "not") and all(map(self.is_static, p[1:]))

    def add_slot(self, dtype: DType, shape: tuple[int, ...], presence: Presence | None, vector: Any = None) -> int:
        """Add a slot; with ``("flags",)`` for `presence` it has flags that a round writes."""
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if len(self.types) == MOST_SLOTS:
            raise Unfused(f"it has more than {MOST_SLOTS} vectors and intermediate results")
        slot = len(self.types)
        self.layouts.append(choose_layout(shape))
        self.types.append(dtype)
        self.shapes.append(shape)
        self.vectors.append(vector)
        self.presence.append(("slot", slot) if presence == ("flags",) else presence)
        if presence == ("flags",):
            self.flagged.add(slot)
            self.changing.add(slot)
        return slot

    def find_slot(self, vector: Any) -> int:
        """Return the slot of a container, a new one if it has none yet."""
        slot = self.known.get(id(vector))
        if slot is None:
            full = self.find_presence(vector)
            slot = self.add_slot(vector.dtype, vector.shape, full, vector)
            if full is None and id(vector) not in self.targets:
                self.presence[slot] = ("slot", slot)
            self.known[id(vector)] = slot
            self.kept.append(vector)
        return slot

    def find_presence(self, vector: Any) -> Presence | None:
        """Return where a container has entries before the loop; None if that is not everywhere."""
        if id(vector) in self.with_flags:
            return ("flags",)
        return True if is_full(vector._storage) else None

    def add_number(self, value: Any, dtype: DType) -> Constant:
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if len(self.numbers) == MOST_CONSTANTS:
            raise Unfused(f"it has more than {MOST_CONSTANTS} bound numbers")
        self.numbers.append((value, dtype))
        return Constant(len(self.numbers) - 1, dtype)

    def add_cell(self, dtype: DType, scalar: Any = None) -> Cell:
        if dtype.kind == "c":
            raise Unfused("it has complex numbers")
        if len(self.cell_types) == MOST_CELLS:
            raise Unfused(f"it has more than {MOST_CELLS} Scalars and reductions")
        self.cell_types.append(dtype)
        self.scalars.append(scalar)
        return Cell(len(self.cell_types) - 1, dtype)

    def find_cell(self, scalar: Any) -> Cell:
        cell = self.cells.get(id(scalar))
        if cell is None:
            cell = self.cells[id(scalar)] = self.add_cell(scalar.dtype, scalar)
            self.kept.append(scalar)
            if scalar._number is not None:
                self.filled.add(cell.index)
        return cell
