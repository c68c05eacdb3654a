"""Edge lists of names: ``alice bob`` or ``alice bob 3`` a line; names are numbered in the order in which they occur."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from graphla.containers.labels import Labels
from graphla.graphs.io.lines import LineNumbers, sift
from graphla.graphs.io.origin import Origin
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import WHOLE, find_value_fault, shorten
from graphla.storage import Coo

NAME = re.compile(r"[^\W\d]|['\"]")
ENDS = {"source", "target", "from", "to", "src", "dst", "tail", "head", "u", "v", "node1", "node2", "id1", "id2"}
HEADINGS = ENDS | {"fromnodeid", "tonodeid", "w", "weight", "value"}
"""Words that are names of columns, if the first line holds no others."""
MARKS = "\t,;"
"""What may stand between names; else blanks do."""


def find_mark(line: str) -> str | None:
    """What stands between the words of a line; None for blanks."""
    return next((mark for mark in MARKS if mark in line), None)


def holds_names(line: str) -> bool:
    """Whether the ends of the arc on a line are names, and no numbers."""
    words = line.split(find_mark(line))
    return len(words) in (2, 3) and all(is_name(word.strip()) for word in words[:2])


def is_name(word: str) -> bool:
    """Whether a word begins with a letter or a quote, and is no number, not even NaN."""
    try:
        float(word)
    except ValueError:
        return NAME.match(word) is not None
    return False


def is_heading(line: str) -> bool:
    """Whether all words of a line are names of columns."""
    return all(word.strip().lower() in HEADINGS for word in line.split(find_mark(line)))


def is_of_names(lines: list[str]) -> bool:
    """Whether a file that begins with these lines, of which the first may be a heading, is a list of names."""
    if len(lines) == 1:
        return holds_names(lines[0]) and not is_heading(lines[0])
    return all(map(holds_names, lines[:2])) and len(lines) > 1


def read_names(source: Source, comments: bytes) -> Coo:
    """The arcs as they stand, with the names as labels."""
    first = source.peek() or ""
    mark = find_mark(first)
    if is_heading(first):
        source.next_line()
    numbers: dict[str, int] = {}
    ends: list[int] = []
    values: list[str] = []
    lines, columns = LineNumbers(source.line), len(first.split(mark))
    for data in source.read_blocks():
        block = sift(data, comments)
        start = lines.rows
        lines.add(block)
        for k, line in enumerate(decode(source, block.text)):
            words = [word.strip() for word in line.split(mark)]
            fault = find_fault(words, columns, line)
            if fault:
                source.fail(fault, lines.find(start + k))
            ends += (numbers.setdefault(words[0], len(numbers)), numbers.setdefault(words[1], len(numbers)))
            values += words[2:]
        source.require(200 * len(numbers) + 100 * lines.rows, "what is read so far")
    arcs = np.array(ends, np.int32).reshape(-1, 2)
    labels = np.array(list(numbers), object)
    origin = Origin(source.name, f"{labels.size} names", lambda k: f"line {lines.find(k)}")
    weights = to_weights(values) if columns == 3 else None
    return Coo(labels.size, labels.size, arcs[:, 0].copy(), arcs[:, 1].copy(), weights, origin, Labels(labels))


def decode(source: Source, text: bytes) -> list[str]:
    """The lines of a block."""
    try:
        return text.decode().splitlines() if text else []
    except UnicodeDecodeError as error:
        line = source.line + 1 + text.count(b"\n", 0, error.start)
        source.fail(f"a name is no text in UTF-8: {error.reason}", line)


def find_fault(words: list[str], columns: int, line: str) -> str | None:
    """What is wrong with a line, or None."""
    if len(words) != columns:
        return f"expected {columns} columns, as on the first line, got {len(words)}: {shorten(line)}"
    if not all(words):
        return f"a name is empty: {shorten(line)}"
    return find_value_fault(words[2]) if columns == 3 else None


def to_weights(values: list[str]) -> Any:
    """Whole numbers if all are, else floats."""
    whole = all(WHOLE.fullmatch(value) and len(value) < 19 for value in values)
    return np.array(values, float) if not whole or not values else np.array([int(value) for value in values])
