"""Graphs from files, from the shipped samples and from generators; graphs to files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import signature
from os import PathLike
from typing import Any

from graphla import datasets, generators
from graphla.engine import engine_named
from graphla.engine.protocol import EngineLike
from graphla.graph import Graph
from graphla.io import read_coo, write_coo
from graphla.memory import convert_memory_error
from graphla.storage.convert import coo_from_csr


def read(
    path: str | PathLike[str],
    format: str | None = None,
    *,
    undirected: bool = False,
    dup: str = "error",
    progress: bool = False,
    engine: EngineLike = None,
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    path : path
        Matrix Market, 9th-DIMACS ``.gr``, PACE ``.gr``, SNAP edge lists, METIS or SciPy ``.npz``, also compressed by
        gzip, xz or bzip2.
    format : str, optional
        A name of `graphla.io.formats`; by default the suffix and the beginning of the file tell.
    undirected : bool
        Add the reverse of every arc, for files that list each edge once without saying so.
    dup : {"error", "first", "min", "sum"}
        What repeated edges become.
    progress : bool
        Show a progress bar on standard error.
    engine : {"cpu", "cuda"}, optional
        Where the graph is to live.

    Raises
    ------
    InvalidGraph
        If the file is missing, cut short or malformed; the message names the line.
    NotSupported
        If the format is unknown.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.read(gl.datasets.new_york()).n
    264346
    """
    coo = read_coo(path, format, undirected=undirected, progress=progress)
    return Graph(coo, dup=dup, name=str(path), engine=engine)


def write(path: str | PathLike[str], G: Graph, format: str | None = None) -> None:
    """Write a graph to a file, whole or not at all; the suffix tells the format and the compression."""
    matrix = G.A.to("cpu")._compressed()
    write_coo(path, coo_from_csr(matrix), format)


class Generators:
    """``generate.kronecker(20)``: the functions of `graphla.generators`, each giving a `Graph`."""

    def __getattr__(self, name: str) -> Callable[..., Graph]:
        if name not in generators.__all__:
            raise AttributeError(f"there is no generator {name!r}; there are: {', '.join(sorted(generators.__all__))}")
        make = getattr(generators, name)

        @wraps(make)
        def graph(*args: Any, engine: EngineLike = None, **options: Any) -> Graph:
            home = engine_named(engine)
            if "xp" in signature(make).parameters:
                options["xp"] = home.xp  # made where it is to live; the same graph on every engine
            try:
                return Graph(make(*args, **options), name=name, engine=home)
            except MemoryError as error:
                raise convert_memory_error(error, home, f"generate.{name}") from None

        return graph

    def __iter__(self) -> Iterator[str]:
        return iter(generators.__all__)

    def __dir__(self) -> list[str]:
        return sorted(generators.__all__)


generate = Generators()

__all__ = ["datasets", "generate", "read", "write"]
