"""Blocks of lines with a fixed number of columns, to arrays: fast where all is well, exact where it is not."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from graphla.io.source import Source

LARGEST = 2**31 - 1
INT64 = (-(2**63), 2**63 - 1)


@dataclass(frozen=True)
class Layout:
    """What stands on each line: perhaps a letter, then indices, then perhaps a value.

    Parameters
    ----------
    ranges : tuple of (int, int)
        The smallest and the largest that each index may be.
    value : {"", "whole", "number"}
        What follows: nothing, a whole number of 64 bits, or any number but NaN.
    letter : str
        What each line begins with, or nothing.
    comments : str
        Characters that make a line a comment where it begins with one.
    delimiter : str or None
        What stands between the numbers; None is white space.
    """

    ranges: tuple[tuple[int, int], ...]
    value: str = ""
    letter: str = ""
    comments: str = ""
    delimiter: str | None = None

    @property
    def columns(self) -> int:
        """How many numbers stand on a line."""
        return len(self.ranges) + bool(self.value)

    def dtype(self, value: str) -> list[tuple[str, str]]:
        """The record that a line is."""
        letter = [("letter", "U2")] if self.letter else []
        return letter + [(f"index{k}", "i8") for k in range(len(self.ranges))] + [("value", value)] * bool(self.value)

    def skips(self, line: str) -> bool:
        """Whether a line holds nothing."""
        text = line.lstrip()
        return not text or text[0] in self.comments


def read_table(source: Source, layout: Layout) -> list[Any]:
    """The rest of a file as columns, int64 each; the value is float64 if any has a fraction or an exponent."""
    parts = [_parse(source, text, layout) for text in source.blocks()]
    parts = [part for part in parts if part] or [[np.empty(0, np.int64)] * layout.columns]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def _parse(source: Source, text: str, layout: Layout) -> list[Any]:
    lines = text.split("\n")
    if layout.delimiter or any(mark in text for mark in layout.comments):
        lines = [line for line in lines if not layout.skips(line)]
    if not any(map(str.strip, lines)):
        return []
    for value in ("i8", "f8") if layout.value == "number" else ("i8",):
        table = _loaded(lines, layout, value)
        if table is not None:
            return [table[name] for name in table.dtype.names if name != "letter"]
    return _blame(source, text, layout)


def _loaded(lines: list[str], layout: Layout, value: str) -> Any:
    """The lines as a structured array, or None if one of them is not as the layout says."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            table = np.loadtxt(lines, layout.dtype(value), comments=None, delimiter=layout.delimiter, ndmin=1)
    except (ValueError, OverflowError, Warning):
        return None
    if layout.letter and not (table["letter"] == layout.letter).all():
        return None
    if value == "f8" and np.isnan(table["value"]).any():
        return None
    for k, (low, high) in enumerate(layout.ranges):
        column = table[f"index{k}"]
        if column.min() < low or column.max() > high:
            return None
    return table


def _blame(source: Source, text: str, layout: Layout) -> NoReturn:
    """Find the first line that is wrong, slowly, and say what is."""
    for number, line in enumerate(text.split("\n"), source.line + 1):
        fault = None if layout.skips(line) else line_fault(line, layout)
        if fault:
            source.fail(fault, number)
    source.fail("some line from here on cannot be read as numbers", source.line + 1)


def line_fault(line: str, layout: Layout) -> str | None:
    """What is wrong with a line, or None."""
    words = line.split(layout.delimiter)
    letter = words.pop(0).strip() if layout.letter else ""
    if letter != layout.letter:
        return f"expected a line that begins with {layout.letter!r}, got {shown(line)}"
    if len(words) != layout.columns:
        return f"expected {layout.columns} number{'s' * (layout.columns != 1)}, got {len(words)}: {shown(line)}"
    faults = [vertex_fault(word, *bounds) for word, bounds in zip(words, layout.ranges, strict=False)]
    if layout.value:
        faults.append(value_fault(words[-1]) if layout.value == "number" else index_fault(words[-1], *INT64))
    return next(filter(None, faults), None)


def vertex_fault(word: str, low: int, high: int) -> str | None:
    """What is wrong with a vertex, or None."""
    fault = index_fault(word, low, high)
    named = fault is not None and word.strip()[:1].isalpha()
    return f"{fault}; names are numbered first, as numpy.unique(names, return_inverse=True) does" if named else fault


def index_fault(word: str, low: int, high: int) -> str | None:
    """What is wrong with an index, or None."""
    try:
        value = int(word)
    except ValueError:
        return f"{shown(word)} is not a whole number"
    if value < low or value > high:
        return f"{value} is out of range: {low} to {high}" + ("; vertices count from 1" if value == 0 < low else "")
    return None


def value_fault(word: str) -> str | None:
    """What is wrong with a value, or None."""
    try:
        value = float(word)
    except ValueError:
        return f"{shown(word)} is not a number"
    return "the value is NaN; a weight must be a number" if value != value else None


def shown(text: str) -> str:
    """A piece of a file as a message may show it."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


def whole(source: Source, words: list[str], what: str) -> list[int]:
    """The numbers of a header, each from 0 to what an index can hold."""
    numbers = []
    for word in words:
        fault = index_fault(word, 0, 2**62)
        if fault:
            source.fail(f"{what}: {fault}")
        numbers.append(int(word))
    return numbers


def vertex_count(source: Source, n: int) -> int:
    """`n`, if indices of 32 bits can number that many."""
    if n > LARGEST:
        source.fail(f"{n:,} vertices are more than the {LARGEST:,} that indices of 32 bits can number")
    return n


def agree(source: Source, header: int, promised: int, found: int, what: str) -> None:
    """Refuse a file whose header, on that line, promises another number of them."""
    if promised != found:
        source.fail(f"the header promises {promised:,} {what}, and the file has {found:,}", header)
