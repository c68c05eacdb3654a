"""The body of a loop as Python for Numba: its statements at place i, and what a round needs beside them.

Presence is a bit of `here` for each slot, values stand in arrays x0, x1, … of every place, bound numbers in n0, n1, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from graphla.body import Body, Held, Mapped, MaskOf, Merged, Number, Product, RoundNumber, Selected, Statement, Term
from graphla.engine.arrays.touched import PRODUCT, touched
from graphla.plan import PULL_ADVANTAGE, ROW_FLAG
from semirings import IndexUnaryOp, unary
from semirings.dtypes import INT64, DType
from semirings.python import render_function, render_semiring

FOUND_BIT = 6  # kernels/loop.py
ORDERLESS = ("any", "min", "max")
"""Sums of floating-point numbers that are the same in any order."""


def kept_slots(body: Body) -> tuple[int, ...] | None:
    """The fewest slots such that a round changes nothing where none of them has an entry, nor the product; or None."""
    statements, slots = (*body.before, *body.after), len(body.types)
    for count in range(1, slots + 1):
        for chosen in combinations(range(slots), count):
            if body.operand in chosen and not touched(statements, slots, {*chosen, PRODUCT}).possible:
                return chosen
    return None


@dataclass
class Functions:
    """The operators that the statements apply, each a function of its own name."""

    texts: list[str] = field(default_factory=list)

    def add(self, op: Any, given: Sequence[DType], out: DType | None = None) -> str:
        """The name of a function of scalars."""
        name = f"op{len(self.texts)}"
        self.texts.append(render_function(op, name, given, out))
        return name

    def cast(self, value: str, given: DType, wanted: DType) -> str:
        return value if given == wanted else f"{self.add(unary.identity, (given,), wanted)}({value})"


def value_of(held: Held | MaskOf) -> str:
    return f"x{held.slot}[i]"


def there(held: Held | MaskOf) -> str:
    return f"(here >> {held.slot} & 1)"


def bound(number: Number) -> str:
    return f"n{number.place}"


def merged(e: Merged, functions: Functions) -> tuple[str, str]:
    op = functions.add(e.op, (e.left.dtype, e.right.dtype), e.dtype)
    x, y, has_x, has_y = value_of(e.left), value_of(e.right), there(e.left), there(e.right)
    if not e.union:
        return f"{has_x} and {has_y}", f"{op}({x}, {y})"
    if e.fills is not None:
        left, right = (f"{v} if {h} else {bound(n)}" for h, v, n in zip((has_x, has_y), (x, y), e.fills, strict=True))
        return f"{has_x} or {has_y}", f"{op}({left}, {right})"
    one = f"{functions.cast(x, e.left.dtype, e.dtype)} if {has_x} else {functions.cast(y, e.right.dtype, e.dtype)}"
    return f"{has_x} or {has_y}", f"({op}({x}, {y}) if {has_x} and {has_y} else ({one}))"


def mapped(e: Mapped, functions: Functions) -> tuple[str, str]:
    x, of = value_of(e.of), e.of.dtype
    if e.bound is None:
        return there(e.of), f"{functions.add(e.op, (of,), e.dtype)}({x})"
    number = bound(e.bound)
    if isinstance(e.op, IndexUnaryOp):
        return there(e.of), f"{functions.add(e.op, (of, e.bound.dtype), e.dtype)}({x}, i, 0, {number})"
    pair, operands = (
        ((e.bound.dtype, of), f"{number}, {x}") if e.bound_left else ((of, e.bound.dtype), f"{x}, {number}")
    )
    return there(e.of), f"{functions.add(e.op, pair, e.dtype)}({operands})"


def term_of(term: Term, functions: Functions) -> tuple[str, str]:
    """When a term has an entry at place i, and its value."""
    if isinstance(term, Held):
        return there(term), value_of(term)
    if isinstance(term, Product):
        return f"(here >> {FOUND_BIT} & 1)", "product[i]"
    if isinstance(term, Number):
        return "True", bound(term)
    if isinstance(term, RoundNumber):
        return "True", functions.cast("turn", INT64, term.dtype)
    if isinstance(term, Selected):
        op = functions.add(term.op, (term.of.dtype, term.thunk.dtype))
        return f"{there(term.of)} and {op}({value_of(term.of)}, i, 0, {bound(term.thunk)})", value_of(term.of)
    return merged(term, functions) if isinstance(term, Merged) else mapped(term, functions)


def allows(mask: MaskOf | None, value: str) -> str:
    """Whether a mask, whose entry has that value, lets place i be written."""
    if mask is None:
        return "True"
    inside = there(mask) if mask.structural else f"({there(mask)} and {value} != 0)"
    return f"not {inside}" if mask.complement else inside


def statement(s: Statement, functions: Functions) -> list[str]:
    """Z = C ⊙ T or T at place i; then C keeps Z where the mask allows, and without replace its old entry elsewhere."""
    entry, value = term_of(s.term, functions)
    bit, dtype = 1 << s.out.slot, s.out.dtype
    z = functions.cast(value, s.term.dtype, dtype)
    if s.accum is not None:
        z = f"{functions.add(s.accum, (dtype, dtype), dtype)}({value_of(s.out)}, {z}) if {there(s.out)} else {z}"
    allowed = allows(s.mask, value_of(s.mask)) if s.mask else "True"
    lines = [f"if {allowed}:", f"    if {entry}:", f"        {value_of(s.out)} = {z}", f"        here |= {bit}"]
    lines += [] if s.accum else ["    else:", f"        here &= ~{bit}"]
    return [*lines, "else:", f"    here &= ~{bit}"] if s.replace and s.mask else lines


def place(statements: Sequence[Statement], functions: Functions, slots: int) -> str:
    """Statements at place i; the bits of the slots after them, and the entries of each slot counted."""
    lines = [line for s in statements for line in statement(s, functions)]
    return "\n".join(
        [
            "was = np.int64(has[i])",
            f"here = was & {(1 << FOUND_BIT + 1) - 1}",
            *lines,
            f"here &= {(1 << FOUND_BIT) - 1}",
            f"if here != was & {(1 << FOUND_BIT) - 1}:",
            f"    for slot in range({slots}):",
            "        counts[slot] += (here >> slot & 1) - (was >> slot & 1)",
        ]
    )


def unpacked(name: str, one: str, count: int) -> str:
    """The parts of a tuple under names of their own."""
    return f"{''.join(f'{one}{place}, ' for place in range(count))} = {name}" if count else ""


@dataclass(frozen=True)
class LoopText:
    """What stands before the template, and what its lines `unpack()`, `before()` and `after()` mean."""

    functions: str
    parts: dict[str, str]


def body_text(body: Body, numbers: int) -> LoopText:
    """The semiring, the statements, and the constants of `kernels/loop.py`."""
    functions, kept, mask, slots = Functions(), kept_slots(body), body.mask, len(body.types)
    parts = {
        "unpack": "\n".join([unpacked("held", "x", slots), unpacked("numbers", "n", numbers)]),
        "before": place(body.before, functions, slots),
        "after": place(body.after, functions, slots),
    }
    constants = {
        "FLIP": body.flip,
        "SLOTS": slots,
        "OPERAND": body.operand,
        "LIVE": -1 if body.live is None else body.live,
        "MASKED": mask is not None,
        "CLOSED": 0 if mask is None else mask.slot,
        "COMPLEMENT": mask is not None and mask.complement,
        "EARLY": body.early,
        "STARTS": bool(body.before),
        "EVERYWHERE": kept is None,
        "KEPT": sum(1 << slot for slot in kept or ()),
        "IN_ORDER": body.out.kind == "f" and body.semiring.add.name not in ORDERLESS,
        "ROW_FLAG": ROW_FLAG,
        "PULL_ADVANTAGE": PULL_ADVANTAGE,
    }
    vector = body.types[body.operand]
    pair = (vector, body.matrix) if body.flip else (body.matrix, vector)
    texts = [
        render_semiring(body.semiring, *pair, body.out),
        *functions.texts,
        f"def allows(here, value):\n    return {allows(mask, 'value')}\n",
        "".join(f"{name} = {value}\n" for name, value in constants.items()),
    ]
    return LoopText("\n\n".join(texts), parts)
