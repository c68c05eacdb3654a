"""The body of a loop as CUDA C++: the struct `Body`, whose functions run the statements at one place.

Presence is a bit of `has` for each slot, values stand in memory. `touched_…` tells from words of 32 presence bits where
a statement can change anything at all, so that a round looks at nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphla.engine.arrays.idle_cells import may_change
from graphla.engine.cuda.loop.statements import Cpp, write_flagged, write_function
from graphla.engine.cuda.rendered import render_over_semiring
from graphla.planning.loops.kernel import PRODUCT, KernelBody
from graphla.planning.loops.terms import Constant, Presence, SlotMask, Store
from graphla.planning.loops.uses import find_uses, walk
from graphla.planning.plan import reads_nothing
from semirings.dtypes import DType

EVERYWHERE = "~0u"


class BitCpp(Cpp):
    """C++ syntax over presence bits."""

    def write_entry(self, slot: int) -> str:
        return "product" if slot == PRODUCT else f"x{slot}"

    def write_flag(self, slot: int) -> str:
        return "found" if slot == PRODUCT else f"(has >> {slot} & 1u)"

    def write_gain(self, slot: int) -> str:
        return f"has |= {1 << slot}u; stores |= {1 << slot}u;"

    def write_loss(self, slot: int) -> str:
        return f"has &= ~{1 << slot}u;"

    def write_constant(self, constant: Constant) -> str:
        return f"s.template bound<{constant.dtype.c}>({constant.index})"

    def write_round(self, dtype: DType) -> str:
        return f"static_cast<{dtype.c}>(round)"


# --- words of 32 presence bits


def make_words(slots: int) -> dict[int, str]:
    """The words of each slot, and of the product."""
    return {slot: f"h[{slot}]" for slot in range(slots)} | {PRODUCT: "t"}


def meet(left: str, right: str) -> str:
    return right if left == EVERYWHERE else left if right in (left, EVERYWHERE) else f"({left} & {right})"


def join(left: str, right: str) -> str:
    return EVERYWHERE if EVERYWHERE in (left, right) else left if left == right else f"({left} | {right})"


def bound_presence(p: Presence, may: dict[int, str]) -> str:
    """Bound where there can be entries: where there are, if that depends on neither values nor what has none."""
    if p is True or p[0] in ("true", "not"):
        return EVERYWHERE
    if p[0] == "slot":
        return may[p[1]]
    return (meet if p[0] == "and" else join)(bound_presence(p[1], may), bound_presence(p[2], may))


def bound_changes(statements: Sequence[Store], slots: int) -> str:
    """Bound where the statements, run one after the other, can change anything."""
    may, found = make_words(slots), list[str]()
    for s in statements:
        out, mask = may[s.out.slot], bound_presence(s.mask, may)
        given = meet(bound_presence(s.present, may), mask)
        found += [given, *([] if s.accum else [meet(out, mask)]), *([out] if s.replace else [])]
        may[s.out.slot] = join(out, given)
    return " | ".join(dict.fromkeys(found)) or "0u"


def is_structural(statements: Sequence[Store]) -> bool:
    """Whether where entries are, after the statements, depends on where entries are alone."""
    return not any(
        part[:1] == ("true",) for s in statements for part in walk((s.present, s.mask)) if type(part) is tuple
    )


def write_words(statements: Sequence[Store], slots: int) -> str:
    """Structural statements over whole words: new presence bits in `h`, and where values are stored."""
    lines, words = ["    unsigned stored = 0;"], make_words(slots)
    for s in statements:
        complement, inner = (s.mask[0] == "not", s.mask[1]) if isinstance(s.mask, tuple) else (False, True)
        inside = f"~{bound_presence(inner, words)}" if complement else bound_presence(s.mask, words)
        out, given = words[s.out.slot], bound_presence(s.present, words)
        kept = "0u" if s.replace else f"{out} & ~mask"
        lines += [
            f"    {{\n      const unsigned mask = ({inside}) & inside, given = {given} & mask;",
            f"      {out} = {f'({out} & mask) | given' if s.accum else 'given'} | ({kept});",
            "      stored |= given;\n    }",
        ]
    return "\n".join([*lines, "    return stored;"])


def rotates(body: KernelBody) -> bool:
    """Whether what stands before the product may run with what stands after the last one, be there a next round or not.

    It may where it changes nothing once the slot that keeps the loop going is empty.
    """
    return not any(may_change(s, (body.live,)) for s in body.before)


def is_sparse(body: KernelBody) -> bool:
    """Whether a round changes nothing but where the operand has entries or gets a product.

    Then a round with few of them need not look at all words.
    """
    absent = body.operand, PRODUCT
    return (
        body.live == body.operand
        and rotates(body)
        and not any(may_change(s, absent) for s in (*body.after, *body.before))
    )


# --- statements at one place


def write_mask_test(mask: SlotMask | None, present: str, value: str) -> str:
    """Whether a mask lets place i be written, decided by the presence and the value of its entry."""
    if mask is None:
        return "true"
    inside = present if mask.structural else f"({present} && {value} != 0)"
    return f"!{inside}" if mask.complement else inside


def find_loads(statements: Sequence[Store]) -> set[int]:
    """The slots whose values are read before a statement has given a new one to every entry that is left."""
    fresh, found = {PRODUCT}, set[int]()
    for s in statements:
        found |= find_uses(s)[0] - fresh
        if s.accum is None and (s.mask is True or s.replace):
            fresh.add(s.out.slot)
    return found


def write_place(statements: Sequence[Store], types: Sequence[DType], language: Cpp) -> str:
    """Statements at place i: values are loaded together, computed with, and stored."""
    loads, written = find_loads(statements), {s.out.slot for s in statements}
    at = {slot: f"s.template at<{types[slot].c}>({slot})[i]" for slot in loads | written}
    lines = [f"    {types[slot].c} x{slot}{{}};" for slot in sorted(loads | written)]
    lines += [f"    if (has >> {slot} & 1u) x{slot} = {at[slot]};" for slot in sorted(loads)]
    lines += ["    unsigned stores = 0;"] if statements else []
    lines += [write_flagged(s, language) for s in statements]
    lines += [f"    if (stores >> {k} & 1u) {at[k]} = x{k};" for k in sorted(written)]
    return "\n".join(lines)


def body_text(body: KernelBody) -> str:
    """The semiring `S` and the struct `Body`."""
    language, slots, mask = BitCpp(), len(body.types), body.mask
    before, after = (write_place(part, body.types, language) for part in (body.before, body.after))
    value = f"s.template at<{body.types[mask.slot].c}>({mask.slot})[i]" if mask else ""
    allowed = write_mask_test(mask, f"bit_test(s.words_of({mask.slot}), i)" if mask else "", value)
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
        "bool sparse": "true" if is_sparse(body) else "false",
        "bool structural_before": "true" if is_structural(body.before) else "false",
        "bool structural_after": "true" if is_structural(body.after) else "false",
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
    words, new = "const unsigned* h", "unsigned* h, unsigned t, unsigned inside"
    here, over = "const Slots& s, int i, int round, unsigned& has", "class Slots"
    words_before, words_after = (
        write_words(part if is_structural(part) else (), slots) for part in (body.before, body.after)
    )
    bound_before, bound_after = (f"    return {bound_changes(part, slots)};" for part in (body.before, body.after))
    lines += [
        write_function("allows", "const Slots& s, int i", f"    return {allowed};", "bool", over),
        write_function("may", "const Slots& s, int word", f"    return {may};", "unsigned", over),
        write_function("put", put, puts, over=over),
        write_function("words_before", new, words_before, "unsigned"),
        write_function("words_after", new, words_after, "unsigned"),
        write_function("touched_before", words, bound_before, "unsigned"),
        write_function("touched_after", f"{words}, unsigned t", bound_after, "unsigned"),
        write_function("before", here, before, over=over),
        write_function("after", f"{here}, bool found, C product", after, over="class Slots, class C"),
    ]
    semiring = render_over_semiring(body.semiring, *body.factors, body.out)
    return semiring + "".join(language.texts) + "struct Body {\n" + "\n".join(lines) + "\n};\n"
