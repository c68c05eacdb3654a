"""Lines of a file as NumPy sees them: which of them hold something, and which row of a table stands on which line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

NEWLINE = 10
BLANK = np.isin(np.arange(256), list(b" \t\r\v\f"))
INDENTED = 64
"""Blanks at the beginning of a line that are passed over for all lines at once; more, for each line alone."""


@dataclass(frozen=True, eq=False)
class Sifted:
    """The lines of a block that hold something.

    Parameters
    ----------
    text : bytes
        These lines alone.
    rows : int
        How many there are.
    before, skipped : arrays
        For each run of lines that hold nothing: the rows of the block before it, and how many lines it has.
    """

    text: bytes
    rows: int
    before: Any
    skipped: Any


def count_lines(data: bytes) -> int:
    """Lines of a block; the last one may lack its end."""
    return data.count(b"\n") + (bool(data) and not data.endswith(b"\n"))


def count_skipped_bytes(data: bytes, comments: bytes) -> int:
    """Bytes of the lines at the beginning that hold nothing."""
    place = find_other_line(data, comments)
    if place == len(data) or not BLANK[data[place]]:
        return place
    starts, _, holds = find_content(data[place:], comments)
    return place + int(starts[holds.argmax()]) if holds.any() else len(data)


def find_other_line(data: bytes, comments: bytes) -> int:
    """Where the first line starts that is not empty and does not begin with a comment, at 1 GB/s; the end if none."""
    buffer = np.frombuffer(data, np.uint8)
    passed = buffer == NEWLINE
    other = passed[:-1].copy()
    for mark in comments:
        passed |= buffer == mark
    if not data or not passed[0]:
        return 0
    other &= ~passed[1:]
    place = int(other.argmax()) if other.size else 0
    return place + 1 if other.size and other[place] else len(data)


def sift(data: bytes, comments: bytes) -> Sifted:
    """Take out the lines that are blank or begin with one of the characters that make a comment."""
    if find_other_line(data, comments) == len(data):
        return Sifted(b"", 0, np.zeros(1, np.int64), np.array([count_lines(data)]))
    return take_lines(data, *find_content(data, comments))


def take_lines(data: bytes, starts: Any, ends: Any, holds: Any) -> Sifted:
    """The lines of a block for which `holds` is true."""
    rows = int(np.count_nonzero(holds))
    if rows == holds.size:
        return take_all(data)
    text = np.frombuffer(data, np.uint8)[np.repeat(holds, ends - starts)].tobytes() if rows else b""
    before = np.cumsum(holds)[~holds]  # rises, and stays within a run of skipped lines
    runs = np.flatnonzero(np.diff(before, prepend=-1))
    return Sifted(text, rows, before[runs], np.diff(runs, append=before.size))


def take_all(data: bytes) -> Sifted:
    """A block of which every line counts."""
    nothing = np.empty(0, np.int64)
    return Sifted(data, count_lines(data), nothing, nothing)


def find_bounds(data: bytes) -> tuple[Any, Any]:
    """Where each line starts, and where the next one does."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == NEWLINE) + 1
    if data and not data.endswith(b"\n"):
        ends = np.append(ends, len(data))
    return np.concatenate([ends[:1] * 0, ends[:-1]]), ends


def find_content(data: bytes, comments: bytes) -> tuple[Any, Any, Any]:
    """Where each line starts, where the next one does, and whether it holds something."""
    buffer, (starts, ends) = np.frombuffer(data, np.uint8), find_bounds(data)
    first = buffer[starts]
    indented = np.flatnonzero(BLANK[first])
    if indented.size:
        first[indented] = find_first_bytes(data, buffer, starts[indented], ends[indented])
    content = ~BLANK
    content[list(b"\n" + comments)] = False
    return starts, ends, content[first]


def find_first_bytes(data: bytes, buffer: Any, starts: Any, ends: Any) -> Any:
    """The first byte of each line that is not blank, or its last byte."""
    places, lines = starts.copy(), np.arange(starts.size)
    for _ in range(INDENTED):
        lines = lines[places[lines] < ends[lines] - 1]
        if not lines.size:
            return buffer[places]
        places[lines] += 1
        lines = lines[BLANK[buffer[places[lines]]]]
    for line in lines.tolist():
        rest = data[places[line] : ends[line]]
        places[line] += min(len(rest) - len(rest.lstrip(b" \t\r\v\f")), len(rest) - 1)
    return buffer[places]


class LineNumbers:
    """The line of a file on which each row of a table stands.

    Parameters
    ----------
    line : int
        The number of the line before the table.
    """

    def __init__(self, line: int) -> None:
        self.rows = 0
        self._line = line
        self._before: list[Any] = []
        self._skipped: list[Any] = []

    def add(self, block: Sifted) -> None:
        """Go on with the rows of another block."""
        self._before.append(block.before + self.rows)
        self._skipped.append(block.skipped)
        self.rows += block.rows

    def find(self, row: int) -> int:
        """The line of a row, counted from 0."""
        passed = sum(int(s[b <= row].sum()) for b, s in zip(self._before, self._skipped, strict=True))
        return self._line + 1 + row + passed
