"""Write the terms of a loop for one index i, in the language of an engine: Python or CUDA C++."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar

from graphla.planning.loops.terms import (
    Call,
    Cell,
    Constant,
    Entry,
    EntryAt,
    Layout,
    Presence,
    Put,
    RoundNumber,
    Store,
    Term,
    Union,
)
from semirings import IndexUnaryOp, unary
from semirings.dtypes import DType
from semirings.operators import ScalarOp

NO_LAYOUT = Layout(0)


class Language(ABC):
    """The syntax of a language, and where it finds slots. An instance collects the operators that it wrote calls of."""

    always: ClassVar[str]
    """The literal for true."""
    both: ClassVar[str]
    either: ClassVar[str]

    def __init__(self, layout: Layout = NO_LAYOUT, flagged: Collection[int] = ()) -> None:
        self.texts: list[str] = []
        self.layout, self.flagged = layout, flagged  # cells of the map; slots whose flags it writes

    @abstractmethod
    def write_entry(self, slot: int) -> str:
        """Write the value of a slot at i."""

    @abstractmethod
    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        """Write the value of a slot at a position."""

    @abstractmethod
    def write_flag(self, slot: int) -> str:
        """Write whether a slot has an entry at i."""

    @abstractmethod
    def write_flag_at(self, slot: int, place: str) -> str:
        """Write whether a slot has an entry at a position."""

    @abstractmethod
    def write_place(self, at: Term, size: int) -> str:
        """Write a position that is checked and counted from the beginning."""

    @abstractmethod
    def write_constant(self, constant: Constant) -> str:
        """Write a bound number."""

    @abstractmethod
    def write_cell(self, cell: Cell) -> str:
        """Write the value of a Scalar."""

    @abstractmethod
    def write_round(self, dtype: DType) -> str:
        """Write the number of the round."""

    @abstractmethod
    def write_quotient(self, stride: int) -> str:
        """Write the vertex of cell i."""

    @abstractmethod
    def write_not(self, condition: str) -> str:
        """Write a negation."""

    @abstractmethod
    def write_choice(self, condition: str, value: str, otherwise: str) -> str:
        """Write a choice between two values."""

    @abstractmethod
    def write_call(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        """Write a call of an operator."""

    def write_cast(self, value: str, given: DType, wanted: DType) -> str:
        """Write a value converted to another dtype."""
        return value if given == wanted else self.write_call(unary.identity, (given,), wanted, value)

    def write_term(self, term: Term, dtype: DType | None = None) -> str:
        """Write a term, converted to a dtype if one is given."""
        text = self.write_plain(term)
        return text if dtype is None else self.write_cast(text, term.dtype, dtype)

    def write_plain(self, term: Term) -> str:
        if isinstance(term, Entry):
            return self.write_entry(term.slot)
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
        operands = [self.write_term(part) for part in term.of]
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
        x, y, given = self.write_term(e.left), self.write_term(e.right), (e.left.dtype, e.right.dtype)
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
            return self.write_flag(p[1])
        if p[0] == "at":
            return self.write_flag_at(p[1], self.write_place(p[2], p[3]))
        if p[0] == "true":
            return f"({self.write_term(p[1])} != 0)"
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
        z = self.write_term(step.term, dtype)
        if step.accum is None:
            return z
        joined = self.write_call(step.accum, (dtype, dtype), dtype, old or self.write_entry(step.out.slot), z)
        return joined if step.before is True else self.write_choice(self.write_present(step.before), joined, z)
