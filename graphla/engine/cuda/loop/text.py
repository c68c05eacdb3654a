"""The body of a loop as CUDA C++: the struct `Body`, whose functions run the statements at one place.

Presence is a bit of `has` for each slot, values stand in memory. `touched_…` tells from words of 32 presence bits where
a statement can change anything at all, so that a round looks at nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphla.engine.arrays.change_bounds import PRODUCT, bound_changes, bound_term, make_slot_words
from graphla.engine.arrays.terms import Language
from graphla.engine.cuda.rendered import render_over_operator, render_over_semiring
from graphla.planning.loops.kernel_body import (
    ApplyTerm,
    Body,
    EwiseTerm,
    NumberTerm,
    SelectTerm,
    SlotMask,
    SlotTerm,
    Statement,
)
from graphla.planning.plan import reads_nothing
from semirings.dtypes import DType
from semirings.operators import ScalarOp


def structural(statements: Sequence[Statement]) -> bool:
    """Whether where entries are, after the statements, depends on where entries are alone."""
    return all(not isinstance(s.term, SelectTerm) and (s.mask is None or s.mask.structural) for s in statements)


def by_words(statements: Sequence[Statement], slots: int) -> str:
    """Structural statements over whole words: new presence bits in `h`, and where values are stored."""
    lines = ["    unsigned stored = 0;"]
    for s in statements:
        may = make_slot_words(slots, ())
        inside = f"{'~' if s.mask.complement else ''}h[{s.mask.slot}]" if s.mask else "~0u"
        out, given = f"h[{s.out.slot}]", bound_term(s.term, may).text
        kept = "0u" if s.replace else f"{out} & ~mask"
        lines += [
            f"    {{\n      const unsigned mask = ({inside}) & inside, given = {given} & mask;",
            f"      {out} = {f'({out} & mask) | given' if s.accum else 'given'} | ({kept});",
            "      stored |= given;\n    }",
        ]
    return "\n".join([*lines, "    return stored;"])


def rotates(body: Body) -> bool:
    """Whether what stands before the product may run with what stands after the last one, be there a next round or not.

    It may where it changes nothing once the slot that keeps the loop going is empty.
    """
    return not bound_changes(body.before, len(body.types), (body.live,)).possible


def sparse(body: Body) -> bool:
    """Whether a round changes nothing but where the operand has entries or gets a product.

    Then a round with few of them need not look at all words.
    """
    found = bound_changes((*body.after, *body.before), len(body.types), (body.operand, PRODUCT))
    return body.live == body.operand and rotates(body) and not found.possible


@dataclass
class Structs(Language):
    """The operators that the statements apply, each a struct of its own name."""

    always, both, either = "true", "&&", "||"
    product = "found", "product"
    texts: list[str] = field(default_factory=list)

    def write_value(self, held: SlotTerm | SlotMask) -> str:
        return f"x{held.slot}"

    def write_presence(self, held: SlotTerm | SlotMask) -> str:
        return f"(has >> {held.slot} & 1u)"

    def write_number(self, number: NumberTerm) -> str:
        return f"s.template bound<{number.dtype.c}>({number.index})"

    def write_round(self, dtype: DType) -> str:
        return f"static_cast<{dtype.c}>(round)"

    def write_choice(self, condition: str, value: str, otherwise: str) -> str:
        return f"({condition} ? {value} : {otherwise})"

    def write_call(self, op: ScalarOp, given: Sequence[DType], out: DType | None, *operands: str) -> str:
        name = f"Op{len(self.texts)}"
        self.texts.append(render_over_operator(op, tuple(given), out).replace("struct Op {", f"struct {name} {{", 1))
        return f"{name}::apply({', '.join(operands)})"


def allows(mask: SlotMask | None, present: str, value: str) -> str:
    """Whether a mask lets place i be written, decided by the presence and the value of its entry."""
    if mask is None:
        return "true"
    inside = present if mask.structural else f"({present} && {value} != 0)"
    return f"!{inside}" if mask.complement else inside


def statement(s: Statement, structs: Structs) -> str:
    """Z = C ⊙ T or T at place i; then C keeps Z where the mask allows, and without replace its old entry elsewhere."""
    entry, value = structs.write_term(s.term)
    bit, dtype, old = 1 << s.out.slot, s.out.dtype, structs.write_value(s.out)
    z = structs.write_cast(value, s.term.dtype, dtype)
    if s.accum is not None:
        z = structs.write_choice(
            structs.write_presence(s.out), structs.write_call(s.accum, (dtype, dtype), dtype, old, z), z
        )
    allowed = allows(s.mask, structs.write_presence(s.mask), structs.write_value(s.mask)) if s.mask else "true"
    absent = "" if s.accum else f" else {{\n        has &= ~{bit}u;\n      }}"
    outside = f" else {{\n      has &= ~{bit}u;\n    }}" if s.replace else ""
    gets = f"        {old} = {z};\n        has |= {bit}u;\n        stores |= {bit}u;\n"
    return f"    if ({allowed}) {{\n      if ({entry}) {{\n{gets}      }}{absent}\n    }}{outside}"


def read_by(s: Statement) -> set[int]:
    """The slots whose values a statement reads."""
    term = s.term
    of = {EwiseTerm: ("left", "right"), ApplyTerm: ("of",), SelectTerm: ("of",)}.get(type(term), ())
    slots = {getattr(term, part).slot for part in of} | ({term.slot} if isinstance(term, SlotTerm) else set())
    if s.mask is not None and not s.mask.structural:
        slots.add(s.mask.slot)
    return slots | ({s.out.slot} if s.accum is not None else set())


def write_loads(statements: Sequence[Statement]) -> set[int]:
    """The slots whose values are read before a statement has given a new one to every entry that is left."""
    fresh, found = set[int](), set[int]()
    for s in statements:
        found |= read_by(s) - fresh
        if s.accum is None and (s.mask is None or s.replace):
            fresh.add(s.out.slot)
    return found


def place(statements: Sequence[Statement], types: Sequence[DType], structs: Structs) -> str:
    """Statements at place i: values are loaded together, computed with, and stored."""
    loads, written = write_loads(statements), {s.out.slot for s in statements}
    at = {slot: f"s.template at<{types[slot].c}>({slot})[i]" for slot in loads | written}
    lines = [f"    {types[slot].c} x{slot}{{}};" for slot in sorted(loads | written)]
    lines += [f"    if (has >> {slot} & 1u) x{slot} = {at[slot]};" for slot in sorted(loads)]
    lines += ["    unsigned stores = 0;"] if statements else []
    lines += [statement(s, structs) for s in statements]
    lines += [f"    if (stores >> {k} & 1u) {at[k]} = x{k};" for k in sorted(written)]
    return "\n".join(lines)


def function(name: str, parameters: str, body: str, result: str = "void") -> str:
    return f"  static __device__ __forceinline__ {result} {name}({parameters}) {{\n{body}\n  }}"


def body_text(body: Body) -> str:
    """The semiring `S` and the struct `Body`."""
    structs, slots = Structs(), len(body.types)
    vector = body.types[body.operand]
    pair = (vector, body.matrix) if body.flip else (body.matrix, vector)
    before, after = (place(part, body.types, structs) for part in (body.before, body.after))
    mask = body.mask
    value = f"s.template at<{body.types[mask.slot].c}>({mask.slot})[i]" if mask else ""
    allowed = allows(mask, f"bit_test(s.words_of({mask.slot}), i)" if mask else "", value)
    constants = {
        "int slots": slots,
        "int operand": body.operand,
        "int live": -1 if body.live is None else body.live,
        "int closed": -1 if mask is None else mask.slot,
        "bool complement": "true" if mask and mask.complement else "false",
        "unsigned written": f"{sum(1 << slot for slot in body.written_slots)}u",
        "bool constant": "true" if body.semiring.add.is_any and reads_nothing(body.semiring.multiply) else "false",
        "bool early": "true" if body.early else "false",
        "bool starts": "true" if body.before else "false",
        "bool sparse": "true" if sparse(body) else "false",
        "bool structural_before": "true" if structural(body.before) else "false",
        "bool structural_after": "true" if structural(body.after) else "false",
        "bool exact": "true" if mask is None or mask.structural else "false",
        "bool rotates": "true" if rotates(body) else "false",
    }
    lines = [f"  static constexpr {name} = {value};" for name, value in constants.items()]
    may = "~0u" if mask is None else f"s.words_of({mask.slot})[word]"
    if mask is not None and mask.complement:
        may = f"~{may}" if mask.structural else "~0u"
    puts = "\n".join(
        f"    if (slot == {k}) s.template at<{t.c}>({k})[i] = same_bits<{t.c}>(static_cast<Word<{t.c}>>(bits));"
        for k, t in enumerate(body.types)
    )
    put = "const Slots& s, int slot, int i, unsigned long long bits"
    words, new, here = (
        "const unsigned* h",
        "unsigned* h, unsigned t, unsigned inside",
        "const Slots& s, int i, int round, unsigned& has",
    )
    after_bound = bound_changes(body.after, slots).text
    lines += [
        "  template <class Slots>\n" + function("allows", "const Slots& s, int i", f"    return {allowed};", "bool"),
        "  template <class Slots>\n" + function("may", "const Slots& s, int word", f"    return {may};", "unsigned"),
        "  template <class Slots>\n" + function("put", put, puts),
        function("words_before", new, by_words(body.before if structural(body.before) else (), slots), "unsigned"),
        function("words_after", new, by_words(body.after if structural(body.after) else (), slots), "unsigned"),
        function("touched_before", words, f"    return {bound_changes(body.before, slots).text};", "unsigned"),
        function("touched_after", f"{words}, unsigned t", f"    return {after_bound};", "unsigned"),
        "  template <class Slots>\n" + function("before", here, before),
        "  template <class Slots, class C>\n" + function("after", f"{here}, bool found, C product", after),
    ]  # fmt: skip
    semiring = render_over_semiring(body.semiring, *pair, body.out)
    return semiring + "".join(structs.texts) + "struct Body {\n" + "\n".join(lines) + "\n};\n"
