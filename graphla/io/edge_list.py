"""Edge lists as SNAP has them: ``u v`` or ``u v w`` a line, counted from 0; ``#`` and ``%`` begin comments.

https://snap.stanford.edu/data/
"""

from __future__ import annotations

from typing import Any, BinaryIO

from graphla.io.edges import require_square, square, weights_of, write_lines
from graphla.io.format import Format
from graphla.io.source import Source
from graphla.io.table import LARGEST, Layout, line_fault, read_table, shown
from graphla.storage import Coo

TITLE = "an edge list"
COMMENTS = "#%"
BANNER = b"%%matrixmarket"
SIZE = "# vertices"
VERTEX = (0, LARGEST - 1)


def sniff(head: bytes) -> bool:
    """Whether the first line that is no comment is two or three numbers."""
    if head[: len(BANNER)].lower() == BANNER:
        return False
    lines = (line.decode("latin-1").strip() for line in head.splitlines())
    first = next((line for line in lines if line and line[0] not in COMMENTS), "")
    return any(line_fault(first, layout) is None for layout in layouts(None))


def layouts(delimiter: str | None) -> tuple[Layout, Layout]:
    """Without and with weights."""
    pattern, weighted = (Layout((VERTEX, VERTEX), value, "", COMMENTS, delimiter) for value in ("", "number"))
    return pattern, weighted


def read(source: Source) -> Coo:
    """The arcs as they stand; vertices are numbered as in the file, from 0 to the largest there is.

    A comment ``# vertices N``, which `write` leaves, says that there are N. Without it a first line ``N M`` that
    fits the rest exactly (M more edges, M >= N, the largest vertex N - 1) is a header, as some mirrors put it.
    Commas and semicolons separate too, and then the first line may name the columns.
    """
    if (source.peek() or "").lower().startswith(BANNER.decode()):
        source.fail("this is a Matrix Market file: give format='matrix_market'", 1)
    n = 0
    while (line := source.peek()) is not None and (not line or line[0] in COMMENTS):
        n = max(n, promised(source.next_line() or ""))
    if line is None:
        return square(n, *read_table(source, layouts(None)[0]))
    delimiter = next((mark for mark in ",;" if mark in line), None)
    if delimiter and any(character.isalpha() for character in line):
        source.next_line()
        line = source.peek() or ""
    u, v, *w = read_table(source, fitting(source, line, delimiter))
    if not n and not w and is_header(u, v):
        u, v = u[1:], v[1:]
    n = max(n, 1 + max((int(column.max()) for column in (u, v) if column.size), default=-1))
    return square(n, u, v, *w)


def is_header(u: Any, v: Any) -> bool:
    """Whether the first pair counts the vertices and the edges of the rest."""
    rest = u.size - 1
    return rest > 0 and v[0] == rest >= u[0] == 1 + max(u[1:].max(), v[1:].max())


def promised(line: str) -> int:
    """The number of vertices that a comment of ours tells, or 0."""
    words = line.removeprefix(SIZE).split()
    return min(int(words[0]), LARGEST) if line.startswith(SIZE) and words and words[0].isdecimal() else 0


def fitting(source: Source, line: str, delimiter: str | None) -> Layout:
    """The layout that the first line asks for."""
    columns = len(line.split(delimiter))
    if line and columns not in (2, 3):
        source.fail(f"expected 2 or 3 columns, got {columns}: {shown(line)}", source.line + 1)
    return layouts(delimiter)[columns == 3]


def write(stream: BinaryIO, coo: Coo) -> None:
    """Every arc, tabs between; a first comment keeps the number of vertices."""
    require_square(coo, TITLE)
    stream.write(f"{SIZE} {coo.nrows}\n".encode())
    if coo.values is None:
        write_lines(stream, (coo.rows, coo.cols), "{}\t{}\n".format)
    else:
        write_lines(stream, (coo.rows, coo.cols, weights_of(coo)), "{}\t{}\t{!r}\n".format)


format = Format(TITLE, (".txt", ".el", ".wel", ".edges", ".edgelist", ".tsv", ".csv"), sniff, read, write)
