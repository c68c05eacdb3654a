"""The command line and files: repeats, pipes, formats by suffix, samples and generators written out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, feather, parquet

import graphla as gl

REPEATED = "0 1 5\n1 2 3\n0 1 4\n"


@pytest.mark.parametrize("line", ["bfs {}", "info {}", "convert {} out.mtx", "compare bfs {} --peers none"])
def test_repeats_are_refused_with_file_and_line(graphla, tmp_path: Path, monkeypatch, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.wel").write_text(REPEATED)
    found = graphla(*line.format("a.wel").split())
    assert found.code == 2
    assert "a.wel, line 3: the arc 0 → 1" in found.err
    assert "on line 1" in found.err
    assert not (tmp_path / "out.mtx").exists()


def test_repeats_become_what_is_asked(graphla, tmp_path: Path) -> None:
    (tmp_path / "a.wel").write_text(REPEATED)
    for dup, weight in (("first", 5), ("min", 4), ("sum", 9)):
        assert graphla("convert", tmp_path / "a.wel", tmp_path / "b.mtx", "--dup", dup).code == 0
        assert gl.read(tmp_path / "b.mtx", engine="cpu").A[0, 1].new().value == weight


def test_undirected_does_not_double(graphla, tmp_path: Path) -> None:
    (tmp_path / "a.el").write_text("0 1\n1 0\n1 2\n")
    assert json.loads(graphla("info", tmp_path / "a.el", "--undirected", "--json").out)["arcs"] == 4


def test_samples_and_generators_are_converted(graphla, tmp_path: Path) -> None:
    assert graphla("convert", "kron:4", tmp_path / "x.gr", "--to", "dimacs").code == 0
    assert gl.read(tmp_path / "x.gr", engine="cpu").n == 16
    assert graphla("convert", "kronecker:4", tmp_path / "y", "--to", "mtx").code == 0
    assert gl.read(tmp_path / "y", engine="cpu").n == 16
    assert "'gr': dimacs and pace have this suffix" in graphla("convert", "kron:4", tmp_path / "z", "--to", "gr").err


def test_a_pipe_in_and_out() -> None:
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "graphla", "convert", "-", "-", "--from", "el", "--to", "mtx"]
    done = subprocess.run(command, input=b"0 1\n1 2\n", capture_output=True, env=where, check=True)
    assert done.stdout == b"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"


def test_a_time_has_its_unit_once(graphla) -> None:
    out = graphla("bfs", "path:4").out
    assert "first call" in out
    assert "seconds" not in out


def test_vertices_are_numbered_anew(graphla, tmp_path: Path) -> None:
    (tmp_path / "a.wel").write_text("7 2000000000 5\n7 20 6\n")
    assert "convert --relabel" in graphla("bfs", tmp_path / "a.wel").err
    for ids in ("ids.txt", "ids.npy"):
        found = graphla("convert", tmp_path / "a.wel", tmp_path / "b.mtx", "--relabel", "--numbers", tmp_path / ids)
        assert found.code == 0, found.err
        numbers = np.load(tmp_path / ids) if ids.endswith("npy") else np.loadtxt(tmp_path / ids)
        assert numbers.tolist() == [7, 20, 2000000000]
    assert gl.read(tmp_path / "b.mtx", engine="cpu").A.to_dicts() == {0: {1: 6, 2: 5}}
    refused = graphla("convert", tmp_path / "a.wel", tmp_path / "c.mtx", "--numbers", tmp_path / "ids.txt")
    assert (refused.code, "give both" in refused.err) == (2, True)


def test_a_generator_writes_to_the_standard_output(graphla) -> None:
    found = graphla("generate", "path:3", "-", "--format", "mtx")
    assert found.out.splitlines() == [
        "%%MatrixMarket matrix coordinate pattern general",
        "3 3 4",
        "1 2",
        "2 1",
        "2 3",
        "3 2",
    ]
    assert "vertices" in found.err
    for line in (("generate", "path:3", "-"), ("convert", "path:3", "-")):
        assert "the standard output has no suffix" in graphla(*line).err


@pytest.mark.parametrize("problem", ["bfs", "sssp", "apsp"])
def test_an_answer_goes_to_the_standard_output(graphla, triangle: Path, tmp_path: Path, problem: str) -> None:
    assert graphla(problem, triangle, "--output", tmp_path / "a.csv").code == 0
    found = graphla(problem, triangle, "--output", "-", "--json")
    assert found.out == (tmp_path / "a.csv").read_text()
    assert json.loads(found.err.splitlines()[-1])["problem"] == problem


def test_names_of_the_command_line_are_synonyms() -> None:
    assert gl.generate.kron is gl.generate.kronecker
    with pytest.raises(AttributeError, match="no generator 'krone'"):
        _ = gl.generate.krone


@pytest.fixture
def trades(tmp_path: Path) -> dict[str, Path]:
    """The same table of arcs in three kinds of files: vertices have names, one of them with a comma."""
    table = pa.table(
        {"payer": ["Ann", "Bob", "Cy", "Cy"], "payee": ["Bob", "Cy", "Ann", "Dee, Jr"], "amount": [5, 6, 7, 8]}
    )
    files = {kind: tmp_path / f"trades.{kind}" for kind in ("parquet", "feather", "csv")}
    parquet.write_table(table, files["parquet"])
    feather.write_feather(table, str(files["feather"]))
    csv.write_csv(table, files["csv"])
    return files


@pytest.mark.parametrize("kind", ["parquet", "feather", "csv"])
def test_a_table_with_names(graphla: Any, trades: dict[str, Path], tmp_path: Path, kind: str) -> None:
    columns = "--columns", "payer,payee,amount"
    found = graphla("sssp", trades[kind], *columns, "--source", "Cy", "--verify", "--output", "-", "--json")
    facts = json.loads(found.err)
    assert (found.code, facts["source"], facts["farthest"]) == (0, "Cy", 12)
    assert found.out.splitlines() == [
        "vertex,vertex_name,distance",
        "0,Ann,7",
        "1,Bob,12",
        "2,Cy,0",
        '3,"Dee, Jr",8',
    ]
    target = tmp_path / "ranks.npz"
    found = graphla("pagerank", trades[kind], *columns, "--personalization", "Ann", "--output", target, "--json")
    assert json.loads(found.out)["highest"] == ["Ann", "Bob", "Cy", "Dee, Jr"]
    with np.load(target) as stored:
        assert stored["names"].tolist() == ["Ann", "Bob", "Cy", "Dee, Jr"]
    edges = json.loads(graphla("betweenness", trades[kind], *columns, "--edges", "--json").out)
    assert edges["highest"][0] == ["Bob", "Cy"]
    assert "did you mean 'Bob'?" in graphla("bfs", trades[kind], *columns, "--source", "Bop").err


def test_columns_that_are_not_there(graphla: Any, trades: dict[str, Path], triangle: Path) -> None:
    found = graphla("pagerank", trades["parquet"])
    assert (found.code, "it has 'payer', 'payee', 'amount'; --columns names others" in found.err) == (2, True)
    assert "write the names of two or three columns" in graphla("bfs", trades["csv"], "--columns", "payer").err
    assert "only tables have columns" in graphla("bfs", triangle, "--columns", "a,b").err
    assert "only tables have columns" in graphla("bfs", "path:3", "--columns", "a,b").err


def test_names_are_kept_where_a_table_is_converted(graphla: Any, trades: dict[str, Path], tmp_path: Path) -> None:
    line = "convert", trades["parquet"], tmp_path / "trades.mtx", "--columns", "payer,payee,amount"
    assert "--numbers writes them" in graphla(*line).err
    assert graphla(*line, "--numbers", tmp_path / "names.txt").code == 0
    assert (tmp_path / "names.txt").read_text().splitlines() == ["Ann", "Bob", "Cy", "Dee, Jr"]
    assert gl.read(tmp_path / "trades.mtx").A.to_dicts()[2] == {0: 7, 3: 8}


def test_a_saved_graph(graphla: Any, trades: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "trades.graphla"
    named = "--columns", "payer,payee,amount"
    assert graphla("convert", trades["parquet"], file, *named, "--dup", "sum").code == 0
    right = graphla("sssp", trades["parquet"], *named, "--dup", "sum", "--source", "Ann", "--output", "-").out
    assert graphla("sssp", file, "--source", "Ann", "--output", "-").out == right
    assert graphla("convert", file, tmp_path / "again.parquet").code == 0
    assert graphla("sssp", tmp_path / "again.parquet", "--source", "Ann", "--output", "-").out == right
    assert "cannot hold; --numbers" in graphla("convert", file, tmp_path / "x.mtx").err


def test_an_answer_in_a_file_begins_the_next_one(graphla, triangle: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.npy"
    assert graphla("katz", triangle, "--tolerance", "1e-9", "--output", target).code == 0
    again = ("katz", triangle, "--tolerance", "1e-9", "--max-rounds", "1")
    assert graphla(*again, "--start", target, "--verify").code == 0
    assert graphla(*again).code == 1
    assert graphla("leiden", triangle, "--undirected", "--start", target).code == 2
    (tmp_path / "no.npy").write_text("0 1")
    for file, why in (("no.npy", "this is no file .npy"), ("none.npy", "No such file or directory")):
        found = graphla("katz", triangle, "--start", tmp_path / file)
        assert found.code == 2, found
        assert why in found.err
