"""Graph files: one module per format; a module that defines `format` is all that a new one takes.

`graphla.read` and `graphla.write` are for graphs; the functions here read and write entries as they stand in a file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from graphla.common.arguments import show, speaks, to_bool, to_path
from graphla.common.errors import InvalidGraph, OutOfMemory
from graphla.graphs.io.compression import Encoded, Rejoined, decompress, open_file, replace_file
from graphla.graphs.io.edges import drop_truths
from graphla.graphs.io.format import Format, choose_source_format, choose_target_format, find_format, formats
from graphla.graphs.io.progress import show_progress
from graphla.graphs.io.repeats import join_repeats, refuse_gaps, relabel
from graphla.graphs.io.source import Source
from graphla.graphs.reverse import add_reverse
from graphla.storage import Coo

__all__ = ["Coo", "Format", "formats", "join_repeats", "read_coo", "refuse_gaps", "relabel", "write_coo"]

HEAD = 1 << 16
"""Bytes at the beginning that tell the format of a file."""
Named = str | PathLike[str]
File = Named | BinaryIO


def read_coo(
    file: File | TextIO, format: str | None = None, *, undirected: bool = False, progress: bool = False
) -> Coo:
    """Read a file into coordinates, in the order of the file, with repeated entries.

    Parameters
    ----------
    file : str, path or stream
        A file, pipe or stream, binary or of text, which may be compressed (gzip, xz or bzip2, recognised by its first
        bytes). A stream is read to its end.
    format : str, optional
        A name of `formats`, or a suffix that only one of them has; by default the suffix decides, and the beginning of
        the file where the suffix does not.
    undirected : bool
        Add the reverse of every arc that the file does not hold with the same weight.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Coo
        int32 rows and columns; int64, float64 or complex128 values, None for a pattern.

    Raises
    ------
    InvalidGraph
        If the file is missing, unreadable, cut short or malformed; the message names the file and the line.
    NotSupported
        If the format is unknown, or holds what a graph cannot.
    OutOfMemory
        If what is read does not fit in memory, or in ``config.memory_limit``.

    Examples
    --------
    >>> from graphla.datasets import new_york
    >>> coo = read_coo(new_york())
    >>> coo.nrows, coo.rows.size
    (264346, 730100)
    """
    wanted = find_format(format) if format is not None else None
    undirected, progress = to_bool(undirected, "undirected"), to_bool(progress, "progress")
    with (
        open_stream(file) as (raw, name),
        show_progress(raw, name, progress) as advanced,
        name_file_without_memory(name),
    ):
        source = Source(name, decompress(raw), advanced)
        head = source.read_head(HEAD)
        if not head.strip() and len(head) < HEAD:
            raise InvalidGraph(f"{name}: the file is empty")
        coo = (wanted or choose_source_format(Path(name), head)).read(source)
        return add_reverse(coo) if undirected else coo


@contextmanager
def open_stream(file: File | TextIO) -> Iterator[tuple[BinaryIO, str]]:
    """An open binary stream that tells its ends of lines, and its name."""
    if speaks(file, "read"):
        raw = cast("BinaryIO", Encoded(file) if isinstance(file, io.TextIOBase) else file)
        stream = raw if isinstance(raw, io.BufferedIOBase) else io.BufferedReader(Rejoined(b"", raw))
        yield cast("BinaryIO", stream), str(getattr(file, "name", "the stream"))
        return
    path = to_path(file, "file", InvalidGraph)
    with open_file(path) as raw:
        yield raw, str(path)


@contextmanager
def name_file_without_memory(name: str) -> Iterator[None]:
    """Name the file where NumPy finds no memory."""
    try:
        yield
    except OutOfMemory:
        raise
    except MemoryError as error:
        raise OutOfMemory(f"{name}: {error or 'not enough memory to read it'}") from None


def write_coo(file: File, coo: Coo, format: str | None = None) -> None:
    """Write coordinates to a file, whole or not at all; ``.gz``, ``.xz`` and ``.bz2`` compress.

    Parameters
    ----------
    file : str, path or binary stream
        The file; one that is there already is replaced once the new one is complete.
    coo : Coo
        The entries, on the host.
    format : str, optional
        A name of `formats`, or a suffix that only one of them has; by default the suffix decides. A stream needs it.

    Raises
    ------
    NotSupported
        If the format is unknown, or cannot hold this matrix without loss.
    InvalidGraph
        If `coo` is no Coo, or `file` no file.
    CannotWrite
        If the system does not let the file be written.

    Examples
    --------
    >>> import numpy as np
    >>> write_coo("two.tsv", Coo(3, 3, np.array([0, 1]), np.array([1, 2]), np.array([5, 7])))
    >>> read_coo("two.tsv").values.tolist()
    [5, 7]
    """
    if not isinstance(coo, Coo):
        raise InvalidGraph(f"coo={show(coo)}: give a Coo, as read_coo returns it; gl.write takes graphs")
    path = Path(str(getattr(file, "name", "the stream"))) if is_stream(file) else to_path(file, "file", InvalidGraph)
    wanted = find_format(format) if format is not None else choose_target_format(path)
    with open_target(file) as stream:
        wanted.write(stream, drop_truths(coo))


def is_stream(file: Any) -> bool:
    """Whether it is an open stream to write to."""
    return speaks(file, "write")


@contextmanager
def open_target(file: File) -> Iterator[BinaryIO]:
    """A stream to write to: that which is given, or one to a file that is replaced once the new one is complete."""
    if isinstance(file, io.TextIOBase):
        raise InvalidGraph(f"file={show(file)} is a stream of text: give a binary one, as open(path, 'wb') makes it")
    if is_stream(file):
        yield cast("BinaryIO", file)
        return
    with replace_file(to_path(file, "file", InvalidGraph)) as stream:
        yield stream


def __dir__() -> list[str]:
    return __all__
