"""Graphs from files, from the shipped samples and from generators; graphs to files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from graphla.common.arguments import show, to_bool, to_choice, to_text
from graphla.common.errors import GraphlaError, InvalidGraph, NotSupported
from graphla.common.interrupts import show_interrupts
from graphla.common.memory import WAY_OUT, convert_memory_error, is_memory_error, require
from graphla.containers import arrow
from graphla.engine import get_engine
from graphla.engine.protocol import EngineLike
from graphla.graphs import datasets, generators
from graphla.graphs.graph import Graph, require_graph
from graphla.graphs.io import File, drop_truths, join_repeats, open_target, read_coo, refuse_gaps, write_coo
from graphla.graphs.io.origin import Origin
from graphla.graphs.reading.columns import find_kind, read_columns, write_columns
from graphla.graphs.reverse import add_reverse
from graphla.storage import Coo
from graphla.storage.convert import DUPS, coo_from_csr


def read(
    file: File | TextIO,
    format: str | None = None,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    undirected: bool = False,
    dup: str = "error",
    progress: bool = False,
    engine: EngineLike = None,
) -> Graph:
    """Read a graph from a file.

    Parameters
    ----------
    file : str, path or stream
        A file in Matrix Market format, 9th-DIMACS ``.gr``, PACE ``.gr``, a SNAP edge list, ``.csv`` or ``.tsv``, METIS,
        or SciPy ``.npz``; also compressed by gzip, xz or bzip2. Pipes and streams are read to their end. Or a table in
        Parquet or Feather, which pyarrow reads.
    format : str, optional
        A name of `io.formats`, or a suffix that only one of them has, or ``"parquet"`` or ``"feather"``; by default the
        suffix and the beginning of the file decide.
    source, target, weight : str, optional
        The columns of a table, as of `Graph.from_arrow`, which names the vertices in `Graph.labels` if they are no
        integers; ``"source"``, ``"target"`` and none by default. With one of them pyarrow reads ``.csv`` and ``.tsv``,
        too, by the names of their first line.
    undirected : bool
        Add the reverse of every arc that the file does not hold with the same weight.
    dup : {"error", "first", "min", "sum"}
        What repeated arcs become. With `undirected`, two directions of different weights are repeats.
    progress : bool
        Show a progress bar on standard error. Not for tables.
    engine : {"cpu", "cuda", "mpi"}, optional
        Where the graph is to live; by default as `config.engine` says. For ``"mpi"`` each rank reads its part of the
        lines: of edge lists, Matrix Market coordinates and 9th-DIMACS files.

    Returns
    -------
    Graph
        INT64 or FP64 weights, or a pattern (BOOL), or weights of the dtype of their column; it has the path as its
        name.

    Raises
    ------
    InvalidGraph
        If the file is missing, cut short or malformed, if an arc occurs twice and `dup` is ``"error"``, or if its few
        arcs use vertex numbers beyond 16,777,216 with more than 1,000 numbers for each arc (`io.relabel`
        numbers them anew). The message names the file and the line.
    NotSupported
        If the format is unknown, or the file holds what a graph cannot; if columns are named and it is no table.
    OutOfMemory
        If the graph does not fit in memory, or in `config.memory_limit`.

    See Also
    --------
    write : Write a graph to a file.
    io.read_coo : The entries of a file in their order, repeats kept.
    io.relabel : Number the vertices without gaps.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.read(gl.datasets.new_york()).n
    264346
    """
    to_choice(dup, "dup", DUPS, InvalidGraph)
    refuse_other_sources(file)
    given = (("source", source), ("target", target), ("weight", weight))
    columns = {name: to_text(column, name, InvalidGraph) for name, column in given if column is not None}
    kind = find_kind(file, format, columns)
    if kind is not None:
        refuse_ranks(file, engine)
        return read_table(file, kind, columns, undirected=undirected, dup=dup, progress=progress, engine=engine)
    home = get_engine(engine)
    if home.name == "mpi":
        from graphla.graphs.reading.spreading import spread_read  # what ranks need is imported when they are asked for

        return spread_read(file, format, to_bool(undirected, "undirected"), dup, to_bool(progress, "progress"), home)
    coo = read_coo(file, format, undirected=undirected, progress=progress)
    return build_graph(coo, dup=dup, name=coo.origin.name, engine=engine)


def refuse_other_sources(file: Any) -> None:
    """Refuse what the command line takes for a graph and this does not: a generator, or the name of a sample."""
    if not isinstance(file, str) or Path(file).exists():
        return
    if generators.is_spec(file):
        raise InvalidGraph(f"file={file!r}: there is no such file; gl.generate.from_spec({file!r}) makes this graph")
    if file == "ny" or file in datasets.names():
        raise InvalidGraph(f"file={file!r}: there is no such file; gl.read(gl.datasets.new_york()) reads the sample")


def refuse_ranks(file: Any, engine: EngineLike) -> None:
    """Refuse to read a table on an engine of many ranks."""
    if get_engine(engine).name == "mpi":
        raise NotSupported(
            f"file={show(file)}: a table is not read in parts: read it on each rank and spread it, "
            "gl.read(…, engine='cpu').to('mpi')"
        )


def read_table(
    file: Any, kind: str, columns: dict[str, str], *, undirected: bool, dup: str, progress: bool, engine: EngineLike
) -> Graph:
    """Read the graph of a table."""
    if to_bool(progress, "progress"):
        raise NotSupported(f"progress=True: pyarrow reads file={show(file)} in one piece: leave it out")
    coo = read_columns(file, kind, columns)
    whole = add_reverse(coo, dup) if to_bool(undirected, "undirected") else coo
    with name_file(coo.origin), arrow.name_repeats(coo.rows, coo.cols, coo.labels):
        return build_graph(whole, dup=dup, name=coo.origin.name, engine=engine)


@show_interrupts
def build_graph(coo: Coo, *, dup: str, name: str, engine: EngineLike = None) -> Graph:
    """Make a graph of what was read or generated; a refusal names the file, and the line if one is to blame."""
    if coo.origin is None:
        return Graph(coo, dup=dup, name=name, engine=engine)
    refuse_gaps(coo)
    with name_file(coo.origin):
        require(estimate_bytes(coo), f"a graph of {coo.nrows} vertices", np, WAY_OUT)
        try:
            return Graph(coo, dup=dup, name=name, engine=engine)
        except InvalidGraph:
            if dup == "error":
                join_repeats(coo, dup)
            raise


def estimate_bytes(coo: Coo) -> int:
    """Bytes that the arrays of a graph take while they are put together."""
    return 40 * coo.rows.size + 8 * max(coo.nrows, coo.ncols)


@contextmanager
def name_file(origin: Origin) -> Iterator[None]:
    """Put the name of a file before what is said of the graph in it."""
    try:
        yield
    except GraphlaError as error:
        if str(error).startswith(origin.name):
            raise
        raise type(error)(f"{origin.name}, {origin.size}: {error}") from None


def write(file: File, G: Graph, format: str | None = None, *, labels: bool = True) -> None:
    """Write the arcs of a graph to a file, whole or not at all.

    Parameters
    ----------
    file : str, path or binary stream
        The file; one that is there already is replaced once the new one is complete. The suffixes ``.gz``, ``.xz`` and
        ``.bz2`` compress.
    G : Graph
        The graph, on any engine.
    format : str, optional
        A name of `io.formats`, or a suffix that only one of them has, or ``"parquet"`` or ``"feather"``; by default the
        suffix decides. Required for a stream.
    labels : bool
        Whether the labels of the vertices are written, if they have some: to Parquet and Feather, which hold them. With
        False any file has the numbers alone.

    Raises
    ------
    NotSupported
        If the format is unknown, or cannot hold these arcs and the labels without loss.
    CannotWrite
        If the system does not let the file be written.
    GraphlaError
        If G is no graph.

    See Also
    --------
    read : Read a graph from a file.
    save : The whole graph, to come back fast.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.write("triangle.mtx", gl.Graph(([0, 1, 2], [1, 2, 0])))
    >>> gl.read("triangle.mtx").nvals
    3
    """
    require_graph(G)
    coo = coo_from_csr(G.A.to("cpu")._to_compressed())
    kept = G._labels if to_bool(labels, "labels") else None

    def put() -> None:
        write_arcs(file, replace(coo, labels=kept), format)

    if G.engine.name == "mpi":
        from graphla.graphs.reading.spreading import write_once  # what ranks need is imported when they are asked for

        write_once(G.engine, put)
    else:
        put()


def write_arcs(file: File, coo: Coo, format: str | None) -> None:
    """Write entries in any format, those of tables included; a refusal says where labels can go."""
    kind = find_kind(file, format, {})
    if kind is not None:
        with open_target(file) as stream:
            write_columns(stream, kind, drop_truths(coo))
        return
    if coo.labels is not None:
        raise NotSupported(
            f"file={show(file)}: the vertices have labels, which only tables and gl.save keep: write a .parquet or "
            ".feather file, or the numbers alone by gl.write(…, labels=False)"
        )
    write_coo(file, coo, format)


NOT_GENERATORS = {"generators", "is_spec", "lfr_communities", "pair_weights"}
ENGINE = """engine : {"cpu", "cuda", "mpi"}, optional
    Where the graph is made and lives; by default as `config.engine` says. All engines make the same graph. For
    ``"mpi"`` each rank draws its part of the edges.
"""


class Generators:
    """``generate.kronecker(20)``: the generators of `graphla.graphs.generators`, each returning a `Graph`.

    The names of the command line, such as ``kron``, are synonyms.
    """

    def __init__(self) -> None:
        self.names = sorted(set(generators.__all__) - NOT_GENERATORS)
        self.synonyms = {g.name: g.function.__name__ for g in generators.generators().values()}
        listed = "\n".join(f"{name}\n    {read_first_line(getattr(generators, name))}" for name in self.names)
        self.__doc__ = f"Generators of graphs; each is a function that returns a `Graph`.\n\n{listed}"

    def __getattr__(self, name: str) -> Callable[..., Graph]:
        chosen = name if name in self.names else self.synonyms.get(name)
        if name.startswith("__") or chosen is None:
            raise AttributeError(f"there is no generator {name!r}; there are: {', '.join(self.names)}")
        if chosen != name:
            return getattr(self, chosen)
        made = make_graph_generator(name)
        setattr(self, name, made)
        return made

    def __reduce__(self) -> str:
        return "generate"  # the one of this module

    def __repr__(self) -> str:
        return f"<generators: {', '.join(self.names)}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __dir__(self) -> list[str]:
        return self.names


def read_first_line(function: Callable[..., Any]) -> str:
    """What a function says of itself first."""
    return (function.__doc__ or "").partition("\n")[0]


def make_graph_generator(name: str) -> Callable[..., Graph]:
    """The generator of that name as a function that returns a graph on an engine, instead of coordinates."""
    make = getattr(generators, name)
    own = signature(make, eval_str=True).parameters
    shown = [each for each in own.values() if each.name != "xp"]
    engine_parameter = Parameter("engine", Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    offered = Signature([*shown, engine_parameter], return_annotation=Graph)

    def make_graph(*args: Any, engine: EngineLike = None, **options: Any) -> Graph:
        try:
            given = offered.bind(*args, **options)
        except TypeError as error:
            raise TypeError(f"generate.{name}: {error}") from None
        home = get_engine(engine)
        if home.name == "mpi":
            from graphla.graphs.reading.spreading import spread_generated

            return spread_generated(name, args, options, home)
        where = {"xp": home.xp} if "xp" in own else {}  # made where it is to live
        try:
            return Graph(make(*args, **options, **where), name=given.arguments.get("text", name), engine=home)
        except (MemoryError, ValueError) as error:
            if not is_memory_error(error):
                raise
            raise convert_memory_error(error, home, f"generate.{name}") from None

    make_graph.__name__, make_graph.__qualname__ = name, f"generate.{name}"
    make_graph.__doc__ = make_graph_doc(make)
    make_graph.__signature__ = offered  # type: ignore[attr-defined]
    return make_graph


def make_graph_doc(make: Callable[..., Any]) -> str:
    """The docstring of a generator, with an engine instead of an array module, and a graph instead of coordinates."""
    before, returns, after = cleandoc(make.__doc__ or "").partition("\nReturns\n-------\nCoo\n")
    parameters = before.partition("\nxp : ")[0].rstrip("\n")
    return f"{parameters}\n{ENGINE}{returns.replace('Coo', 'Graph')}{after}"


generate = Generators()

__all__ = ["datasets", "generate", "read", "write"]
