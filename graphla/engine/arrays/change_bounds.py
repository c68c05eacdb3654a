"""Bound where the statements of a loop's body can change anything, as expressions over words of 32 presence bits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graphla.planning.loops.kernel_body import ApplyTerm, EwiseTerm, ProductTerm, SelectTerm, SlotTerm, Statement, Term


@dataclass(frozen=True)
class Words:
    """An upper bound of the entries: an expression over words of bits, and whether it can be nonzero."""

    text: str
    possible: bool

    def __or__(self, other: Words) -> Words:
        return self if self == other else Words(f"({self.text} | {other.text})", self.possible or other.possible)

    def __and__(self, other: Words) -> Words:
        return self if self == other else Words(f"({self.text} & {other.text})", self.possible and other.possible)


EVERYWHERE = Words("~0u", True)
NOWHERE = Words("0u", False)
PRODUCT = -1
"""The slot number of the product."""


def make_slot_words(slots: int, empty: Collection[int | None]) -> dict[int, Words]:
    """Return the words of each slot and of the product; those in `empty` are known to have no entries."""
    held = {slot: Words(f"h[{slot}]", slot not in empty) for slot in range(slots)}
    return held | {PRODUCT: Words("t", PRODUCT not in empty)}


def bound_term(term: Term, may: dict[int, Words]) -> Words:
    """Bound where a term can have entries."""
    if isinstance(term, SlotTerm):
        return may[term.slot]
    if isinstance(term, ProductTerm):
        return may[PRODUCT]
    if isinstance(term, EwiseTerm):
        left, right = may[term.left.slot], may[term.right.slot]
        return left | right if term.union else left & right
    return may[term.of.slot] if isinstance(term, ApplyTerm | SelectTerm) else EVERYWHERE


def bound_changes(statements: Sequence[Statement], slots: int, empty: Collection[int | None] = ()) -> Words:
    """Bound where the statements, run one after the other, can change anything."""
    may, total = make_slot_words(slots, empty), NOWHERE
    for s in statements:
        mask = may[s.mask.slot] if s.mask and not s.mask.complement else EVERYWHERE
        out, given = may[s.out.slot], bound_term(s.term, may) & mask
        goes = NOWHERE if s.accum else out & mask
        total = total | given | goes | (out if s.replace else NOWHERE)
        may[s.out.slot] = out | given
    return total
