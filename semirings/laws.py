"""The laws of monoids and semirings, as checks that run on an operator of your own as well.

`check` tries every pair or triple of sample values: the ends of the type, its infinities, 0, 1, -1 and some random
ones. Floating-point samples are small integers and infinities, on which arithmetic is exact, so no tolerance is
needed: both sides must be equal. A side that is NaN although no operand was, with an infinity among the operands
(``inf - inf``, ``0 * inf``), has no value, and nothing is asked of it.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from semirings.dtypes import DType, Number, lookup
from semirings.operators import BinaryOp, Monoid, Semiring
from semirings.python import evaluate

__all__ = ["Violation", "check", "values"]

Function = Callable[..., Number]


@dataclass(frozen=True)
class Violation:
    """Operands on which a law does not hold, and the two sides that should be equal."""

    law: str
    operator: str
    dtype: DType
    operands: tuple[Number, ...]
    left: Number
    right: Number

    def __str__(self) -> str:
        operands = ", ".join(map(repr, self.operands))
        return f"{self.operator} on {self.dtype}: {self.law} fails on ({operands}): {self.left!r} != {self.right!r}"


def values(dtype: object, samples: int = 4, seed: int = 0) -> list[Number]:
    """The sample values of a type: its ends, 0, 1, -1 and `samples` random ones."""
    t = lookup(dtype)
    if t.kind == "b":
        return [False, True]
    generator = random.Random(seed)
    if t.kind == "f":
        return [0.0, 1.0, -1.0, 2.0, t.min, t.max, *(float(generator.randint(-99, 99)) for _ in range(samples))]
    low, high = int(t.min), int(t.max)
    ends = {low, low + 1, high - 1, high, 0, 1, 2, max(low, -1)}
    return sorted(ends | {generator.randint(low, high) for _ in range(samples)})


def check(
    x: Semiring | Monoid | BinaryOp, dtype: object, *, samples: int = 4, seed: int = 0, every: bool = False
) -> list[Violation]:
    """The laws that `x` promises and does not keep on a type; an empty list if all hold.

    A monoid promises to be associative and commutative, with its identity and its terminal value. A semiring promises
    its monoid and what `Semiring.annihilates` and `Semiring.distributes` say; a binary operator what its
    `commutative` and `associative` say. The laws are those of the type in which results are combined:
    ``lor_land`` of INT32 is checked on BOOL.

    Parameters
    ----------
    x : Semiring, Monoid or BinaryOp
        What to check.
    dtype : dtype
        The type of the operands.
    samples, seed : int
        How many random values there are besides the ends of the type, and the seed that draws them.
    every : bool
        Whether to check the laws that are not promised as well.

    Returns
    -------
    list of Violation
        The first violation of each law that fails.

    Raises
    ------
    DomainError
        If `x` has no meaning on the type.

    Notes
    -----
    The cost is cubic in the number of sample values.

    Examples
    --------
    >>> from semirings import binary, min_plus
    >>> check(min_plus, "INT32")
    []
    >>> print(check(binary.minus, "INT8", every=True)[0])
    binary.minus on INT8: commutativity fails on (-128, -127): -1 != 1
    """
    if isinstance(x, BinaryOp):
        laws = _binary_laws(x, lookup(dtype), every)
    elif isinstance(x, Monoid):
        laws = _monoid_laws(x, x.result_type(dtype))
    else:
        laws = _semiring_laws(x, x.result_type(dtype, dtype), every)
    found = (_first_violation(law, values(law.dtype, samples, seed)) for law in laws)
    return [violation for violation in found if violation is not None]


@dataclass(frozen=True)
class _Law:
    """An equation in some variables: `sides` gives its two sides for their values."""

    name: str
    operator: str
    dtype: DType
    sides: Callable[..., tuple[Number, Number]]
    variables: int


def _first_violation(law: _Law, sample: list[Number]) -> Violation | None:
    for operands in product(sample, repeat=law.variables):
        left, right = law.sides(*operands)
        if left != right and not _without_value(operands, (left, right)):
            return Violation(law.name, law.operator, law.dtype, operands, left, right)
    return None


def _without_value(operands: Sequence[Number], sides: tuple[Number, Number]) -> bool:
    """Whether infinite operands gave NaN on a side."""
    return any(map(math.isinf, operands)) and any(map(math.isnan, sides))


def _binary_laws(op: BinaryOp, t: DType, every: bool) -> Iterator[_Law]:
    f = _table(op, t)
    if every or op.commutative:
        yield _Law("commutativity", repr(op), t, lambda a, b: (f(a, b), f(b, a)), 2)
    if (every or op.associative) and op.result_type(t, t) == t:
        yield _Law("associativity", repr(op), t, lambda a, b, c: (f(f(a, b), c), f(a, f(b, c))), 3)


def _monoid_laws(m: Monoid, t: DType) -> Iterator[_Law]:
    f, name = _table(m.op, t), repr(m)
    yield _Law("associativity", name, t, lambda a, b, c: (f(f(a, b), c), f(a, f(b, c))), 3)
    if m.is_any:
        yield _Law("choice", name, t, lambda a, b: (f(a, b), a if f(a, b) == a else b), 2)
        return
    one, end = m.identity(t), m.terminal(t)
    yield _Law("commutativity", name, t, lambda a, b: (f(a, b), f(b, a)), 2)
    yield _Law("identity", name, t, lambda a: (f(one, a), a), 1)
    if end is not None:
        yield _Law("terminal", name, t, lambda a: (f(end, a), end), 1)


def _semiring_laws(s: Semiring, t: DType, every: bool) -> Iterator[_Law]:
    yield from _monoid_laws(s.add, t)
    if s.multiply.positional or s.result_type(t, t) != t:
        return
    add, mul, name = _table(s.add.op, t), _table(s.multiply, t), repr(s)
    if every or s.annihilates:
        zero = s.add.identity(t)
        yield _Law("annihilation from the left", name, t, lambda a: (mul(zero, a), zero), 1)
        yield _Law("annihilation from the right", name, t, lambda a: (mul(a, zero), zero), 1)
    if every or s.distributes:
        left = "distribution from the left"
        yield _Law(left, name, t, lambda a, b, c: (mul(a, add(b, c)), add(mul(a, b), mul(a, c))), 3)
        right = "distribution from the right"
        yield _Law(right, name, t, lambda a, b, c: (mul(add(a, b), c), add(mul(a, c), mul(b, c))), 3)


def _table(op: BinaryOp, t: DType) -> Function:
    """The operator on values of one type, each pair computed once."""
    return cache(evaluate(op, (t, t), t))
