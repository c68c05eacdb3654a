"""The statements of a map, and the end of one, as CUDA C++: the struct `Round` of rounds.cuh."""

from __future__ import annotations

from functools import lru_cache

from graphla.engine.arrays.maps import find_flagged, find_loads, find_stored, list_types
from graphla.engine.cuda.loop.statements import Cpp, write_function, write_if, write_statement
from graphla.planning.loops.phases import Finish, Map
from graphla.planning.loops.terms import Fold


def write_sums(folds: tuple[Fold, ...], language: Cpp) -> str:
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
    types, flagged, folds = list_types(phase), find_flagged(phase), phase.folds
    language = Cpp(phase.layout, flagged)
    loads, inside = find_loads(phase), language.write_inside()
    lines = [] if inside is None else [f"    if (!({inside})) return;"]
    lines += [f"    {types[slot].c} x{slot} = s.template value<{types[slot].c}>({slot}, i);" for slot in loads]
    lines += [f"    bool e{slot} = s.has({slot}, i);" for slot in flagged]
    lines += [f"    {types[slot].c} x{slot}{{}};" for slot in find_stored(phase) if slot not in loads]
    for step in phase.steps:
        fold = isinstance(step, Fold)
        lines.append(write_fold(step, folds.index(step), language) if fold else write_statement(step, language))
    lines += [f"    s.template at<{types[slot].c}>({slot})[i] = x{slot};" for slot in find_stored(phase)]
    lines += [f"    s.set_flag({slot}, i, e{slot});" for slot in flagged]
    at = write_function(
        "at", "const Slots& s, int i, [[maybe_unused]] Sums& sums", "\n".join(lines), over="class Slots, class Sums"
    )
    sums = write_sums(folds, language)
    held = " || ".join(f"s.any_flag({slot}, i)" for slot in idle) or "true"
    unused = "[[maybe_unused]] const Slots& s, [[maybe_unused]] int i"
    active = f"  static constexpr bool skips = {'true' if idle else 'false'};\n"
    active += write_function("active", unused, f"    return {held};", "bool", "class Slots")
    return "".join(language.texts) + f"struct Round {{\n{sums}{active}\n{at}\n}};\n"


def write_fold(step: Fold, k: int, language: Cpp) -> str:
    """Write what adds to sum k."""
    line = f"sums.f{k}.take({language.write_term(step.term, step.cell.dtype)});"
    return write_if(language.write_condition(step.present), line)


@lru_cache(maxsize=1024)
def write_finish(phase: Finish, condition: int | None) -> str:
    """The struct of the end of a map; `condition` is the cell that tells whether another round follows."""
    language = Cpp()
    sums = write_sums(phase.folds, language)
    lines = []
    for step in phase.cells:
        value = language.write_term(step.term, step.cell.dtype)
        lines.append(f"    s.template set_cell<{step.cell.dtype.c}>({step.cell.index}, {value});")
    wanted = "true" if condition is None else f"s.template cell<bool>({condition})"
    if phase.ends or any(step.cell.index == condition for step in phase.cells):
        lines.append(f"    s.decide({wanted}, {int(phase.ends)});")
    finish = write_function("finish", "[[maybe_unused]] const Slots& s", "\n".join(lines), over="class Slots")
    return "".join(language.texts) + f"struct Round {{\n{sums}{finish}\n}};\n"
