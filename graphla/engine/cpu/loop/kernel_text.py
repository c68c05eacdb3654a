"""Write the body of a loop as Python for Numba: its statements at index i, and the constants of the template.

`here` has one presence bit per slot. The values are in the dense arrays x0, x1, …, the bound numbers in n0, n1, …
"""

from __future__ import annotations

from collections.abc import Sequence

from graphla.engine.arrays.idle_cells import find_fewest
from graphla.engine.cpu.loop.statements import LoopText, Python, write_flagged, write_unpacking
from graphla.planning.loops.kernel import PRODUCT, KernelBody
from graphla.planning.loops.terms import SlotMask, Store
from graphla.planning.plan import PULL_ADVANTAGE, ROW_FLAG
from semirings.python import render_semiring

FOUND_BIT = 6  # kernels/loop.py
ORDERLESS = ("any", "min", "max")
"""Monoids whose floating-point reductions do not depend on the order."""


def find_active_slots(body: KernelBody) -> tuple[int, ...] | None:
    """Find the smallest set of slots such that a round changes nothing at an index without an entry in any of them.

    The product has no entry at such an index either. None if there is no such set.
    """
    slots = range(len(body.types))
    return find_fewest((*body.before, *body.after), slots, len(slots), body.operand)


class BitPython(Python):
    """Python syntax over presence bits."""

    def write_entry(self, slot: int) -> str:
        return "product[i]" if slot == PRODUCT else f"x{slot}[i]"

    def write_flag(self, slot: int) -> str:
        return f"(here >> {FOUND_BIT if slot == PRODUCT else slot} & 1)"

    def write_gain(self, slot: int) -> str:
        return f"here |= {1 << slot}"

    def write_loss(self, slot: int) -> str:
        return f"here &= ~{1 << slot}"


def write_mask_test(mask: SlotMask | None) -> str:
    """Write whether a mask, whose entry is `value`, allows index i."""
    if mask is None:
        return "True"
    present = f"(here >> {mask.slot} & 1)"
    inside = present if mask.structural else f"({present} and value != 0)"
    return f"not {inside}" if mask.complement else inside


def write_statements(statements: Sequence[Store], language: Python, slots: int) -> str:
    """Write statements at index i, the presence bits after them, and the update of each slot's number of entries."""
    lines = [line for s in statements for line in write_flagged(s, language)]
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


def write_body(body: KernelBody, numbers: int) -> LoopText:
    """Write the semiring, the statements and the constants of `kernels/loop.py`."""
    language, active, mask, slots = BitPython(), find_active_slots(body), body.mask, len(body.types)
    unpacking = {"values_of": [f"x{k}" for k in range(slots)], "numbers": [f"n{k}" for k in range(numbers)]}
    parts = {
        "unpack": "\n".join([write_unpacking(*each) for each in unpacking.items()]),
        "before": write_statements(body.before, language, slots),
        "after": write_statements(body.after, language, slots),
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
    texts = [
        render_semiring(body.semiring, *body.factors, body.out),
        *language.texts,
        f"def allows(here, value):\n    return {write_mask_test(mask)}\n",
        "".join(f"{name} = {value}\n" for name, value in constants.items()),
    ]
    return LoopText("\n\n".join(texts), parts)
