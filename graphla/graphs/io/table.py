"""Blocks of lines with a fixed number of columns, to arrays: fast where all is well, exact where it is not."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from graphla.graphs.io.lines import LineNumbers, Sifted, sift, take_all
from graphla.graphs.io.origin import Origin
from graphla.graphs.io.source import Source

LARGEST = 2**31 - 1
INT64 = (-(2**63), 2**63 - 1)
WHOLE = re.compile(r"[+-]?[0-9]+")
DIGITS = 40
"""Characters of the longest whole number that is looked at."""
QUOTES = "'"
DTYPES = {"number": ("i8", "f8"), "pair": ("f8",)}
"""As what values are read, the narrow type first; integers where there is none here."""
NAMED = "gl.read(…, source=…, target=…) numbers the names of a .csv file, and gl.Graph.from_arrow those of a table"
FEW = 64
"""Lines that are looked at one by one to find a fault."""


@dataclass(frozen=True)
class Layout:
    """What stands on each line: perhaps a letter, then indices, then perhaps a value.

    Parameters
    ----------
    ranges : tuple of (int, int)
        The smallest and the largest that each index may be.
    value : {"", "whole", "number", "pair"}
        What follows: nothing, a whole number of 64 bits, any number but NaN, or two of them.
    letter : str
        What each line begins with, or nothing.
    comments : bytes
        Characters that make a line a comment where it begins with one.
    delimiter : str or None
        What stands between the numbers; None is white space.
    """

    ranges: tuple[tuple[int, int], ...]
    value: str = ""
    letter: str = ""
    comments: bytes = b""
    delimiter: str | None = None

    @property
    def columns(self) -> int:
        """How many numbers stand on a line."""
        return len(self.ranges) + self.values

    @property
    def values(self) -> int:
        """How many numbers of these are values."""
        return {"": 0, "pair": 2}.get(self.value, 1)

    def make_dtype(self, value: str) -> list[tuple[str, str]]:
        """The record that a line is."""
        letter = [("letter", "U2")] if self.letter else []
        indices = [(f"index{k}", "i8") for k in range(len(self.ranges))]
        return letter + indices + [(f"value{k}", value) for k in range(self.values)]


@dataclass(frozen=True)
class Promise:
    """What the header on a line says of the rows of a table: how many there are, of what."""

    line: int
    count: int
    what: str


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of one length, and the line on which each row stands."""

    columns: list[Any]
    lines: LineNumbers

    def __iter__(self) -> Iterator[Any]:
        return iter(self.columns)

    def make_origin(self, source: Source, size: str) -> Origin:
        """Where the rows were read; `size` says where the number of vertices was read."""
        return Origin(source.name, size, lambda k: f"line {self.lines.find(k)}")


def read_table(source: Source, layout: Layout, promise: Promise | None = None) -> Table:
    """The rest of a file as columns, int64 each; the value is float64 if any has a fraction or an exponent."""
    lines, parts = LineNumbers(source.line), [[np.empty(0, np.int64)] * layout.columns]
    for data in source.read_blocks():
        if promise is not None and lines.rows > promise.count:
            source.fail(f"the header promises {promise.count:,} {promise.what}, and the file has more", promise.line)
        sifted, columns = parse_block(source, data, layout)
        lines.add(sifted)
        parts += [columns] if sifted.rows else []
        source.require(16 * layout.columns * lines.rows, "what is read so far")
    if promise is not None:
        source.keep_promise(promise.line, promise.count, lines.rows, promise.what)
    if len(parts) > 1:
        del parts[0]
    return Table([np.concatenate(column) for column in zip(*parts, strict=True)], lines)


def parse_block(source: Source, data: bytes, layout: Layout) -> tuple[Sifted, list[Any]]:
    """The lines of a block that hold something, and their columns."""
    if b"\n\n" not in data and not any(mark in data for mark in layout.comments):
        sifted = take_all(data)
        columns = load_columns(sifted.text.decode("latin-1").split("\n"), layout)
        if columns is not None and columns[0].size == sifted.rows:
            return sifted, columns
    sifted = sift(data, layout.comments)
    if not sifted.rows:
        return sifted, []
    lines = sifted.text.decode("latin-1").removesuffix("\n").split("\n")
    columns = load_columns(lines, layout)
    if columns is None or columns[0].size != len(lines):
        blame(source, sifted, lines, layout)
    return sifted, columns


def load_columns(lines: list[str], layout: Layout) -> list[Any] | None:
    """The columns of lines, or None if one of them is not as the layout says."""
    for value in DTYPES.get(layout.value, ("i8",)):
        table = load_records(lines, layout, value)
        if table is not None:
            return [table[name] for name in table.dtype.names if name != "letter"]
    return None


def load_records(lines: list[str], layout: Layout, value: str) -> Any:
    """The lines as a structured array, or None if one of them is not as the layout says."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            table = np.loadtxt(lines, layout.make_dtype(value), comments=None, delimiter=layout.delimiter, ndmin=1)
    except (ValueError, OverflowError, Warning):
        return None
    if layout.letter and not (table["letter"] == layout.letter).all():
        return None
    if value == "f8" and any(np.isnan(table[f"value{k}"]).any() for k in range(layout.values)):
        return None
    for k, (low, high) in enumerate(layout.ranges):
        column = table[f"index{k}"]
        if column.min() < low or column.max() > high:
            return None
    return table


def blame(source: Source, sifted: Sifted, lines: list[str], layout: Layout) -> NoReturn:
    """Find the first line that is wrong, and say what is."""
    numbers = LineNumbers(source.line)
    numbers.add(sifted)
    first = find_refused(lines, layout)
    for k, line in enumerate(lines[first : first + FEW], first):
        fault = find_line_fault(line, layout)
        if fault:
            source.fail(fault, numbers.find(k))
    source.fail("some line from here on cannot be read as numbers", numbers.find(first))


def find_refused(lines: list[str], layout: Layout) -> int:
    """The first of some few lines of which one is not as the layout says, found by halving."""
    low, high = 0, len(lines)
    while high - low > FEW:
        middle = (low + high) // 2
        columns = load_columns(lines[low:middle], layout)
        if columns is not None and columns[0].size == middle - low:
            low = middle
        else:
            high = middle
    return low


def find_line_fault(line: str, layout: Layout) -> str | None:
    """What is wrong with a line, or None."""
    words = line.split(layout.delimiter) or [""]
    letter = words.pop(0).strip() if layout.letter else ""
    if letter != layout.letter:
        return f"expected a line that begins with {layout.letter!r}, got {shorten(line)}"
    if len(words) != layout.columns:
        return f"expected {layout.columns} number{'s' * (layout.columns != 1)}, got {len(words)}: {shorten(line)}"
    faults = [find_vertex_fault(word, *bounds) for word, bounds in zip(words, layout.ranges, strict=False)]
    values = words[len(layout.ranges) :]
    faults += [find_index_fault(word, *INT64) if layout.value == "whole" else find_value_fault(word) for word in values]
    return next(filter(None, faults), None)


def find_vertex_fault(word: str, low: int, high: int) -> str | None:
    """What is wrong with a vertex, or None."""
    fault = find_index_fault(word, low, high)
    named = fault is not None and word.strip()[:1].isalpha()
    return f"{fault}; {NAMED}" if named else fault


def find_index_fault(word: str, low: int, high: int) -> str | None:
    """What is wrong with an index, or None."""
    if not WHOLE.fullmatch(word.strip()):
        return f"{shorten(word)} is not a whole number"
    if len(word) > DIGITS or not low <= int(word) <= high:
        counted = "; vertices count from 1" if word.strip() == "0" and low == 1 else ""
        return f"{shorten(word).strip(QUOTES)} is out of range: {low} to {high}{counted}"
    return None


def find_value_fault(word: str) -> str | None:
    """What is wrong with a value, or None."""
    try:
        value = float(word.replace("_", "?"))  # which Python reads within numbers, and NumPy does not
    except ValueError:
        return f"{shorten(word)} is not a number"
    return "the value is NaN; a weight must be a number" if value != value else None


def shorten(text: str) -> str:
    """A piece of a file as a message may show it."""
    with suppress(UnicodeError):  # files are read as bytes, and most are in UTF-8
        text = text.encode("latin-1").decode()
    return repr(text if len(text) <= 40 else text[:40] + "…")


def parse_header(source: Source, words: list[str], what: str) -> list[int]:
    """The numbers of a header, each from 0 to what an index can hold."""
    numbers = []
    for word in words:
        fault = find_index_fault(word, 0, 2**62)
        if fault:
            source.fail(f"{what}: {fault}")
        numbers.append(int(word))
    return numbers


def require_vertex_count(source: Source, n: int) -> int:
    """`n`, if indices of 32 bits can number that many."""
    if n > LARGEST:
        source.fail(f"{n:,} vertices are more than the {LARGEST:,} that indices of 32 bits can number")
    return n
