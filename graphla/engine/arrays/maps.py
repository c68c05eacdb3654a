"""What the statements of a map load, store and use, for those who write it in a language."""

from __future__ import annotations

from graphla.planning.loops.phases import Map
from graphla.planning.loops.terms import Entry, EntryAt, FoldBeside, Store
from graphla.planning.loops.uses import find_slots, find_uses, walk
from semirings.dtypes import DType


def find_loads(phase: Map) -> list[int]:
    """The slots whose values are read, or kept in places, before a statement stores one at each index."""
    fresh, loads = set[int](), set[int]()
    for step in phase.steps:
        loads |= find_uses(step)[0] - fresh
        if isinstance(step, FoldBeside):
            fresh.add(step.out.slot)
        if isinstance(step, Store):
            whole = step.mask is True and step.present is True and step.accum is None
            loads |= set[int]() if whole else {step.out.slot} - fresh
            fresh.add(step.out.slot)
    return sorted(loads)


def find_flagged(phase: Map) -> list[int]:
    """The slots whose flags a map writes."""
    return sorted({step.out.slot for step in phase.steps if isinstance(step, (Store, FoldBeside)) and step.flags})


def find_stored(phase: Map) -> list[int]:
    """The slots that a map writes at its own index."""
    return sorted({step.out.slot for step in phase.steps if isinstance(step, (Store, FoldBeside))})


def list_used(phase: Map) -> tuple[int, ...]:
    """The slots whose values or flags a map reads or writes."""
    slots = {slot for step in phase.steps for each in find_slots(step) for slot in each}
    return tuple(sorted(slots))


def list_types(phase: Map) -> dict[int, DType]:
    """The dtype of each slot that a map reads or writes, at any index."""
    return {part.slot: part.dtype for part in walk(phase.steps) if isinstance(part, (Entry, EntryAt))}
