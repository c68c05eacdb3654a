"""Edge lists as SNAP has them: ``u v`` or ``u v w`` a line, counted from 0; ``#`` and ``%`` begin comments.

https://snap.stanford.edu/data/
"""

from __future__ import annotations

from typing import Any, BinaryIO

from graphla.graphs.io.edges import make_square, require_square, to_weights, write_lines
from graphla.graphs.io.format import Format
from graphla.graphs.io.lines import LineNumbers, count_skipped_bytes
from graphla.graphs.io.named_lines import is_name, is_of_names, read_names
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import LARGEST, Layout, Table, find_line_fault, read_table, shorten
from graphla.storage import Coo

TITLE = "an edge list"
COMMENTS = b"#%"
BANNER = b"%%matrixmarket"
SIZE = "# vertices"
VERTEX = (0, LARGEST - 1)
PEEKED = 64
"""Lines of the beginning that are looked at to see whether they hold names."""


def sniff(head: bytes) -> bool:
    """Whether the first line that is no comment is two or three numbers."""
    if head[: len(BANNER)].lower() == BANNER:
        return False
    first = head[count_skipped_bytes(head, COMMENTS) :].partition(b"\n")[0].decode("latin-1")
    return any(find_line_fault(first, layout) is None for layout in make_layouts(None))


def make_layouts(delimiter: str | None) -> tuple[Layout, Layout]:
    """Without and with weights."""
    pattern, weighted = (Layout((VERTEX, VERTEX), value, "", COMMENTS, delimiter) for value in ("", "number"))
    return pattern, weighted


def read(source: Source) -> Coo:
    """The arcs as they stand; vertices are numbered as in the file, from 0 to the largest there is.

    A comment ``# vertices N`` in front, which `write` leaves, says that there are N. Without it a first line ``N M``
    that fits the rest exactly (M more edges, M >= N, the largest vertex N - 1) is a header, as some mirrors put it.
    Commas and semicolons separate too, and the first line may name the columns. If the ends of the first arcs are no
    numbers, they are names, which become labels.
    """
    size = begin(source)
    if is_of_names([line for line in source.peek_lines(PEEKED) if line and line[0] not in COMMENTS.decode()]):
        return read_names(source, COMMENTS)
    table, size = read_rest(source, size)
    u, v, *w = table
    if not size and not w and is_header(u, v):
        first = f"line {table.lines.find(0)}"
        return make_square(int(u[0]), u[1:], v[1:], origin=table.make_origin(source, first).shift(1))
    n, told = find_largest(u, v, table.lines)
    if size and size[0] >= n:
        n, told = size
    return make_square(n, u, v, w[0] if w else None, table.make_origin(source, f"line {told}"))


def read_columns(source: Source) -> tuple[Table, tuple[int, int] | None]:
    """The columns of all lines, and the number of vertices that a comment states, with its line."""
    return read_rest(source, begin(source))


def begin(source: Source) -> tuple[int, int] | None:
    """Skip the comments in front; the number of vertices that one states, with its line."""
    if (source.peek() or "").lower().startswith(BANNER.decode()):
        source.fail("this is a Matrix Market file: give format='matrix_market'", 1)
    return skip_comments(source)


def read_rest(source: Source, size: tuple[int, int] | None) -> tuple[Table, tuple[int, int] | None]:
    """The columns of the lines after the comments in front, and the number of vertices, with its line."""
    heading = source.peek() or ""
    delimiter = next((mark for mark in ",;" if mark in heading), None)
    words = heading.split(delimiter)
    if len(words) in (2, 3) and all(is_name(word.strip()) for word in words):
        source.next_line()
        size = size or skip_comments(source)
    return read_table(source, choose_layout(source, source.peek() or "", delimiter)), size


def skip_comments(source: Source) -> tuple[int, int] | None:
    """Skip the comments; return the number of vertices that the first of ours states, and its line."""
    found, line = None, source.line
    for piece in source.skip(COMMENTS):
        place = 0 if piece.startswith(SIZE.encode()) else piece.find(b"\n" + SIZE.encode()) + 1
        if found is None and (place or piece.startswith(SIZE.encode())):
            words = piece[place + len(SIZE) : place + 100].partition(b"\n")[0].split()
            if words and words[0].isdigit() and int(words[0]) <= LARGEST:
                found = int(words[0]), line + 1 + piece.count(b"\n", 0, place)
        line = source.line
    return found


def find_largest(u: Any, v: Any, lines: LineNumbers) -> tuple[int, int]:
    """One more than the largest vertex, and its line."""
    if not u.size:
        return 0, 1
    row = max((int(column.argmax()) for column in (u, v)), key=lambda row: max(u[row], v[row]))
    return 1 + int(max(u[row], v[row])), lines.find(row)


def is_header(u: Any, v: Any) -> bool:
    """Whether the first pair counts the vertices and the edges of the rest."""
    rest = u.size - 1
    return rest > 0 and v[0] == rest >= u[0] == 1 + max(u[1:].max(), v[1:].max())


def choose_layout(source: Source, line: str, delimiter: str | None) -> Layout:
    """The layout that the first line asks for."""
    columns = len(line.split(delimiter))
    if line and columns not in (2, 3):
        source.fail(f"expected 2 or 3 columns, got {columns}: {shorten(line)}", source.line + 1)
    return make_layouts(delimiter)[columns == 3]


def write(stream: BinaryIO, coo: Coo) -> None:
    """Every arc, tabs between; a first comment keeps the number of vertices."""
    require_square(coo, TITLE)
    stream.write(f"{SIZE} {coo.nrows}\n".encode())
    if coo.values is None:
        write_lines(stream, (coo.rows, coo.cols), "{}\t{}\n".format)
    else:
        write_lines(stream, (coo.rows, coo.cols, to_weights(coo)), "{}\t{}\t{!r}\n".format)


format = Format(
    TITLE, (".txt", ".el", ".wel", ".edges", ".edgelist", ".tsv", ".csv"), sniff, read, write, read_part=read_columns
)
