"""Kernels that take one struct: a record of Python is matched with the struct by name, and packed for each launch.

A `.cuh` file declares ``struct FusedParameters { … }`` and its kernel takes one by value; the launcher fills a record
of the same name: one that `read_struct` makes from the file, or a ``NamedTuple``. Both name the same members, in any
order; what one of them lacks is an error as soon as the kernel's text is put together. A member may be a struct itself,
and then is a record in the record: its members are told by two names, ``pull.indptr``. Packing costs the host less than
handing CuPy the members one by one.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np

from graphla.engine.cuda.launch import KernelError
from graphla.engine.cuda.records import MEMBER, NESTED, STRUCT, Filler, split_lines

FORMATS = {
    "bool": "?", "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H", "int": "i",
    "unsigned": "I", "long long": "q", "unsigned long long": "Q", "float": "f", "double": "d",
}  # fmt: skip
"""The arithmetic types of C++ as the module `struct` names them; pointers are unsigned integers of eight bytes."""
POINTER = "Q"
SCALARS = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
           "f4": "f", "f8": "d", "c8": "ff", "c16": "dd"}  # fmt: skip
"""The same by the kind and the bytes of a NumPy scalar; a complex one is its two parts."""


@dataclass(frozen=True)
class Member:
    """A member of a struct: the C++ type of its value or of what it points to, and its elements if it is an array."""

    name: str
    type: str
    pointer: bool
    count: int | None
    struct: str = ""
    """The member of the kernel's struct that this one is part of, if it is part of one."""

    @property
    def format(self) -> str | None:
        """One element as `struct` names it; None if its type depends on an argument of a template."""
        return POINTER if self.pointer else FORMATS.get(self.type)


def list_members(text: str, name: str, expression: str) -> tuple[Member, ...]:
    """The members of a struct in a translation unit.

    Raises
    ------
    KernelError
        If there is no such struct, or a line of it is not ``TYPE NAME;``, ``TYPE* NAME;`` or ``TYPE NAME[COUNT];``.
    """
    found = re.search(STRUCT.format(name=name), text, re.MULTILINE | re.DOTALL)
    if not found:
        raise KernelError(f"kernel {expression}: its text has no `struct {name}` for the record {name} to fill")
    where = f"kernel {expression}, struct {name}"
    return tuple(one for line in split_lines(found[1]) for one in parse_line(text, line, where, expression))


def parse_line(text: str, line: str, where: str, expression: str) -> Iterator[Member]:
    """The member that a line of a struct declares, or the members of the struct that it declares."""
    nested = NESTED.fullmatch(line)
    if not nested:
        yield parse_member(text, line, where)
        return
    for one in list_members(text, nested["type"], expression):
        if one.struct:
            raise KernelError(f"{where}: {line!r} holds a struct that holds another, {one.struct}; one may")
        yield replace(one, name=f"{nested['name']}.{one.name}", struct=nested["name"])


def parse_member(text: str, line: str, where: str) -> Member:
    """The member that one line of a struct declares."""
    found = MEMBER.fullmatch(line)
    if not found:
        raise KernelError(f"{where}: {line!r} is not one `TYPE NAME;`, `TYPE* NAME;` or `TYPE NAME[COUNT];`")
    kind = found["type"].removeprefix("const ")
    alias = None if kind in FORMATS else re.search(rf"^using {re.escape(kind)} = ([\w ]+);", text, re.MULTILINE)
    count = parse_number(text, found["count"], where) if found["count"] else None
    return Member(found["name"], alias[1] if alias else kind, bool(found["star"]), count)


def parse_number(text: str, count: str, where: str) -> int:
    """The elements of an array member: a number, or a constant of the text."""
    if count.isdigit():
        return int(count)
    found = re.search(rf"\bconstexpr int (?:[^;\n]*, )?{count} = (\d+)[;,]", text)
    if not found:
        raise KernelError(f"{where}: {count} is no `constexpr int` of the kernel's text")
    return int(found[1])


def check_record(record: type, members: tuple[Member, ...], expression: str) -> None:
    """Refuse a record and a struct that differ in the names of their members, or in what these are.

    Raises
    ------
    KernelError
        With the members that one of them lacks.
    """
    fields = dict(list_fields(record))
    names = [one.name for one in members]
    lacks = ", ".join(name for name in names if name not in fields)
    extra = ", ".join(field for field in fields if field not in names)
    if lacks or extra:
        differ = (f"; the record has no {lacks}" if lacks else "") + (f"; the struct has no {extra}" if extra else "")
        raise KernelError(f"kernel {expression}: record and struct {record.__name__} differ{differ}")
    for one in members:
        kind = fields[one.name]
        if kind == "Any" and one.format is None:
            continue  # an array for one argument of the template, a scalar for another
        if ("Array" in kind) != one.pointer or kind.startswith("tuple") != (one.count is not None):
            what = f"{'a pointer' if one.pointer else 'a value'}{f', {one.count} of them' if one.count else ''}"
            raise KernelError(f"kernel {expression}: {record.__name__}.{one.name} is {what}, not {kind!r}")


def list_fields(record: type) -> Iterator[tuple[str, str]]:
    """The fields of a record and their types, as text; those of a record in it with both names."""
    names = vars(sys.modules[record.__module__]) if isinstance(record, type) else {}
    for field, annotation in record.__annotations__.items():
        kind: Any = getattr(annotation, "__forward_arg__", annotation)
        inner: Any = names.get(kind, kind)
        if hasattr(inner, "_fields"):
            yield from ((f"{field}.{name}", of) for name, of in list_fields(inner))
        else:
            yield field, kind


def read_member(record: Any, name: str) -> Any:
    """The value of a member, which may be part of a record in the record."""
    return attrgetter(name)(record)


@dataclass(frozen=True)
class Layout:
    """The bytes of a struct as C++ aligns them; array members are written after the others."""

    size: int
    offsets: dict[str, int]
    plain: struct.Struct
    arrays: tuple[tuple[Member, struct.Struct], ...]


def make_layout(members: tuple[Member, ...], record: Any) -> Layout:
    """The layout of a struct; a member whose type depends on a template has that of the record's NumPy scalar."""
    offsets, arrays, plain, end, widest = {}, [], "=", 0, 1
    for nested, group in groupby(members, attrgetter("struct")):
        own = [(one, one.format or find_format(one, read_member(record, one.name))) for one in group]
        edge = max(struct.calcsize("=" + form) for _, form in own)
        begins = round_up(end, edge) if nested else end
        plain, end, widest = plain + f"{begins - end}x", begins, max(widest, edge)
        for one, form in own:
            width, count = struct.calcsize("=" + form), one.count or 1
            begin = round_up(end, width)
            plain += f"{begin - end}x" + (f"{width * count}x" if one.count else form)
            if one.count:
                arrays.append((one, struct.Struct(f"={count}{form}")))
            offsets[one.name], end = begin, begin + width * count
        ends = round_up(end, edge) if nested else end
        plain, end = plain + f"{ends - end}x", ends
    size = round_up(end, widest)
    return Layout(size, offsets, struct.Struct(plain + f"{size - end}x"), tuple(arrays))


def round_up(place: int, width: int) -> int:
    """The first place from here on that is a multiple of a width."""
    return -(-place // width) * width


def find_format(one: Member, value: Any) -> str:
    """An array or a NumPy scalar as `struct` names it."""
    if isinstance(value, np.generic):
        return SCALARS[value.dtype.str[1:]]
    if not hasattr(value, "dtype"):
        kind = type(value).__name__
        raise KernelError(f"{one.name} is of the template's type {one.type}: give a NumPy scalar, not {kind}")
    return POINTER


class Slot:
    """Memory for the bytes of a struct, and what a launch takes for it."""

    def __init__(self, device: Any, size: int) -> None:
        self.memory: Any = np.zeros(-(-size // 8), "uint64")
        self.words = memoryview(self.memory)
        self.parameter = device.parameter(self.memory, size)


def list_paths(one: Member, value: Any, device: Any) -> tuple[str, ...]:
    """The attributes of a record that are packed for a member: an address, a number, or the parts of a complex one."""
    if one.pointer or (one.format is None and not isinstance(value, np.generic)):
        return (f"{one.name}.{device.address}",)
    return (f"{one.name}.real", f"{one.name}.imag") if isinstance(value, np.complexfloating) else (one.name,)


class Packing:
    """A layout, what fetches the members of a record in its order, and the slots that no launch is using."""

    def __init__(self, device: Any, members: tuple[Member, ...], record: Any) -> None:
        self.device, self.layout, self.free = device, make_layout(members, record), list[Slot]()
        self._address = attrgetter(device.address)
        paths = (list_paths(one, read_member(record, one.name), device) for one in members if not one.count)
        self._fetch = attrgetter(*(path for several in paths for path in several))

    def slot(self) -> Slot:
        """A free slot; put it back when the launch is done."""
        try:
            return self.free.pop()
        except IndexError:
            return Slot(self.device, self.layout.size)

    def fill(self, slot: Slot, record: Any) -> None:
        """Write the members of a record."""
        self.layout.plain.pack_into(slot.memory, 0, *self._fetch(record))
        for one, form in self.layout.arrays:
            held = read_member(record, one.name)
            values = map(self._address, held) if one.pointer else held
            form.pack_into(slot.memory, self.layout.offsets[one.name], *values)


class StructKernel:
    """A kernel that takes one struct; ``kernel(grid, block, record, shared)`` launches it.

    A launch copies the struct, so its slot serves the next one; launches side by side have slots of their own.

    Parameters
    ----------
    kernel : Any
        The kernel as it was loaded.
    device : Device
        Tells where arrays stand and what a launch takes for a struct.
    members : tuple of Member
        Those of the struct, which a record names, too.
    """

    def __init__(self, kernel: Any, device: Any, members: tuple[Member, ...]) -> None:
        self.kernel, self.device, self.members = kernel, device, members
        self._dependent = [one.name for one in members if one.format is None]
        self._packings: dict[Any, Packing] = {}

    def __call__(self, grid: Any, block: Any, record: Any, shared: int = 0) -> None:
        """Launch with the members of a record."""
        packing = self.get_packing(record)
        slot = packing.slot()
        packing.fill(slot, record)
        self.kernel(grid, block, (self.device.point_at(slot.parameter, record),), shared)
        packing.free.append(slot)

    def resident_blocks(self, block: int, shared: int = 0) -> int:
        """How many blocks of this size the device runs at once."""
        return self.kernel.resident_blocks(block, shared)

    def get_packing(self, record: Any) -> Packing:
        """How a record with scalars of these types is packed."""
        key = tuple([type(read_member(record, name)) for name in self._dependent])
        found = self._packings.get(key)
        if found is None:
            found = self._packings[key] = Packing(self.device, self.members, record)
        return found

    def bind(self, record: Any, *changing: str) -> Bound:
        """Launches with the members of a record, but for the arrays that `changing` names."""
        return Bound(self, record, changing)


def load_kernel(
    load: Callable[[str, str], Any], device: Any, text: str, expression: str, takes: type | Filler | None = None
) -> Any:
    """Load a kernel of a translation unit, which `takes` a record where it has a struct of parameters.

    Raises
    ------
    KernelError
        If the record and the struct differ; nothing is compiled then.
    """
    if takes is None:
        return load(text, expression)
    record: Any = getattr(takes, "record", takes)
    members = list_members(text, record.__name__, expression)
    check_record(record, members, expression)
    return StructKernel(load(text, expression), device, members)


class Bound:
    """Launches of a kernel that have all members of their struct in common, but for some arrays."""

    def __init__(self, kernel: StructKernel, record: Any, changing: tuple[str, ...]) -> None:
        self.kernel, self.record, self.changing = kernel, record, changing
        self._packing = Packing(kernel.device, kernel.members, record)
        self._words = [self._packing.layout.offsets[name] // 8 for name in changing]
        self._address = attrgetter(kernel.device.address)
        self._launch, self._device, self._free = kernel.kernel, kernel.device, self._packing.free

    def __call__(self, grid: Any, block: Any, arrays: tuple[Any, ...], shared: int = 0) -> None:
        """Launch with these arrays in the order of `changing`."""
        try:
            slot = self._free.pop()
        except IndexError:
            slot = self._fill()
        for word, address in zip(self._words, map(self._address, arrays), strict=True):
            slot.words[word] = address
        pointing = self._device.point_at(slot.parameter, self.record, self.changing, arrays)
        self._launch(grid, block, (pointing,), shared)
        self._free.append(slot)

    def _fill(self) -> Slot:
        slot = Slot(self._device, self._packing.layout.size)
        self._packing.fill(slot, self.record)
        return slot
