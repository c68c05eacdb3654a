"""A ⊕.⊗ A ⊕.⊗ … ⊕.⊗ A, by squaring."""

from __future__ import annotations

from typing import Any

from graphla.common.arguments import find_int, show, to_int
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidOption
from graphla.containers.execute import find_engine
from graphla.language.expr import Expr, to_operand
from graphla.language.kinds import R
from semirings import Monoid, Semiring, binary, monoid

ONES = {binary.tropical_plus: monoid.plus, binary.arctic_plus: monoid.plus, binary.plus_saturating: monoid.plus}
"""Multiplications that are no monoid, for they saturate at one end, and the monoid whose identity is theirs."""


def power(A: Expr[R], n: int, op: Semiring) -> Expr[R]:
    """The product of `n` factors A; about 2 log n products are computed, all but the last at once."""
    if A.shape[0] != A.shape[1]:
        raise DimensionMismatch(f"power: the matrix is {A.shape[0]} × {A.shape[1]}, and only square ones have powers")
    if find_int(n) is None:
        raise DomainMismatch(f"power: n={show(n)} is no integer from 0 on; it must be a nonnegative integer")
    left = to_int(n, "power: it must be a nonnegative integer: n", 0)
    factor, rest = to_operand(A, "power"), None
    if left == 0:
        return make_identity(factor, op)
    while left > 1:
        if left % 2:
            rest = factor if rest is None else (rest @ factor)._over(op).new()
        left //= 2
        if left == 1 and rest is None:
            return (factor @ factor)._over(op)
        factor = (factor @ factor)._over(op).new()
    return factor if rest is None else (rest @ factor)._over(op)


def make_identity(A: Any, op: Semiring) -> Expr[Any]:
    """The diagonal matrix of the identity of ⊗."""
    value = find_identity_monoid(op).identity(A.dtype)
    return Expr._containers[1].from_scalar(value, A.shape[0], A.dtype, engine=find_engine(A)).diag()


def find_identity_monoid(op: Semiring) -> Monoid:
    """The monoid of the multiplication of a semiring."""
    known = [ONES[op.multiply]] if op.multiply in ONES else [m for m in monoid.values() if m.op is op.multiply]
    if not known or known[0].is_any:
        raise InvalidOption(
            f"power: n=0 asks for the identity of {op.multiply.name}, and the binaryop must be associated with a "
            "monoid to have one; give n from 1 on"
        )
    return known[0]
