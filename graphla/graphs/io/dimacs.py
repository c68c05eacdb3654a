"""9th-DIMACS ``.gr``: ``p sp N M``, then ``a u v w`` a line, counted from 1; directed arcs with weights.

http://www.diag.uniroma1.it/challenge9/format.shtml
"""

from __future__ import annotations

from typing import BinaryIO

from graphla.graphs.io.edges import begins_with, make_square, require_square, to_weights, write_lines
from graphla.graphs.io.format import Format
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import Layout, Promise, parse_header, read_table, require_vertex_count, shorten
from graphla.storage import Coo

TITLE = "a 9th-DIMACS .gr file"


def sniff(head: bytes) -> bool:
    """Whether the first line that is no comment is ``p sp …``."""
    return begins_with(head, b"c", [b"p", b"sp"])


def read(source: Source) -> Coo:
    """The arcs as they stand."""
    words = (source.next_content(b"c") or "").split()
    if words[:2] != ["p", "sp"] or len(words) != 4:
        source.fail(f"expected 'p sp VERTICES ARCS', got {shorten(' '.join(words))}")
    header = source.line
    n, m = parse_header(source, words[2:], "header")
    vertices = (1, require_vertex_count(source, n))
    layout = Layout((vertices, vertices), value="number", letter="a", comments=b"c")
    table = read_table(source, layout, Promise(header, m, "arcs"))
    u, v, w = table
    return make_square(n, u - 1, v - 1, w, table.make_origin(source, f"line {header}"))


def write(stream: BinaryIO, coo: Coo) -> None:
    """Every arc; the arcs of a pattern weigh 1."""
    require_square(coo, TITLE)
    stream.write(f"p sp {coo.nrows} {coo.rows.size}\n".encode())
    write_lines(stream, (coo.rows + 1, coo.cols + 1, to_weights(coo)), "a {} {} {!r}\n".format)


format = Format(TITLE, (".gr",), sniff, read, write, read_part=read)
