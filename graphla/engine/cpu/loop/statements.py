"""Write the statements of a loop at index i as Python for Numba."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphla.engine.arrays.terms import Language
from graphla.planning.loops.terms import Cell, Constant, FoldBeside, Put, Require, Scatter, Store, Term
from semirings.dtypes import INT64, DType
from semirings.operators import ScalarOp
from semirings.python import render_function, render_literal


class Python(Language):
    """Python syntax; each operator that is called becomes a function.

    The value of slot k at i is xk, its arrays are vk and hk; of slots whose flags are written ek is the one at i. u is
    i without a sign.
    """

    always, both, either = "True", "and", "or"

    def write_entry(self, slot: int) -> str:
        return f"x{slot}"

    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        return f"v{slot}[{place}]"

    def write_flag(self, slot: int) -> str:
        return f"e{slot}" if slot in self.flagged else self.write_flag_at(slot, "u")

    def write_flag_at(self, slot: int, place: str) -> str:
        return f"h{slot}[{place}]"

    def write_gain(self, slot: int) -> str:
        """Write that a slot has an entry at i from now on."""
        return f"e{slot} = True"

    def write_loss(self, slot: int) -> str:
        """Write that a slot has no entry at i from now on."""
        return f"e{slot} = False"

    def write_place(self, at: Term, size: int) -> str:
        return f"place({self.write_term(at)}, {size}, wrong)"

    def write_constant(self, constant: Constant) -> str:
        return f"n{constant.index}"

    def write_cell(self, cell: Cell) -> str:
        return f"c{cell.index}[0]"

    def write_round(self, dtype: DType) -> str:
        return self.write_cast("round_number", INT64, dtype)

    def write_quotient(self, stride: int) -> str:
        return f"(i // {stride})"

    def write_not(self, condition: str) -> str:
        return f"(not {condition})"

    def write_choice(self, condition: str, value: str, otherwise: str) -> str:
        return f"({value} if {condition} else {otherwise})"

    def write_call(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        name = f"op{len(self.texts)}"
        self.texts.append(render_function(op, name, given, out))
        return f"{name}({', '.join(operands)})"


@dataclass(frozen=True)
class LoopText:
    """The text before a template, and the texts for lines of it that are calls of their names."""

    functions: str
    parts: dict[str, str]


def write_unpacking(name: str, names: Sequence[str]) -> str:
    """Write the unpacking of a tuple into names."""
    return f"{''.join(f'{each}, ' for each in names)} = {name}" if names else ""


def write_if(condition: str | None, lines: list[str], otherwise: str | None = None) -> list[str]:
    """Write statements under a condition, and one for where it does not hold."""
    if condition is None:
        return lines
    rest = [] if otherwise is None else ["else:", f"    {otherwise}"]
    return [f"if {condition}:", *(f"    {line}" for line in lines), *rest]


def write_statement(step: Store | Scatter | Put | Require | FoldBeside, language: Python) -> list[str]:
    """Write a statement."""
    if isinstance(step, Scatter):
        return write_scatter(step, language)
    if isinstance(step, Put):
        return write_put(step, language)
    if isinstance(step, FoldBeside):
        return write_beside(step, language)
    if isinstance(step, Require):
        return [f"if not {language.write_term(step.term)}:", "    wrong[1] = True"]
    if step.flags:
        return write_flagged(step, language)
    line = f"{language.write_entry(step.out.slot)} = {language.write_stored(step)}"
    return write_if(language.write_condition(step.mask, step.present), [line])


def write_flagged(step: Store, language: Python) -> list[str]:
    """Write a statement that gives and takes entries."""
    slot = step.out.slot
    lines = [f"{language.write_entry(slot)} = {language.write_stored(step)}", language.write_gain(slot)]
    none = language.write_loss(slot)
    inner = write_if(language.write_condition(step.present), lines, None if step.accum else none)
    return write_if(language.write_condition(step.mask), inner, none if step.replace else None)


def write_scatter(step: Scatter, language: Python) -> list[str]:
    """Write what joins a value with the one at its position."""
    slot, dtype = step.out.slot, step.out.dtype
    z = language.write_term(step.term, dtype)
    joined = language.write_call(step.monoid.op, (dtype, dtype), dtype, f"v{slot}[q]", z)
    lines = [f"q = {language.write_place(step.out.at, step.out.size)}", f"joined = {joined}"]
    lines += [f"if joined != v{slot}[q]:", f"    v{slot}[q] = joined"]
    return write_if(language.write_condition(step.present), lines)


def write_put(step: Put, language: Python) -> list[str]:
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


def write_beside(step: FoldBeside, language: Python) -> list[str]:
    """Write the fold of the cells of a vertex."""
    out, of, dtype, stride = step.out.slot, step.of.slot, step.out.dtype, step.layout.stride
    value = language.write_cast(f"v{of}[u * {stride} + j]", step.of.dtype, dtype)
    joined = [f"x{out} = {language.write_call(step.monoid.op, (dtype, dtype), dtype, f'x{out}', value)}"]
    start = [f"x{out} = {render_literal(step.monoid.identity(dtype), dtype)}"]
    if step.flags:
        start.append(f"e{out} = False")
        joined = [f"if h{of}[u * {stride} + j]:", *(f"    {line}" for line in [*joined, f"e{out} = True"])]
    return [*start, f"for j in range(np.uint64({step.layout.width})):", *(f"    {line}" for line in joined)]
