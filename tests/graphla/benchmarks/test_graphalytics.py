"""LDBC Graphalytics on data sets of our own, whose reference output is that of plain Python and NetworkX."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotSupported
from graphla.measuring.benchmarks.graphalytics import find_datasets, load, rules, run
from tests.graphla.benchmarks.graphalytics_data import write_all
from tests.graphla.engine.engines import get_engine_named

NAMES = ["bfs", "cdlp", "lcc", "pr", "sssp", "wcc"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three data sets: directed, undirected, and directed with words for vertices."""
    write_all(tmp_path, 5)
    return tmp_path


def run_one(folder: Path, algorithm: str, name: str = "ours-directed") -> Any:
    """The result of one algorithm on one data set."""
    (dataset,) = (each for each in find_datasets(folder) if each.name == name)
    return run(dataset, load(dataset, "cpu"), [algorithm], repeats=1)[0]


def run_all(folder: Path) -> list[Any]:
    """The results of all algorithms on the directed data set."""
    return [run_one(folder, algorithm) for algorithm in NAMES]


def edit(file: Path, old: str, new: str) -> None:
    """Replace text in a file."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def change_answer(file: Path, line: int, change: Any) -> str:
    """Change the value of a line; return its vertex."""
    lines = file.read_text().splitlines()
    vertex, value = lines[line].split()
    lines[line] = f"{vertex} {change(value)}"
    file.write_text("\n".join(lines) + "\n")
    return vertex


@pytest.mark.parametrize("name", ["ours-directed", "ours-undirected", "ours-words"])
def test_all_answers_are_right(name: str, tmp_path: Path) -> None:
    seed = secrets.randbits(32)
    write_all(tmp_path, seed)
    (dataset,) = (each for each in find_datasets(tmp_path) if each.name == name)
    loaded = load(dataset, "cpu")
    found = run(dataset, loaded, repeats=2)
    assert [each.algorithm for each in found] == NAMES
    for each in found:
        assert (each.validated, each.fault) == (True, ""), f"seed {seed}: {each}"
        assert (each.vertices, each.edges, len(each.seconds)) == (40, int(dataset.properties["meta.edges"]), 2)
        assert each.evps == pytest.approx((each.vertices + each.edges) / np.median(each.seconds))
    assert loaded.graph.nvals == loaded.edges * (1 if dataset.directed else 2)


@pytest.mark.parametrize("algorithm", ["BFS", "CDLP", "WCC", "PR", "LCC", "SSSP"])
def test_a_wrong_answer_is_named(folder: Path, algorithm: str) -> None:
    file = folder / f"ours-directed-{algorithm}"
    lines = file.read_text().splitlines()
    exact = algorithm in ("BFS", "CDLP", "WCC")
    least = 0 if exact else 1e-9
    at = next(k for k, line in enumerate(lines) if least <= float(line.split()[1]) < 1e18)
    other = next(line.split()[1] for line in lines if line.split()[1] != lines[at].split()[1])
    vertex = change_answer(file, at, lambda x: other if exact else repr(float(x) * 1.0002))
    found = run_one(folder, algorithm.lower())
    assert not found.validated
    if algorithm != "WCC":
        assert found.fault.startswith(f"vertex {vertex} has ")
        assert found.fault.endswith("(1 differ)")
    assert found.fault


@pytest.mark.parametrize("algorithm", ["PR", "LCC", "SSSP"])
def test_numbers_may_be_off_by_a_ten_thousandth(folder: Path, algorithm: str) -> None:
    file = folder / f"ours-directed-{algorithm}"
    for line in range(40):
        change_answer(file, line, lambda x: repr(float(x) * (1 + 0.9e-4)))
    assert run_one(folder, algorithm.lower()).validated


def test_the_rules() -> None:
    infinity = float("inf")
    found = np.array([1.0, 1.0, 0.0, 0.0, infinity, infinity, 3.0, np.nan])
    expected = np.array([1.00009, 1.0002, 0.0, 1e-9, infinity, 3.0, infinity, 1.0])
    wrong = [False, True, False, True, False, True, True, True]
    assert rules.differ_by_epsilon(found, expected).tolist() == wrong
    assert rules.differ_at_all(np.array([1, 2]), np.array([1, 3])).tolist() == [False, True]
    split, joined = np.array([5, 5, 7, 7, 2]), np.array([1, 1, 1, 1, 0])
    assert rules.differ_as_partitions(split, np.array([0, 0, 9, 9, 4])).tolist() == [False] * 5
    assert rules.differ_as_partitions(split, joined).tolist() == [False, False, True, True, False]
    assert rules.differ_as_partitions(joined, split).tolist() == [False, False, True, True, False]


def test_without_reference_an_answer_is_not_validated(folder: Path) -> None:
    (folder / "ours-directed-LCC").unlink()
    found = run_one(folder, "lcc")
    assert (found.validated, found.fault, bool(found.method)) == (False, "", True)


PROPERTIES = {
    "directed = true": ("directed = perhaps", "directed = perhaps: write true or false"),
    "vertex-file = ours-directed.v": ("vertex-file = lost.v", "lost.v: there is no file"),
    "graph.ours-directed.edge-file": ("graph.ours-directed.edges", "edge-file is missing; reading the graph needs it"),
    "graph.ours-directed.bfs.source-vertex": ("nothing", "bfs.source-vertex is missing; BFS needs it"),
    "graph.ours-directed.pr.num-iterations": ("nothing", "pr.num-iterations is missing; PR needs it"),
    "cdlp.max-iterations = 6": ("cdlp.max-iterations = six", "= six: CDLP needs a whole number"),
    "pr.damping-factor = 0.85": ("pr.damping-factor = x", "= x: PR needs a number"),
    "sssp.weight-property = weight": ("sssp.weight-property = cost", "cost is no edge property"),
    "sssp.source-vertex = ": ("sssp.source-vertex = -3", "is no vertex of the graph"),
    "meta.edges = 1": ("meta.edges = 9", "and the file has 1"),
}


@pytest.mark.parametrize("old", PROPERTIES)
def test_properties_that_are_wrong_are_named(folder: Path, old: str) -> None:
    new, message = PROPERTIES[old]
    file = folder / "ours-directed.properties"
    edit(file, old, new)
    with pytest.raises(InvalidGraph, match=message) as refused:
        run_all(folder)
    assert str(file) in str(refused.value)


FILES = {
    "v": ("{line0}\n", "line 41: vertex {vertex0} occurs more than once"),
    "e": ("1 2 0.5\n", "line {edges}: 1 is no vertex of the graph"),
    "-BFS": ("{line0}\n", "vertex {vertex0} occurs 2 times, and must once"),
    "-PR": ("17 0.5\n", "line 41: 17 is no vertex of the graph"),
    "-SSSP": ("17\n", "line 41: expected 2 numbers, got 1"),
}


@pytest.mark.parametrize("kind", FILES)
def test_files_that_are_wrong_are_named_with_their_line(folder: Path, kind: str) -> None:
    more, message = FILES[kind]
    file = folder / (f"ours-directed{kind}" if kind.startswith("-") else f"ours-directed.{kind}")
    lines = file.read_text().splitlines()
    told = {"line0": lines[0], "vertex0": lines[0].split()[0], "edges": len(lines) + 1}
    file.write_text("\n".join(lines) + "\n" + more.format(**told))
    with pytest.raises(InvalidGraph, match=message.format(**told)) as refused:
        run_one(folder, kind.strip("-").lower() if kind.startswith("-") else "bfs")
    assert str(file) in str(refused.value)


def test_files_of_words_that_are_wrong(folder: Path) -> None:
    file = folder / "ours-words.e"
    text = file.read_text()
    file.write_text(text + "v1\n")
    with pytest.raises(InvalidGraph, match=r"line \d+: expected 3 words, got 1: 'v1'"):
        run_one(folder, "bfs", "ours-words")
    file.write_text(text + "v1 v2 heavy\n")
    with pytest.raises(InvalidGraph, match="a value is no number"):
        run_one(folder, "bfs", "ours-words")


def test_folders_and_names_that_are_wrong(folder: Path, tmp_path_factory: Any) -> None:
    with pytest.raises(InvalidGraph, match="there is no such folder"):
        find_datasets(folder / "elsewhere")
    with pytest.raises(InvalidGraph, match=r"no \*\.properties in this folder"):
        find_datasets(tmp_path_factory.mktemp("empty"))
    with pytest.raises(InvalidOption, match="'tc' is none of bfs, pr, wcc, cdlp, lcc, sssp"):
        run_one(folder, "tc")
    edit(folder / "ours-words.properties", "wcc", "ffm")
    words = find_datasets(folder)[-1]
    with pytest.raises(InvalidGraph, match=r"ours-words\.algorithms: 'ffm' is none of"):
        run(words, load(words, "cpu"))
    with pytest.raises(InvalidOption, match="repeats=0"):
        run(find_datasets(folder)[0], load(find_datasets(folder)[0], "cpu"), repeats=0)
    with pytest.raises(GraphlaError, match="folder=3"):
        find_datasets(3)
    edit(folder / "ours-directed.properties", "names = weight", "names = weight, length")
    with pytest.raises(NotSupported, match="weight, length"):
        run_one(folder, "bfs")
    (folder / "ours-directed.properties").write_text("a = b\n")
    with pytest.raises(InvalidGraph, match="it describes no graph"):
        find_datasets(folder)


def test_edges_without_weights(folder: Path) -> None:
    file = folder / "ours-undirected.e"
    file.write_text("".join(" ".join(line.split()[:2]) + "\n" for line in file.read_text().splitlines()))
    edit(folder / "ours-undirected.properties", "names = weight", "names =")
    edit(folder / "ours-undirected.properties", "sssp, ", "")
    (dataset,) = (each for each in find_datasets(folder) if each.name == "ours-undirected")
    found = run(dataset, load(dataset, "cpu"), repeats=1)
    assert [(each.algorithm, each.validated) for each in found] == [(name, True) for name in NAMES if name != "sssp"]
    with pytest.raises(InvalidGraph, match=r"weight is no edge property; .* has: none"):
        run_one(folder, "sssp", "ours-undirected")


def test_compressed_files_are_read(folder: Path) -> None:
    import gzip

    file = folder / "ours-directed.e"
    file.write_bytes(gzip.compress(file.read_bytes()))
    assert run_one(folder, "sssp").validated


@pytest.mark.emulated
def test_answers_of_the_other_engine(folder: Path) -> None:
    for dataset in find_datasets(folder)[:2]:
        found = run(dataset, load(dataset, get_engine_named("emulated")), repeats=1)
        assert [(each.algorithm, each.validated) for each in found] == [(name, True) for name in NAMES]
