"""What a newcomer meets: tables of any kind of column, messages that name what was given, pages, and the log."""

from __future__ import annotations

import io
import logging
import pickle
from pathlib import Path
from typing import Any

import pytest

import graphla as gl
from graphla.common.errors import IndexOutOfBounds, InvalidGraph, InvalidOption, UnknownLabel

pa = pytest.importorskip("pyarrow")
ARCS = {"source": ["a", "b"], "target": ["b", "c"]}


def make(table: Any, **how: Any) -> gl.Graph:
    return gl.Graph.from_arrow(table, engine="cpu", **how)


NESTED = {
    "lists": [[1], [2]],
    "structs": [{"a": 1}, {"a": 2}],
    "maps": pa.array([[("a", 1)], [("b", 2)]], pa.map_(pa.string(), pa.int64())),
}


@pytest.mark.parametrize("kind", NESTED)
def test_nested_ends_are_refused(kind: str) -> None:
    with pytest.raises(InvalidGraph, match=r"columns of \w+<.*labels are texts, numbers or dates"):
        make({"source": NESTED[kind], "target": NESTED[kind]})


def test_runs_are_read() -> None:
    names = pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"])
    G = make({"source": names, "target": ["b", "c", "a"]})
    assert G.labels.tolist() == ["a", "b", "c"]
    numbers = pa.RunEndEncodedArray.from_arrays([2, 3], [0, 1])
    weights = pa.RunEndEncodedArray.from_arrays([3], [7])
    H = make({"source": numbers, "target": [1, 2, 2], "w": weights}, weight="w")
    assert [part.tolist() for part in H.A.to_coo()] == [[0, 0, 1], [1, 2, 2], [7, 7, 7]]


def test_nulls_in_runs_are_found() -> None:
    runs = pa.RunEndEncodedArray.from_arrays([1, 2], pa.array(["a", None]))
    with pytest.raises(InvalidGraph, match="row 1 of that column is null"):
        make({"source": runs, "target": ["b", "c"]})


def test_weights_in_a_dictionary_are_read() -> None:
    weights = pa.array([1.0, 2.0]).dictionary_encode()
    assert make({**ARCS, "w": weights}, weight="w").A.to_coo()[2].tolist() == [1.0, 2.0]


def test_vertices_beyond_the_labels_have_none() -> None:
    G = make(ARCS, n=5)
    assert G.labels.tolist() == ["a", "b", "c", None, None]
    assert gl.components(G).to_arrow(G.labels).column("vertex").to_pylist() == G.labels.tolist()
    assert G.index("c") == 2
    with pytest.raises(UnknownLabel):
        G.index(None)
    numbered = make({"source": [10], "target": [30]}, relabel=True, n=3)
    assert numbered.labels.tolist() == [10, 30, None]


def test_too_few_vertices_are_said_so() -> None:
    with pytest.raises(InvalidGraph, match="n=2: the table names 3 vertices"):
        make(ARCS, n=2)
    with pytest.raises(IndexOutOfBounds, match="n=2 is less than the vertices: an arc leads to or from vertex 2"):
        make({"source": [0, 1], "target": [1, 2]}, n=2)


def test_repeats_are_named(tmp_path: Path) -> None:
    table = {"source": ["x", "a", "b", "a"], "target": ["a", "b", "c", "b"]}
    with pytest.raises(InvalidGraph, match="the arc 'a' → 'b' occurs twice, in rows 1 and 3 of the table: dup='first'"):
        make(table)
    (tmp_path / "t.csv").write_text("source,target\na,b\na,b\n")
    with pytest.raises(InvalidGraph, match=r"t\.csv.*the arc 'a' → 'b' occurs twice, in rows 0 and 1"):
        gl.read(tmp_path / "t.csv", source="source", engine="cpu")
    assert make(table, dup="first").nvals == 3


def test_an_unknown_label_is_a_key_error() -> None:
    G = make({"source": ["Ulm", "Bonn"], "target": ["Bonn", "Kiel"]})
    with pytest.raises(KeyError) as raised:
        G.index("Bon")
    assert str(raised.value) == "label='Bon': no vertex has this label; see labels; did you mean 'Bonn'?"
    assert isinstance(raised.value, InvalidGraph)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


# --- files


def test_a_row_of_a_csv_file_is_shown() -> None:
    text = io.BytesIO(b"source,target\nu,v\nw\n")
    with pytest.raises(InvalidGraph, match=r"Expected 2 columns, got 1: w"):
        gl.read(text, format="csv", source="source", engine="cpu")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_are_shown_as_they_are(encoding: str) -> None:
    with pytest.raises(InvalidGraph, match="'Ärö' is not a whole number"):
        gl.read(io.BytesIO("1 2\nÄrö 3\n".encode(encoding)), format="el", engine="cpu")


def test_a_table_that_is_no_text_is_named() -> None:
    text = io.BytesIO("Ä,b\nu,c\n".encode("latin-1"))
    with pytest.raises(InvalidGraph, match="the stream: it is damaged, or no text in UTF-8"):
        gl.read(text, format="csv", source="x", target="b", engine="cpu")


def test_damaged_parquet_files_are_refused(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"source": ["Äa"] * 9, "target": [f"b{i}" for i in range(9)]}), path)
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            gl.read(path, engine="cpu")
        except InvalidGraph:
            refused += 1
    assert refused > len(whole) // 3


# --- arguments


def test_several_sources_are_pointed_to() -> None:
    with pytest.raises(InvalidGraph, match=r"source=\[1, 2\]: .*several go into sources="):
        gl.sssp(gl.Graph(([0, 1], [1, 2]), engine="cpu"), [1, 2])  # type: ignore[arg-type]


def test_seeds_are_pointed_to_a_dictionary() -> None:
    G = gl.Graph(([0, 1], [1, 2]), engine="cpu")
    with pytest.raises(
        InvalidOption, match=r"shape \(2,\) were given for 3 vertices: .*\{1: 1\}, the weights of some, \{1\}"
    ):
        gl.pagerank(G, personalization=[1, 2])


# --- pages and the log


def test_pages_of_graphs_factors_and_plans() -> None:
    G = make(ARCS, name="<towns>")
    page = G._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 2
    assert "&lt;towns&gt;" in page
    assert "<td>a</td><td>b</td>" in page
    assert "<td>0</td><td>1</td>" in gl.Graph(([0], [1]), engine="cpu")._repr_html_()
    assert "<th>vertices</th><td>3</td>" in gl.factorize(gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu"))._repr_html_()
    plan: Any = gl.semiring.plus_times(G.A @ G.A).new("INT64").plan
    if plan is not None:
        assert plan._repr_html_().startswith("<pre>")
    v = gl.Vector("INT64", 3, engine="cpu")
    v << gl.semiring.plus_times(G.A @ gl.Vector.from_scalar(1, 3, engine="cpu"))
    assert v.plan is not None
    assert v.plan._repr_html_().startswith("<pre>")


def test_the_log_says_which_method_and_why(caplog: pytest.LogCaptureFixture) -> None:
    G = gl.Graph(([0, 1], [1, 2]), engine="cpu")
    gl.bfs(G, 0)
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, "graphla"):
        gl.bfs(G, 0)
        gl.bfs(G, 0, method="algebraic")
    assert (
        "bfs: method direction_optimized, because it is the first that refuses nothing; fused: it runs" in caplog.text
    )
    assert "bfs: method algebraic, because the call names it" in caplog.text


def test_the_log_says_what_is_compiled(caplog: pytest.LogCaptureFixture) -> None:
    from graphla.engine.cpu.jit import njit

    space: dict[str, Any] = {"__name__": "graphla_compiled.test"}
    exec("def double(x):\n    return 2 * x\n", space)
    with caplog.at_level(logging.INFO, "graphla"):
        assert njit()(space["double"])(4) == 8
    assert "compiling the matrix operation double" in caplog.text
