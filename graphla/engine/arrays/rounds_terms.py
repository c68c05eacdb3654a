"""Write the statements of a round for one index i, in the language of an engine."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from graphla.engine.arrays.terms import Language
from graphla.planning.loops.rounds_body import (
    Call,
    Cell,
    Constant,
    Entry,
    EntryAt,
    Fold,
    FoldBeside,
    FullTerm,
    Layout,
    Map,
    Presence,
    Put,
    Require,
    RoundNumber,
    Scatter,
    Store,
    Union,
)
from graphla.planning.loops.rounds_phases import find_slots, find_uses
from semirings import IndexUnaryOp
from semirings.dtypes import DType


class FullLanguage(Language):
    """The terms of a round in a language; the values of the slots at i are local variables."""

    index: ClassVar[str] = "i"
    """The index as arrays take it."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.held: frozenset[int] = frozenset()  # slots whose flags at i are local variables
        self.layout = Layout(0)

    def begin(self, phase: Map) -> None:
        """Look at the statements that are written next."""
        self.layout, self.held = phase.layout, frozenset(find_flagged(phase))

    @abstractmethod
    def write_constant(self, constant: Constant) -> str:
        """Write a bound number."""

    @abstractmethod
    def write_cell(self, cell: Cell) -> str:
        """Write the value of a Scalar."""

    @abstractmethod
    def write_place(self, at: FullTerm, size: int) -> str:
        """Write a position that is checked and counted from the beginning."""

    @abstractmethod
    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        """Write the value of a slot at a position."""

    @abstractmethod
    def write_flag(self, slot: int, place: str) -> str:
        """Write whether a slot has an entry at a position."""

    @abstractmethod
    def write_quotient(self, stride: int) -> str:
        """Write the vertex of cell i."""

    @abstractmethod
    def write_not(self, condition: str) -> str:
        """Write a negation."""

    def write_full(self, term: FullTerm) -> str:
        """Write a term."""
        if isinstance(term, Entry):
            return f"x{term.slot}"
        if isinstance(term, EntryAt):
            return self.write_entry_at(term.slot, term.dtype, self.write_place(term.at, term.size))
        if isinstance(term, Constant):
            return self.write_constant(term)
        if isinstance(term, Cell):
            return self.write_cell(term)
        if isinstance(term, RoundNumber):
            return self.write_round(term.dtype)
        return self.write_union(term) if isinstance(term, Union) else self.write_operator(term)

    def write_operator(self, term: Call) -> str:
        operands = [self.write_full(part) for part in term.of]
        if isinstance(term.op, IndexUnaryOp):
            operands = [operands[0], *self.write_position(term.few_rows), *operands[1:]]
        return self.write_call(term.op, tuple(part.dtype for part in term.of), term.dtype, *operands)

    def write_position(self, few_rows: bool | None) -> tuple[str, str]:
        """Write row and column of cell i, or index and 0 of a vector."""
        if few_rows is None:
            return "i", "0"
        stride = self.layout.stride
        vertex, beside = self.write_quotient(stride), f"(i % {stride})"
        return (beside, vertex) if few_rows else (vertex, beside)

    def write_inside(self) -> str | None:
        """Write whether cell i belongs to an entry; None if each does."""
        layout = self.layout
        return None if layout.width == layout.stride else f"(i % {layout.stride}) < {layout.width}"

    def write_union(self, e: Union) -> str:
        x, y, given = self.write_full(e.left), self.write_full(e.right), (e.left.dtype, e.right.dtype)
        has_x, has_y = self.write_present(e.has_left), self.write_present(e.has_right)
        if e.fills is not None:
            left, right = map(self.write_constant, e.fills)
            x, y = self.write_choice(has_x, x, left), self.write_choice(has_y, y, right)
            return self.write_call(e.op, given, e.dtype, x, y)
        only_x, only_y = (self.write_cast(v, dtype, e.dtype) for v, dtype in zip((x, y), given, strict=True))
        value = self.write_call(e.op, given, e.dtype, x, y)
        value = value if has_y == self.always else self.write_choice(has_y, value, only_x)
        return value if has_x == self.always else self.write_choice(has_x, value, only_y)

    def write_present(self, p: Presence) -> str:
        """Write whether there is an entry at i."""
        if p is True:
            return self.always
        if p[0] == "slot":
            return f"e{p[1]}" if p[1] in self.held else self.write_flag(p[1], self.index)
        if p[0] == "at":
            return self.write_flag(p[1], self.write_place(p[2], p[3]))
        if p[0] == "true":
            return f"({self.write_full(p[1])} != 0)"
        if p[0] == "not":
            return self.write_not(self.write_present(p[1]))
        sign = self.both if p[0] == "and" else self.either
        return f"({self.write_present(p[1])} {sign} {self.write_present(p[2])})"

    def write_condition(self, *parts: Presence) -> str | None:
        """Write where all hold; None for everywhere."""
        held = [self.write_present(p) for p in parts if p is not True]
        return f" {self.both} ".join(held) if held else None

    def write_stored(self, step: Store | Put, old: str | None = None) -> str:
        """Write the value that a statement stores; `old` is the one that is there."""
        dtype = step.out.dtype
        z = self.write_cast(self.write_full(step.term), step.term.dtype, dtype)
        if step.accum is None:
            return z
        joined = self.write_call(step.accum, (dtype, dtype), dtype, old or f"x{step.out.slot}", z)
        return joined if step.before is True else self.write_choice(self.write_present(step.before), joined, z)


def find_loads(phase: Map) -> list[int]:
    """The slots whose values are read, or kept in places, before a statement stores one at each index."""
    fresh, loads = set[int](), set[int]()
    for step in phase.steps:
        loads |= find_uses(step)[0] - fresh
        if isinstance(step, FoldBeside):
            fresh.add(step.out.slot)
        if isinstance(step, Store):
            whole = step.mask is True and step.present is True and step.accum is None
            loads |= set[int]() if whole else {step.out.slot} - fresh
            fresh.add(step.out.slot)
    return sorted(loads)


def find_flagged(phase: Map) -> list[int]:
    """The slots whose flags a map writes."""
    return sorted({step.out.slot for step in phase.steps if isinstance(step, Store | FoldBeside) and step.flags})


def find_stored(phase: Map) -> list[int]:
    """The slots that a map writes at its own index."""
    return sorted({step.out.slot for step in phase.steps if isinstance(step, Store | FoldBeside)})


def list_used(phase: Map) -> tuple[int, ...]:
    """The slots whose values or flags a map reads or writes."""
    slots = {slot for step in phase.steps for each in find_slots(step) for slot in each}
    return tuple(sorted(slots))


def list_slots(phase: Map) -> dict[int, DType]:
    """The slots of a map with their dtypes: those read or written at any index."""
    found: dict[int, DType] = {}

    def visit(part: Any) -> None:
        if isinstance(part, Entry | EntryAt):
            found[part.slot] = part.dtype
        if isinstance(part, EntryAt):
            visit(part.at)
        elif isinstance(part, Call):
            visit(part.of)
        elif isinstance(part, Union):
            visit((part.left, part.right, part.has_left, part.has_right))
        elif isinstance(part, Store):
            visit((part.out, part.term, part.present, part.mask, part.before))
        elif isinstance(part, Scatter):
            visit((part.out, part.term, part.present))
        elif isinstance(part, Put):
            visit((part.out, part.term, part.present, part.mask, part.before))
        elif isinstance(part, FoldBeside):
            visit((part.out, part.of))
        elif isinstance(part, Fold | Require):
            visit(part.term)
        elif isinstance(part, tuple):
            for each in part:
                visit(each)

    visit(phase.steps)
    return found
