"""What formats share when they turn columns into a matrix and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np

from graphla.common.errors import NotSupported
from graphla.graphs.io.lines import count_skipped_bytes
from graphla.graphs.io.origin import Origin
from graphla.graphs.reverse import rearrange
from graphla.storage import Coo

CHUNK = 1 << 18


def begins_with(head: bytes, comments: bytes, words: list[bytes]) -> bool:
    """Whether the first line that is neither blank nor a comment begins with these words."""
    return head[count_skipped_bytes(head, comments) :].partition(b"\n")[0].split()[: len(words)] == words


def make_square(n: int, rows: Any, cols: Any, values: Any = None, origin: Origin | None = None) -> Coo:
    """A square matrix with int32 indices."""
    return Coo(n, n, rows.astype(np.int32), cols.astype(np.int32), values, origin)


def add_reverse_arcs(coo: Coo) -> Coo:
    """With the reverse of every arc but loops, after the arcs themselves."""
    there = np.arange(coo.rows.size)
    back = np.flatnonzero(coo.rows != coo.cols)
    return rearrange(coo, np.concatenate([there, back]), np.arange(there.size + back.size) >= there.size)


def select_upper(coo: Coo, title: str) -> Coo:
    """The arcs u → v with u <= v of a symmetric matrix; a refusal if it is not symmetric."""
    upper, lower = coo.rows <= coo.cols, coo.rows >= coo.cols
    up, down = sort_entries(coo, coo.rows, coo.cols, upper), sort_entries(coo, coo.cols, coo.rows, lower)
    if not all(np.array_equal(a, b) for a, b in zip(up, down, strict=True)):
        raise NotSupported(
            f"{title} holds undirected graphs, and this matrix is not symmetric; "
            "write a .mtx or .el file, or add the reverse arcs"
        )
    rows, cols, *values = up
    return Coo(coo.nrows, coo.ncols, rows, cols, values[0] if values else None)


def sort_entries(coo: Coo, rows: Any, cols: Any, where: Any) -> list[Any]:
    """The chosen entries as columns, sorted by row, column and value."""
    columns = [rows[where], cols[where]] + ([] if coo.values is None else [coo.values[where]])
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns]


def require_square(coo: Coo, title: str) -> None:
    """Refuse a matrix that is no graph, for a format that holds graphs alone."""
    if coo.nrows != coo.ncols:
        raise NotSupported(
            f"{title} holds graphs, and this matrix is {coo.nrows} × {coo.ncols}; write a .mtx or .npz file"
        )


def require_pattern(coo: Coo, title: str) -> None:
    """Refuse weights that a format cannot hold."""
    if coo.values is not None and not (coo.values == 1).all():
        raise NotSupported(f"{title} holds no weights, and these would be lost; write a .mtx, .wel or .npz file")


def drop_truths(coo: Coo) -> Coo:
    """A matrix whose every value is true as the pattern that it is."""
    if coo.values is None or coo.values.dtype != bool or not coo.values.all():
        return coo
    return replace(coo, values=None)


def to_weights(coo: Coo) -> Any:
    """The values as numbers, truths as 0 and 1; ones for a pattern."""
    if coo.values is None:
        return np.ones(coo.rows.size, np.int64)
    if coo.values.dtype.kind == "c":
        raise NotSupported("this format holds no complex values: write a .mtx or .npz file")
    return coo.values.astype(np.uint8) if coo.values.dtype == bool else coo.values


def write_lines(stream: BinaryIO, columns: Iterable[Any], line: Callable[..., str]) -> None:
    """Write one line for each entry; floats are written so that they read back the same."""
    for part in _split_into_chunks(list(columns)):
        stream.write("".join(map(line, *part)).encode())


def _split_into_chunks(columns: list[Any]) -> Iterator[list[list[Any]]]:
    for start in range(0, columns[0].size, CHUNK):
        yield [column[start : start + CHUNK].tolist() for column in columns]
