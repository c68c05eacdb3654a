"""Arrow tables in and out: pandas, Polars, DuckDB, pyarrow and whatever else speaks the Arrow C stream.

pyarrow reads the stream. A table on a GPU, of cuDF, comes through the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_array, to_text
from graphla.common.errors import InvalidGraph
from graphla.common.extras import require

LARGEST_SHOWN = 12


def require_pyarrow() -> Any:
    """The module pyarrow, or an error that says how to install it."""
    require("pyarrow.compute", "arrow", "an Arrow table")
    return require("pyarrow", "arrow", "an Arrow table")


def read_table(table: Any) -> Any:
    """A `pyarrow.Table` of anything that speaks the Arrow C stream, of a pandas frame, or of a dictionary of arrays."""
    arrow = require_pyarrow()
    if isinstance(table, arrow.Table):
        return table
    speaks = any(hasattr(table, name) for name in ("__arrow_c_stream__", "__arrow_c_array__", "__dataframe__"))
    if not speaks and not isinstance(table, dict):
        raise InvalidGraph(
            f"{type(table).__name__} is no table: give one of pandas, Polars, DuckDB or pyarrow (what speaks the Arrow "
            "C stream), or a dictionary of arrays; of a Polars LazyFrame .collect(), of a DuckDB connection con.sql(…)"
        )
    try:
        return arrow.table(table)
    except (arrow.ArrowException, TypeError, ValueError) as error:
        raise InvalidGraph(f"the table cannot be read: {error}") from None


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
    found = to_numbers(read_column(table, name, "weight"), f"weight={name!r}")
    if found.dtype.kind == "f" and np.isnan(found).any():
        row, count = int(np.isnan(found).argmax()), int(np.isnan(found).sum())
        raise InvalidGraph(f"weight={name!r}: row {row} of that column is NaN, and {count:,} are: drop or fill them")
    return found


def to_plain(column: Any) -> Any:
    """A column without views of strings or dictionaries, which pyarrow does not encode or cast everywhere."""
    arrow = require_pyarrow()
    if arrow.types.is_dictionary(column.type):
        parts = [to_plain(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
        kind = parts[0].type if parts else to_plain(arrow.array([], column.type.value_type)).type
        return arrow.chunked_array(parts, kind)
    views = {arrow.string_view(): arrow.large_string(), arrow.binary_view(): arrow.large_binary()}
    return column.cast(views[column.type]) if column.type in views else column


def number_labels(columns: list[Any]) -> tuple[list[Any], Any]:
    """Replace labels by numbers, in the order in which they first occur: the numbers of each column, and the labels."""
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
    together = arrow.chunked_array([chunk for column in plain for chunk in column.chunks], plain[0].type)
    encoded = together.dictionary_encode().combine_chunks()
    encoded = encoded.chunk(0) if isinstance(encoded, arrow.ChunkedArray) else encoded
    try:
        numbers, labels = encoded.indices.to_numpy(), encoded.dictionary.to_numpy(zero_copy_only=False)
    except UnicodeDecodeError as error:
        raise InvalidGraph(f"source and target: a label is no text in UTF-8: {error}") from None
    ends = np.cumsum([len(column) for column in columns])[:-1]
    return np.split(numbers, ends), labels


LARGEST = 2**31 - 2
"""The largest number of a vertex: indices are int32."""


def read_ends(table: Any, source: str, target: str, relabel: bool = False) -> tuple[Any, Any, Any]:
    """Return tails and heads of arcs as numbers, and their labels (None if the columns hold integers).

    Integers are labels, too, if `relabel` is true.
    """
    columns = [read_column(table, source, "source"), read_column(table, target, "target")]
    if not relabel and all(require_pyarrow().types.is_integer(column.type) for column in columns):
        return (*map(read_numbers, columns, (f"source={source!r}", f"target={target!r}")), None)
    (tails, heads), labels = number_labels(columns)
    return tails, heads, labels


def read_numbers(column: Any, what: str) -> Any:
    """A column of numbers of vertices."""
    found = column.to_numpy()
    wrong = (found < 0) | (found > LARGEST)
    if wrong.any():
        row = int(wrong.argmax())
        raise InvalidGraph(
            f"{what}: row {row} of that column is {found[row]}, and vertices are numbered from 0 to {LARGEST:,}: "
            "Graph.from_arrow(…, relabel=True) takes integers for labels"
        )
    return found


def add_unlabelled(labels: Any, n: int) -> Any:
    """Labels of n vertices: those that were added to the labelled ones have None."""
    if labels is None or labels.size >= n:
        return labels
    return np.concatenate([labels.astype(object), np.full(n - labels.size, None)])


@contextmanager
def name_repeats(tails: Any, heads: Any, labels: Any) -> Iterator[None]:
    """Refuse arcs that occur twice by the names of their vertices and the rows of the table, if a graph is refused."""
    try:
        yield
    except InvalidGraph:
        refuse_repeat(tails, heads, labels)
        raise


def refuse_repeat(tails: Any, heads: Any, labels: Any) -> None:
    """Refuse the first arc that occurs twice."""
    order = np.lexsort((heads, tails))
    again = np.flatnonzero((np.diff(tails[order]) == 0) & (np.diff(heads[order]) == 0))
    if again.size:
        first, second = order[again[0]], order[again[0] + 1]
        tail, head = (end[first] if labels is None else repr(labels[end[first]]) for end in (tails, heads))
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


def write_table(engine: Any, **columns: Any) -> Any:
    """A `pyarrow.Table` of arrays of an engine, by the names of its columns."""
    arrow = require_pyarrow()
    try:
        return arrow.table({name: engine.to_host(array) for name, array in columns.items()})
    except arrow.ArrowException as error:
        kinds = ", ".join(f"{name} of {array.dtype}" for name, array in columns.items())
        raise InvalidGraph(
            f"Arrow has no columns for {kinds}: {error}; give labels that are texts or numbers"
        ) from None
