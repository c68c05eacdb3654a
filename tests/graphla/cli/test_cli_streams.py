"""The command line: outputs that are closed or full are failures of the work that name what cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphla.doors.cli._main import root
from graphla.doors.cli._streams import OUTPUT
from graphla.graphs.io import formats
from graphla.problem import Problem, all_problems

OTHERS = {
    "cache": "cache",
    "compare": "compare bfs path:9 --methods algebraic --peers none --repeat 1",
    "convert": "convert path:9 - --to mtx",
    "gap": "gap path:9 --kernel bfs --trials 1",
    "generate": "generate path:9 - --format csv",
    "graph500": "graph500 --scale 4 --sources 1",
    "info": "info",
    "methods": "methods bfs",
    "roads": "roads path:9 --from 0 --minutes 1",
    "warm": "warm topological_order",
}
SLOW = {"demo", "graphalytics"}
"""They print by the same functions, after long work or of data that is not here."""
MORE = [
    "--help",
    "--version",
    "generate",
    "info path:9 --json",
    "methods --json",
    "bfs path:9 --output -",
    "bfs --help",
]
IN_TURN = """
import json, os, sys
from graphla.doors.cli import _main, _streams
_streams.name_streams()
given = os.dup(1)
for line in json.loads(sys.argv[1]):
    code = _main.run(line.split())
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout.flush()
    os.dup2(given, 1)
    print("ended with", code, file=sys.stderr)
"""


def start(script: list[str], ending: str) -> subprocess.CompletedProcess[str]:
    """Run Python with streams as the shell redirects them."""
    where = {**os.environ, "GRAPHLA_ENGINE": "cpu", "GRAPHLA_QUIET": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    words = ["bash", "-c", f'"$@" {ending}', "bash", sys.executable, *script]
    return subprocess.run(words, capture_output=True, text=True, env=where, check=False)


def list_lines() -> list[str]:
    """A line for each command."""
    problems = {name: write_line(found) for name, found in all_problems().items()}
    lines = {**problems, **OTHERS}
    assert set(lines) | SLOW == set(root.list_commands(None))  # pyright: ignore[reportArgumentType]
    return [*lines.values(), *MORE]


def write_line(problem: Problem) -> str:
    """A line that solves a problem of a small graph of its domain."""
    graph = "path:1" if problem.domain == "acyclic" else "path:9"
    return " ".join([problem.name, graph, *(f"--{each} 1" for each in problem.takes[1:])])


@pytest.mark.parametrize(("ending", "why"), [(">&-", "it is closed"), (">/dev/full", "No space left on device")])
def test_an_output_that_takes_nothing_is_a_failure_of_every_command(ending: str, why: str) -> None:
    lines = list_lines()
    told = start(["-c", IN_TURN, json.dumps(lines)], ending).stderr.splitlines()
    said = [line for line in told if line.startswith((f"graphla: {OUTPUT}", "ended"))]
    found = dict(zip(lines, zip(said[::2], said[1::2], strict=True), strict=True))
    assert found == dict.fromkeys(lines, (f"graphla: {OUTPUT} cannot be written: {why}", "ended with 1"))


@pytest.mark.parametrize(
    ("line", "ending", "code", "said"),
    [
        ("pagerank path:9", ">&-", 1, f"graphla: {OUTPUT} cannot be written: it is closed\n"),
        ("pagerank path:9 --json", ">&-", 1, f"graphla: {OUTPUT} cannot be written: it is closed\n"),
        ("pagerank path:9", ">/dev/full", 1, f"graphla: {OUTPUT} cannot be written: No space left on device\n"),
        ("bfs - --from mtx", "<&-", 2, "graphla: the standard input: it is closed\n"),
        ("bfs path:9 --json", ">&- 2>&-", 1, ""),
        ("methods --json", "| true; exit ${PIPESTATUS[0]}", 1, ""),
        ("bfs path:99999 --output -", "| head -1; exit ${PIPESTATUS[0]}", 1, ""),
    ],
)
def test_a_process_ends_with_one_sentence_and_a_code(line: str, ending: str, code: int, said: str) -> None:
    found = start(["-m", "graphla.doors.cli", *line.split()], ending)
    assert (found.returncode, found.stderr) == (code, said)


@pytest.mark.parametrize("ending", ["2>&-", "2>/dev/full"])
def test_messages_that_cannot_be_written_do_not_stop_the_work(ending: str) -> None:
    found = start(["-m", "graphla.doors.cli", "bfs", "path:3", "--output", "-"], ending)
    assert (found.returncode, found.stdout) == (0, "vertex,level\n0,0\n1,1\n2,2\n")
    found = start(["-m", "graphla.doors.cli", "bfs", "nowhere"], ending)
    assert (found.returncode, found.stdout) == (2, "")


def test_a_file_that_is_written_stays_where_the_output_is_closed(tmp_path: Path) -> None:
    target = tmp_path / "levels.npy"
    assert start(["-m", "graphla.doors.cli", "bfs", "path:9", "--output", str(target)], ">&-").returncode == 1
    assert np.load(target).tolist() == list(range(9))


def test_files_for_which_there_is_no_room_are_failures_that_name_them(tmp_path: Path) -> None:
    lines = [f"bfs path:900 --output {tmp_path / 'levels'}{suffix}" for suffix in (".npy", ".npz", ".csv", ".txt")]
    lines += [f"betweenness path:90 --edges --output {tmp_path / 'edges'}{suffix}" for suffix in (".npz", ".csv")]
    lines += [f"bfs path:900 --trace-to {tmp_path / 'trace'}{suffix}" for suffix in (".json", ".html", ".png", ".svg")]
    lines += [f"convert path:900 --to {name} {tmp_path / name}{each.suffixes[0]}" for name, each in formats().items()]
    lines += [f"compare bfs path:9 --methods algebraic --peers none --repeat 1 --json {tmp_path / 'all.json'}"]
    lines += [f"graph500 --scale 4 --sources 1 --output {tmp_path / 'report.txt'}"]
    limit = "import resource as r\nr.setrlimit(r.RLIMIT_FSIZE, (300, r.RLIM_INFINITY))\n"
    told = start(["-c", limit + IN_TURN, json.dumps(lines)], ">/dev/null").stderr.splitlines()
    said = [line for line in told if line.startswith(("graphla: ", "ended"))]
    for line, sentence, ended in zip(lines, said[::2], said[1::2], strict=True):
        name = line.split()[-1]
        assert sentence.startswith(f"graphla: {name}"), line
        assert (sentence.endswith("cannot be written: File too large"), ended) == (True, "ended with 1"), line
    assert list(tmp_path.iterdir()) == []


def test_a_graph_without_vertices_is_one(graphla: Any, tmp_path: Path) -> None:
    path = tmp_path / "none.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
    assert json.loads(graphla("info", path, "--json").out)["vertices"] == 0
    for name, problem in all_problems().items():
        needed = [f"--{each}=1" for each in problem.takes[1:]]
        found = graphla(name, path, "--json", "--verify", *needed)
        if problem.takes:
            assert (found.code, "is no vertex: the graph has 0" in found.err) == (2, True), name
        else:
            assert (found.code, json.loads(found.out)["vertices"]) == (0, 0), name
