"""Labels of vertices: through every door in and out, wherever a vertex is asked for, and in every answer."""

from __future__ import annotations

import importlib
import inspect
import pickle
from pathlib import Path
from typing import Any, cast

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

import graphla as gl
from graphla import Graph, Matrix
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, NotSupported, UnknownLabel
from graphla.containers.labels import Number
from graphla.problem import get_problem, list_names
from tests.graphla.engine.engines import get_engine_named

ENGINES = [pytest.param("cpu"), pytest.param("emulated", marks=pytest.mark.emulated)]
NAMES = ["Ulm", "Bonn", "Kiel", "Rom", "Oslo"]
ARCS = {"source": ["Ulm", "Bonn", "Ulm"], "target": ["Bonn", "Kiel", "Kiel"], "weight": [4, 5, 10]}


def make(engine: Any = "cpu", labels: Any = NAMES) -> Graph:
    """Five vertices in another order than that of their first arcs, two of them without one."""
    return Graph(([0, 1, 0], [1, 2, 2], [4, 5, 10]), n=5, labels=labels, engine=engine)


def is_same(G: Graph, H: Graph) -> bool:
    """Whether two graphs have the same arcs, weights and labels."""
    return G.A.isequal(H.A) and np.array_equal(G.labels, H.labels)


# --- doors


def test_a_table_of_arcs_comes_back_whole() -> None:
    G = make(labels=NAMES[::-1])
    assert is_same(Graph.from_arrow(G.to_arrow(), engine="cpu"), G)
    assert is_same(Graph(G.to_arrow(), engine="cpu"), G)
    plain = Graph(([0], [1]), n=4, engine="cpu")
    assert Graph.from_arrow(plain.to_arrow(), engine="cpu").n == 4
    without = G.to_arrow().replace_schema_metadata(None)
    assert Graph.from_arrow(without, engine="cpu").labels.tolist() == ["Oslo", "Rom", "Kiel"]
    assert is_same(Graph.from_arrow(without, labels=G.labels, engine="cpu"), G)


@pytest.mark.parametrize(
    "labels",
    [NAMES, [30, -7, 10**12, 0, 5], [0.5, 1.5, 2.5, 3.0, 4.0], np.arange("2026-01", "2026-06", dtype="M8[M]")],
    ids=["texts", "integers", "floats", "dates"],
)
@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_labels_go_through_files(tmp_path: Path, suffix: str, labels: Any) -> None:
    labels = labels.astype("M8[D]") if isinstance(labels, np.ndarray) else labels
    G = make(labels=labels)
    gl.write(tmp_path / f"g.{suffix}", G)
    found = gl.read(tmp_path / f"g.{suffix}", engine="cpu")
    assert found.labels.tolist() == G.labels.tolist()
    assert found.A.isequal(G.A)
    assert found.vertex(found.labels[2], "v") == 2


@pytest.mark.parametrize("suffix", ["npz", "mtx", "csv", "tsv", "txt", "metis"])
def test_files_of_numbers_refuse_labels(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"g.{suffix}"
    G = Graph(([0, 1], [1, 0]), labels=["a", "b"], engine="cpu")
    with pytest.raises(NotSupported, match=r"the vertices have labels, .*labels=False"):
        gl.write(file, G)
    assert not file.exists()
    gl.write(file, G, labels=False)
    assert gl.read(file, engine="cpu").labels is None


def test_further_rows_of_a_table_follow_the_known_vertices() -> None:
    G = make()
    table = G.to_arrow()
    more = pa.concat_tables([table, pa.table({"source": ["Rom"], "target": ["Nizza"], "weight": [1]})])
    found = Graph.from_arrow(more.replace_schema_metadata(table.schema.metadata), engine="cpu")
    assert found.labels.tolist() == [*NAMES, "Nizza"]
    with pytest.raises(UnknownLabel, match=r"target: row 3 of the table is 'Nizza', which is none of labels="):
        Graph.from_arrow(more, labels=NAMES, engine="cpu")


def test_unlabelled_vertices_between_labelled_ones_come_back() -> None:
    G = make(labels=["Ulm", "Bonn", "Kiel", None, "Oslo"])
    assert is_same(Graph.from_arrow(G.to_arrow(), engine="cpu"), G)
    G.labels = ["Ulm", None, "Kiel", "Rom", "Oslo"]
    with pytest.raises(InvalidGraph, match="vertex 1 has arcs and no label"):
        G.to_arrow()


def test_damaged_metadata_are_refused() -> None:
    table = make().to_arrow()
    for metadata in ({b"graphla.vertices": b"x"}, {b"graphla.vertices": b"5", b"graphla.labels": b"zz"}):
        with pytest.raises(InvalidGraph, match=r"the metadata graphla\.labels of the table cannot be read"):
            Graph.from_arrow(table.replace_schema_metadata(metadata), engine="cpu")


def test_nodes_of_networkx_are_labels() -> None:
    N: Any = nx.Graph([("b", "a"), ("a", (1, 2))])
    N.add_node("alone")
    G = Graph(N, engine="cpu")
    assert G.labels.tolist() == ["b", "a", (1, 2), "alone"]
    assert gl.bfs(G, (1, 2)).to_dict() == {0: 2, 1: 1, 2: 0}
    assert Graph(nx.path_graph(4), engine="cpu").labels is None
    turned = nx.Graph([(2, 0), (0, 1)])
    assert gl.bfs(Graph(turned, engine="cpu"), 0).to_dict() == {0: 1, 1: 0, 2: 1}


def test_the_matrix_of_a_graph_keeps_its_labels() -> None:
    G = make()
    assert is_same(Graph(G.A), G)
    assert is_same(Graph(G), G)
    assert is_same(Graph(G.A.dup()), G)
    assert is_same(pickle.loads(pickle.dumps(G)), G)
    assert Graph(G.A, n=6).labels.tolist() == [*NAMES, None]
    G.A = Matrix.from_coo([0], [1], [2], nrows=5, ncols=5, engine="cpu")
    assert G.labels.tolist() == NAMES


def test_labels_follow_a_resized_matrix() -> None:
    G = make()
    G.A.resize(3, 3)
    assert G.labels.tolist() == NAMES[:3]
    G.A.resize(4, 4)
    assert G.labels.tolist() == [*NAMES[:3], None]
    with pytest.raises(UnknownLabel):
        G.index("Rom")


@pytest.mark.parametrize("engine", ENGINES)
def test_labels_go_to_another_engine(engine: str) -> None:
    G = make()
    assert G.to(get_engine_named(engine)).labels.tolist() == NAMES
    assert gl.bfs(G.to(get_engine_named(engine)), "Bonn").to_dict() == {1: 0, 2: 1}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (NAMES[:4], r"give one label for each of 5 vertices; there are 4"),
        (["a", "b", "a", "c", "d"], r"labels: 'a' is the label of vertices 0 and 2"),
        ([[1], [2], [3], [4], [5]], r"whatever has a hash"),
        ("abcde", r"give one label for each of 5 vertices; there are 1"),
    ],
)
def test_labels_that_are_refused(labels: Any, message: str) -> None:
    with pytest.raises(InvalidGraph, match=message):
        make(labels=labels)


# --- vertices by name


def list_takers() -> list[tuple[str, str]]:
    """Problems and their arguments that are vertices."""
    several = {"sources": "bfs sssp closeness betweenness eccentricity", "starts": "random_walks"}
    taken = [(name, each) for name in list_names() for each in get_problem(name).takes[:1]]
    return taken + [(name, each) for each, names in several.items() for name in names.split()]


@pytest.mark.parametrize("labels", [NAMES, [2, 0, 1, 4, 3]], ids=["texts", "integers"])
@pytest.mark.parametrize(("name", "argument"), list_takers())
def test_vertices_go_by_their_labels(name: str, argument: str, labels: list[Any]) -> None:
    problem: Any = get_problem(name)
    G, plain = make(labels=labels), make(labels=None)
    rest = problem.takes[1:]
    several = argument not in problem.takes
    by_name = {argument: [labels[0], labels[1]] if several else labels[0], **dict.fromkeys(rest, labels[2])}
    by_number = {argument: [Number(0), Number(1)] if several else Number(0), **dict.fromkeys(rest, Number(2))}
    options = {"length": 2} if name == "random_walks" else {}
    right = problem(plain, **by_number, **options)
    for vertices in (by_name, by_number):
        found = problem(G, **vertices, **options)
        assert found.flow.isequal(right.flow) if name == "max_flow" else found.isequal(right)
    for wrong in ("Nowhere", 77):
        with pytest.raises(InvalidGraph):
            problem(G, **{**by_name, argument: [wrong] if several else wrong}, **options)


def test_a_verifier_takes_labels() -> None:
    G = make()
    gl.sssp.verify(G, "Ulm", gl.sssp(G, "Ulm"))
    gl.closeness.verify(G, gl.closeness(G, sources=["Bonn"]), sources=["Bonn"])


def test_weights_pairs_and_paths_by_label() -> None:
    G = make()
    right = gl.pagerank(make(labels=None), personalization={1: 2})
    assert gl.pagerank(G, personalization={"Bonn": 2}).isequal(right)
    both = Graph(([0, 1, 0, 2], [1, 0, 2, 0]), labels=["x", "y", "z"], engine="cpu")
    scores = gl.similarity(both, (["y"], ["z"]))
    assert scores.to_arrow().to_pydict() == {"pair": [0], "score": [1.0]}
    assert gl.shortest_path(G, "Ulm", "Kiel") == ["Ulm", "Bonn", "Kiel"]
    assert gl.find_cycle(both) == ["x", "y"]
    assert gl.factorize(both)["y", "z"] == 2


def test_integers_are_labels_where_a_label_is_a_number() -> None:
    G = make(labels=[2, 0, 1, 40, 30])
    assert gl.bfs(G, 0).to_dict() == {1: 0, 2: 1}
    assert gl.bfs(G, np.int64(40)).to_dict() == {3: 0}
    assert gl.bfs(G, sources=np.array([40, 0])).to_dicts() == {0: {3: 0}, 1: {1: 0, 2: 1}}
    assert gl.bfs(G, G.index(2)).to_dict() == {0: 0, 1: 1, 2: 1}
    assert gl.dominators(G, 2, method="algebraic").isequal(gl.dominators(make(labels=None), 0))
    with pytest.raises(UnknownLabel, match="source=4: no vertex has this label"):
        gl.bfs(G, 4)
    with pytest.raises(UnknownLabel, match="source=True"):
        gl.bfs(G, True)
    texts = make()
    assert gl.bfs(texts, 1).to_dict() == {1: 0, 2: 1}  # no label is a number: an int is one of a vertex


def test_dates_and_times_are_labels() -> None:
    days = np.array(["2026-01-01", "2026-01-02"], "M8[ns]")
    G = Graph(([0], [1]), labels=days, engine="cpu")
    assert G.index(days[1]) == G.index("2026-01-02") == 1
    assert gl.bfs(G, 0).nvals == 2


def test_an_unknown_label_is_a_key_error_that_is_ours() -> None:
    with pytest.raises(KeyError, match=r"source='Bon': no vertex has this label; see labels; did you mean 'Bonn'\?"):
        gl.bfs(make(), "Bon")
    with pytest.raises(InvalidGraph, match="a vertex is an int from 0 to 4, and this graph has no labels"):
        gl.bfs(make(labels=None), "Ulm")
    with pytest.raises(UnknownLabel, match="several go into sources="):
        gl.bfs(make(), cast("Any", ["Ulm"]))


# --- a graph as a collection


@pytest.mark.parametrize("engine", ENGINES)
def test_neighbours_degrees_and_membership(engine: str) -> None:
    G = make().to(get_engine_named(engine))
    assert G.neighbors("Ulm").tolist() == ["Bonn", "Kiel"]
    assert G.neighbors(1).tolist() == ["Kiel"]
    assert make(labels=None).to(get_engine_named(engine)).neighbors(0).tolist() == [1, 2]
    assert G.neighbors("Rom").tolist() == []
    assert G.engine.to_host(G.in_degrees).tolist() == [0, 1, 2, 0, 0]
    assert len(G) == 5
    assert ["Ulm" in G, "Nowhere" in G, 4 in G, 5 in G, [] in G, None in G] == [True, False, True, False, False, False]


def test_a_table_refuses_answers_about_a_graph_with_other_labels() -> None:
    G, H = (Graph(([0, 1], [1, 2]), labels=list(names), engine="cpu") for names in ("abc", "zyx"))
    with pytest.raises(InvalidGraph, match="label: an answer about a graph with other labels"):
        G.table(gl.components(H))
    same = Graph(([0], [1]), n=3, labels=list("abc"), engine="cpu")
    assert G.table(gl.components(same)).column_names == ["vertex", "label"]


# --- tables


def test_a_table_is_a_graph() -> None:
    G = Graph(ARCS, engine="cpu")
    assert (G.labels.tolist(), G.max_weight) == (["Ulm", "Bonn", "Kiel"], 10)
    assert Graph.from_arrow(ARCS, weight=None, engine="cpu").dtype.name == "BOOL"
    with pytest.raises(InvalidGraph, match=r"the table has the columns 'a', 'b', .*from_arrow\(table, source="):
        Graph({"a": [1], "b": [2]}, engine="cpu")
    with pytest.raises(InvalidGraph, match=r"weight='km': the table has no such column"):
        Graph(ARCS, weight="km", engine="cpu")


def test_frames_of_pandas_and_polars() -> None:
    for library in ("pandas", "polars"):
        frames = pytest.importorskip(library)
        assert Graph(frames.DataFrame(ARCS), engine="cpu").labels.tolist() == ["Ulm", "Bonn", "Kiel"]


def test_repeats_without_weights_are_counted() -> None:
    table = {"source": ["a", "a", "b"], "target": ["b", "b", "a"]}
    assert Graph(table, dup="sum", engine="cpu").A.to_dicts() == {0: {1: 2}, 1: {0: 1}}
    assert Graph(([0, 0], [1, 1]), dup="sum", engine="cpu").A.to_dicts() == {0: {1: 2}}
    assert Graph(table, dup="first", engine="cpu").dtype.name == "BOOL"


def make_directed(tails: Any, heads: Any, weights: Any, n: int) -> Graph:
    """A graph of arcs of which the lightest of repeats is kept."""
    return Graph((tails, heads, weights), n=n, dup="min", engine="cpu")


def test_both_arcs_of_each_edge() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        n, m = int(rng.integers(1, 9)), int(rng.integers(0, 20))
        tails, heads, weights = rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(1, 3, m)
        found = [
            Graph((tails, heads, weights), n=n, dup="min", undirected=True, engine="cpu"),
            Graph.from_arrow(
                {"source": tails, "target": heads, "weight": weights}, n=n, dup="min", undirected=True, engine="cpu"
            ),
            Graph(
                Graph((tails, heads, weights), n=n, dup="min", engine="cpu"), undirected=True, dup="min", engine="cpu"
            ),
        ]
        right = np.full((n, n), 9)
        np.minimum.at(right, (np.r_[tails, heads], np.r_[heads, tails]), np.r_[weights, weights])
        for G in found:
            assert np.array_equal(G.A.to_dense(9), right)
            assert G.symmetric


# --- answers


def test_an_answer_knows_its_graph() -> None:
    G = make()
    levels, parents = gl.bfs(G, "Ulm", parents=True)
    assert levels.to_arrow().to_pydict() == {"vertex": ["Ulm", "Bonn", "Kiel"], "level": [0, 1, 1]}
    assert parents.to_arrow().to_pydict()["parent"] == ["Ulm", "Ulm", "Ulm"]
    rows = gl.sssp(G, sources=["Bonn", "Ulm"]).to_arrow().to_pydict()
    assert rows["source"] == ["Bonn", "Bonn", "Ulm", "Ulm", "Ulm"]
    assert rows["vertex"] == ["Bonn", "Kiel", "Ulm", "Bonn", "Kiel"]
    assert gl.k_core(Graph(G, undirected=True), 1).to_arrow()["source"][0].as_py() == "Ulm"
    assert gl.topological_order(G).to_arrow().column_names == ["position", "vertex"]
    assert gl.topological_order(G).to_arrow()["vertex"].to_pylist()[0] in NAMES
    assert gl.max_flow(G, "Ulm", "Kiel").flow.to_arrow()["target"].to_pylist() == ["Bonn", "Kiel", "Kiel"]
    assert pickle.loads(pickle.dumps(levels)).to_arrow().equals(levels.to_arrow())
    unlabelled = gl.pagerank(make(labels=None)).to_arrow()
    assert (unlabelled.column_names, unlabelled["vertex"].to_pylist()) == (["vertex", "rank"], [0, 1, 2, 3, 4])


def test_every_answer_names_its_columns() -> None:
    G = Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]), labels=["a", "b", "c"], engine="cpu")
    for name in list_names():
        problem: Any = get_problem(name)
        if problem.domain == "acyclic" or len(problem.takes) > 1:
            continue
        needed = {"length": 2} if "length" in inspect.signature(type(problem).__call__).parameters else {}
        found = problem(G, *["a" for _ in problem.takes], **needed)
        for answer in found if isinstance(found, tuple) else (found,):
            if hasattr(answer, "to_arrow"):
                table = answer.to_arrow()
                assert not {"index", "value", "values", "row", "column"} & set(table.column_names), name
                ends = {"vertex", "source"} & set(table.column_names)
                assert all(set(table[end].to_pylist()) <= {"a", "b", "c"} for end in ends), name


def test_the_largest_values_have_names() -> None:
    rng = np.random.default_rng(4)
    for dtype in ("int8", "uint64", "float32", "bool"):
        for _ in range(20):
            n = int(rng.integers(1, 30))
            values = rng.integers(0, 2 if dtype == "bool" else 5, n).astype(dtype)
            v = gl.Vector.from_dense(values, engine="cpu")
            right = sorted(enumerate(values.tolist()), key=lambda each: (-each[1], each[0]))
            assert all(v.top(k) == right[:k] for k in (0, 1, n // 2, n, n + 3))
    G = make()
    assert gl.bfs(G, "Ulm").top(1) == [("Bonn", 1)]
    assert gl.components(G).top(2) == [("Oslo", "Oslo"), ("Rom", "Rom")]
    assert G.A.top(1) == [("Ulm", "Kiel", 10)]
    with pytest.raises(DomainMismatch, match="have no order"):
        gl.Vector.from_dense(np.ones(2, complex), engine="cpu").top(1)


def test_answers_join_into_one_table() -> None:
    G = make()
    levels, parents = gl.bfs(G, "Bonn", parents=True)
    table = G.table(levels, parents, gl.pagerank(G), other=gl.bfs(G, "Ulm"))
    assert table.column_names == ["vertex", "level", "parent", "rank", "other"]
    assert table["vertex"].to_pylist() == NAMES
    assert table["level"].to_pylist() == [None, 0, 1, None, None]
    assert table["parent"].to_pylist() == [None, "Bonn", "Bonn", None, None]
    assert make(labels=None).table().to_pydict() == {"vertex": [0, 1, 2, 3, 4]}
    with pytest.raises(InvalidGraph, match="level: two columns have this name"):
        G.table(levels, levels)
    with pytest.raises(InvalidGraph, match="its rows are by position"):
        G.table(gl.topological_order(G))
    for wrong in (G.A, gl.Vector("INT8", 3), 4):
        with pytest.raises(DimensionMismatch, match="give a Vector of a value for 5 vertices"):
            G.table(wrong)


def test_frames_of_answers() -> None:
    try:
        importlib.import_module("pandas")
    except ImportError:
        with pytest.raises(NotSupported, match=r"pip install 'graphla\[pandas\]'"):
            gl.pagerank(make()).to_pandas()
        return
    frame = gl.bfs(make(), "Bonn").to_pandas()
    assert frame.to_dict("list") == {"vertex": ["Bonn", "Kiel"], "level": [0, 1]}
