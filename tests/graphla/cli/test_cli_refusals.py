"""The command line: what it refuses, in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bfs nowhere.mtx", "nowhere.mtx: there is no such file"),
        ("bfs magic:12", "there is no generator 'magic'"),
        ("bfs kron:x", "graph 'kron:x': 'x' is not a number"),
        ("bfs kron:", "graph 'kron:': kron takes 1 to 2 numbers: kron:18"),
        ("bfs .", ".: this is a folder; name a file in it"),
        ("bfs kron:99", "scale"),
        ("bfs path:9 --method magic", "no method 'magic'; there are: algebraic"),
        ("bfs path:9 --method fused", "it runs on cuda"),
        ("bfs path:9 --source 9", "source=9 is no vertex"),
        ("bfs path:9 --source -1", "source=-1 is no vertex"),
        ("bfs path:9 --source one", "'one' is no vertex: the graph has no labels"),
        ("bfs path:9 --engine tpu", "'tpu' is not one of"),
        ("bfs path:9 --set depth=3", "no option 'depth'"),
        ("bfs path:9 --set depth", "write name=value"),
        ("bfs path:9 --set parentz=1", "it has: limit, parents, targets; did you mean 'parents'?"),
        ("bfs path:9 --method algebaric", "did you mean 'algebraic'?"),
        ("bfs path:9 --parentz", "Did you mean"),
        ("pagrank path:9", "did you mean 'pagerank'?"),
        ("compare pagrank path:9", "did you mean 'pagerank'?"),
        ("bfs path:9 --output x.pdf", "the suffix must be one of .npz"),
        ("bfs path:9 --output /no/such/folder/x.npy", "cannot be written: No such file or directory"),
        ("bfs path:9 --output . --parents", "the suffix must be one of"),
        ("bfs path:9 --parents --output x.npy", "use .npz"),
        ("hits path:9 --output x.npy", "authorities are a second one: use .npz"),
        ("sssp path:9 --weights 9..1", "'9..1' goes down: write the smaller number first, 1..9"),
        ("sssp path:9 --weights 9", "'9' is no range: write two whole numbers, as in 1..255"),
        ("sssp path:9?weights=9..1", "weights='9..1': write the smaller number first, 1..9"),
        ("sssp path:9 --trace-to /no/t.json", "cannot be written"),
        ("compare bfs path:9 --csv /no/c.csv", "cannot be written"),
        ("compare bfs path:9 --picture c.gif", "the suffix must be one of .png, .svg"),
        ("compare tsp path:9", "'tsp' is not one of"),
        ("compare bfs path:9 --methods magic", "no method 'magic'"),
        ("compare bfs", "Missing argument"),
        ("generate path:9", "name the file to write"),
        ("generate path:9 x.unknown", "unknown suffix"),
        ("convert nowhere.mtx x.npz", "nowhere.mtx: there is no such file"),
        ("graph500", "Missing option '--scale'"),
        ("fly", "there is no command 'fly'; there are: apsp, betweenness, bfs"),
        ("bfs", "Missing argument 'GRAPH'"),
        ("bfs path:9 --sauce 3", "No such option"),
    ],
)
def test_bad_input_is_one_sentence(
    graphla, line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = graphla(*line.split())
    assert found.code == 2
    assert said in found.err
    assert found.err.startswith("graphla: ")
    assert found.err.count("\n") == 1
    assert found.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_file_is_named_with_its_line(graphla, tmp_path: Path) -> None:
    path = tmp_path / "bad.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n4 4 2\n1 2 4\n2 x 3\n")
    found = graphla("bfs", path)
    assert found.code == 2
    assert "bad.mtx, line 4" in found.err


def test_a_negative_cycle_is_reported_with_its_vertices(graphla, vicious: Path, tmp_path: Path) -> None:
    found = graphla("sssp", vicious, "--output", tmp_path / "d.npy")
    assert found.code == 1
    assert "a cycle of negative weight can be reached" in found.err
    assert "1" in found.err
    assert "2" in found.err
    assert not (tmp_path / "d.npy").exists()


def test_an_output_that_must_not_be_overwritten(graphla, triangle: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder.npy"
    folder.mkdir()
    found = graphla("bfs", triangle, "--output", folder)
    assert found.code == 2
    assert "it is a folder" in found.err


def test_a_wrong_method_is_caught(graphla, planted: None) -> None:
    found = graphla("compare", "bfs", "path:9", "--methods", "wrong,algebraic", "--peers", "none", "--repeat", 1)
    assert found.code == 1
    assert "first at vertex 3: 1 instead of 3" in found.out
    verified = graphla("bfs", "path:9", "--method", "wrong", "--verify")
    assert verified.code == 1
    assert verified.err.count("\n") == 1


def test_a_fault_of_our_own_is_one_sentence_unless_asked(graphla, planted: None) -> None:
    found = graphla("bfs", "path:9", "--method", "raises")
    assert found.code == 1
    assert found.err.count("\n") == 1
    assert "--debug" in found.err
    assert "Traceback" in graphla("--debug", "bfs", "path:9", "--method", "raises").err


@pytest.mark.parametrize("graph", ["", " "])
def test_a_graph_without_a_name(graphla, graph: str) -> None:
    found = graphla("info", graph)
    assert found.code == 2
    assert found.err.startswith(
        f"graphla: GRAPH={graph!r}: it names nothing; a graph is a file, - for the standard input, a gen"
    )
