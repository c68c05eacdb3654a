"""What the terms of a loop's statements are at one place, written in the language of an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from graphla.planning.loop_body import (
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
    """How a language says it; whoever writes statements collects here the operators that they apply."""

    always: ClassVar[str]
    """What is true everywhere."""
    both: ClassVar[str]
    either: ClassVar[str]
    product: ClassVar[tuple[str, str]]
    """Whether there is a product at the place, and its value."""

    @abstractmethod
    def value_of(self, held: SlotTerm | SlotMask) -> str:
        """The value of a slot."""

    @abstractmethod
    def there(self, held: SlotTerm | SlotMask) -> str:
        """Whether a slot has an entry."""

    @abstractmethod
    def bound(self, number: NumberTerm) -> str:
        """A number of the statements."""

    @abstractmethod
    def turn(self, dtype: DType) -> str:
        """The number of the round."""

    @abstractmethod
    def choose(self, condition: str, value: str, otherwise: str) -> str:
        """One of two values."""

    @abstractmethod
    def apply(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        """An operator applied; out None: the truth of a selection."""

    def cast(self, value: str, given: DType, wanted: DType) -> str:
        """A value in another dtype."""
        return value if given == wanted else self.apply(unary.identity, (given,), wanted, value)

    def term(self, term: Term) -> tuple[str, str]:
        """When a term has an entry at place i, and its value."""
        if isinstance(term, SlotTerm):
            return self.there(term), self.value_of(term)
        if isinstance(term, ProductTerm):
            return self.product
        if isinstance(term, NumberTerm):
            return self.always, self.bound(term)
        if isinstance(term, RoundTerm):
            return self.always, self.turn(term.dtype)
        if isinstance(term, SelectTerm):
            return self.selected(term)
        return self.merged(term) if isinstance(term, EwiseTerm) else self.mapped(term)

    def selected(self, e: SelectTerm) -> tuple[str, str]:
        of = e.of.dtype, e.thunk.dtype
        kept = self.apply(e.op, of, None, self.value_of(e.of), "i", "0", self.bound(e.thunk))
        return f"{self.there(e.of)} {self.both} {kept}", self.value_of(e.of)

    def merged(self, e: EwiseTerm) -> tuple[str, str]:
        x, y, has_x, has_y = self.value_of(e.left), self.value_of(e.right), self.there(e.left), self.there(e.right)
        both, given = f"{has_x} {self.both} {has_y}", (e.left.dtype, e.right.dtype)
        if e.union and e.fills is not None:
            left, right = map(self.bound, e.fills)
            x, y = self.choose(has_x, x, left), self.choose(has_y, y, right)
        value = self.apply(e.op, given, e.dtype, x, y)
        if not e.union:
            return both, value
        if e.fills is None:
            one = self.choose(has_x, *(self.cast(v, dtype, e.dtype) for v, dtype in zip((x, y), given, strict=True)))
            value = self.choose(both, value, one)
        return f"{has_x} {self.either} {has_y}", value

    def mapped(self, e: ApplyTerm) -> tuple[str, str]:
        x, of, has = self.value_of(e.of), e.of.dtype, self.there(e.of)
        if e.bound is None:
            return has, self.apply(e.op, (of,), e.dtype, x)
        number, dtype = self.bound(e.bound), e.bound.dtype
        if isinstance(e.op, IndexUnaryOp):
            return has, self.apply(e.op, (of, dtype), e.dtype, x, "i", "0", number)
        if e.bound_left:
            return has, self.apply(e.op, (dtype, of), e.dtype, number, x)
        return has, self.apply(e.op, (of, dtype), e.dtype, x, number)
