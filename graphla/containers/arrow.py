"""Arrow tables in and out: pandas, Polars, DuckDB, pyarrow and whatever else speaks the Arrow C stream.

pyarrow reads the stream. A table on a GPU, of cuDF, comes through the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array, to_int, to_text
from graphla.common.errors import DimensionMismatch, InvalidGraph, UnknownLabel
from graphla.common.extras import require
from graphla.containers.arcs import LARGEST, USUAL_WEIGHT, Arcs, check_numbers, find_size, refuse_nan
from graphla.containers.device_columns import ON_HOST, has_device_columns, read_device_arcs, to_host
from graphla.containers.labels import Column, Labels, Names, read_labels, to_labels

LARGEST_SHOWN = 12
COUNT, NAMES = b"graphla.vertices", b"graphla.labels"
"""Metadata of a table of arcs: how many vertices there are, and their labels as a stream of Arrow."""


def require_pyarrow() -> Any:
    """The module pyarrow, or an error that says how to install it."""
    require("pyarrow.compute", "arrow", "an Arrow table")
    return require("pyarrow", "arrow", "an Arrow table")


def is_table(source: Any) -> bool:
    """Whether it holds columns with names: a dictionary, or what speaks the Arrow C stream or is a frame."""
    speaks = ("__arrow_c_stream__", "__arrow_c_array__", "__dataframe__")
    return not isinstance(source, type) and (isinstance(source, dict) or any(hasattr(source, name) for name in speaks))


def read_table(table: Any) -> Any:
    """A `pyarrow.Table` of anything that speaks the Arrow C stream, of a pandas frame, or of a dictionary of arrays."""
    arrow = require_pyarrow()
    if isinstance(table, arrow.Table):
        return table
    if has_device_columns(table):
        raise InvalidGraph(
            "the columns of the table are on a device: give them as a tuple, (source, target, weight), or bring them "
            f"to the host, {ON_HOST}"
        )
    if not is_table(table):
        raise InvalidGraph(
            f"{type(table).__name__} is no table: give one of pandas, Polars, DuckDB or pyarrow (what speaks the Arrow "
            "C stream), or a dictionary of arrays; of a Polars LazyFrame .collect(), of a DuckDB connection con.sql(…)"
        )
    try:
        return arrow.table(table)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        way = f": {show(table)}; labels may be texts, weights floats" if isinstance(error, OverflowError) else ""
        raise InvalidGraph(f"the table cannot be read: {error}{way}") from None


def read_column(table: Any, name: str, what: str) -> Any:
    """A column as a chunked array without nulls; `what` names the argument that asked for it."""
    to_text(name, what, InvalidGraph)
    if name not in table.column_names:
        shown = ", ".join(map(repr, table.column_names[:LARGEST_SHOWN]))
        raise InvalidGraph(f"{what}={name!r}: the table has no such column; it has {shown}")
    column = decode_runs(table.column(name))
    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy())[0])
        raise InvalidGraph(
            f"{what}={name!r}: row {row} of that column is null, and {column.null_count:,} are: drop them"
        )
    return column


def decode_runs(column: Any) -> Any:
    """A column without runs, in which its nulls are counted, and for which pyarrow has all functions."""
    arrow = require_pyarrow()
    if not arrow.types.is_run_end_encoded(column.type):
        return column
    parts = [arrow.compute.run_end_decode(chunk) for chunk in column.chunks]
    return arrow.chunked_array(parts, column.type.value_type)


def to_numbers(column: Any, what: str) -> Any:
    """A column of numbers or truths as an array of NumPy, without a copy where it is in one piece."""
    types, column = require_pyarrow().types, to_plain(column)
    if not (types.is_integer(column.type) or types.is_floating(column.type) or types.is_boolean(column.type)):
        raise InvalidGraph(
            f"{what}: a column of numbers is wanted, and this one is of {column.type}: cast it, as to float64"
        )
    return column.to_numpy()


def read_weights(table: Any, name: str) -> Any:
    """A column of weights as an array of NumPy; a NaN is refused by its row."""
    return refuse_nan(to_numbers(read_column(table, name, "weight"), f"weight={name!r}"), name)


def to_plain(column: Any) -> Any:
    """A column without views of strings or dictionaries, which pyarrow does not encode or cast everywhere."""
    arrow = require_pyarrow()
    if arrow.types.is_dictionary(column.type):
        parts = [to_plain(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
        kind = parts[0].type if parts else to_plain(arrow.array([], column.type.value_type)).type
        return arrow.chunked_array(parts, kind)
    views = {arrow.string_view(): arrow.large_string(), arrow.binary_view(): arrow.large_binary()}
    return column.cast(views[column.type]) if column.type in views else column


def number_labels(columns: list[Any], known: Labels | None = None) -> tuple[list[Any], Labels]:
    """Replace labels by numbers: those that are known keep theirs, others follow in the order in which they occur.

    The numbers of each column, and the labels.
    """
    arrow = require_pyarrow()
    types = {str(column.type) for column in columns}
    if len(types) > 1:
        raise InvalidGraph(
            f"source and target are columns of {' and '.join(sorted(types))}: cast one, so that both have one type"
        )
    plain = [to_plain(column) for column in columns]
    if arrow.types.is_nested(plain[0].type):
        raise InvalidGraph(
            f"source and target are columns of {plain[0].type}, and labels are texts, numbers or dates: take one field "
            "of a struct, or write what is nested as a text"
        )
    first = [] if known is None else [to_arrow_array(known, plain[0].type)]
    together = arrow.chunked_array([*first, *(part for column in plain for part in column.chunks)], plain[0].type)
    encoded = together.dictionary_encode().combine_chunks()
    encoded = encoded.chunk(0) if isinstance(encoded, arrow.ChunkedArray) else encoded
    try:
        numbers, labels = encoded.indices, encoded.dictionary.to_numpy(zero_copy_only=False)
    except UnicodeDecodeError as error:
        raise InvalidGraph(f"source and target: a label is no text in UTF-8: {error}") from None
    numbers = numbers[len(first[0]) :].to_numpy() if known is not None else numbers.to_numpy()
    if known is not None:
        numbers, labels = follow_known(known, first[0], numbers, labels)
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return np.split(numbers, ends), Labels(labels)


def to_arrow_array(labels: Labels, kind: Any) -> Any:
    """Labels as an array of the type of a column, with a null for None."""
    arrow = require_pyarrow()
    try:
        return arrow.array(labels.array, from_pandas=False).cast(kind)
    except (arrow.ArrowException, OverflowError, TypeError) as error:
        raise InvalidGraph(
            f"labels={show(labels.array)}: the columns are of {kind}, and these are not: {error}"
        ) from None


def follow_known(known: Labels, there: Any, numbers: Any, labels: Any) -> tuple[Any, Any]:
    """Numbers and labels where vertices without labels, which are not numbered, stand between the known ones."""
    if len(labels) >= known.array.size and not there.null_count:
        return numbers, labels if len(labels) > known.array.size else known.array
    places = np.flatnonzero(there.is_valid().to_numpy(zero_copy_only=False))
    more = labels[places.size :].astype(object)
    places = np.concatenate([places, known.array.size + np.arange(more.size)])
    return places[numbers], np.concatenate([known.array, more]) if more.size else known.array


def read_arcs(
    table: Any,
    source: str = "source",
    target: str = "target",
    weight: str | None = USUAL_WEIGHT,
    relabel: bool = False,
    labels: Any = None,
) -> Arcs:
    """The arcs of a table; integers are labels, too, if `relabel` is true or there are `labels`.

    Parameters
    ----------
    table : table
        What `read_table` takes.
    source, target, weight : str
        The names of the columns; the usual one of weights need not be there.
    relabel : bool
        Whether integers are labels.
    labels : sequence, optional
        The labels of all vertices; by default those that the metadata tell, which others may follow.
    """
    if has_device_columns(table):
        return read_device_arcs(table, source, target, weight, relabel, labels)
    table = read_table(table)
    if weight is not None:
        to_text(weight, "weight", InvalidGraph)
    columns = [read_column(table, source, "source"), read_column(table, target, "target")]
    weights = (
        None
        if weight is None or (weight == USUAL_WEIGHT and weight not in table.column_names)
        else (read_weights(table, weight))
    )
    count, known = recall_vertices(table) if labels is None else (None, read_all_labels(labels))
    if known is None and not relabel and all(require_pyarrow().types.is_integer(column.type) for column in columns):
        tails, heads = map(read_numbers, columns, (f"source={source!r}", f"target={target!r}"))
        return Arcs(tails, heads, weights, n=None if count is None else max(count, find_size(tails, heads)))
    (tails, heads), held = number_labels(columns, known)
    if labels is not None:
        require_all_known(known, held, (tails, heads))
    return Arcs(tails, heads, weights, held, held.array.size)


def read_usual_arcs(table: Any, weight: str, labels: Any) -> Arcs:
    """The arcs of a table whose columns have the usual names; one of others is refused with the way to name them."""
    table = table if has_device_columns(table) else read_table(table)
    names = list(table) if isinstance(table, dict) else table.column_names
    if not {"source", "target"} <= set(names):
        shown = ", ".join(map(repr, names[:LARGEST_SHOWN]))
        raise InvalidGraph(
            f"the table has the columns {shown}, and none of the names 'source' and 'target': say which hold the ends "
            "of arcs, gl.Graph.from_arrow(table, source=…, target=…)"
        )
    return read_arcs(table, weight=weight, labels=labels)


def require_known(labels: Labels, *ends: Any) -> None:
    """Refuse arcs between vertices that have no label."""
    if labels.array.dtype.kind != "O":
        return
    nameless = np.array([each is None for each in labels.array], bool)
    for end in ends:
        if nameless[end].any():
            vertex = int(end[nameless[end]][0])
            raise InvalidGraph(f"vertex {vertex} has arcs and no label: give it one, as by G.labels = […]")


def tabulate(rows: Any, cols: Any, values: Any, n: int, labels: Labels | None) -> Any:
    """A table of arcs, whose metadata tell how many vertices there are, and their labels; all arrays on the host."""
    if labels is not None:
        require_known(labels, rows, cols)
        rows, cols = labels.array[rows], labels.array[cols]
    columns = {"source": rows, "target": cols, "weight": values}
    return note_vertices(write_table({name: each for name, each in columns.items() if each is not None}), n, labels)


def read_batch(table: Any, known: Labels | None) -> Arcs:
    """The arcs of a table about a graph whose labels are known; other labels follow them."""
    table = read_table(table).replace_schema_metadata(None)
    columns = [read_column(table, name, name) for name in ("source", "target")]
    weights = read_weights(table, USUAL_WEIGHT) if USUAL_WEIGHT in table.column_names else None
    if all(require_pyarrow().types.is_integer(column.type) for column in columns) and not (known and known.numeric):
        tails, heads = map(read_numbers, columns, ("source", "target"))
        return Arcs(tails, heads, weights)
    if known is None:
        raise InvalidGraph(f"source and target are columns of {columns[0].type}, and this graph has no labels")
    (tails, heads), held = number_labels(columns, known)
    return Arcs(tails, heads, weights, held, held.array.size)


def read_all_labels(labels: Any) -> Labels | None:
    """The labels of all vertices, as a caller gives them."""
    held = to_labels(labels)
    return read_labels(held, held.size)


def require_all_known(known: Any, held: Labels, ends: tuple[Any, Any]) -> None:
    """Refuse an end of an arc that is none of the labels that were given."""
    if held.array.size == known.array.size:
        return
    for what, end in zip(("source", "target"), ends, strict=True):
        beyond = np.flatnonzero(end >= known.array.size)
        if beyond.size:
            raise UnknownLabel(
                f"{what}: row {beyond[0]} of the table is {show(held.array[end[beyond[0]]])}, which is none of labels="
            )


def note_vertices(table: Any, n: int, labels: Labels | None) -> Any:
    """A table of arcs whose metadata tell how many vertices there are, and their labels."""
    noted = {COUNT: str(n).encode()}
    if labels is not None:
        arrow = require_pyarrow()
        names = arrow.table({"labels": to_column(labels.array)})
        sink = arrow.BufferOutputStream()
        with arrow.ipc.new_stream(sink, names.schema) as stream:
            stream.write_table(names)
        noted[NAMES] = sink.getvalue().to_pybytes()
    return table.replace_schema_metadata({**(table.schema.metadata or {}), **noted})


def recall_vertices(table: Any) -> tuple[int | None, Labels | None]:
    """What the metadata of a table of arcs tell of its vertices: their number, and their labels."""
    noted = table.schema.metadata or {}
    if COUNT not in noted:
        return None, None
    arrow = require_pyarrow()
    try:
        count = to_int(int(noted[COUNT]), "n", 0, LARGEST)
        if NAMES not in noted:
            return count, None
        column = arrow.ipc.open_stream(noted[NAMES]).read_all().column(0)
    except (ValueError, IndexError, OSError, arrow.ArrowException) as error:
        raise InvalidGraph(f"the metadata {NAMES.decode()} of the table cannot be read: {error}") from None
    return count, read_labels(column.to_numpy(), count)


def read_numbers(column: Any, what: str) -> Any:
    """A column of numbers of vertices."""
    return check_numbers(column.to_numpy(), what)


@contextmanager
def name_repeats(tails: Any, heads: Any, labels: Labels | None) -> Iterator[None]:
    """Refuse arcs that occur twice by the names of their vertices and the rows of the table, if a graph is refused."""
    try:
        yield
    except InvalidGraph:
        refuse_repeat(tails, heads, labels)
        raise


def refuse_repeat(tails: Any, heads: Any, labels: Labels | None) -> None:
    """Refuse the first arc that occurs twice."""
    tails, heads = to_host(tails), to_host(heads)
    order = np.lexsort((heads, tails))
    again = np.flatnonzero((np.diff(tails[order]) == 0) & (np.diff(heads[order]) == 0))
    if again.size:
        first, second = order[again[0]], order[again[0] + 1]
        tail, head = (end[first] if labels is None else repr(labels.array[end[first]]) for end in (tails, heads))
        raise InvalidGraph(
            f"the arc {tail} → {head} occurs twice, in rows {first} and {second} of the table: "
            "dup='first', 'min' or 'sum' joins them"
        ) from None


def require_places(values: Any) -> Any:
    """Values that number something, from 0 on."""
    if values.dtype.kind not in "iu" or (values.size and int(values.min()) < 0):
        raise InvalidGraph("value_labels: the values are no vertices: whole numbers from 0 on are wanted")
    return values


def pick_labels(labels: Any, places: Any) -> Any:
    """The labels of some indices."""
    held = to_array(np.asarray, labels, "labels", InvalidGraph)
    if held.ndim != 1 or (places.size and int(places.max()) >= held.size):
        raise InvalidGraph(
            f"labels={show(labels)}: give one label for each index; there are {held.size if held.ndim else 'none'}"
        )
    return held[places]


def join_answers(n: int, labels: Labels | None, answers: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """A table of n vertices with a column for each vector, null where that has no entry."""
    arrow = require_pyarrow()
    listed = [(None, each) for each in answers] + list(named.items())
    columns = {"vertex": to_column(np.arange(n) if labels is None else labels.array)}
    for given, vector in listed:
        if getattr(vector, "shape", None) != (n,) or not hasattr(vector, "to_coo"):
            raise DimensionMismatch(f"{given or 'answers'}={show(vector)}: give a Vector of a value for {n:,} vertices")
        index, value = Column("index"), Column("value")
        index, value = (index, value) if vector._names is None else vector._names.columns
        if index.labels is not None and labels is not None and not labels.equals(index.labels):
            raise InvalidGraph(f"{given or value.name}: an answer about a graph with other labels; ask it of this one")
        name = given or value.name
        if name in columns or index.name not in ("index", "vertex"):
            usual = index.name in ("index", "vertex")
            why = "two columns have this name" if usual else f"its rows are by {index.name}, not by vertex"
            way = "give it as a keyword, table(name=answer)" if usual else "take its to_arrow()"
            raise InvalidGraph(f"{name}: {why}; {way}")
        places, values = (vector.engine.to_host(part) for part in vector.to_coo())
        held = to_column(values if value.labels is None else value.labels.array[values], name)
        where = np.full(n, -1, np.int64)
        where[places] = np.arange(places.size)
        columns[name] = held.take(arrow.array(where, mask=where < 0))
    return arrow.table(columns)


def write_table(columns: dict[str, Any]) -> Any:
    """A `pyarrow.Table` of arrays on the host, by the names of its columns."""
    return require_pyarrow().table({name: to_column(array, name) for name, array in columns.items()})


def to_column(array: Any, name: str = "labels") -> Any:
    """An array of NumPy as one of Arrow."""
    arrow = require_pyarrow()
    try:
        return arrow.array(array)
    except (arrow.ArrowException, OverflowError, TypeError) as error:
        raise InvalidGraph(
            f"Arrow has no column for {name} of {array.dtype}: {error}; give labels that are texts or numbers"
        ) from None


def write_named(parts: tuple[Any, ...], names: Names | None, usual: tuple[str, ...], given: tuple[Any, ...]) -> Any:
    """A table of indices and values on the host.

    Parameters
    ----------
    parts : tuple of array
        The indices, and the values.
    names : Names or None
        What they are called, if they are called something.
    usual : tuple of str
        What they are called else.
    given : tuple of (array or None)
        The labels that a caller gives for each; None for those of `names`.
    """
    columns = tuple(Column(name) for name in usual) if names is None else names.columns
    made: dict[str, Any] = {}
    for part, column, labels in zip(parts, columns, given, strict=True):
        held = labels if labels is not None else column.labels and column.labels.array
        made[column.name] = part if held is None else pick_labels(held, part)
    return write_table(made)
