"""A graph as one row of an Arrow table: a column for each array of its matrix, which are lists of different lengths."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_bool, to_path
from graphla.common.errors import GraphlaError, InvalidGraph
from graphla.common.files import replace_file
from graphla.containers.arrow import require_pyarrow, to_column
from graphla.containers.labels import Labels
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.engine.protocol import EngineLike
from graphla.graphs.graph import Graph
from graphla.graphs.reading import frame
from graphla.storage import CompressedMatrix
from graphla.storage.pointers import find_index_fault, find_pointer_fault

PARTS = ("indptr", "indices", "values")
TRANSPOSED = "transposed_"
"""What the names of the arrays of the transpose begin with."""
FACTS = ("symmetric", "max_degree", "min_weight", "max_weight")
"""Facts that are kept if they are known."""
SUFFIX = ".graphla"
"""How the command line tells such a file; `save` and `load` take any name."""
KEY = b"graphla"
"""The metadata that tell of the graph, as JSON."""


def save(G: Graph, path: str | PathLike[str]) -> None:
    """Save a graph, whole or not at all: its matrix, labels, name, and what is known of it.

    Parameters
    ----------
    G : Graph
        The graph, on any engine.
    path : str or path
        The file; one that is there already is replaced once the new one is complete.

    Raises
    ------
    GraphlaError
        If G is no graph.
    InvalidGraph
        If Arrow has no column for the labels, as for pairs.
    NotSupported
        If pyarrow is not installed.
    CannotWrite
        If the system does not let the file be written.

    See Also
    --------
    load : The graph back.
    write : The arcs in a format of others.

    Notes
    -----
    The file is an Arrow IPC file (Feather) of one row, which pyarrow, Polars and others read; each array of the CSR
    matrix is a list in a column of its own. Rows of the transpose and the symmetry are kept if they are known. Every
    byte has a CRC-32.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.save(gl.Graph(([0, 1], [1, 2]), labels=["a", "b", "c"]), "path.graphla")
    >>> gl.bfs(gl.load("path.graphla"), "b").to_dict()
    {1: 0, 2: 1}
    """
    if not isinstance(G, Graph):
        raise GraphlaError(f"G={show(G)}: {type(G).__name__} is no Graph: gl.Graph(…) makes one")
    target = to_path(path, "path", InvalidGraph)
    if G.engine.name == "mpi":
        from graphla.graphs.reading.spreading import write_once  # what ranks need is imported when they are asked for

        whole = G.to("cpu")
        write_once(G.engine, lambda: save(whole, target))
        return
    arrow, batch = require_pyarrow(), make_row(G)
    with replace_file(target) as stream:
        summed = frame.Summed(stream)
        with arrow.ipc.new_file(arrow.PythonFile(summed, "w"), batch.schema) as writer:
            writer.write_batch(batch)
            summed.held = []
        summed.finish()


def make_row(G: Graph) -> Any:
    """The graph as a record batch of one row."""
    arrow, csr = require_pyarrow(), G.csr
    known = {name: G._known[name] for name in FACTS if name in G._known}
    told = {"n": G.n, "dtype": G.dtype.name, "name": G.name, "facts": known}
    arrays = list_arrays(G, csr, "")
    if not known.get("symmetric") and csr.is_cached("transposed"):
        arrays |= list_arrays(G, csr.cached("transposed", None), TRANSPOSED)
    columns = {name: wrap(to_column(plain(array), name)) for name, array in arrays.items()}
    if G.labels is not None:
        columns["labels"] = wrap(to_column(G.labels))
    batch = arrow.record_batch(columns)
    return batch.replace_schema_metadata({KEY: json.dumps(told).encode()})


def list_arrays(G: Graph, rows: CompressedMatrix, prefix: str) -> dict[str, Any]:
    """The arrays of a matrix on the host; the values only if one of them is not true."""
    held = {f"{prefix}{part}": G.engine.to_host(getattr(rows, part)) for part in PARTS}
    values = held[f"{prefix}values"]
    if values.dtype == bool and values.all():
        del held[f"{prefix}values"]
    return held


def plain(array: Any) -> Any:
    """An array in one piece, of a type whose bytes Arrow keeps: it packs truths into bits."""
    array = np.ascontiguousarray(array)
    return array.view(np.uint8) if array.dtype == bool else array


def wrap(column: Any) -> Any:
    """One row that holds a column as a list."""
    arrow = require_pyarrow()
    return arrow.LargeListArray.from_arrays(arrow.array([0, len(column)], arrow.int64()), column)


def load(path: str | PathLike[str], *, engine: EngineLike = None, mmap: bool = True, check: bool = True) -> Graph:
    """Load a graph that `save` wrote.

    Parameters
    ----------
    path : str or path
        The file.
    engine : {"cpu", "cuda", "mpi"}, optional
        Where the graph is to live; by default as `config.engine` says.
    mmap : bool
        Whether the arrays are those of the file, mapped into memory, which takes no copy on the CPU. Do not write into
        the file while the graph is in use: `save` replaces it, and does no harm. With False the file is read.
    check : bool
        Whether each byte is compared with its checksum, and each index with the number of vertices. Without, a mapped
        file is read where it is used alone, and a damaged one may end the process.

    Returns
    -------
    Graph
        With its labels and its name, or else the path, and all that was known of it.

    Raises
    ------
    InvalidGraph
        If the file is missing, none of `save`, cut short or damaged.
    NotSupported
        If a later graphla wrote it, or pyarrow is not installed.

    See Also
    --------
    save : Write such a file.

    Notes
    -----
    O(bytes) with `check`, by all cores, else O(n) for the labels alone.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.save(gl.Graph(([0, 1], [1, 2])), "path.graphla")
    >>> gl.load("path.graphla").nvals
    2
    """
    file, check = to_path(path, "path", InvalidGraph), to_bool(check, "check")
    home = get_engine(engine)
    content = read_bytes(file, to_bool(mmap, "mmap"))
    if check:
        frame.check(str(file), content)
    else:
        frame.split(str(file), memoryview(content))
    row = read_row(str(file), content)
    try:
        made = build(row, content, check)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, GraphlaError):
            raise InvalidGraph(f"{file}: {error}") from None
        raise frame.refuse(str(file), f"it does not hold the arrays of a graph: {error}") from None
    made.name = made.name or str(file)
    return made.to(home)


def read_bytes(file: Path, mapped: bool) -> Any:
    """The bytes of a file, mapped or read: an array that may be written to, which does not change the file."""
    try:
        if file.stat().st_size:
            return np.asarray(np.memmap(file, np.uint8, "c")) if mapped else np.fromfile(file, np.uint8)
    except (OSError, ValueError) as error:
        raise InvalidGraph(f"{file}: it cannot be read: {error}") from None
    raise InvalidGraph(f"{file}: the file is empty")


def read_row(name: str, content: Any) -> Any:
    """The record batch of one row, over these bytes."""
    arrow = require_pyarrow()
    try:
        reader = arrow.ipc.open_file(arrow.py_buffer(content))
        if reader.num_record_batches == 1 and KEY in (reader.schema.metadata or {}):
            return reader.get_batch(0)
    except (arrow.ArrowException, OSError) as error:
        raise frame.refuse(name, f"Arrow cannot read it: {error}") from None
    raise InvalidGraph(f"{name}: it is a file of Arrow, but not one of gl.save")


def build(row: Any, content: Any, check: bool) -> Graph:
    """The graph of a row on the CPU; its arrays are parts of the content."""
    told = json.loads(row.schema.metadata[KEY])
    engine, dtype = get_engine("cpu"), Matrix(told["dtype"], 0, 0, engine="cpu").dtype.numpy
    rows = read_rows(row, content, "", told["n"], dtype, check)
    if told["facts"].get("symmetric"):
        rows.keep_transpose(rows)
    elif TRANSPOSED + PARTS[0] in row.schema.names:
        rows.keep_transpose(read_rows(row, content, TRANSPOSED, told["n"], dtype, check))
    made = Graph(Matrix._from_storage(rows, engine), name=told["name"])
    made._known.update({name: value for name, value in told["facts"].items() if name in FACTS})
    if "labels" in row.schema.names:
        made._take_labels(Labels(row.column("labels").values.to_numpy(zero_copy_only=False)))
    return made


def read_rows(row: Any, content: Any, prefix: str, n: int, dtype: Any, check: bool) -> CompressedMatrix:
    """The rows of a matrix, checked so that no index leads out of an array."""
    names = row.schema.names
    indptr, indices = (find_array(row.column(prefix + part).values, content) for part in PARTS[:2])
    there = f"{prefix}values" in names
    values = find_array(row.column(f"{prefix}values").values, content) if there else np.ones(indices.size, bool)
    values = values.view(dtype) if values.dtype == np.uint8 and np.dtype(dtype) == bool else values
    if values.dtype != dtype or values.size != indices.size:
        raise InvalidGraph(f"{values.size:,} values of {values.dtype} for {indices.size:,} indices")
    fault = find_pointer_fault(np, indptr, n, indices.size)
    fault = fault or (find_index_fault(np, "indices", indices, n) if check else None)
    if fault:
        raise InvalidGraph(fault)
    return CompressedMatrix(n, n, indptr, indices, values)


def find_array(column: Any, content: Any) -> Any:
    """The array of a column without a copy: the place in the content that it was read from, which may be written to."""
    kind = np.dtype(column.type.to_pandas_dtype())
    data = column.buffers()[1]
    if not len(column):
        return np.zeros(0, kind)
    start = data.address - content.ctypes.data + column.offset * kind.itemsize
    return content[start : start + len(column) * kind.itemsize].view(kind)
