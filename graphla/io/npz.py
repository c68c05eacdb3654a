"""SciPy ``.npz``: what `scipy.sparse.save_npz` writes, in any of its layouts."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any, BinaryIO

import numpy as np

from graphla.io.format import Format
from graphla.io.source import Source
from graphla.io.table import shown, vertex_count
from graphla.storage import Coo

WAY_OUT = "scipy.sparse.save_npz writes what is read here"
BROKEN = (
    ValueError,
    KeyError,
    OSError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    TypeError,
    IndexError,
    NotImplementedError,
    AttributeError,
    SyntaxError,
    MemoryError,
    OverflowError,
    RuntimeError,
)


def sniff(head: bytes) -> bool:
    """Whether it begins like a zip archive."""
    return head.startswith(b"PK")


def read(source: Source) -> Coo:
    """The stored entries, explicit zeros too."""
    from scipy.sparse import load_npz

    archive = io.BytesIO(source.everything())
    if not zipfile.is_zipfile(archive):
        source.refuse(f"it is no archive of arrays; {WAY_OUT}")
    try:
        held = [name.removesuffix(".npy") for name in zipfile.ZipFile(archive).namelist()]
        matrix = load_npz(archive).tocoo() if "format" in held else None
    except BROKEN as error:
        source.refuse(f"it is not what scipy.sparse.save_npz writes: {error}")
    if matrix is None:
        source.refuse(f"it holds {shown(', '.join(held))} and no sparse matrix; {WAY_OUT}")
    if matrix.ndim != 2:
        source.refuse(f"a matrix has two dimensions, and this has {matrix.ndim}")
    return checked(source, matrix)


def checked(source: Source, matrix: Any) -> Coo:
    """The entries of a SciPy matrix, if they can be weights."""
    nrows, ncols = (vertex_count(source, size) for size in matrix.shape)
    values = matrix.data
    if values.dtype.kind not in "biuf":
        source.refuse(f"weights must be real numbers, and these are {values.dtype}")
    for indices, size in ((matrix.row, nrows), (matrix.col, ncols)):
        if indices.size and (indices.min() < 0 or indices.max() >= size):
            source.refuse(f"an index is out of range: 0 to {size - 1}")
    if np.isnan(values).any():
        source.refuse("a weight is NaN; a weight must be a number")
    rows, cols = matrix.row.astype(np.int32), matrix.col.astype(np.int32)
    return Coo(nrows, ncols, rows, cols, None if values.dtype == bool and values.all() else values)


def write(stream: BinaryIO, coo: Coo) -> None:
    """A `coo_array`; a pattern is stored as truths."""
    from scipy.sparse import coo_array, save_npz

    values = np.ones(coo.rows.size, bool) if coo.values is None else coo.values
    archive = io.BytesIO()
    save_npz(archive, coo_array((values, (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols)))
    stream.write(archive.getvalue())


format = Format("a SciPy .npz file", (".npz",), sniff, read, write)
