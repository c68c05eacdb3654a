"""METIS ``.graph``: ``N M [fmt [ncon]]``, then line k lists the neighbours of vertex k, counted from 1; undirected.

Karypis, Kumar, "METIS: a software package for partitioning unstructured graphs", manual 5.1, section 4.1.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

import numpy as np

from graphla.errors import NotSupported
from graphla.io.edges import one_way, ordered, require_square, square, weights_of
from graphla.io.format import Format
from graphla.io.source import Source
from graphla.io.table import INT64, agree, index_fault, shown, vertex_count, whole
from graphla.storage import Coo

TITLE = "a METIS file"


def sniff(head: bytes) -> bool:
    """A METIS file begins like many another: only its suffix tells."""
    return False


def read(source: Source) -> Coo:
    """Every arc as its line lists it; sizes and weights of vertices are passed over."""
    words = (source.next_content("%") or "").split()
    if not 2 <= len(words) <= 4:
        source.fail(f"expected 'VERTICES EDGES [FMT [NCON]]', got {shown(' '.join(words))}")
    header = source.line
    n, m = whole(source, words[:2], "header")
    line = line_layout(source, vertex_count(source, n), words[2:])
    rows, numbers = adjacency(source, n, line)
    numbers = numbers.reshape(-1, line.stride)
    coo = square(n, rows, numbers[:, 0] - 1, numbers[:, 1].copy() if line.stride == 2 else None)
    agree(source, header, m, (coo.rows.size + np.count_nonzero(coo.rows == coo.cols)) // 2, "edges")
    one_way_or_refuse(source, coo)
    return coo


@dataclass(frozen=True)
class Line:
    """The line of a vertex: `skipped` numbers, then `stride` for each neighbour, which is 1 … `n`."""

    n: int
    skipped: int
    stride: int


def line_layout(source: Source, n: int, words: list[str]) -> Line:
    """The lines that FMT and NCON announce: sizes and weights of vertices are skipped."""
    code = (words[0] if words else "0").zfill(3)
    if len(code) != 3 or set(code) - {"0", "1"}:
        source.fail(f"FMT is three digits of 0 and 1, got {shown(code)}")
    constraints = whole(source, words[1:], "NCON")
    weights = (constraints[0] if constraints else 1) if code[1] == "1" else 0
    return Line(n, int(code[0]) + weights, 1 + int(code[2]))


def adjacency(source: Source, n: int, line: Line) -> tuple[Any, Any]:
    """The row of each arc, and the numbers of all lines one after another, what `line` skips left off."""
    counts, numbers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    vertices = 0
    for text in source.blocks():
        lines = text.split("\n")[: -1 if text.endswith("\n") else None]
        words = [one.split() for one in lines if not one.startswith("%")]
        while len(words) + vertices > n and not words[-1]:
            words.pop()
        found = parsed(words, line) if len(words) + vertices <= n else None
        if found is None:
            blame(source, lines, n - vertices, line)
        counts.append(found[0])
        numbers.append(found[1])
        vertices += len(words)
    if vertices < n:
        source.fail(f"the header promises {n:,} vertices, and the file ends after {vertices:,}")
    return np.repeat(np.arange(n), np.concatenate(counts)), np.concatenate(numbers)


def parsed(words: list[list[str]], line: Line) -> tuple[Any, Any] | None:
    """How many arcs each line has, and its numbers; None if a line is wrong."""
    counts = np.fromiter(map(len, words), np.int64, len(words)) - line.skipped
    if counts.size and (counts.min() < 0 or (counts % line.stride).any()):
        return None
    try:
        numbers = np.array([word for part in words for word in part[line.skipped :]], np.int64)
    except (ValueError, OverflowError):
        return None
    ends = numbers[:: line.stride]
    if ends.size and (ends.min() < 1 or ends.max() > line.n):
        return None
    return counts // line.stride, numbers


def blame(source: Source, lines: list[str], left: int, line: Line) -> NoReturn:
    """Find the first line that is wrong, slowly, and say what is."""
    for number, text in enumerate(lines, source.line + 1):
        if text.startswith("%"):
            continue
        fault = line_fault(text, line) if left > 0 else f"the header promises {line.n:,} vertices; this is one more"
        if fault and (left > 0 or text.strip()):
            source.fail(fault, number)
        left -= 1
    source.fail("some line from here on cannot be read", source.line + 1)


def line_fault(text: str, line: Line) -> str | None:
    """What is wrong with the line of a vertex, or None."""
    words = text.split()
    if len(words) < line.skipped or (len(words) - line.skipped) % line.stride:
        kind = "pairs of neighbour and weight" if line.stride == 2 else "neighbours"
        return f"expected {line.skipped} numbers and then {kind}: {shown(text)}"
    words = words[line.skipped :]
    faults = [index_fault(word, 1, line.n) for word in words[:: line.stride]]
    faults += [index_fault(word, *INT64) for word in words]
    return next(filter(None, faults), None)


def one_way_or_refuse(source: Source, coo: Coo) -> None:
    """Refuse a file in which an edge stands on one of its two lines alone."""
    try:
        one_way(coo, TITLE)
    except NotSupported:
        source.refuse("an edge stands on the line of one of its ends only, or with two weights; METIS lists it on both")


def write(stream: BinaryIO, coo: Coo) -> None:
    """A line for each vertex; the weights of the edges if there are any, which must be whole and positive."""
    require_square(coo, TITLE)
    one_way(coo, TITLE)
    weighted = coo.values is not None
    if coo.values is not None and (coo.values.dtype.kind == "f" or not (coo.values > 0).all()):
        raise NotSupported(f"{TITLE} holds positive whole weights alone; write a .mtx, .wel or .npz file")
    loops = np.count_nonzero(coo.rows == coo.cols)
    stream.write(f"{coo.nrows} {(coo.rows.size + loops) // 2}{' 001' * weighted}\n".encode())
    rows, cols, *values = ordered(
        Coo(coo.nrows, coo.ncols, coo.rows, coo.cols, weights_of(coo) if weighted else None),
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
