"""Tables of Arrow in and out: numbers, labels, chunks, nulls, and what is no table."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import graphla as gl
from graphla import Graph, Matrix, Vector, binary
from graphla.common.errors import InvalidGraph, NotSupported


class Stream:
    """A table of another library, of which only the Arrow C stream is known."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


ARCS = pa.table({"from": [0, 1, 2], "to": [1, 2, 0], "km": [1.5, 2.5, 3.5]})


@pytest.mark.parametrize("table", [ARCS, Stream(ARCS), ARCS.to_pydict()], ids=["pyarrow", "stream", "dictionary"])
def test_a_graph_of_numbers(table: Any) -> None:
    G = Graph.from_arrow(table, "from", "to", "km", engine="cpu")
    assert G.labels is None
    assert gl.sssp(G, 0).to_dict() == {0: 0.0, 1: 1.5, 2: 4.0}
    assert G.to_arrow().to_pydict() == {"source": [0, 1, 2], "target": [1, 2, 0], "weight": [1.5, 2.5, 3.5]}


KINDS = (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_labels_are_numbered_and_kept(kind: Any) -> None:
    chunks = [pa.array(part).cast(pa.string()).cast(kind) for part in (["Ulm", "Bonn"], ["Ulm"])]
    heads = pa.chunked_array([pa.array(["Bonn", "Kiel", "Kiel"]).cast(kind)])
    table = pa.table({"source": pa.chunked_array(chunks), "target": heads, "km": [4, 1, 9]})
    G = Graph.from_arrow(table, weight="km", engine="cpu")
    assert G.labels.tolist() == ["Ulm", "Bonn", "Kiel"]
    assert gl.sssp(G, 0).to_arrow(G.labels).to_pydict() == {"vertex": ["Ulm", "Bonn", "Kiel"], "distance": [0, 4, 5]}
    assert G.to_arrow()["target"].to_pylist() == ["Bonn", "Kiel", "Kiel"]
    assert pickle.loads(pickle.dumps(G)).labels.tolist() == G.labels.tolist()


def test_categories_of_polars_are_labels() -> None:
    names = pa.array(["Ulm", "Bonn"], pa.string_view())
    column = pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.uint32()), names)])
    G = Graph.from_arrow(pa.table({"source": column, "target": column[::-1]}), engine="cpu")
    assert G.labels.tolist() == ["Ulm", "Bonn"]
    empty = pa.table({"source": column[:0], "target": column[:0]})
    assert Graph.from_arrow(empty, engine="cpu").n == 0


def test_integers_may_be_labels() -> None:
    table = {"source": [10**12, -7], "target": [-7, 5], "w": [2, 3]}
    with pytest.raises(InvalidGraph, match=r"source='source': row 0 of that column is 1000000000000.*relabel=True"):
        Graph.from_arrow(table, engine="cpu")
    G = Graph.from_arrow(table, weight="w", relabel=True, engine="cpu")
    assert G.labels.tolist() == [10**12, -7, 5]
    assert gl.sssp(G, G.index(-7)).to_arrow(G.labels).to_pydict() == {"vertex": [-7, 5], "distance": [0, 3]}


def test_a_label_has_a_number() -> None:
    G = Graph.from_arrow({"source": ["Ulm", "Bonn"], "target": ["Bonn", "Kiel"]}, engine="cpu")
    assert [G.index(label) for label in G.labels] == [0, 1, 2]
    G.labels = G.labels[::-1]
    assert G.index("Kiel") == 0
    assert pickle.loads(pickle.dumps(G)).index("Ulm") == 2
    for wrong in ("Rom", []):
        with pytest.raises(InvalidGraph, match="no vertex has this label"):
            G.index(wrong)
    with pytest.raises(InvalidGraph, match="the graph has no labels"):
        Graph(([0], [1]), engine="cpu").index("Ulm")


def test_values_that_are_vertices_have_labels() -> None:
    G = Graph.from_arrow({"source": ["a", "b", "x"], "target": ["b", "c", "y"]}, engine="cpu")
    table = gl.components(G).to_arrow(G.labels, value_labels=G.labels)
    assert dict(zip(*table.to_pydict().values(), strict=True)) == {"a": "a", "b": "a", "c": "a", "x": "x", "y": "x"}
    with pytest.raises(InvalidGraph, match="value_labels: the values are no vertices"):
        gl.pagerank(G).to_arrow(value_labels=G.labels)


def test_random_tables_come_back() -> None:
    rng = np.random.default_rng(5)
    cells = rng.permutation(900)[:200]
    A = Matrix.from_coo(cells // 30, cells % 30, rng.random(200), nrows=30, ncols=30, engine="cpu")
    assert Matrix.from_arrow(A.to_arrow(), nrows=30, ncols=30, engine="cpu").isequal(A, check_dtype=True)
    v = Vector.from_coo(cells[:20], rng.integers(0, 9, 20).astype("int8"), size=900, engine="cpu")
    assert Vector.from_arrow(v.to_arrow(), size=900, engine="cpu").isequal(v, check_dtype=True)


def test_repeats_are_joined_as_said() -> None:
    table = {"source": [0, 0], "target": [1, 1], "w": [3, 4]}
    assert Graph.from_arrow(table, weight="w", dup="min", engine="cpu").A[0, 1].value == 3
    with pytest.raises(InvalidGraph, match="occurs twice"):
        Graph.from_arrow(table, weight="w", engine="cpu")
    once = Vector.from_arrow({"index": [1, 1], "value": [3, 4]}, dup_op=binary.plus, engine="cpu")
    assert once.to_dict() == {1: 7}


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        (ARCS, {"source": "tail"}, r"source='tail': the table has no such column; it has 'from', 'to', 'km'"),
        (pa.table({"source": [0, None], "target": [1, 2]}), {}, r"source='source': row 1 of that column is null"),
        (pa.table({"source": [0], "target": ["a"]}), {}, r"source and target are columns of int64 and string"),
        (
            pa.table({"source": [0], "target": [1], "w": ["x"]}),
            {"weight": "w"},
            r"weight='w': a column of numbers is wanted",
        ),
        (
            {"source": [0, 1], "target": [1, 2], "w": [1.0, float("nan")]},
            {"weight": "w"},
            r"weight='w': row 1 of that column is NaN, and 1 are: drop or fill them",
        ),
        ([1, 2, 3], {}, r"list is no table: give one of pandas, Polars, DuckDB or pyarrow"),
        ({"source": [0, 1], "target": [1]}, {}, r"the table cannot be read"),
        ({"source": [0, 10**30], "target": [1, 2]}, {}, r"cannot be read: .* too large .*\[0, 10{30}\].*be texts"),
        ({"source": [0], "target": [1], "weight": [10**30]}, {"relabel": True}, r"cannot be read.* weights floats"),
    ],
)
def test_what_is_refused(table: Any, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidGraph, match=message):
        Graph.from_arrow(table, **columns, engine="cpu")


def test_without_pyarrow_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NotSupported, match=r"pip install 'graphla\[arrow\]'"):
        Vector.from_coo([0], [1], engine="cpu").to_arrow()
