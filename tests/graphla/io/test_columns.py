"""Tables in files: Parquet, Feather, and CSV with named columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, feather, parquet

import graphla as gl
from graphla.common.errors import InvalidGraph, NotSupported

ROADS = pa.table(
    {"note": ["x", None, "y"], "from": ["Ulm", "Bonn", "Ulm"], "to": ["Bonn", "Kiel", "Kiel"], "km": [380, 520, 901]}
)
COLUMNS: dict[str, Any] = {"source": "from", "target": "to", "weight": "km"}


def write_tsv(table: Any, path: Any) -> None:
    csv.write_csv(table, path, csv.WriteOptions(delimiter="\t"))


def write_compressed(table: Any, path: Any) -> None:
    with pa.CompressedOutputStream(str(path), "gzip") as stream:
        csv.write_csv(table, stream)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("roads.parquet", parquet.write_table),
        ("roads.feather", feather.write_feather),
        ("roads.csv", csv.write_csv),
        ("roads.tsv", write_tsv),
        ("roads.csv.gz", write_compressed),
    ],
)
def test_a_table_in_a_file_is_a_graph(tmp_path: Path, name: str, write: Callable[[Any, Any], None]) -> None:
    write(ROADS, tmp_path / name)
    G = gl.read(tmp_path / name, **COLUMNS, engine="cpu")
    assert G.name == str(tmp_path / name)
    found = gl.sssp(G, G.index("Ulm")).to_arrow(G.labels).to_pydict()
    assert found == {"vertex": ["Ulm", "Bonn", "Kiel"], "distance": [0, 380, 900]}


def test_parquet_of_numbers_needs_no_names(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"source": [0, 1], "target": [1, 2]}), tmp_path / "g.pq")
    G = gl.read(tmp_path / "g.pq", undirected=True, engine="cpu")
    assert (G.n, G.nvals, G.labels, G.symmetric) == (3, 4, None, True)
    with (tmp_path / "g.pq").open("rb") as stream:
        assert gl.read(stream, format="parquet", engine="cpu").nvals == 2


def test_a_csv_file_without_names_is_an_edge_list(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("source,target\n0,1\n1,2\n", "utf-8")
    assert gl.read(tmp_path / "g.csv", engine="cpu").nvals == 2


def test_repeats_are_named_by_their_rows(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"source": [0, 1, 0], "target": [1, 2, 1]}), tmp_path / "g.parquet")
    says = r"g\.parquet, columns .*: the arc 0 → 1 occurs twice, in rows 0 and 2 of the table"
    with pytest.raises(InvalidGraph, match=says):
        gl.read(tmp_path / "g.parquet", engine="cpu")
    assert gl.read(tmp_path / "g.parquet", dup="first", engine="cpu").nvals == 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"source": "form", "target": "to"},
            InvalidGraph,
            r"source='form': the table has no such column; it has",
        ),
        ({**COLUMNS, "weight": "note"}, InvalidGraph, r"weight='note': row 1 of that column is null"),
        ({**COLUMNS, "weight": "to"}, InvalidGraph, r"weight='to': a column of numbers is wanted.*cast it"),
        ({**COLUMNS, "source": 3}, InvalidGraph, r"source=3: give a text"),
        ({**COLUMNS, "progress": True}, NotSupported, r"progress=True: pyarrow reads"),
        ({**COLUMNS, "format": "metis"}, NotSupported, r"source='from': only tables have columns.*'?parquet"),
        ({**COLUMNS, "format": "feather"}, InvalidGraph, r"roads\.parquet: it cannot be read"),
    ],
)
def test_what_is_refused(tmp_path: Path, arguments: dict[str, Any], error: type, message: str) -> None:
    parquet.write_table(ROADS, tmp_path / "roads.parquet")
    with pytest.raises(error, match=message):
        gl.read(tmp_path / "roads.parquet", **arguments, engine="cpu")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InvalidGraph, match=r"nowhere\.parquet: it cannot be read"):
        gl.read("nowhere.parquet")
