"""SciPy ``.npz``: what `scipy.sparse.save_npz` writes, in any of its layouts. Every array is checked before use."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from graphla.common.errors import OutOfMemory
from graphla.graphs.io.format import Format
from graphla.graphs.io.origin import Origin
from graphla.graphs.io.source import Source
from graphla.graphs.io.table import require_vertex_count, shorten
from graphla.storage import Coo
from graphla.storage.pointers import find_index_fault, find_pointer_fault

MAGIC = b"PK"
WAY_OUT = "scipy.sparse.save_npz writes what is read here"
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def sniff(head: bytes) -> bool:
    """Whether it begins like a zip archive."""
    return head.startswith(MAGIC)


def read(source: Source) -> Coo:
    """The stored entries, explicit zeros too."""
    if not sniff(source.read_head(len(MAGIC))):
        source.refuse(f"it is no archive of arrays; {WAY_OUT}")
    content = io.BytesIO(source.read_everything())
    try:
        archive = Archive(source, zipfile.ZipFile(content))
    except Exception as error:  # zipfile follows offsets before it checks them
        source.refuse(f"it is no archive of arrays: {format_error(error)}; {WAY_OUT}")
    if "format" not in archive.names:
        source.refuse(f"it holds {shorten(', '.join(archive.names))} and no sparse matrix; {WAY_OUT}")
    layout = archive.read_word("format")
    if layout not in LAYOUTS:
        source.refuse(f"format {shorten(layout)} is not one of {', '.join(LAYOUTS)}")
    shape = archive.read_integers("shape", 2)
    nrows, ncols = (require_vertex_count(source, int(size)) for size in shape)
    if min(nrows, ncols) < 0:
        source.refuse(f"the shape {nrows} × {ncols} is negative")
    rows, cols, values = LAYOUTS[layout](archive, nrows, ncols)
    check_weights(source, values)
    kept = None if values.dtype == bool and values.all() else values
    origin = Origin(source.name, "its shape", "entry {:,}".format)
    return Coo(nrows, ncols, rows.astype(np.int32), cols.astype(np.int32), kept, origin)


class Archive:
    """The arrays of an archive, each read only if it is of a kind that holds no objects and fits in memory."""

    def __init__(self, source: Source, members: zipfile.ZipFile) -> None:
        self.source, self.members = source, members
        self.names = [name.removesuffix(".npy") for name in members.namelist()]

    def read_array(self, name: str) -> Any:
        """Return an array unchanged."""
        if name not in self.names:
            self.source.refuse(f"it has no array {name!r}; {WAY_OUT}")
        try:
            member = self.members.getinfo(f"{name}.npy")
            self.source.require(2 * member.file_size, f"array {name!r}")
            return parse_array(self.members.read(member))
        except OutOfMemory:
            raise
        except Exception as error:  # whatever zipfile, zlib, ast and NumPy say of damaged bytes
            self.source.refuse(f"array {name!r} cannot be read: {format_error(error)}")

    def read_word(self, name: str) -> str:
        """An array of one text."""
        held = self.read_array(name)
        if held.shape != () or held.dtype.kind not in "SU":
            self.source.refuse(f"{name} is no word but {held.dtype} of shape {held.shape}")
        word = held.item()
        return word.decode("latin-1") if isinstance(word, bytes) else word

    def read_integers(self, name: str, length: int | None = None) -> Any:
        """An array of whole numbers of 64 bits in one dimension, of a given length if there is one."""
        held = self.read_array(name)
        if held.dtype.kind not in "iu" or held.ndim != 1 or (length is not None and held.size != length):
            wanted = "in one dimension" if length is None else f"of shape ({length},)"
            self.source.refuse(f"{name} must be whole numbers {wanted}, and is {held.dtype} of shape {held.shape}")
        if held.dtype == np.uint64 and held.size and held.max() >= 2**63:
            self.source.refuse(f"{name} holds {held.max()}, which is more than 63 bits")
        return held.astype(np.int64)

    def read_values(self, length: int) -> Any:
        """The values of `length` entries."""
        held = self.read_array("data")
        if held.shape != (length,):
            self.source.refuse(f"there are {length:,} indices, and data has shape {held.shape}")
        return held


def parse_array(content: bytes) -> Any:
    """The array of a file ``.npy``, over these bytes; pickled objects are refused."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version not in HEADERS:
        raise ValueError(f"version {version} of .npy is not known")
    shape, by_columns, dtype = HEADERS[version](stream)
    if dtype.hasobject:
        raise ValueError("it holds pickled objects, which could run code")
    count, rest = math.prod(shape), len(content) - stream.tell()
    if count * dtype.itemsize != rest:
        raise ValueError(f"its header tells of {count * dtype.itemsize:,} bytes, and {rest:,} follow")
    held = np.frombuffer(content, dtype, count, stream.tell())
    return held.astype(dtype.newbyteorder("=")).reshape(shape, order="F" if by_columns else "C")


def read_coo(archive: Archive, nrows: int, ncols: int) -> tuple[Any, Any, Any]:
    """Layout coo: a row, a column and a value for each entry."""
    rows, cols = archive.read_integers("row"), archive.read_integers("col")
    if rows.size != cols.size:
        archive.source.refuse(f"there are {rows.size:,} rows and {cols.size:,} columns of entries")
    for what, indices, size in (("row", rows, nrows), ("col", cols, ncols)):
        wrong = find_index_fault(np, what, indices, size)
        if wrong:
            archive.source.refuse(wrong)
    return rows, cols, archive.read_values(rows.size)


def read_csr(archive: Archive, nrows: int, ncols: int) -> tuple[Any, Any, Any]:
    """Layout csr."""
    indptr, indices = archive.read_integers("indptr"), archive.read_integers("indices")
    check_pointers(archive.source, indptr, indices, nrows, ncols)
    return np.repeat(np.arange(nrows), np.diff(indptr)), indices, archive.read_values(indices.size)


def read_csc(archive: Archive, nrows: int, ncols: int) -> tuple[Any, Any, Any]:
    """Layout csc."""
    cols, rows, values = read_csr(archive, ncols, nrows)
    return rows, cols, values


def read_bsr(archive: Archive, nrows: int, ncols: int) -> tuple[Any, Any, Any]:
    """Layout bsr: full blocks of r × c cells, in rows of blocks."""
    data = archive.read_array("data")
    if data.ndim != 3 or 0 in data.shape[1:]:
        archive.source.refuse(f"data must hold blocks, and has shape {data.shape}")
    _, high, wide = data.shape
    if nrows % high or ncols % wide:
        archive.source.refuse(f"blocks of {high} × {wide} do not fill a matrix of {nrows} × {ncols}")
    indptr, indices = archive.read_integers("indptr"), archive.read_integers("indices")
    check_pointers(archive.source, indptr, indices, nrows // high, ncols // wide)
    if indices.size != data.shape[0]:
        archive.source.refuse(f"there are {indices.size:,} indices, and data has shape {data.shape}")
    archive.source.require(32 * data.size, "its blocks")
    corner = np.repeat(np.arange(nrows // high), np.diff(indptr)) * high, indices * wide
    rows = corner[0][:, None, None] + np.arange(high)[None, :, None]
    cols = corner[1][:, None, None] + np.arange(wide)[None, None, :]
    return np.broadcast_to(rows, data.shape).ravel(), np.broadcast_to(cols, data.shape).ravel(), data.ravel()


def read_dia(archive: Archive, nrows: int, ncols: int) -> tuple[Any, Any, Any]:
    """Layout dia: column j of row k of the data stands in column j of the diagonal ``offsets[k]``; zeros are none."""
    data, offsets = archive.read_array("data"), archive.read_integers("offsets")
    if data.ndim != 2 or data.shape[0] != offsets.size:
        archive.source.refuse(f"there are {offsets.size:,} diagonals, and data has shape {data.shape}")
    if np.unique(offsets).size != offsets.size:
        archive.source.refuse("a diagonal occurs twice")
    archive.source.require(32 * data.size, "its diagonals")
    cols = np.broadcast_to(np.arange(data.shape[1]), data.shape)
    rows = cols - offsets[:, None]
    there = (rows >= 0) & (rows < nrows) & (cols < ncols) & (data != 0)
    return rows[there], cols[there], data[there]


LAYOUTS: dict[str, Callable[[Archive, int, int], tuple[Any, Any, Any]]] = {
    "coo": read_coo,
    "csr": read_csr,
    "csc": read_csc,
    "bsr": read_bsr,
    "dia": read_dia,
}


def check_pointers(source: Source, indptr: Any, indices: Any, nrows: int, ncols: int) -> None:
    """Refuse row pointers and column indices that lead out of the arrays or the shape."""
    wrong = find_pointer_fault(np, indptr, nrows, indices.size) or find_index_fault(np, "indices", indices, ncols)
    if wrong:
        source.refuse(wrong)


def check_weights(source: Source, values: Any) -> None:
    """Refuse values that cannot be weights."""
    if values.dtype.kind not in "biuf":
        source.refuse(f"weights must be real numbers, and these are {values.dtype}")
    if np.isnan(values).any():
        source.refuse(f"weight {np.flatnonzero(np.isnan(values))[0]} is NaN; a weight must be a number")


def format_error(error: Exception) -> str:
    """What an error says, on one line."""
    return " ".join(str(error.args[0] if error.args else error).split())[:200]


def write(stream: BinaryIO, coo: Coo) -> None:
    """A `coo_array`; a pattern is stored as truths."""
    from scipy.sparse import coo_array, save_npz

    values = np.ones(coo.rows.size, bool) if coo.values is None else coo.values
    archive = io.BytesIO()
    save_npz(archive, coo_array((values, (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols)))
    stream.write(archive.getvalue())


format = Format("a SciPy .npz file", (".npz",), sniff, read, write)
