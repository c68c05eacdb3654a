"""What terms and statements of a loop read and write: slots, their flags, and cells."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from graphla.planning.loops.terms import (
    Cell,
    Constant,
    Entry,
    EntryAt,
    Fold,
    FoldBeside,
    MapStep,
    Part,
    Put,
    Require,
    Scatter,
    Store,
)
from semirings.dtypes import INT64


@cache
def list_names(kind: type[Any]) -> tuple[str, ...]:
    """The names of the fields of a part."""
    return tuple(each.name for each in fields(kind))


def walk(part: Any) -> Iterator[Any]:
    """A term, a statement or where it has entries, and all parts of it."""
    if isinstance(part, tuple):
        yield part
        for each in part:
            yield from walk(each)
    elif isinstance(part, Part):
        yield part
        for name in list_names(type(part)):
            yield from walk(getattr(part, name))


def list_reads(term: Any) -> Iterator[tuple[int, bool]]:
    """The slots that a term, or where it has entries, reads, and whether at a position of its own."""
    return ((part.slot, isinstance(part, EntryAt)) for part in walk(term) if isinstance(part, (Entry, EntryAt)))


def list_flags(term: Any) -> Iterator[tuple[int, bool]]:
    """The slots whose flags a term, or where it has entries, reads, and whether at a position of its own."""
    presences = (part for part in walk(term) if isinstance(part, tuple) and part[:1] in (("slot",), ("at",)))
    return ((part[1], part[0] == "at") for part in presences)


def list_cells(term: Any) -> Iterator[int]:
    """The cells that a term reads."""
    return (part.index for part in walk(term) if isinstance(part, Cell))


def list_parts(step: MapStep) -> tuple[Any, ...]:
    """The terms that a statement reads, and where they have entries."""
    if isinstance(step, Fold):
        return step.term, step.present
    if isinstance(step, Require):
        return (step.term,)
    if isinstance(step, FoldBeside):
        return (EntryAt(step.of.slot, step.of.dtype, Constant(0, INT64), 1),)  # cells at other positions than i
    if isinstance(step, Scatter):
        return step.term, step.present, step.out.at
    if isinstance(step, Put):
        return step.term, step.present, step.out.at, step.mask
    return step.term, step.present, step.mask, *([step.out] if step.accum is not None else [])


def find_uses(step: MapStep) -> tuple[set[int], set[int], set[int]]:
    """The slots that a statement reads at i, those that it reads at other positions, and the cells."""
    parts = list_parts(step)
    reads = list(list_reads(parts))
    here, away = ({slot for slot, elsewhere in reads if elsewhere is other} for other in (False, True))
    return here, away, set(list_cells(parts))


def find_slots(step: MapStep) -> tuple[set[int], set[int]]:
    """The slots that a statement reads, values or flags, and those that it writes."""
    reads, gathers, _ = find_uses(step)
    flags = {slot for slot, _ in list_step_flags(step)}
    return reads | gathers | flags, set[int]() if isinstance(step, (Fold, Require)) else {step.out.slot}


def list_step_flags(step: MapStep) -> Iterator[tuple[int, bool]]:
    """The slots whose flags a statement reads."""
    for part in (*list_parts(step), *((step.before,) if isinstance(step, Store) else ())):
        yield from list_flags(part)
    if isinstance(step, FoldBeside) and step.flags:
        yield step.of.slot, True


def list_gathers(term: Any) -> set[int]:
    """The slots that a term reads at other positions."""
    return {slot for slot, elsewhere in list_reads(term) if elsewhere}
