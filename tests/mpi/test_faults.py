"""A rank that fails ends all ranks, soon and with a sentence; what ranks do differently is named."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest

import graphla as gl
from tests.mpi.launch import start

pytest.importorskip("mpi4py")

BEGIN = (
    "import os, signal, time, graphla as gl; world = gl.mpi.get_world(); "
    "os.dup2(os.open(os.environ['SHOWN'], os.O_WRONLY | os.O_APPEND), 1); os.dup2(1, 2); "
    "os.write(1, f'begun at {time.time()}\\n'.encode())\n"
)
"""Ranks show what they do in a file: a launcher may end before it has passed all of it on."""
KEPT = ("-disable-auto-cleanup",)  # mpiexec leaves the other ranks alone then


def run(ranks, code, seconds, **settings):
    """Run a program that must fail within so many seconds, once all ranks are there; return what was shown."""
    with tempfile.NamedTemporaryFile("r") as shown:
        done = start(ranks, "-c", BEGIN + code, timeout=100, SHOWN=shown.name, **settings)
        ended, text = time.time(), shown.read() + done.stdout
    assert done.returncode != 0, text
    assert ended - max(map(float, re.findall("begun at (.*)", text))) < seconds, text
    return text


@pytest.mark.parametrize("failing", [0, 2])
def test_an_error_of_one_rank_ends_all(failing):
    code = f"if world.rank == {failing}: gl.bfs(gl.Graph(([0], [1])), 7)\nworld.barrier()\nprint('went on')"
    text = run(3, code, 10, options=KEPT)
    assert text.count(f"rank {failing} has raised") == 1
    assert text.count("InvalidGraph: source=7") == 1
    assert "went on" not in text


def test_an_error_of_all_ranks_is_shown_once():
    text = run(3, "gl.bfs(gl.Graph(([0], [1])), 7)", 10)
    assert text.count("InvalidGraph: source=7") == 1


@pytest.mark.parametrize("killed", [0, 1])
def test_a_killed_rank_ends_the_others(killed):
    code = f"world.barrier()\nif world.rank == {killed}: os.kill(os.getpid(), signal.SIGKILL)\nworld.barrier()"
    text = run(3, code, 30, options=KEPT)
    # mpiexec may end all before a rank shows, or is heard to say, what it has noticed; it says so itself then
    assert f"rank {killed} was killed" in text or "Killed (signal 9)" in text


HOST = """
import json, os, pathlib, signal, sys, time
from graphla.engine.mpi.watch import start_watch

class Host:  # shares by files, so that no launcher ends a rank or loses what it shows
    rank, size, folder, abort = int(sys.argv[1]), 3, pathlib.Path(sys.argv[2]), os._exit
    def share_object(self, value, root):
        return self.share(0, value)[root]
    def share_all(self, value):
        return self.share(1, value)
    def share(self, call, value):
        (self.folder / f"new-{call}-{self.rank}").write_text(json.dumps(value))
        (self.folder / f"new-{call}-{self.rank}").rename(self.folder / f"{call}-{self.rank}")
        while len(files := sorted(self.folder.glob(f"{call}-?"))) < self.size:
            time.sleep(0.01)
        return [json.loads(file.read_text()) for file in files]

start_watch(Host())
if Host.rank == int(sys.argv[3]):
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(60)
"""


@pytest.mark.parametrize("killed", [0, 1, 2])
def test_a_killed_rank_is_named_without_a_launcher(killed, tmp_path):
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", HOST, str(rank), tmp_path, str(killed)], stderr=subprocess.PIPE, text=True
        )
        for rank in range(3)
    ]
    shown = [rank.communicate(timeout=100)[1] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [-signal.SIGKILL if rank == killed else 1 for rank in range(3)]
    assert "".join(shown).count(f"rank {killed} was killed") == 1, shown


def test_a_killed_rank_ends_the_others_under_a_launcher_that_cleans_up():
    run(2, "if world.rank == 1: os.kill(os.getpid(), signal.SIGKILL)\nworld.barrier()", 30)


def test_a_rank_that_leaves_is_not_waited_for():
    text = run(2, "if world.rank == 0: world.barrier()", 15, GRAPHLA_MPI_PATIENCE="1")
    assert "rank 1 has ended its program, while rank 0 waits for it in barrier" in text


def test_ranks_that_end_at_different_times_are_right():
    code = "import time, graphla as gl; world = gl.mpi.get_world()\ntime.sleep(2 * world.rank)"
    done = start(2, "-c", code, GRAPHLA_MPI_PATIENCE="1")
    assert (done.returncode, done.stdout) == (0, "")


def test_different_calls_are_named():
    code = (
        "G = gl.generate.path(9, engine='cpu')\n"
        "gl.mpi.bfs(G, [0])\n"
        "(gl.mpi.bfs if world.rank == 1 else gl.mpi.sssp)(G, [0])"
    )
    text = run(3, code, 10, GRAPHLA_CHECK="1")
    assert text.count("MismatchedCalls: the ranks do not make the same call") == 1
    assert "ranks 0, 2: sssp" in text
    assert "rank 1: bfs" in text


def test_calls_of_several_communicators_are_named():
    code = "part = world.split(world.rank // 2)\n(part if world.rank == 1 else world).barrier()"
    text = run(3, code, 15, GRAPHLA_CHECK="1", GRAPHLA_MPI_PATIENCE="1")
    assert text.count("MismatchedCalls: the ranks do not make the same call") == 1
    assert "ranks 0, 1, 2: the program (<string>:3), which waits in barrier()" in text
    assert "several communicators" in text


def test_arrays_that_do_not_fit_are_named():
    code = "import numpy as np\nfrom semirings import monoid\nworld.all_reduce(np.zeros(3 + world.rank), monoid.plus)"
    text = run(2, code, 10, GRAPHLA_CHECK="1")
    assert "float64[3]" in text
    assert "float64[4]" in text


def test_a_file_survives_a_killed_rank_and_is_finished_by_others(tmp_path):
    path = tmp_path / "d.npy"
    code = (
        "from graphla.mpi import all_pairs; all_pairs.CELLS = 200\n"
        "G = gl.generate.rmat(6, 4, weights=(1, 9), engine='cpu')\n"
        "kill = lambda done, n: os.kill(os.getpid(), signal.SIGKILL) if done > 20 and {} else None\n"
        f"gl.mpi.apsp(G, output={str(path)!r}, progress=kill)"
    )
    run(2, code.format(True), 30, options=KEPT)
    assert not path.exists()
    assert (tmp_path / "d.npy.unfinished").exists()
    done = start(3, "-c", BEGIN + code.format(False), SHOWN=os.devnull)
    assert done.returncode == 0, done.stdout
    G = gl.generate.rmat(6, 4, weights=(1, 9), engine="cpu")
    np.testing.assert_array_equal(np.load(path), gl.apsp(G, dense=True))
