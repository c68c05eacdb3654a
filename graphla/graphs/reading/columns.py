"""Files of tables by pyarrow: Parquet, Feather (Arrow IPC), and CSV whose columns have names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.arguments import show, speaks, to_path
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.containers import arrow
from graphla.graphs.io.origin import Origin
from graphla.storage import Coo

ALWAYS = "parquet", "pq", "feather", "arrow"
"""Suffixes and names of formats that hold columns with names."""
IF_NAMED = {"csv": ",", "tsv": "\t"}
"""Those that do where the caller names columns, and what stands between their cells."""


LONGEST_NAMES = 64_000_000
"""Bytes of labels that go into the metadata of a Parquet file, of which pyarrow reads no more than 100 MB."""


def find_kind(file: Any, format: Any, columns: dict[str, str]) -> str | None:
    """The kind of table that a file is, by its format or its suffix; None if it is none.

    Raises
    ------
    NotSupported
        If columns are named, and the file is no table.
    """
    suffixes = [suffix for suffix in Path(str(getattr(file, "name", file))).suffixes if suffix not in (".gz", ".bz2")]
    word = str(format if format is not None else "".join(suffixes[-1:])).lower().removeprefix(".")
    if word in ALWAYS or (columns and word in IF_NAMED):
        return word
    if columns:
        name, column = next(iter(columns.items()))
        known = ", ".join((*ALWAYS, *IF_NAMED))
        raise NotSupported(
            f"{name}={column!r}: only tables have columns with names, and file={show(file)} is none by its suffix: "
            f"give format=, one of {known}; gl.Graph.from_arrow takes tables that you read yourself"
        )
    return None


def read_columns(file: Any, kind: str, columns: dict[str, str]) -> Coo:
    """The arcs of a table in the order of its rows, and the labels of the vertices, if they have names.

    Parameters
    ----------
    file : str, path or binary stream
        A file of that kind.
    kind : str
        What `find_kind` said.
    columns : dict of str
        The names of the columns ``source``, ``target`` and ``weight``, as far as the caller gave them.
    """
    is_stream = speaks(file, "read")
    place = file if is_stream else to_path(file, "file", InvalidGraph)
    name = str(getattr(file, "name", "the stream") if is_stream else place)
    named = {"source": "source", "target": "target", "weight": arrow.USUAL_WEIGHT, **columns}
    source, target, weight = named.values()
    with name_file(name):
        table = load(place, kind, [source, target, weight])
        arcs = arrow.read_arcs(table, source, target, weight)
    n, origin = arcs.count(), Origin(name, f"columns {source!r} and {target!r}", "row {}".format)
    return Coo(n, n, arcs.tails.astype(np.int32), arcs.heads.astype(np.int32), arcs.weights, origin, arcs.labels)


def write_columns(stream: Any, kind: str, coo: Coo) -> None:
    """Write arcs as a table of the columns ``source``, ``target`` and ``weight``, with labels if there are."""
    if coo.nrows != coo.ncols:
        raise NotSupported(f"a table of arcs holds graphs, and this matrix is {coo.nrows} × {coo.ncols}")
    table = arrow.tabulate(coo.rows, coo.cols, coo.values, coo.nrows, coo.labels)
    if kind not in ("parquet", "pq"):
        from pyarrow import feather

        feather.write_feather(table, stream, compression="uncompressed")
        return
    if len(table.schema.metadata.get(arrow.NAMES, b"")) > LONGEST_NAMES:
        raise NotSupported(
            f"the labels take more than {LONGEST_NAMES:,} bytes, which readers of Parquet refuse beside a table: "
            "write a .feather file, or gl.save the graph"
        )
    from pyarrow import parquet

    parquet.write_table(table, stream)


def load(place: Any, kind: str, columns: list[str]) -> Any:
    """A table with these columns, if the file has them; else with all, whose names an error then lists."""
    if kind in IF_NAMED:
        from pyarrow import csv

        return csv.read_csv(place, parse_options=csv.ParseOptions(delimiter=IF_NAMED[kind]))
    if kind in ("parquet", "pq"):
        from pyarrow import parquet

        file = parquet.ParquetFile(place)
        there = set(file.schema_arrow.names)
        return file.read(columns if there.issuperset(columns[:2]) else None)
    from pyarrow import feather

    return feather.read_table(place)


@contextmanager
def name_file(name: str) -> Iterator[None]:
    """Put the name of the file before what is said of it, also by pyarrow."""
    pyarrow = arrow.require_pyarrow()
    try:
        yield
    except InvalidGraph as error:
        raise InvalidGraph(f"{name}: {error}") from None
    except UnicodeDecodeError as error:
        raise InvalidGraph(f"{name}: it is damaged, or no text in UTF-8: {error}") from None
    except (pyarrow.ArrowException, OSError) as error:
        raise InvalidGraph(f"{name}: it cannot be read: {error}") from None
