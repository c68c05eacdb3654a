"""Write the statements of a loop at index i as CUDA C++."""

from __future__ import annotations

from collections.abc import Sequence

from graphla.engine.arrays.terms import Language
from graphla.engine.cuda.rendered import render_over_operator, render_over_semiring
from graphla.planning.loops.terms import Cell, Constant, FoldBeside, Put, Require, Scatter, Store, Term
from semirings import Monoid, Semiring, binary
from semirings.dtypes import DType
from semirings.operators import ScalarOp


class Cpp(Language):
    """C++ syntax; each operator that is called becomes a struct of its own name.

    The value of slot k at i is xk; of slots whose flags are written ek is the one at i.
    """

    always, both, either = "true", "&&", "||"

    def write_entry(self, slot: int) -> str:
        return f"x{slot}"

    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        return f"s.template value<{dtype.c}>({slot}, {place})"

    def write_flag(self, slot: int) -> str:
        return f"e{slot}" if slot in self.flagged else self.write_flag_at(slot, "i")

    def write_flag_at(self, slot: int, place: str) -> str:
        return f"s.has({slot}, {place})"

    def write_gain(self, slot: int) -> str:
        """Write that a slot has an entry at i from now on."""
        return f"e{slot} = true;"

    def write_loss(self, slot: int) -> str:
        """Write that a slot has no entry at i from now on."""
        return f"e{slot} = false;"

    def write_place(self, at: Term, size: int) -> str:
        return f"s.place({self.write_term(at)}, {size})"

    def write_constant(self, constant: Constant) -> str:
        return f"s.template constant<{constant.dtype.c}>({constant.index})"

    def write_cell(self, cell: Cell) -> str:
        return f"s.template cell<{cell.dtype.c}>({cell.index})"

    def write_round(self, dtype: DType) -> str:
        return f"static_cast<{dtype.c}>(s.round())"

    def write_quotient(self, stride: int) -> str:
        return f"(i / {stride})"

    def write_not(self, condition: str) -> str:
        return f"!({condition})"

    def write_choice(self, condition: str, value: str, otherwise: str) -> str:
        return f"({condition} ? {value} : {otherwise})"

    def write_call(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        name = f"Op{len(self.texts)}"
        self.texts.append(render_over_operator(op, tuple(given), out).replace("struct Op {", f"struct {name} {{", 1))
        return f"{name}::apply({', '.join(operands)})"

    def write_monoid(self, monoid: Monoid, dtype: DType) -> str:
        """Add the struct of a monoid, and return its name."""
        name = f"M{len(self.texts)}"
        adds = Semiring(monoid.name, monoid, binary.first)
        text = render_over_semiring(adds, dtype, dtype, dtype)
        self.texts.append(text.replace("struct S {", f"struct {name} {{", 1))
        return name


def write_function(name: str, parameters: str, body: str, result: str = "void", over: str = "") -> str:
    """Write a function of a struct, a template `over` what is named."""
    template = f"  template <{over}>\n" if over else ""
    return f"{template}  static __device__ __forceinline__ {result} {name}({parameters}) {{\n{body}\n  }}"


def write_if(condition: str | None, line: str) -> str:
    """Write a statement under a condition."""
    return f"    {line}" if condition is None else f"    if ({condition}) {line}"


def write_statement(step: Store | Scatter | Put | Require | FoldBeside, language: Cpp) -> str:
    """Write a statement."""
    if isinstance(step, Scatter):
        return write_scatter(step, language)
    if isinstance(step, Put):
        return write_put(step, language)
    if isinstance(step, FoldBeside):
        return write_beside(step, language)
    if isinstance(step, Require):
        return f"    if (!{language.write_term(step.term)}) s.note_repeated();"
    if step.flags:
        return write_flagged(step, language)
    line = f"{language.write_entry(step.out.slot)} = {language.write_stored(step)};"
    return write_if(language.write_condition(step.mask, step.present), line)


def write_flagged(step: Store, language: Cpp) -> str:
    """Write a statement that gives and takes entries."""
    slot = step.out.slot
    none = language.write_loss(slot)
    line = f"{{ {language.write_entry(slot)} = {language.write_stored(step)}; {language.write_gain(slot)} }}"
    present, mask = language.write_condition(step.present), language.write_condition(step.mask)
    if present is not None:
        line = f"if ({present}) {line}" + ("" if step.accum else f" else {none}")
    if mask is not None:
        line = f"if ({mask}) {{ {line} }}" + (f" else {none}" if step.replace else "")
    return f"    {line}"


def write_scatter(step: Scatter, language: Cpp) -> str:
    """Write what joins a value with the one at its position."""
    slot, dtype = step.out.slot, step.out.dtype
    value, place = language.write_term(step.term, dtype), language.write_place(step.out.at, step.out.size)
    line = f"s.template join<{language.write_monoid(step.monoid, dtype)}>({slot}, {place}, {value});"
    return write_if(language.write_condition(step.present), line)


def write_put(step: Put, language: Cpp) -> str:
    """Write what gives a position a value, or takes its entry."""
    slot, dtype = step.out.slot, step.out.dtype
    value = language.write_stored(step, f"s.template value<{dtype.c}>({slot}, q)")
    line = f"s.template at<{dtype.c}>({slot})[q] = {value};"
    line = f"{{ {line} s.set_flag({slot}, q, true); }}" if step.flags else line
    present, mask = language.write_condition(step.present), language.write_condition(step.mask)
    if present is not None:
        removes = step.flags and step.accum is None
        line = f"if ({present}) {line}" + (f" else s.set_flag({slot}, q, false);" if removes else "")
    inner = f"{{ const int q = {language.write_place(step.out.at, step.out.size)}; {line} }}"
    return write_if(mask, inner)


def write_beside(step: FoldBeside, language: Cpp) -> str:
    """Write the fold of the cells of a vertex."""
    out, of, dtype, stride = step.out.slot, step.of.slot, step.out.dtype, step.layout.stride
    name = language.write_monoid(step.monoid, dtype)
    value = language.write_cast(f"s.template value<{step.of.dtype.c}>({of}, i * {stride} + j)", step.of.dtype, dtype)
    line = f"x{out} = {name}::add(x{out}, {value});"
    line = f"if (s.has({of}, i * {stride} + j)) {{ {line} e{out} = true; }}" if step.flags else line
    start = f"x{out} = {name}::identity();" + (f" e{out} = false;" if step.flags else "")
    return f"    {start}\n    for (int j = 0; j < {step.layout.width}; ++j) {line}"
