"""Matrix Market ``.mtx``: coordinate or array; real, integer, complex or pattern.

General, symmetric, skew-symmetric or Hermitian; complex values are for matrices, a graph needs weights with an order.

Boisvert, Pozo, Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935, 1996.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from graphla.graphs.io.edges import add_reverse_arcs, to_weights, write_lines
from graphla.graphs.io.format import Format
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import Layout, Promise, parse_header, read_table, require_vertex_count, shorten
from graphla.storage import Coo

BANNER = "%%matrixmarket"
LAYOUTS = ("coordinate", "array")
VALUES = {"real": "number", "double": "number", "integer": "whole", "complex": "pair", "pattern": ""}
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def sniff(head: bytes) -> bool:
    """Whether it begins with the banner."""
    return head[: len(BANNER)].lower() == BANNER.encode()


def read(source: Source) -> Coo:
    """Every entry, explicit zeros too; of a symmetric file both triangles."""
    layout, field, symmetry = read_banner(source)
    words = (source.next_content(b"%") or "").split()
    wanted = 3 if layout == "coordinate" else 2
    if len(words) != wanted:
        source.fail(f"expected {wanted} sizes, got {shorten(' '.join(words))}")
    sizes = parse_header(source, words, "sizes")
    for size in sizes[:2]:
        require_vertex_count(source, size)
    if symmetry != "general" and sizes[0] != sizes[1]:
        source.fail(f"a {symmetry} matrix is square, and this one is {sizes[0]} × {sizes[1]}")
    coo = (
        read_coordinates(source, sizes, field) if layout == "coordinate" else read_dense(source, sizes, field, symmetry)
    )
    return coo if symmetry == "general" else mirror(source, coo, symmetry)


def read_banner(source: Source) -> tuple[str, str, str]:
    """What the first line says of the rest."""
    words = (source.next_line() or "").lower().split()
    if len(words) != 5 or words[:2] != [BANNER, "matrix"]:
        source.fail("expected '%%MatrixMarket matrix LAYOUT FIELD SYMMETRY'")
    for word, known in zip(words[2:], (LAYOUTS, VALUES, SYMMETRIES), strict=True):
        if word not in known:
            source.fail(f"{shorten(word)} is not one of {', '.join(known)}")
    if words[2:4] == ["array", "pattern"]:
        source.fail("an array has values, so its field cannot be pattern")
    if words[4] == "hermitian" and words[3] != "complex":
        source.fail(f"a hermitian matrix is complex, and this one is {words[3]}: a real one is symmetric")
    return words[2], words[3], words[4]


def read_coordinates(source: Source, sizes: list[int], field: str) -> Coo:
    """A line for each entry: row, column and, but for a pattern, the value."""
    nrows, ncols, count = sizes
    header = Promise(source.line, count, "entries")
    table = read_table(source, Layout(((1, nrows), (1, ncols)), VALUES[field], comments=b"%"), header)
    rows, cols, *values = table
    held = join_parts(values, field) if values else None
    return Coo(
        nrows, ncols, to_int32(rows - 1), to_int32(cols - 1), held, table.make_origin(source, f"line {header.line}")
    )


def read_dense(source: Source, sizes: list[int], field: str, symmetry: str) -> Coo:
    """A line for each value, column by column; of a symmetric array those on and below the diagonal."""
    source.require_whole("an array of Matrix Market")
    nrows, ncols = sizes
    count = {"general": nrows * ncols, "skew-symmetric": nrows * (nrows - 1) // 2}.get(
        symmetry, nrows * (nrows + 1) // 2
    )
    header = Promise(source.line, count, "values")
    table = read_table(source, Layout((), VALUES[field], comments=b"%"), header)
    values = join_parts(list(table), field)
    if symmetry == "general":
        cols, rows = np.divmod(np.arange(values.size), max(nrows, 1))
    else:
        cols, rows = np.triu_indices(nrows if values.size else 0, 1 if symmetry == "skew-symmetric" else 0)
    origin = table.make_origin(source, f"line {header.line}")
    return Coo(nrows, ncols, to_int32(rows), to_int32(cols), values, origin)


def mirror(source: Source, coo: Coo, symmetry: str) -> Coo:
    """Both triangles of a matrix of which one is given; the diagonal as it stands, as SciPy reads it."""
    if symmetry == "skew-symmetric" and coo.values is None:
        source.refuse("a skew-symmetric matrix has values")
    if symmetry == "hermitian" and coo.values is not None and coo.values[coo.rows == coo.cols].imag.any():
        source.refuse("a hermitian matrix has real numbers on the diagonal")
    both = add_reverse_arcs(coo)
    if symmetry == "skew-symmetric" and both.values is not None:
        both.values[coo.rows.size :] *= -1
    if symmetry == "hermitian" and both.values is not None:
        both.values[coo.rows.size :] = both.values[coo.rows.size :].conj()
    return both


def join_parts(values: list[Any], field: str) -> Any:
    """int64 for integers, complex128 of real and imaginary parts, else float64 even where no value has a fraction."""
    if field == "complex":
        return values[0] + 1j * values[1]
    return values[0] if field == "integer" else values[0].astype(np.float64)


def to_int32(indices: Any) -> Any:
    return indices.astype(np.int32)


def write(stream: BinaryIO, coo: Coo) -> None:
    """Coordinates, general: every entry as it stands."""
    kind = "" if coo.values is None else coo.values.dtype.kind
    field = {"": "pattern", "f": "real", "c": "complex"}.get(kind, "integer")
    stream.write(f"%%MatrixMarket matrix coordinate {field} general\n".encode())
    stream.write(f"{coo.nrows} {coo.ncols} {coo.rows.size}\n".encode())
    if coo.values is None:
        write_lines(stream, (coo.rows + 1, coo.cols + 1), "{} {}\n".format)
    elif kind == "c":
        parts = coo.values.real, coo.values.imag
        write_lines(stream, (coo.rows + 1, coo.cols + 1, *parts), "{} {} {!r} {!r}\n".format)
    else:
        write_lines(stream, (coo.rows + 1, coo.cols + 1, to_weights(coo)), "{} {} {!r}\n".format)


format = Format("a Matrix Market file", (".mtx", ".mm"), sniff, read, write, read_part=read)
