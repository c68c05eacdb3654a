"""The statements of a map, and the end of one, as CUDA C++: the struct `Round` of rounds.cuh."""

from __future__ import annotations

from functools import lru_cache

from graphla.engine.arrays.rounds_terms import FullLanguage, find_flagged, find_loads, find_stored, list_slots
from graphla.engine.cuda.loop.text import Structs, function
from graphla.engine.cuda.rendered import render_over_semiring
from graphla.planning.loops.rounds_body import (
    Cell,
    Constant,
    Finish,
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
from semirings import Monoid, Semiring, binary
from semirings.dtypes import DType


class FullStructs(FullLanguage, Structs):
    """C++ syntax; the value of slot k at i is xk, its flag ek."""

    def write_constant(self, constant: Constant) -> str:
        return f"s.template constant<{constant.dtype.c}>({constant.index})"

    def write_cell(self, cell: Cell) -> str:
        return f"s.template cell<{cell.dtype.c}>({cell.index})"

    def write_round(self, dtype: DType) -> str:
        return f"static_cast<{dtype.c}>(s.round())"

    def write_place(self, at: FullTerm, size: int) -> str:
        return f"s.place({self.write_full(at)}, {size})"

    def write_entry_at(self, slot: int, dtype: DType, place: str) -> str:
        return f"s.template value<{dtype.c}>({slot}, {place})"

    def write_flag(self, slot: int, place: str) -> str:
        return f"s.has({slot}, {place})"

    def write_quotient(self, stride: int) -> str:
        return f"(i / {stride})"

    def write_not(self, condition: str) -> str:
        return f"!({condition})"

    def write_monoid(self, monoid: Monoid, dtype: DType) -> str:
        """Add the struct of a monoid, and return its name."""
        name = f"M{len(self.texts)}"
        adds = Semiring(monoid.name, monoid, binary.first)
        text = render_over_semiring(adds, dtype, dtype, dtype)
        self.texts.append(text.replace("struct S {", f"struct {name} {{", 1))
        return name


def write_sums(folds: tuple[Fold, ...], language: FullStructs) -> str:
    """The sums of a thread, what a block leaves of them, and how they are completed."""
    names = [language.write_monoid(fold.monoid, fold.cell.dtype) for fold in folds]
    held = "".join(f"    Sum<{name}> f{k};\n" for k, name in enumerate(names))
    leaves, completes = [], []
    for k, fold in enumerate(folds):
        partial = f"s.template partial<{fold.cell.dtype.c}>({k})"
        total = [f"f{k}.over_block();", "if (threadIdx.x == 0) %s;"]
        leaves += [total[0], total[1] % f"{partial}[blockIdx.x] = f{k}.total"]
        completes += [
            f"for (int b = threadIdx.x; b < blocks; b += blockDim.x) f{k}.take({partial}[b]);",
            total[0],
            total[1] % f"s.set_cell({fold.cell.index}, f{k}.total)",
        ]
    methods = [
        ("leave(const Slots& s)", leaves),
        ("complete(const Slots& s, int blocks)", completes),
    ]
    text = "".join(
        f"    template <class Slots>\n    __device__ __forceinline__ void {head} {{\n"
        + "".join(f"      {line}\n" for line in lines)
        + "    }\n"
        for head, lines in methods
    )
    return f"  template <template <class> class Sum>\n  struct Sums {{\n{held}{text}  }};\n"


@lru_cache(maxsize=1024)
def write_map(phase: Map, idle: tuple[int, ...] = ()) -> str:
    """The struct of a map; where no flag of the slots `idle` is set, it has nothing to do."""
    language, types, flagged = FullStructs(), list_slots(phase), find_flagged(phase)
    language.begin(phase)
    loads, inside = find_loads(phase), language.write_inside()
    lines = [] if inside is None else [f"    if (!({inside})) return;"]
    lines += [f"    {types[slot].c} x{slot} = s.template value<{types[slot].c}>({slot}, i);" for slot in loads]
    lines += [f"    bool e{slot} = s.has({slot}, i);" for slot in flagged]
    lines += [f"    {types[slot].c} x{slot}{{}};" for slot in find_stored(phase) if slot not in loads]
    lines += [write_step(step, phase, language) for step in phase.steps]
    lines += [f"    s.template at<{types[slot].c}>({slot})[i] = x{slot};" for slot in find_stored(phase)]
    lines += [f"    s.set_flag({slot}, i, e{slot});" for slot in flagged]
    at = "  template <class Slots, class Sums>\n" + function(
        "at", "const Slots& s, int i, [[maybe_unused]] Sums& sums", "\n".join(lines)
    )
    sums = write_sums(phase.folds, language)
    held = " || ".join(f"s.any_flag({slot}, i)" for slot in idle) or "true"
    active = f"  static constexpr bool skips = {'true' if idle else 'false'};\n  template <class Slots>\n" + function(
        "active", "[[maybe_unused]] const Slots& s, [[maybe_unused]] int i", f"    return {held};", "bool"
    )
    return "".join(language.texts) + f"struct Round {{\n{sums}{active}\n{at}\n}};\n"


def write_step(step: MapStep, phase: Map, language: FullStructs) -> str:
    """A statement at index i."""
    if isinstance(step, Fold):
        value = language.write_cast(language.write_full(step.term), step.term.dtype, step.cell.dtype)
        return write_if(language.write_condition(step.present), f"sums.f{phase.folds.index(step)}.take({value});")
    if isinstance(step, Scatter):
        slot, dtype = step.out.slot, step.out.dtype
        value = language.write_cast(language.write_full(step.term), step.term.dtype, dtype)
        place = language.write_place(step.out.at, step.out.size)
        line = f"s.template join<{language.write_monoid(step.monoid, dtype)}>({slot}, {place}, {value});"
        condition = language.write_condition(step.present)
    elif isinstance(step, Put):
        return write_put(step, language)
    elif isinstance(step, FoldBeside):
        return write_beside(step, language)
    elif isinstance(step, Require):
        return f"    if (!{language.write_full(step.term)}) s.note_repeated();"
    elif step.flags:
        return write_flagged(step, language)
    else:
        line = f"x{step.out.slot} = {language.write_stored(step)};"
        condition = language.write_condition(step.mask, step.present)
    return write_if(condition, line)


def write_put(step: Put, language: FullStructs) -> str:
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


def write_beside(step: FoldBeside, language: FullStructs) -> str:
    """Write the fold of the cells of a vertex."""
    out, of, dtype, stride = step.out.slot, step.of.slot, step.out.dtype, step.layout.stride
    name = language.write_monoid(step.monoid, dtype)
    value = language.write_cast(f"s.template value<{step.of.dtype.c}>({of}, i * {stride} + j)", step.of.dtype, dtype)
    line = f"x{out} = {name}::add(x{out}, {value});"
    line = f"if (s.has({of}, i * {stride} + j)) {{ {line} e{out} = true; }}" if step.flags else line
    start = f"x{out} = {name}::identity();" + (f" e{out} = false;" if step.flags else "")
    return f"    {start}\n    for (int j = 0; j < {step.layout.width}; ++j) {line}"


def write_if(condition: str | None, line: str) -> str:
    """Write a statement under a condition."""
    return f"    {line}" if condition is None else f"    if ({condition}) {line}"


def write_flagged(step: Store, language: FullStructs) -> str:
    """Write a statement that gives and takes entries."""
    slot = step.out.slot
    none = f"e{slot} = false;"
    line = f"{{ x{slot} = {language.write_stored(step)}; e{slot} = true; }}"
    present, mask = language.write_condition(step.present), language.write_condition(step.mask)
    if present is not None:
        line = f"if ({present}) {line}" + ("" if step.accum else f" else {none}")
    if mask is not None:
        line = f"if ({mask}) {{ {line} }}" + (f" else {none}" if step.replace else "")
    return f"    {line}"


@lru_cache(maxsize=1024)
def write_finish(phase: Finish, condition: int | None) -> str:
    """The struct of the end of a map; `condition` is the cell that tells whether another round follows."""
    language = FullStructs()
    sums = write_sums(phase.folds, language)
    lines = []
    for step in phase.cells:
        value = language.write_cast(language.write_full(step.term), step.term.dtype, step.cell.dtype)
        lines.append(f"    s.template set_cell<{step.cell.dtype.c}>({step.cell.index}, {value});")
    wanted = "true" if condition is None else f"s.template cell<bool>({condition})"
    if phase.ends or any(step.cell.index == condition for step in phase.cells):
        lines.append(f"    s.decide({wanted}, {int(phase.ends)});")
    finish = "  template <class Slots>\n" + function("finish", "[[maybe_unused]] const Slots& s", "\n".join(lines))
    return "".join(language.texts) + f"struct Round {{\n{sums}{finish}\n}};\n"
