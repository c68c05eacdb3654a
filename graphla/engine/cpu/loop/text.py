"""Write the body of a loop as Python for Numba: its statements at index i, and the constants of the template.

`here` has one presence bit per slot. The values are in the dense arrays x0, x1, …, the bound numbers in n0, n1, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from graphla.engine.arrays.change_bounds import PRODUCT, bound_changes
from graphla.engine.arrays.terms import Language
from graphla.planning.loops.kernel_body import Body, NumberTerm, SlotMask, SlotTerm, Statement
from graphla.planning.plan import PULL_ADVANTAGE, ROW_FLAG
from semirings.dtypes import INT64, DType
from semirings.operators import ScalarOp
from semirings.python import render_function, render_semiring

FOUND_BIT = 6  # kernels/loop.py
ORDERLESS = ("any", "min", "max")
"""Monoids whose floating-point reductions do not depend on the order."""


def find_active_slots(body: Body) -> tuple[int, ...] | None:
    """Find the smallest set of slots such that a round changes nothing at an index without an entry in any of them.

    The product has no entry at such an index either. None if there is no such set.
    """
    statements, slots = (*body.before, *body.after), len(body.types)
    for count in range(1, slots + 1):
        for chosen in combinations(range(slots), count):
            if body.operand in chosen and not bound_changes(statements, slots, {*chosen, PRODUCT}).possible:
                return chosen
    return None


@dataclass
class Functions(Language):
    """Python syntax; each operator that the statements call becomes a function."""

    always, both, either = "True", "and", "or"
    product = f"(here >> {FOUND_BIT} & 1)", "product[i]"
    texts: list[str] = field(default_factory=list)

    def write_value(self, held: SlotTerm | SlotMask) -> str:
        return f"x{held.slot}[i]"

    def write_presence(self, held: SlotTerm | SlotMask) -> str:
        return write_presence(held)

    def write_number(self, number: NumberTerm) -> str:
        return f"n{number.index}"

    def write_round(self, dtype: DType) -> str:
        return self.write_cast("round_number", INT64, dtype)

    def write_choice(self, condition: str, value: str, otherwise: str) -> str:
        return f"({value} if {condition} else {otherwise})"

    def write_call(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        name = f"op{len(self.texts)}"
        self.texts.append(render_function(op, name, given, out))
        return f"{name}({', '.join(operands)})"


def write_presence(held: SlotTerm | SlotMask) -> str:
    return f"(here >> {held.slot} & 1)"


def write_mask_test(mask: SlotMask | None, value: str) -> str:
    """Write whether a mask, whose entry has the given value, allows index i."""
    if mask is None:
        return "True"
    inside = write_presence(mask) if mask.structural else f"({write_presence(mask)} and {value} != 0)"
    return f"not {inside}" if mask.complement else inside


def write_statement(s: Statement, functions: Functions) -> list[str]:
    """Write a statement at index i: Z = C ⊙ T or T; C gets Z if the mask allows i, else keeps its old entry or none."""
    entry, value = functions.write_term(s.term)
    bit, dtype, old = 1 << s.out.slot, s.out.dtype, functions.write_value(s.out)
    z = functions.write_cast(value, s.term.dtype, dtype)
    if s.accum is not None:
        z = functions.write_choice(
            write_presence(s.out), functions.write_call(s.accum, (dtype, dtype), dtype, old, z), z
        )
    allowed = write_mask_test(s.mask, functions.write_value(s.mask)) if s.mask else "True"
    lines = [f"if {allowed}:", f"    if {entry}:", f"        {old} = {z}", f"        here |= {bit}"]
    lines += [] if s.accum else ["    else:", f"        here &= ~{bit}"]
    return [*lines, "else:", f"    here &= ~{bit}"] if s.replace and s.mask else lines


def write_statements(statements: Sequence[Statement], functions: Functions, slots: int) -> str:
    """Write statements at index i, the presence bits after them, and the update of each slot's number of entries."""
    lines = [line for s in statements for line in write_statement(s, functions)]
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


def write_unpacking(name: str, one: str, count: int) -> str:
    """Write the unpacking of a tuple into numbered names."""
    return f"{''.join(f'{one}{place}, ' for place in range(count))} = {name}" if count else ""


@dataclass(frozen=True)
class LoopText:
    """The text before the template, and the texts for its lines `unpack()`, `before()` and `after()`."""

    functions: str
    parts: dict[str, str]


def write_body(body: Body, numbers: int) -> LoopText:
    """Write the semiring, the statements and the constants of `kernels/loop.py`."""
    functions, active, mask, slots = Functions(), find_active_slots(body), body.mask, len(body.types)
    parts = {
        "unpack": "\n".join([write_unpacking("values_of", "x", slots), write_unpacking("numbers", "n", numbers)]),
        "before": write_statements(body.before, functions, slots),
        "after": write_statements(body.after, functions, slots),
    }
    constants = {
        "FLIP": body.flip,
        "SLOTS": slots,
        "OPERAND": body.operand,
        "LIVE": -1 if body.live is None else body.live,
        "MASKED": mask is not None,
        "MASK_SLOT": 0 if mask is None else mask.slot,
        "COMPLEMENT": mask is not None and mask.complement,
        "EARLY": body.early,
        "STARTS": bool(body.before),
        "EVERYWHERE": active is None,
        "ACTIVE": sum(1 << slot for slot in active or ()),
        "IN_ORDER": body.out.kind == "f" and body.semiring.add.name not in ORDERLESS,
        "ROW_FLAG": ROW_FLAG,
        "PULL_ADVANTAGE": PULL_ADVANTAGE,
    }
    vector = body.types[body.operand]
    pair = (vector, body.matrix) if body.flip else (body.matrix, vector)
    texts = [
        render_semiring(body.semiring, *pair, body.out),
        *functions.texts,
        f"def allows(here, value):\n    return {write_mask_test(mask, 'value')}\n",
        "".join(f"{name} = {value}\n" for name, value in constants.items()),
    ]
    return LoopText("\n\n".join(texts), parts)
