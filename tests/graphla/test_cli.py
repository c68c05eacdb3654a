"""The command line: what it answers, what it refuses, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms import bfs as bfs_package
from graphla.cli import _solve
from graphla.cli._main import root, run
from graphla.cli._options import settings_of
from tests.graphla.planted import forget, plant


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def graphla(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command line on the CPU in this process."""
    monkeypatch.setenv("GRAPHLA_ENGINE", "cpu")
    monkeypatch.setenv("GRAPHLA_QUIET", "1")

    def call(*arguments: object) -> Ended:
        code = run([str(argument) for argument in arguments])
        return Ended(code, *capfd.readouterr())

    return call


@pytest.fixture
def triangle(tmp_path: Path) -> Path:
    """0 → 1 → 2 with a dearer way round, and 3 apart."""
    path = tmp_path / "triangle.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n4 4 3\n1 2 4\n2 3 3\n1 3 9\n")
    return path


@pytest.fixture
def vicious(tmp_path: Path) -> Path:
    """0 → 1 → 2 → 1 with a cycle of weight −1."""
    path = tmp_path / "vicious.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 1\n2 3 2\n3 2 -3\n")
    return path


def test_every_command_has_help_with_an_example(graphla) -> None:
    for name in root.list_commands(None):
        found = graphla(name, "--help")
        assert found.code == 0, name
        assert f"graphla {name}" in found.out.split("Example")[1], name


def test_bfs_as_json(graphla, triangle: Path) -> None:
    found = graphla("bfs", triangle, "--json", "--verify")
    facts = json.loads(found.out)
    assert found.code == 0
    assert (facts["reached"], facts["levels"], facts["verified"]) == (3, 2, True)


@pytest.mark.parametrize("method", ["algebraic", "delta_stepping"])
def test_sssp_by_a_method(graphla, triangle: Path, method: str) -> None:
    facts = json.loads(graphla("sssp", triangle, "--method", method, "--json").out)
    assert (facts["method"], facts["farthest"]) == (method, 7)


def test_tables_are_readable(graphla, triangle: Path) -> None:
    out = graphla("sssp", triangle, "--source", 1).out
    assert "farthest" in out
    assert "delta_stepping" in out


def test_answers_in_every_kind_of_file(graphla, triangle: Path, tmp_path: Path) -> None:
    for kind in ("npz", "npy", "csv", "txt"):
        assert graphla("sssp", triangle, "--output", tmp_path / f"d.{kind}").code == 0
    none = np.iinfo(np.int64).max
    assert np.load(tmp_path / "d.npz")["distances"].tolist() == [0, 4, 7, none]
    assert np.load(tmp_path / "d.npy").tolist() == [0, 4, 7, none]
    assert (tmp_path / "d.csv").read_text() == "vertex,distance\n0,0\n1,4\n2,7\n"
    assert (tmp_path / "d.txt").read_text() == "# vertex distance\n0 0\n1 4\n2 7\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d.csv", "d.npy", "d.npz", "d.txt", "triangle.mtx"]


def test_parents_predecessors_and_next_hops(graphla, triangle: Path, tmp_path: Path) -> None:
    assert graphla("bfs", triangle, "--parents", "--output", tmp_path / "b.npz").code == 0
    assert np.load(tmp_path / "b.npz")["parents"].tolist() == [0, 0, 0, -1]
    assert graphla("sssp", triangle, "--predecessors", "--output", tmp_path / "s.csv").code == 0
    assert (tmp_path / "s.csv").read_text().splitlines() == ["vertex,distance,predecessor", "0,0,0", "1,4,0", "2,7,1"]
    facts = json.loads(graphla("apsp", triangle, "--next-hops", "--output", tmp_path / "a.csv", "--json").out)
    assert facts["pairs_with_a_path"] == 7
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert (lines[0], len(lines)) == ("from,to,distance,next_hop", 8)
    assert "0,2,7,1" in lines


def test_weights_are_drawn_alike_every_time(graphla) -> None:
    farthest = {json.loads(graphla("sssp", "path:50", "--weights", "3..3", "--json").out)["farthest"] for _ in range(2)}
    assert farthest == {147}


def test_options_of_a_method(graphla, triangle: Path) -> None:
    assert graphla("bfs", triangle, "--method", "algebraic", "--set", "direction=pull").code == 0
    refused = graphla("bfs", triangle, "--method", "algebraic", "--set", "direction=up")
    assert refused.code == 2
    assert "'push'" in refused.err


def test_settings_are_read_as_python_reads_them() -> None:
    assert settings_of(("a=3", "b=0.5", "c=none", "d=true", "e=fine")) == {
        "a": 3,
        "b": 0.5,
        "c": None,
        "d": True,
        "e": "fine",
    }


def test_traces(graphla, triangle: Path, tmp_path: Path) -> None:
    shown = graphla("bfs", triangle, "--method", "algebraic", "--trace")
    assert "any_pair" in shown.err
    for kind in ("json", "html", "txt", "png", "svg"):
        assert graphla("bfs", triangle, "--method", "algebraic", "--trace-to", tmp_path / f"t.{kind}").code == 0
        assert (tmp_path / f"t.{kind}").stat().st_size > 200
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]


def test_the_trace_is_of_a_call_that_compiles_nothing(graphla, triangle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    reported = _solve.reported
    monkeypatch.setattr(_solve, "reported", lambda title, call: [calls.append(title), reported(title, call)][1])
    assert "bfs direction_optimized: 2 levels" in graphla("bfs", triangle, "--trace").err
    assert calls == ["bfs by direction_optimized", "bfs by direction_optimized, once more for its trace"]
    monkeypatch.setattr(_solve, "SHORT", 0.0)
    assert "2 levels" in graphla("bfs", triangle, "--trace").err
    graphla("bfs", triangle)
    assert len(calls) == 4


def test_info_of_a_graph_and_of_the_machine(graphla, triangle: Path) -> None:
    facts = json.loads(graphla("info", triangle, "--json").out)
    assert (facts["vertices"], facts["arcs"], facts["symmetric"], facts["largest_weight"]) == (4, 3, False, 9)
    assert json.loads(graphla("info", "--json").out)["graphla"] == gl.__version__


def test_generate_and_convert(graphla, tmp_path: Path) -> None:
    assert "kron:18" in graphla("generate").out
    assert graphla("generate", "cycle:6", tmp_path / "c.npz", "--weights", "2..2").code == 0
    assert graphla("convert", tmp_path / "c.npz", tmp_path / "c.mtx.gz").code == 0
    assert json.loads(graphla("sssp", tmp_path / "c.mtx.gz", "--json").out)["farthest"] == 6


def test_methods_are_listed(graphla) -> None:
    assert "delta_stepping" in graphla("methods").out
    listed = json.loads(graphla("methods", "bfs", "--json").out)["bfs"]
    assert {"algebraic", "direction_optimized"} <= {m["name"] for m in listed}


def test_graph500_reports(graphla, tmp_path: Path) -> None:
    line = ("graph500", "--scale", 6, "--sources", 4)
    assert "harmonic_mean_TEPS" in graphla(*line, "--output", tmp_path / "report.txt").out
    assert "NBFS:" in (tmp_path / "report.txt").read_text()
    assert json.loads(graphla(*line, "--json").out)["SCALE"] == "6"


def test_compare_writes_what_is_asked(graphla, triangle: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("c.json", "c.csv", "c.svg")]
    asked = [
        part for option, file in zip(("--json", "--csv", "--picture"), files, strict=True) for part in (option, file)
    ]
    found = graphla("compare", "bfs", triangle, "path:20", "--peers", "scipy", "--repeat", 2, *asked)
    assert found.code == 0, found.err
    rows = json.loads(files[0].read_text())["rows"]
    assert {row["graph"] for row in rows} == {str(triangle), "path:20"}
    assert {row["status"] for row in rows} == {"right"}
    assert all(file.stat().st_size for file in files)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bfs nowhere.mtx", "nowhere.mtx: there is no such file"),
        ("bfs magic:12", "there is no generator 'magic'"),
        ("bfs kron:x", "no such file"),
        ("bfs kron:99", "scale"),
        ("bfs path:9 --method magic", "no method 'magic'; there are: algebraic"),
        ("bfs path:9 --method fused", "it runs on cuda"),
        ("bfs path:9 --source 9", "source=9 is no vertex"),
        ("bfs path:9 --source -1", "source=-1 is no vertex"),
        ("bfs path:9 --source one", "'one' is not a valid integer"),
        ("bfs path:9 --engine tpu", "'tpu' is not one of"),
        ("bfs path:9 --set depth=3", "no option 'depth'"),
        ("bfs path:9 --set depth", "write name=value"),
        ("bfs path:9 --output x.pdf", "the suffix must be one of .npz"),
        ("bfs path:9 --output /no/such/folder/x.npy", "cannot be written: No such file or directory"),
        ("bfs path:9 --output . --parents", "the suffix must be one of"),
        ("bfs path:9 --parents --output x.npy", "use .npz"),
        ("sssp path:9 --weights 9..1", "'9..1' is no range"),
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
        ("fly", "there is no command 'fly'; there are: apsp, bfs"),
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


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Methods of BFS that lie and that raise."""
    folder = tmp_path / "methods"
    folder.mkdir()
    plant(folder, "wrong", "raises")
    monkeypatch.setattr(bfs_package, "__path__", [*bfs_package.__path__, str(folder)])
    forget(gl.bfs)
    yield
    monkeypatch.undo()
    forget(gl.bfs)


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


HANGING = """
import sys
from graphla.algorithms import bfs
bfs.__path__ = [*bfs.__path__, sys.argv.pop(1)]
from graphla.cli import main
main()
"""


@pytest.mark.parametrize(
    "line", ["bfs path:9 --method hangs --output d.npy", "compare bfs path:9 --methods hangs --peers none"]
)
def test_ctrl_c_stops_cleanly(line: str, tmp_path: Path) -> None:
    folder = tmp_path / "methods"
    folder.mkdir()
    plant(folder, "hangs")
    work = tmp_path / "work"
    work.mkdir()
    command = [sys.executable, "-c", HANGING, str(folder), *line.split()]
    where = {
        **os.environ,
        "GRAPHLA_ENGINE": "cpu",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "TMPDIR": str(work),
    }
    with subprocess.Popen(
        command, cwd=work, stderr=subprocess.PIPE, env=where, text=True, start_new_session=True
    ) as process:
        told = next(text for text in process.stderr if text.startswith("hanging in"))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of the group
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest.lstrip() == "graphla: stopped\n"
    assert list(work.iterdir()) == []
    assert ended(int(told.split()[-1]))


def ended(pid: int) -> bool:
    """Whether a process is gone within two seconds."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_help_loads_nothing_heavy() -> None:
    text = (
        "import sys; from graphla.cli._main import run; run(['--help']); "
        "print([m for m in ('numba', 'scipy', 'cupy', 'matplotlib', 'networkx', 'rich') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


def test_the_first_use_says_what_it_compiles(tmp_path: Path) -> None:
    text = (
        "from graphla.engine.cpu import jit\n"
        "@jit.operator\ndef half(x):\n    return x / 2\n"
        "half(3)\nassert jit.seconds_compiling() > 0"
    )
    said = {}
    for setting in ("GRAPHLA_ANNOUNCE", "GRAPHLA_QUIET", "NOTHING"):
        where = {key: value for key, value in os.environ.items() if not key.startswith("GRAPHLA_")} | {setting: "1"}
        said[setting] = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, check=True, env=where
        ).stderr
    assert said == {
        "GRAPHLA_ANNOUNCE": "graphla: compiling half (once, kept on disk) …\n",
        "GRAPHLA_QUIET": "",
        "NOTHING": "",
    }
