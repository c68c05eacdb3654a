"""The laws of monoids and semirings, as checks that run on an operator of your own as well.

`check` tries every pair or triple of sample values: the ends of the type, its infinities, 0, 1, -1 and some
random ones. Floating-point samples are small integers and infinities, on which arithmetic is exact, so no
tolerance is needed: both sides must be equal. A side that is NaN although no operand was, with an infinity
among the operands (``inf - inf``, ``0 * inf``), has no value, and nothing is asked of it; two sides that are
both NaN are equal.
"""

import cmath
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from semirings.arguments import require_bool, require_count, require_sort
from semirings.dtypes import DType, Number, lookup
from semirings.errors import DomainError
from semirings.operators import BinaryOp, Monoid, Operator, Semiring
from semirings.properties import TypedOperator
from semirings.python import evaluate

__all__ = ["Violation", "Violations", "check", "values"]

MOST = 1000
"""Random samples that may be drawn; the cost is cubic in their number."""
Sides = tuple[Number, Number]


@dataclass(frozen=True)
class Violation:
    """Operands on which a law does not hold, and the two sides that should be equal.

    Attributes
    ----------
    law : str
        The name of the law.
    operator : str
        The operator.
    dtype : DType
        The type of the operands.
    operands : tuple of numbers
        The first operands that break the law.
    left, right : number
        The two sides.

    Examples
    --------
    >>> from semirings import binary
    >>> check(binary.minus, "INT8", every=True)[0].law
    'commutativity'
    """

    law: str
    operator: str
    dtype: DType
    operands: tuple[Number, ...]
    left: Number
    right: Number

    def __str__(self) -> str:
        where = f"{self.operator} on {self.dtype}: {self.law} fails on"
        return f"{where} ({', '.join(map(repr, self.operands))}): {self.left!r} != {self.right!r}"


class Violations(list[Violation]):
    """The first violation of each law that was checked and fails, and the laws that were not checked.

    Parameters
    ----------
    found : iterable of Violation
        The violations.
    unchecked : iterable of str
        The laws that nobody looked at: those that the operator does not promise, which ``every=True`` checks, and of
        a semiring whose products are positions or leave the type all that speak of products.

    Examples
    --------
    >>> from semirings import semiring
    >>> found = check(semiring.min_times, "INT32")
    >>> len(found), found.unchecked[0]
    (0, 'annihilation from the left')
    """

    def __init__(self, found: Iterable[Violation] = (), unchecked: Iterable[str] = ()) -> None:
        super().__init__(found)
        self.unchecked = tuple(unchecked)

    def __repr__(self) -> str:
        shown = super().__repr__()
        if not self.unchecked:
            return shown
        return f"{shown}, not checked: {', '.join(self.unchecked)}"


def values(dtype: object, samples: int = 4, seed: int = 0) -> list[Number]:
    """The sample values of a type: its ends, 0, 1, -1 and some random ones.

    Parameters
    ----------
    dtype : dtype
        The type.
    samples : int
        How many random values there are.
    seed : int
        The seed that draws them.

    Returns
    -------
    list of numbers
        Python numbers that fit the type.

    Examples
    --------
    >>> values("UINT8", samples=0)
    [0, 1, 2, 254, 255]
    """
    t = lookup(dtype)
    require_count(samples, "samples", MOST)
    require_count(seed, "seed", 2**63)
    if t.kind == "b":
        return [False, True]
    generator = random.Random(seed)
    if t.kind == "c":
        whole = [generator.randint(-9, 9) for _ in range(2 * samples)]
        return [0j, 1 + 0j, -1 + 0j, 1j, *map(complex, whole[::2], whole[1::2])]
    if t.kind == "f":
        return [
            0.0,
            1.0,
            -1.0,
            2.0,
            t.min,
            t.max,
            *(float(generator.randint(-99, 99)) for _ in range(samples)),
        ]
    low, high = int(t.min), int(t.max)
    ends = {low, low + 1, high - 1, high, 0, 1, 2, max(low, -1)}
    return [*sorted(ends | {generator.randint(low, high) for _ in range(samples)})]


def check(
    x: Semiring | Monoid | BinaryOp, dtype: object, *, samples: int = 4, seed: int = 0, every: bool = False
) -> Violations:
    """The laws that `x` promises and does not keep on a type; an empty list if all of these hold.

    A monoid promises to be associative and commutative, with its identity and its terminal value. A
    semiring promises its monoid and what `Semiring.annihilates` and `Semiring.distributes` say; a binary
    operator what its `commutative` and `associative` say. The laws are those of the type in which results
    are combined: ``lor_land`` of INT32 is checked on BOOL.

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
    Violations
        A list of the first violation of each law that fails. It says which laws it did not check.

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
    require_sort(x, "x", "binary", "monoid", "semiring")
    require_bool(every, "every")
    if isinstance(x, TypedOperator):
        raise DomainError(f"x={x!r} is bound to a type: give {x.op!r}, and the type as dtype=")
    if isinstance(x, BinaryOp):
        laws = _list_binary_laws(x, lookup(dtype), every)
    elif isinstance(x, Monoid):
        carrier = x.result_type(dtype)
        laws = _list_monoid_laws(x, carrier, _Laws(x, carrier))
    else:
        laws = _list_semiring_laws(x, x.result_type(dtype, dtype), every)
    return Violations(laws.find_violations(values(laws.dtype, samples, seed)), laws.unchecked)


@dataclass(frozen=True)
class _Law:
    """An equation in some variables: `sides` gives its two sides for their values."""

    name: str
    variables: int
    sides: Callable[..., Sides]


class _Laws:
    """The laws of one operator on one type."""

    def __init__(self, operator: Operator, dtype: DType) -> None:
        self.operator = repr(operator)
        self.dtype = dtype
        self.laws: list[_Law] = []
        self.unchecked: list[str] = []

    def add_of_one(self, name: str, sides: Callable[[Number], Sides], asked: bool = True) -> None:
        self._add(_Law(name, 1, sides), asked)

    def add_of_two(self, name: str, sides: Callable[[Number, Number], Sides], asked: bool = True) -> None:
        self._add(_Law(name, 2, sides), asked)

    def add_of_three(self, name: str, sides: Callable[[Number, Number, Number], Sides], asked: bool = True) -> None:
        self._add(_Law(name, 3, sides), asked)

    def _add(self, law: _Law, asked: bool) -> None:
        """Check a law that is asked for; note another one."""
        if asked:
            self.laws.append(law)
        else:
            self.unchecked.append(law.name)

    def find_violations(self, sample: list[Number]) -> list[Violation]:
        """The first violation of each law."""
        found = (self.find_first(law, sample) for law in self.laws)
        return [violation for violation in found if violation is not None]

    def find_first(self, law: _Law, sample: list[Number]) -> Violation | None:
        for operands in product(sample, repeat=law.variables):
            left, right = law.sides(*operands)
            if left != right and not _is_excused(operands, (left, right)):
                return Violation(law.name, self.operator, self.dtype, operands, left, right)
        return None


def _is_excused(operands: Sequence[Number], sides: Sides) -> bool:
    """Whether both sides are NaN, or one is and there are infinite operands."""
    nan = [side != side for side in sides]
    return all(nan) or (any(nan) and any(map(cmath.isinf, operands)))


def _list_binary_laws(op: BinaryOp, t: DType, every: bool) -> _Laws:
    laws, f = _Laws(op, t), _make_table(op, t)
    laws.add_of_two("commutativity", lambda a, b: (f(a, b), f(b, a)), every or op.commutative)
    if op.result_type(t, t) == t:
        asked = every or op.associative
        laws.add_of_three("associativity", lambda a, b, c: (f(f(a, b), c), f(a, f(b, c))), asked)
    return laws


def _list_monoid_laws(m: Monoid, t: DType, laws: _Laws) -> _Laws:
    f = _make_table(m.op, t)
    laws.add_of_three("associativity", lambda a, b, c: (f(f(a, b), c), f(a, f(b, c))))
    if m.is_any:
        laws.add_of_two("choice", lambda a, b: (f(a, b), a if f(a, b) == a else b))
        return laws
    laws.add_of_two("commutativity", lambda a, b: (f(a, b), f(b, a)))
    one, end = m.identity(t), m.terminal(t)
    laws.add_of_one("identity", lambda a: (f(one, a), a))
    if end is not None:
        laws.add_of_one("terminal", lambda a: (f(end, a), end))
    return laws


def _list_semiring_laws(s: Semiring, t: DType, every: bool) -> _Laws:
    laws = _list_monoid_laws(s.add, t, _Laws(s, t))
    if s.multiply.positional or s.result_type(t, t) != t:
        laws.unchecked += ["annihilation", "distribution"]
        return laws
    add, mul = _make_table(s.add.op, t), _make_table(s.multiply, t)
    if not s.add.is_any:
        zero, asked = s.add.identity(t), every or s.annihilates
        laws.add_of_one("annihilation from the left", lambda a: (mul(zero, a), zero), asked)
        laws.add_of_one("annihilation from the right", lambda a: (mul(a, zero), zero), asked)
    law, asked = "distribution from the", every or s.distributes
    laws.add_of_three(f"{law} left", lambda a, b, c: (mul(a, add(b, c)), add(mul(a, b), mul(a, c))), asked)
    laws.add_of_three(f"{law} right", lambda a, b, c: (mul(add(a, b), c), add(mul(a, c), mul(b, c))), asked)
    return laws


def _make_table(op: BinaryOp, t: DType) -> Callable[[Number, Number], Number]:
    """The operator on values of one type, each pair computed once."""
    return cache(evaluate(op, (t, t), t))
