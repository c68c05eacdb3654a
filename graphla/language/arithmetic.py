"""Infix arithmetic and comparisons, as in python-graphblas.

``A + B`` is a union, ``A * B`` and ``A < B`` are intersections; ``A - B`` is a union in which an absent entry counts
as 0. A scalar may stand on either side.
"""

from __future__ import annotations

from typing import Any

from graphla.errors import DomainMismatch
from semirings import BinaryOp, binary, unary
from semirings.dtypes import BOOL


def both(value: Any) -> bool:
    """Whether `value` has entries; a number or a Scalar has none."""
    return isinstance(value, Arithmetic) and bool(value.rank)


def meet(op: BinaryOp, x: Any, y: Any) -> Any:
    """op where both have an entry, or with a scalar."""
    if both(x) and both(y):
        return (x & y)._over(op)
    return x._over(op, y) if both(x) or not isinstance(y, Arithmetic) else y._over_left(op, x)


def join(op: BinaryOp, x: Any, y: Any, *fills: Any) -> Any:
    """op over the union, or with a scalar."""
    return (x | y)._over(op, *fills) if both(x) and both(y) else meet(op, x, y)


def truths(x: Any, y: Any) -> Any:
    """Exactly one of the two, over the union of two BOOL structures."""
    made = join(binary.lxor, x, y)
    if x.dtype != BOOL or getattr(y, "dtype", BOOL) != BOOL:
        raise DomainMismatch(f"^ wants BOOL on both sides, not {x.dtype}: say what is meant, as in binary.bxor(A | B)")
    return made


class Arithmetic:
    """The operators of Python over whatever answers `_over`, `_over_left`, ``|`` and ``&``."""

    rank: int
    dtype: Any
    _over: Any
    __hash__ = object.__hash__

    def __add__(self, other: Any) -> Any:
        return join(binary.plus, self, other)

    def __radd__(self, other: Any) -> Any:
        return join(binary.plus, other, self)

    def __sub__(self, other: Any) -> Any:
        return join(binary.minus, self, other, 0, 0)

    def __rsub__(self, other: Any) -> Any:
        return join(binary.minus, other, self, 0, 0)

    def __mul__(self, other: Any) -> Any:
        return meet(binary.times, self, other)

    def __rmul__(self, other: Any) -> Any:
        return meet(binary.times, other, self)

    def __truediv__(self, other: Any) -> Any:
        return meet(binary.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return meet(binary.truediv, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return meet(binary.floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return meet(binary.floordiv, other, self)

    def __mod__(self, other: Any) -> Any:
        return meet(binary.mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return meet(binary.mod, other, self)

    def __pow__(self, other: Any) -> Any:
        return meet(binary.pow, self, other)

    def __rpow__(self, other: Any) -> Any:
        return meet(binary.pow, other, self)

    def __xor__(self, other: Any) -> Any:
        return truths(self, other)

    def __eq__(self, other: object) -> Any:
        return meet(binary.eq, self, other)

    def __ne__(self, other: object) -> Any:
        return meet(binary.ne, self, other)

    def __lt__(self, other: Any) -> Any:
        return meet(binary.lt, self, other)

    def __le__(self, other: Any) -> Any:
        return meet(binary.le, self, other)

    def __gt__(self, other: Any) -> Any:
        return meet(binary.gt, self, other)

    def __ge__(self, other: Any) -> Any:
        return meet(binary.ge, self, other)

    def __abs__(self) -> Any:
        return self._over(unary.abs)

    def __neg__(self) -> Any:
        return self._over(unary.ainv)

    def __invert__(self) -> Any:
        if self.dtype != BOOL:
            raise DomainMismatch(
                f"~ wants BOOL, not {self.dtype}: say what is meant, as in unary.bnot(v); a mask is ~v.S"
            )
        return self._over(unary.lnot)

    def __bool__(self) -> bool:
        raise DomainMismatch(
            "an expression is neither true nor false: compare with .isequal(other), or ask .nvals for entries"
        )
