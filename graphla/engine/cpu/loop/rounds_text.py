"""Write the statements of a map as Python for Numba."""

from __future__ import annotations

from graphla.engine.arrays.rounds_terms import FullLanguage, find_flagged, find_loads, find_stored, list_used
from graphla.engine.cpu.loop.text import Functions, LoopText, write_unpacking
from graphla.planning.loops.rounds_body import (
    Cell,
    Constant,
    Fold,
    FoldBeside,
    FullTerm,
    Map,
    MapStep,
    Put,
    Require,
    Scatter,
    Store,
)
from semirings.dtypes import DType
from semirings.python import render_literal

WORD = 8
"""Flags that are looked at together."""
PIECE = 1 << 15
"""Indices of which the sums are one partial sum."""


class FullFunctions(FullLanguage, Functions):
    """Python syntax: values of slot k at i in xk, its flag in ek, its arrays in vk and hk; u is i without a sign."""

    index = "u"

    def write_constant(self, constant: Constant) -> str:
        return f"n{constant.index}"

    def write_cell(self, cell: Cell) -> str:
        return f"c{cell.index}[0]"

    def write_place(self, at: FullTerm, size: int) -> str:
        return f"place({self.write_full(at)}, {size}, wrong)"

    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        return f"v{slot}[{place}]"

    def write_flag(self, slot: int, place: str) -> str:
        return f"h{slot}[{place}]"

    def write_quotient(self, stride: int) -> str:
        return f"(i // {stride})"

    def write_not(self, condition: str) -> str:
        return f"(not {condition})"


def write_map(phase: Map, constants: int, cells: int, idle: tuple[int, ...]) -> LoopText:
    """Write the text before the template, and the texts for its lines; `idle` are flags that tell what to skip."""
    language, flagged = FullFunctions(), find_flagged(phase)
    language.begin(phase)
    inside = language.write_inside()
    lines = [] if inside is None else [f"if not ({inside}):", "    continue"]
    lines += [f"x{slot} = v{slot}[u]" for slot in find_loads(phase)]
    lines += [f"e{slot} = h{slot}[u]" for slot in flagged]
    for step in phase.steps:
        lines += write_step(step, phase, language)
    lines += [f"v{slot}[u] = x{slot}" for slot in find_stored(phase)]
    lines += [f"h{slot}[u] = e{slot}" for slot in flagged]
    folds = phase.folds
    unpacking = [("constants", "n", constants), ("cells", "c", cells), ("words", "w", len(idle))]
    unpacking.append(("partials", "p", len(folds)))
    slots = [write_slots(name, one, list_used(phase)) for name, one in (("values", "v"), ("present", "h"))]
    parts = {
        "unpack": "\n".join([*slots, *(write_unpacking(*each) for each in unpacking)]),
        "idle": write_idle(len(idle)),
        "begin": "\n".join(f"f{k} = {write_identity(fold)}" for k, fold in enumerate(folds)) or "pass",
        "at": "\n".join(lines),
        "end": "\n".join(f"p{k}[piece] = f{k}" for k in range(len(folds))) or "pass",
    }
    constants_of = f"PIECE = {PIECE}\nSTEP = {WORD if idle else PIECE}\n"
    return LoopText("\n\n".join([*language.texts, constants_of]), parts)


def write_slots(name: str, one: str, slots: tuple[int, ...]) -> str:
    """Write the unpacking of a tuple into names by slots."""
    return f"{''.join(f'{one}{slot}, ' for slot in slots)} = {name}" if slots else ""


def write_idle(count: int) -> str:
    """Skip a word of flags none of which is set."""
    held = " | ".join(f"w{k}[start >> 3]" for k in range(count))
    return f"if ({held}) == 0:\n    continue" if count else "pass"


def write_identity(fold: Fold) -> str:
    return render_literal(fold.monoid.identity(fold.cell.dtype), fold.cell.dtype)


def write_step(step: MapStep, phase: Map, language: FullFunctions) -> list[str]:
    """Write a statement."""
    if isinstance(step, Fold):
        k, dtype = phase.folds.index(step), step.cell.dtype
        z = language.write_cast(language.write_full(step.term), step.term.dtype, dtype)
        line = f"f{k} = {language.write_call(step.monoid.op, (dtype, dtype), dtype, f'f{k}', z)}"
        return write_if(language.write_condition(step.present), [line])
    if isinstance(step, Scatter):
        return write_scatter(step, language)
    if isinstance(step, Put):
        return write_put(step, language)
    if isinstance(step, FoldBeside):
        return write_beside(step, language)
    if isinstance(step, Require):
        return [f"if not {language.write_full(step.term)}:", "    wrong[1] = True"]
    if step.flags:
        return write_flagged(step, language)
    line, condition = (
        f"x{step.out.slot} = {language.write_stored(step)}",
        language.write_condition(step.mask, step.present),
    )
    return write_if(condition, [line])


def write_if(condition: str | None, lines: list[str], otherwise: str | None = None) -> list[str]:
    """Write statements under a condition, and one for where it does not hold."""
    if condition is None:
        return lines
    rest = [] if otherwise is None else ["else:", f"    {otherwise}"]
    return [f"if {condition}:", *(f"    {line}" for line in lines), *rest]


def write_flagged(step: Store, language: FullFunctions) -> list[str]:
    """Write a statement that gives and takes entries."""
    slot = step.out.slot
    lines, none = [f"x{slot} = {language.write_stored(step)}", f"e{slot} = True"], f"e{slot} = False"
    inner = write_if(language.write_condition(step.present), lines, None if step.accum else none)
    return write_if(language.write_condition(step.mask), inner, none if step.replace else None)


def write_scatter(step: Scatter, language: FullFunctions) -> list[str]:
    """Write what joins a value with the one at its position."""
    slot, dtype = step.out.slot, step.out.dtype
    z = language.write_cast(language.write_full(step.term), step.term.dtype, dtype)
    joined = language.write_call(step.monoid.op, (dtype, dtype), dtype, f"v{slot}[q]", z)
    lines = [f"q = {language.write_place(step.out.at, step.out.size)}", f"joined = {joined}"]
    lines += [f"if joined != v{slot}[q]:", f"    v{slot}[q] = joined"]
    return write_if(language.write_condition(step.present), lines)


def write_put(step: Put, language: FullFunctions) -> list[str]:
    """Write what gives a position a value, or takes its entry."""
    slot = step.out.slot
    value = language.write_stored(step, f"v{slot}[q]")
    lines = [f"v{slot}[q] = {value}", *([f"h{slot}[q] = True"] if step.flags else [])]
    none = f"h{slot}[q] = False" if step.flags and step.accum is None else None
    inner = [
        f"q = {language.write_place(step.out.at, step.out.size)}",
        *write_if(language.write_condition(step.present), lines, none),
    ]
    return write_if(language.write_condition(step.mask), inner)


def write_beside(step: FoldBeside, language: FullFunctions) -> list[str]:
    """Write the fold of the cells of a vertex."""
    out, of, dtype, stride = step.out.slot, step.of.slot, step.out.dtype, step.layout.stride
    value = language.write_cast(f"v{of}[u * {stride} + j]", step.of.dtype, dtype)
    joined = [f"x{out} = {language.write_call(step.monoid.op, (dtype, dtype), dtype, f'x{out}', value)}"]
    start = [f"x{out} = {render_literal(step.monoid.identity(dtype), dtype)}"]
    if step.flags:
        start.append(f"e{out} = False")
        joined = [f"if h{of}[u * {stride} + j]:", *(f"    {line}" for line in [*joined, f"e{out} = True"])]
    return [*start, f"for j in range(np.uint64({step.layout.width})):", *(f"    {line}" for line in joined)]
