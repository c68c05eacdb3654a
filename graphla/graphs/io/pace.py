"""PACE 2016 ``.gr``: ``p tw N M``, then ``u v`` a line, counted from 1; undirected, no weights.

https://pacechallenge.org/2016/treewidth/
"""

from __future__ import annotations

from typing import BinaryIO

from graphla.graphs.io.edges import (
    add_reverse_arcs,
    begins_with,
    make_square,
    require_pattern,
    require_square,
    select_upper,
    write_lines,
)
from graphla.graphs.io.format import Format
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import Layout, Promise, parse_header, read_table, require_vertex_count, shorten
from graphla.storage import Coo

TITLE = "a PACE .gr file"


def sniff(head: bytes) -> bool:
    """Whether the first line that is no comment is ``p tw …``."""
    return begins_with(head, b"c", [b"p", b"tw"])


def read(source: Source) -> Coo:
    """Both arcs of every edge; one of a loop."""
    words = (source.next_content(b"c") or "").split()
    if words[:2] != ["p", "tw"] or len(words) != 4:
        source.fail(f"expected 'p tw VERTICES EDGES', got {shorten(' '.join(words))}")
    header = source.line
    n, m = parse_header(source, words[2:], "header")
    vertices = (1, require_vertex_count(source, n))
    table = read_table(source, Layout((vertices, vertices), comments=b"c"), Promise(header, m, "edges"))
    u, v = table
    return add_reverse_arcs(make_square(n, u - 1, v - 1, origin=table.make_origin(source, f"line {header}")))


def write(stream: BinaryIO, coo: Coo) -> None:
    """Each edge once, the smaller vertex first."""
    require_square(coo, TITLE)
    require_pattern(coo, TITLE)
    edges = select_upper(Coo(coo.nrows, coo.ncols, coo.rows, coo.cols, None), TITLE)
    stream.write(f"p tw {coo.nrows} {edges.rows.size}\n".encode())
    write_lines(stream, (edges.rows + 1, edges.cols + 1), "{} {}\n".format)


format = Format(TITLE, (".gr",), sniff, read, write)
