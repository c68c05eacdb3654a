"""METIS ``.graph``: ``N M [fmt [ncon]]``, then line k lists the neighbours of vertex k, counted from 1; undirected.

Karypis, Kumar, "METIS: a software package for partitioning unstructured graphs", manual 5.1, section 4.1.1.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

import numpy as np

from graphla.common.errors import NotSupported
from graphla.graphs.io.edges import make_square, require_square, select_upper, sort_entries, to_weights
from graphla.graphs.io.format import Format
from graphla.graphs.io.lines import BLANK, NEWLINE, LineNumbers, Sifted, find_bounds, take_all, take_lines
from graphla.graphs.io.origin import Origin
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import INT64, find_index_fault, parse_header, require_vertex_count, shorten
from graphla.storage import Coo

TITLE = "a METIS file"
COMMENTS = b"%"
LONGEST = 1 << 28
"""Bytes of a line, which lists all neighbours of a vertex."""
LONG = 1 << 20
"""Bytes of a line up to which the wrong number on it is looked for."""
NEWLINES = np.arange(256) == NEWLINE


def sniff(head: bytes) -> bool:
    """A METIS file has no signature: only its suffix identifies it."""
    return False


def read(source: Source) -> Coo:
    """Every arc as its line lists it; sizes and weights of vertices are passed over."""
    source.longest = LONGEST
    words = (source.next_content(COMMENTS) or "").split()
    if not 2 <= len(words) <= 4:
        source.fail(f"expected 'VERTICES EDGES [FMT [NCON]]', got {shorten(' '.join(words))}")
    header = source.line
    n, m = parse_header(source, words[:2], "header")
    line = make_line_layout(source, require_vertex_count(source, n), words[2:])
    counts, numbers, lines = read_adjacency(source, line)
    numbers = numbers.reshape(-1, line.stride)
    rows, weights = np.repeat(np.arange(n), counts), numbers[:, 1].copy() if line.stride == 2 else None
    origin = Origin(source.name, f"line {header}", lambda k: f"line {lines.find(int(rows[k]))}")
    coo = make_square(n, rows, numbers[:, 0] - 1, weights, origin)
    source.keep_promise(header, m, (coo.rows.size + int(np.count_nonzero(coo.rows == coo.cols))) // 2, "edges")
    refuse_one_way(source, coo)
    return coo


@dataclass(frozen=True)
class Line:
    """The line of a vertex: `skipped` numbers, then `stride` for each neighbour, which is 1 … `n`."""

    n: int
    skipped: int
    stride: int


def make_line_layout(source: Source, n: int, words: list[str]) -> Line:
    """The lines that FMT and NCON announce: sizes and weights of vertices are skipped."""
    code = (words[0] if words else "0").zfill(3)
    if len(code) != 3 or set(code) - {"0", "1"}:
        source.fail(f"FMT is three digits of 0 and 1, got {shorten(code)}")
    constraints = parse_header(source, words[1:], "NCON")
    weights = (constraints[0] if constraints else 1) if code[1] == "1" else 0
    return Line(n, int(code[0]) + weights, 1 + int(code[2]))


def read_adjacency(source: Source, line: Line) -> tuple[Any, Any, LineNumbers]:
    """The arcs of each vertex, the numbers of all lines one after another without what `line` skips, and the lines."""
    lines = LineNumbers(source.line)
    counts, numbers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for data in source.read_blocks():
        block = drop_comments(data)
        left = max(0, line.n - lines.rows)
        found = parse_block(block, line, left)
        if found is None:
            blame(source, block, line, left)
        lines.add(block)
        counts.append(found[0])
        numbers.append(found[1])
        source.require(24 * sum(part.size for part in numbers), "what is read so far")
    if lines.rows < line.n:
        source.fail(f"the header promises {line.n:,} vertices, and the file ends after {lines.rows:,}")
    return np.concatenate(counts)[: line.n], np.concatenate(numbers), lines


def drop_comments(data: bytes) -> Sifted:
    """The lines of a block that are no comments; a blank one is a vertex without neighbours."""
    if COMMENTS not in data:
        return take_all(data)
    starts, ends = find_bounds(data)
    return take_lines(data, starts, ends, np.frombuffer(data, np.uint8)[starts] != ord(COMMENTS))


def parse_block(block: Sifted, line: Line, left: int) -> tuple[Any, Any] | None:
    """How many arcs each line has, and its numbers; None if a line is wrong, or stands behind the `left` vertices."""
    words, numbers = count_words(block.text), read_numbers(block.text)
    if numbers is None or numbers.size != words.sum() or words[left:].any():
        return None
    words = words[:left]
    counts = words - line.skipped
    if counts.size and (counts.min() < 0 or (counts % line.stride).any()):
        return None
    numbers = drop_first(numbers, words, line.skipped)
    ends = numbers[:: line.stride]
    if ends.size and (ends.min() < 1 or ends.max() > line.n):
        return None
    return counts // line.stride, numbers


def count_words(text: bytes) -> Any:
    """How many words stand on each line."""
    starts, _ = find_bounds(text)
    if not starts.size:
        return np.empty(0, np.int64)
    word = ~(BLANK | NEWLINES)[np.frombuffer(text, np.uint8)]
    begun = word.copy()
    begun[1:] &= ~word[:-1]
    return np.add.reduceat(begun, starts, dtype=np.int64)


def read_numbers(text: bytes) -> Any:
    """Every number of a text, or None if there is something else, or a number of more than 64 bits."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            numbers = np.fromstring(text, np.int64, sep=" ") if text.strip() else np.empty(0, np.int64)
    except (ValueError, Warning):
        return None
    if numbers.size and (numbers.min() == INT64[0] or numbers.max() == INT64[1]):  # where a larger one ends, too
        return read_exactly(text)
    return numbers


def read_exactly(text: bytes) -> Any:
    """Every number of a text, exactly."""
    try:
        return np.array([int(word) for word in text.split()], np.int64)
    except (ValueError, OverflowError):
        return None


def drop_first(numbers: Any, words: Any, skipped: int) -> Any:
    """The numbers without the first `skipped` of each line."""
    if not skipped:
        return numbers
    place = np.arange(numbers.size) - np.repeat(np.cumsum(words) - words, words)
    return numbers[place >= skipped]


def blame(source: Source, block: Sifted, line: Line, left: int) -> NoReturn:
    """Find the first line that is wrong, and say what is."""
    numbers = LineNumbers(source.line)
    numbers.add(block)
    for row, text in enumerate(block.text.decode("latin-1").split("\n")):
        fault = (
            find_line_fault(text, line) if row < left else f"the header promises {line.n:,} vertices; this is one more"
        )
        if fault and (row < left or text.strip()):
            source.fail(fault, numbers.find(row))
    source.fail("some line from here on cannot be read", source.line + 1)


def find_line_fault(text: str, line: Line) -> str | None:
    """What is wrong with the line of a vertex, or None."""
    if len(text) > LONG:
        return f"not all of its numbers are neighbours from 1 to {line.n}, weights and what FMT announces"
    words = text.split()
    if len(words) < line.skipped or (len(words) - line.skipped) % line.stride:
        kind = "pairs of neighbour and weight" if line.stride == 2 else "neighbours"
        return f"expected {line.skipped} numbers and then {kind}: {shorten(text)}"
    words = words[line.skipped :]
    faults = [find_index_fault(word, 1, line.n) for word in words[:: line.stride]]
    faults += [find_index_fault(word, *INT64) for word in words]
    return next(filter(None, faults), None)


def refuse_one_way(source: Source, coo: Coo) -> None:
    """Refuse a file in which an edge stands on one of its two lines alone."""
    try:
        select_upper(coo, TITLE)
    except NotSupported:
        source.refuse("an edge stands on the line of one of its ends only, or with two weights; METIS lists it on both")


def write(stream: BinaryIO, coo: Coo) -> None:
    """A line for each vertex; the weights of the edges if there are any, which must be whole and positive."""
    require_square(coo, TITLE)
    select_upper(coo, TITLE)
    weighted = coo.values is not None
    if coo.values is not None and (coo.values.dtype.kind == "f" or not (coo.values > 0).all()):
        raise NotSupported(f"{TITLE} holds positive whole weights alone; write a .mtx, .wel or .npz file")
    loops = np.count_nonzero(coo.rows == coo.cols)
    stream.write(f"{coo.nrows} {(coo.rows.size + loops) // 2}{' 001' * weighted}\n".encode())
    rows, cols, *values = sort_entries(
        Coo(coo.nrows, coo.ncols, coo.rows, coo.cols, to_weights(coo) if weighted else None),
        coo.rows,
        coo.cols,
        slice(None),
    )
    words = (cols + 1).tolist()
    if weighted:
        words = list(map("{} {}".format, words, values[0].tolist()))
    ends = np.searchsorted(rows, np.arange(coo.nrows), side="right").tolist()
    for start, end in zip([0, *ends], ends, strict=False):
        stream.write((" ".join(map(str, words[start:end])) + "\n").encode())


format = Format(TITLE, (".graph", ".metis"), sniff, read, write)
