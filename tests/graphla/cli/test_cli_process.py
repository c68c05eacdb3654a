"""The command line as a process: how it begins, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.graphla.planted import plant

HANGING = """
import sys
from graphla.algorithms import bfs
bfs.__path__ = [*bfs.__path__, sys.argv.pop(1)]
from graphla.doors.cli import main
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
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, and inherited
    try:
        process = subprocess.Popen(
            command, cwd=work, stderr=subprocess.PIPE, env=where, text=True, start_new_session=True
        )
    finally:
        signal.signal(signal.SIGINT, heeded)
    with process:
        told = next(text for text in process.stderr if text.startswith("hanging in"))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of the group
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest.lstrip() == "graphla: stopped\n"
    assert list(work.iterdir()) == []
    assert has_ended(int(told.split()[-1]))


def has_ended(pid: int) -> bool:
    """Whether a process is gone within ten seconds."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("line", "unneeded"),
    [
        ("--help", "numba scipy cupy matplotlib networkx pyarrow rich graphla.doors.cli._problem"),
        ("bfs --help", "numba scipy cupy matplotlib networkx pyarrow rich"),
        ("bfs path:9 --json", "cupy matplotlib networkx pyarrow rich"),
        ("bfs path:9", "cupy matplotlib networkx pyarrow"),
    ],
)
def test_a_command_loads_what_it_needs(line: str, unneeded: str) -> None:
    text = (
        f"import sys; from graphla.doors.cli._main import run; run({line.split()}); "
        f"print([m for m in {unneeded.split()} if m in sys.modules])"
    )
    where = {**os.environ, "GRAPHLA_ENGINE": "cpu"}
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, env=where)
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
        "GRAPHLA_ANNOUNCE": "graphla: compiling half (once, cached on disk) …\n",
        "GRAPHLA_QUIET": "",
        "NOTHING": "",
    }
