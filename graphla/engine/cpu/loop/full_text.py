"""Write the statements of a map over full vectors as Python for Numba."""

from __future__ import annotations

from graphla.engine.arrays.full_terms import FullLanguage, find_loads, find_stored, list_slots
from graphla.engine.cpu.loop.text import Functions, LoopText, write_unpacking
from graphla.planning.full_body import Cell, Constant, Fold, FullTerm, Map, Scatter, Store
from semirings.dtypes import DType
from semirings.python import render_literal

PIECE = 1 << 15
"""Indices of which the sums are one partial sum."""


class FullFunctions(FullLanguage, Functions):
    """Python syntax: values of slot k at i in xk, its array in vk, its flags in hk; u is i without a sign."""

    index = "u"

    def write_constant(self, constant: Constant) -> str:
        return f"n{constant.index}"

    def write_cell(self, cell: Cell) -> str:
        return f"c{cell.index}[0]"

    def write_place(self, at: FullTerm, size: int) -> str:
        return f"place({self.write_full(at)}, {size}, misplaced)"

    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        return f"v{slot}[{place}]"

    def write_flag(self, slot: int, place: str) -> str:
        return f"h{slot}[{place}]"

    def write_not(self, condition: str) -> str:
        return f"(not {condition})"


def write_map(phase: Map, slots: int, constants: int, cells: int) -> LoopText:
    """Write the text before the template, and the texts for its lines."""
    language = FullFunctions()
    lines = [f"x{slot} = v{slot}[u]" for slot in find_loads(phase)]
    for step in phase.steps:
        lines += write_step(step, phase, language)
    lines += [f"v{slot}[u] = x{slot}" for slot in find_stored(phase)]
    folds = phase.folds
    unpacking = [("values", "v", slots), ("present", "h", slots), ("constants", "n", constants), ("cells", "c", cells)]
    parts = {
        "unpack": "\n".join([write_unpacking(*each) for each in (*unpacking, ("partials", "p", len(folds)))]),
        "begin": "\n".join(f"f{k} = {write_identity(fold)}" for k, fold in enumerate(folds)) or "pass",
        "at": "\n".join(lines),
        "end": "\n".join(f"p{k}[piece] = f{k}" for k in range(len(folds))) or "pass",
    }
    return LoopText("\n\n".join([*language.texts, f"PIECE = {PIECE}\n"]), parts)


def write_identity(fold: Fold) -> str:
    return render_literal(fold.monoid.identity(fold.cell.dtype), fold.cell.dtype)


def write_step(step: Store | Scatter | Fold, phase: Map, language: FullFunctions) -> list[str]:
    """Write a statement."""
    if isinstance(step, Fold):
        k, dtype = phase.folds.index(step), step.cell.dtype
        z = language.write_cast(language.write_full(step.term), step.term.dtype, dtype)
        return [f"f{k} = {language.write_call(step.monoid.op, (dtype, dtype), dtype, f'f{k}', z)}"]
    if isinstance(step, Scatter):
        return write_scatter(step, language)
    line, condition = (
        f"x{step.out.slot} = {language.write_stored(step)}",
        language.write_condition(step.mask, step.present),
    )
    return [line] if condition is None else [f"if {condition}:", f"    {line}"]


def write_scatter(step: Scatter, language: FullFunctions) -> list[str]:
    """Write what joins a value with the one at its position."""
    slot, dtype = step.out.slot, step.out.dtype
    z = language.write_cast(language.write_full(step.term), step.term.dtype, dtype)
    joined = language.write_call(step.monoid.op, (dtype, dtype), dtype, f"v{slot}[q]", z)
    lines = [f"q = {language.write_place(step.out.at, step.out.size)}", f"joined = {joined}"]
    lines += [f"if joined != v{slot}[q]:", f"    v{slot}[q] = joined"]
    condition = language.write_condition(step.present)
    return lines if condition is None else [f"if {condition}:", *(f"    {line}" for line in lines)]


def list_used(phase: Map) -> list[int]:
    """The slots that a map uses."""
    return sorted(list_slots(phase))
