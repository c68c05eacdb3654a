"""Find entries that tell at which indices the statements of a loop change nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any

from graphla.planning.loops.kernel import PRODUCT
from graphla.planning.loops.phases import Map
from graphla.planning.loops.terms import FoldBeside, Presence, Put, Require, Store
from graphla.planning.loops.uses import list_flags, list_parts

MOST_FLAGS = 3
"""Flags that are looked at to skip a cell: more of them cost as much as they save."""


def find_idle_flags(phase: Map, flagged: Collection[int]) -> tuple[int, ...]:
    """Return the fewest slots without whose flags at a cell no statement changes anything there; () if there are none.

    Only slots of `flagged` are looked at, whose arrays of flags stay where they are.
    """
    if any(isinstance(step, (Put, Require, FoldBeside)) for step in phase.steps):
        return ()
    found = {slot for step in phase.steps for part in list_parts(step) for slot, away in list_flags(part) if not away}
    stored = {step.out.slot for step in phase.steps if isinstance(step, Store) and step.flags}
    return find_fewest(phase.steps, sorted((found | stored) & set(flagged)), MOST_FLAGS) or ()


def find_fewest(steps: Sequence[Any], slots: Sequence[int], most: int, needed: int | None = None) -> Any:
    """The fewest slots, `needed` among them, without entries of which statements change nothing at an index.

    The product has no entry there, either. None if there are none.
    """
    for count in range(1, min(most, len(slots)) + 1):
        for chosen in combinations(slots, count):
            absent = {*chosen, PRODUCT}
            if (needed is None or needed in chosen) and not any(may_change(step, absent) for step in steps):
                return chosen
    return None


def may_change(step: Any, absent: Collection[int | None]) -> bool:
    """Whether a statement can change something where none of some slots has an entry."""
    comes = may_hold(step.present, absent)
    if not isinstance(step, Store):
        return comes
    held = may_hold(step.mask, absent)
    if held and comes:
        return True
    removes = step.flags and ((step.accum is None and held) or step.replace)
    return removes and step.out.slot not in absent


def may_hold(p: Presence, absent: Collection[int | None]) -> bool:
    """Whether there can be an entry where none of some slots has one."""
    if p is True or p[0] == "true":
        return True
    if p[0] == "slot":
        return p[1] not in absent
    if p[0] == "and":
        return may_hold(p[1], absent) and may_hold(p[2], absent)
    return p[0] != "or" or may_hold(p[1], absent) or may_hold(p[2], absent)
