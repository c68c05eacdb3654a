"""Lines of vertices and perhaps a value, as columns; vertices are whole numbers of 64 bits, or any words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.graphs.io.compression import decompress
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import INT64, Layout, read_table, shorten

Array = Any


@dataclass(frozen=True)
class Columns:
    """Columns of a file: of vertices, and of values if each line has one.

    Attributes
    ----------
    file : Path
        The file.
    vertices : list of array
        Vertices as they stand there: int64, or text.
    values : array or None
        int64, float64 or text.
    """

    file: Path
    vertices: list[Array]
    values: Array

    def fail(self, row: int, message: str) -> NoReturn:
        """Raise InvalidGraph naming the line of a row."""
        with self.file.open("rb") as raw:
            lines = decompress(raw).read().splitlines()
        filled = [number for number, line in enumerate(lines, 1) if line.strip()]
        raise InvalidGraph(f"{self.file}, line {filled[row]}: {message}")


def read_columns(file: Path, vertices: int, values: bool, numbered: bool) -> Columns:
    """Read a file of lines with so many vertices, then a number if there are values.

    Parameters
    ----------
    file : Path
        The file; compressed if its first bytes say so.
    vertices : int
        The columns of vertices.
    values : bool
        Whether a number follows them.
    numbered : bool
        Whether vertices are whole numbers; any words otherwise.

    Returns
    -------
    Columns
        The columns.

    Raises
    ------
    InvalidGraph
        If a line is not of this form; the message names it.
    """
    with file.open("rb") as raw:
        source = Source(str(file), decompress(raw))
        if numbered:
            found = list(read_table(source, Layout((INT64,) * vertices, "number" if values else "")))
        else:
            found = read_words(source, vertices, values)
    return Columns(file, found[:vertices], found[vertices] if values else None)


def read_words(source: Source, vertices: int, values: bool) -> list[Array]:
    """The columns of a file whose vertices are words."""
    rows, width = [], vertices + values
    while (line := source.next_line()) is not None:
        words = line.split()
        if words and len(words) != width:
            source.fail(f"expected {width} words, got {len(words)}: {shorten(line)}")
        rows += [words] if words else []
    columns = [np.array(column, "U") for column in zip(*rows, strict=True)] or [np.array([], "U")] * width
    if values:
        columns[-1] = to_numbers(source, columns[-1])
    return columns


def to_numbers(source: Source, words: Array) -> Array:
    """Words as int64 if all are whole numbers, else as float64."""
    for dtype in (np.int64, np.float64):
        try:
            return words.astype(dtype)
        except (ValueError, OverflowError):
            continue
    return source.refuse("a value is no number")
