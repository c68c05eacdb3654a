"""Write the terms of a loop's statements for one index i, in the language of an engine: Python or CUDA C++."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from graphla.planning.loops.kernel_body import (
    ApplyTerm,
    EwiseTerm,
    NumberTerm,
    ProductTerm,
    RoundTerm,
    SelectTerm,
    SlotMask,
    SlotTerm,
    Term,
)
from semirings import IndexUnaryOp, unary
from semirings.dtypes import DType
from semirings.operators import ScalarOp


class Language(ABC):
    """The syntax of a language. An instance collects the operators that the written statements call."""

    always: ClassVar[str]
    """The literal for true."""
    both: ClassVar[str]
    either: ClassVar[str]
    product: ClassVar[tuple[str, str]]
    """Expressions for whether the product has an entry at i, and for its value."""

    @abstractmethod
    def write_value(self, held: SlotTerm | SlotMask) -> str:
        """Write the value of a slot."""

    @abstractmethod
    def write_presence(self, held: SlotTerm | SlotMask) -> str:
        """Write whether a slot has an entry."""

    @abstractmethod
    def write_number(self, number: NumberTerm) -> str:
        """Write a bound number."""

    @abstractmethod
    def write_round(self, dtype: DType) -> str:
        """Write the number of the round."""

    @abstractmethod
    def write_choice(self, condition: str, value: str, otherwise: str) -> str:
        """Write a choice between two values."""

    @abstractmethod
    def write_call(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        """Write a call of an operator; with ``out=None`` the operator selects and returns a truth value."""

    def write_cast(self, value: str, given: DType, wanted: DType) -> str:
        """Write a value converted to another dtype."""
        return value if given == wanted else self.write_call(unary.identity, (given,), wanted, value)

    def write_term(self, term: Term) -> tuple[str, str]:
        """Write whether a term has an entry at index i, and its value."""
        if isinstance(term, SlotTerm):
            return self.write_presence(term), self.write_value(term)
        if isinstance(term, ProductTerm):
            return self.product
        if isinstance(term, NumberTerm):
            return self.always, self.write_number(term)
        if isinstance(term, RoundTerm):
            return self.always, self.write_round(term.dtype)
        if isinstance(term, SelectTerm):
            return self.write_select(term)
        return self.write_ewise(term) if isinstance(term, EwiseTerm) else self.write_apply(term)

    def write_select(self, e: SelectTerm) -> tuple[str, str]:
        of = e.of.dtype, e.thunk.dtype
        condition = self.write_call(e.op, of, None, self.write_value(e.of), "i", "0", self.write_number(e.thunk))
        return f"{self.write_presence(e.of)} {self.both} {condition}", self.write_value(e.of)

    def write_ewise(self, e: EwiseTerm) -> tuple[str, str]:
        x, y, has_x, has_y = (
            self.write_value(e.left),
            self.write_value(e.right),
            self.write_presence(e.left),
            self.write_presence(e.right),
        )
        both, given = f"{has_x} {self.both} {has_y}", (e.left.dtype, e.right.dtype)
        if e.union and e.fills is not None:
            left, right = map(self.write_number, e.fills)
            x, y = self.write_choice(has_x, x, left), self.write_choice(has_y, y, right)
        value = self.write_call(e.op, given, e.dtype, x, y)
        if not e.union:
            return both, value
        if e.fills is None:
            one = self.write_choice(
                has_x, *(self.write_cast(v, dtype, e.dtype) for v, dtype in zip((x, y), given, strict=True))
            )
            value = self.write_choice(both, value, one)
        return f"{has_x} {self.either} {has_y}", value

    def write_apply(self, e: ApplyTerm) -> tuple[str, str]:
        x, of, has = self.write_value(e.of), e.of.dtype, self.write_presence(e.of)
        if e.bound is None:
            return has, self.write_call(e.op, (of,), e.dtype, x)
        number, dtype = self.write_number(e.bound), e.bound.dtype
        if isinstance(e.op, IndexUnaryOp):
            return has, self.write_call(e.op, (of, dtype), e.dtype, x, "i", "0", number)
        if e.bound_left:
            return has, self.write_call(e.op, (dtype, of), e.dtype, number, x)
        return has, self.write_call(e.op, (of, dtype), e.dtype, x, number)
