"""The body of a loop as Python for Numba: its statements at place i, and what a round needs beside them.

Presence is a bit of `here` for each slot, values stand in arrays x0, x1, … of every place, bound numbers in n0, n1, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from graphla.engine.arrays.terms import Language
from graphla.engine.arrays.touched import PRODUCT, touched
from graphla.planning.loop_body import Body, NumberTerm, SlotMask, SlotTerm, Statement
from graphla.planning.plan import PULL_ADVANTAGE, ROW_FLAG
from semirings.dtypes import INT64, DType
from semirings.operators import ScalarOp
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
class Functions(Language):
    """The operators that the statements apply, each a function of its own name."""

    always, both, either = "True", "and", "or"
    product = f"(here >> {FOUND_BIT} & 1)", "product[i]"
    texts: list[str] = field(default_factory=list)

    def value_of(self, held: SlotTerm | SlotMask) -> str:
        return f"x{held.slot}[i]"

    def there(self, held: SlotTerm | SlotMask) -> str:
        return there(held)

    def bound(self, number: NumberTerm) -> str:
        return f"n{number.index}"

    def turn(self, dtype: DType) -> str:
        return self.cast("turn", INT64, dtype)

    def choose(self, condition: str, value: str, otherwise: str) -> str:
        return f"({value} if {condition} else {otherwise})"

    def apply(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        name = f"op{len(self.texts)}"
        self.texts.append(render_function(op, name, given, out))
        return f"{name}({', '.join(operands)})"


def there(held: SlotTerm | SlotMask) -> str:
    return f"(here >> {held.slot} & 1)"


def allows(mask: SlotMask | None, value: str) -> str:
    """Whether a mask, whose entry has that value, lets place i be written."""
    if mask is None:
        return "True"
    inside = there(mask) if mask.structural else f"({there(mask)} and {value} != 0)"
    return f"not {inside}" if mask.complement else inside


def statement(s: Statement, functions: Functions) -> list[str]:
    """Z = C ⊙ T or T at place i; then C keeps Z where the mask allows, and without replace its old entry elsewhere."""
    entry, value = functions.term(s.term)
    bit, dtype, old = 1 << s.out.slot, s.out.dtype, functions.value_of(s.out)
    z = functions.cast(value, s.term.dtype, dtype)
    if s.accum is not None:
        z = functions.choose(there(s.out), functions.apply(s.accum, (dtype, dtype), dtype, old, z), z)
    allowed = allows(s.mask, functions.value_of(s.mask)) if s.mask else "True"
    lines = [f"if {allowed}:", f"    if {entry}:", f"        {old} = {z}", f"        here |= {bit}"]
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
