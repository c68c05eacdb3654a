"""Graph files: one module per format; a module that defines `format` is all that a new one takes.

`graphla.read` and `graphla.write` are for graphs; the functions here read and write entries as they stand in a file.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from graphla.errors import InvalidGraph
from graphla.io.compression import decompressed, opened, replacing
from graphla.io.edges import both_ways, without_truths
from graphla.io.format import Format, formats, named, of_source, of_target
from graphla.io.progress import tracked
from graphla.io.source import Source
from graphla.storage import Coo

__all__ = ["Coo", "Format", "formats", "read_coo", "write_coo"]


def read_coo(
    path: str | PathLike[str], format: str | None = None, *, undirected: bool = False, progress: bool = False
) -> Coo:
    """Read a file into coordinates, in the order of the file, repeats kept.

    Parameters
    ----------
    path : str or path
        A file, which may be compressed (gzip, xz or bzip2, recognised by its first bytes).
    format : str, optional
        A name of `formats`; by default the suffix decides, and the beginning of the file where the suffix does not.
    undirected : bool
        Add the reverse of every arc, for files that list each edge once without saying so.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Coo
        int32 rows and columns; int64 or float64 values, None for a pattern.

    Raises
    ------
    InvalidGraph
        If the file is missing, unreadable, cut short or malformed; the message names the line.
    NotSupported
        If the format is unknown, or holds what a graph cannot.

    Examples
    --------
    >>> from graphla.datasets import new_york
    >>> coo = read_coo(new_york())
    >>> coo.nrows, coo.rows.size
    (264346, 730100)
    """
    if path == "":
        raise InvalidGraph("path='': it names no file")
    path = Path(path)
    wanted = named(format) if format is not None else None
    with opened(path) as raw, tracked(raw, path, progress) as advanced:
        source = Source(path, decompressed(raw), advanced)
        head = source.head()
        if not head.strip():
            raise InvalidGraph(f"{path}: the file is empty")
        coo = (wanted or of_source(path, head)).read(source)
    return both_ways(coo) if undirected else coo


def write_coo(path: str | PathLike[str], coo: Coo, format: str | None = None) -> None:
    """Write coordinates to a file, whole or not at all; ``.gz``, ``.xz`` and ``.bz2`` compress.

    Parameters
    ----------
    path : str or path
        The file; one that is there already is replaced once the new one is complete.
    coo : Coo
        The entries, on the host.
    format : str, optional
        A name of `formats`; by default the suffix decides.

    Raises
    ------
    NotSupported
        If the format is unknown, or cannot hold this matrix without loss.
    InvalidGraph
        If the file cannot be written.

    Examples
    --------
    >>> import numpy as np
    >>> write_coo("two.tsv", Coo(3, 3, np.array([0, 1]), np.array([1, 2]), np.array([5, 7])))
    >>> read_coo("two.tsv").values.tolist()
    [5, 7]
    """
    path = Path(path)
    wanted = named(format) if format is not None else of_target(path)
    with replacing(path) as stream:
        wanted.write(stream, without_truths(coo))


def __dir__() -> list[str]:
    return __all__
