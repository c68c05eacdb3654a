"""Matrix Market ``.mtx``: coordinate or array; real, integer or pattern; general, symmetric or skew-symmetric.

Boisvert, Pozo, Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935, 1996.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from graphla.io.edges import both_ways, weights_of, write_lines
from graphla.io.format import Format
from graphla.io.source import Source
from graphla.io.table import Layout, Promise, read_table, shown, vertex_count, whole
from graphla.storage import Coo

BANNER = "%%matrixmarket"
LAYOUTS = ("coordinate", "array")
VALUES = {"real": "number", "double": "number", "integer": "whole", "pattern": ""}
SYMMETRIES = ("general", "symmetric", "skew-symmetric")


def sniff(head: bytes) -> bool:
    """Whether it begins with the banner."""
    return head[: len(BANNER)].lower() == BANNER.encode()


def read(source: Source) -> Coo:
    """Every entry, explicit zeros too; of a symmetric file both triangles."""
    layout, field, symmetry = banner(source)
    words = (source.next_content(b"%") or "").split()
    wanted = 3 if layout == "coordinate" else 2
    if len(words) != wanted:
        source.fail(f"expected {wanted} sizes, got {shown(' '.join(words))}")
    sizes = whole(source, words, "sizes")
    for size in sizes[:2]:
        vertex_count(source, size)
    if symmetry != "general" and sizes[0] != sizes[1]:
        source.fail(f"a {symmetry} matrix is square, and this one is {sizes[0]} × {sizes[1]}")
    coo = coordinates(source, sizes, field) if layout == "coordinate" else dense(source, sizes, field, symmetry)
    return coo if symmetry == "general" else mirrored(source, coo, symmetry)


def banner(source: Source) -> tuple[str, str, str]:
    """What the first line says of the rest."""
    words = (source.next_line() or "").lower().split()
    if len(words) != 5 or words[:2] != [BANNER, "matrix"]:
        source.fail("expected '%%MatrixMarket matrix LAYOUT FIELD SYMMETRY'")
    if words[3] == "complex" or words[4] == "hermitian":
        source.fail("complex weights have no order, so no path is shortest; write real ones, such as their sizes")
    for word, known in zip(words[2:], (LAYOUTS, VALUES, SYMMETRIES), strict=True):
        if word not in known:
            source.fail(f"{shown(word)} is not one of {', '.join(known)}")
    if words[2:4] == ["array", "pattern"]:
        source.fail("an array has values, so its field cannot be pattern")
    return words[2], words[3], words[4]


def coordinates(source: Source, sizes: list[int], field: str) -> Coo:
    """A line for each entry: row, column and, but for a pattern, the value."""
    nrows, ncols, count = sizes
    header = Promise(source.line, count, "entries")
    table = read_table(source, Layout(((1, nrows), (1, ncols)), VALUES[field], comments=b"%"), header)
    rows, cols, *values = table
    held = typed(values[0], field) if values else None
    return Coo(nrows, ncols, int32(rows - 1), int32(cols - 1), held, table.origin(source, f"line {header.line}"))


def dense(source: Source, sizes: list[int], field: str, symmetry: str) -> Coo:
    """A line for each value, column by column; of a symmetric array those on and below the diagonal."""
    nrows, ncols = sizes
    count = {"general": nrows * ncols, "symmetric": nrows * (nrows + 1) // 2}.get(symmetry, nrows * (nrows - 1) // 2)
    header = Promise(source.line, count, "values")
    table = read_table(source, Layout((), VALUES[field], comments=b"%"), header)
    (values,) = table
    if symmetry == "general":
        cols, rows = np.divmod(np.arange(values.size), max(nrows, 1))
    else:
        cols, rows = np.triu_indices(nrows if values.size else 0, 1 if symmetry == "skew-symmetric" else 0)
    origin = table.origin(source, f"line {header.line}")
    return Coo(nrows, ncols, int32(rows), int32(cols), typed(values, field), origin)


def mirrored(source: Source, coo: Coo, symmetry: str) -> Coo:
    """Both triangles of a matrix of which one is given."""
    if symmetry == "skew-symmetric" and (coo.values is None or (coo.rows == coo.cols).any()):
        source.refuse("a skew-symmetric matrix has values, and none on the diagonal")
    both = both_ways(coo)
    if symmetry == "skew-symmetric" and both.values is not None:
        both.values[coo.rows.size :] *= -1
    return both


def typed(values: Any, field: str) -> Any:
    """int64 for integers, else float64 even where no value has a fraction."""
    return values if field == "integer" else values.astype(np.float64)


def int32(indices: Any) -> Any:
    return indices.astype(np.int32)


def write(stream: BinaryIO, coo: Coo) -> None:
    """Coordinates, general: every entry as it stands."""
    field = "pattern" if coo.values is None else "real" if coo.values.dtype.kind == "f" else "integer"
    stream.write(f"%%MatrixMarket matrix coordinate {field} general\n".encode())
    stream.write(f"{coo.nrows} {coo.ncols} {coo.rows.size}\n".encode())
    if coo.values is None:
        write_lines(stream, (coo.rows + 1, coo.cols + 1), "{} {}\n".format)
    else:
        write_lines(stream, (coo.rows + 1, coo.cols + 1, weights_of(coo)), "{} {} {!r}\n".format)


format = Format("a Matrix Market file", (".mtx", ".mm"), sniff, read, write)
