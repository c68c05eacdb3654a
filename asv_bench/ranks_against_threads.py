"""Problems on ranks of one thread beside one process of as many threads, in turns.

    python asv_bench/ranks_against_threads.py kron18 uniform18 grid512 road-NY.gr --ranks 2 --only bfs pagerank

Starts the process and ``mpiexec``, lets them run one after the other for so many times, while the other sleeps, and
prints for each graph and problem the median and least milliseconds of both, and the speed of the ranks as a multiple of
that of the process. Graphs: ``kron``, ``uniform`` with a scale, ``grid`` with a side, or a file.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

SOURCE, REPEATS, NAP = 12345, 9, 0.002
NAMES = ["bfs", "sssp", "components", "pagerank", "many bfs", "many sssp", "closeness", "betweenness", "apsp"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES[:4])
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--engine", choices=["cpu", "mpi"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    serve(asked) if asked.serve else compare(asked)


# --- the process that compares


def compare(asked: Any) -> None:
    """Let both run in turns."""
    with tempfile.TemporaryDirectory() as folder:
        started = {engine: start(engine, asked, folder) for engine in ("cpu", "mpi")}
        turn = 0
        for graph in asked.graphs:
            for name in asked.only:
                times: dict[str, list[float]] = {"cpu": [], "mpi": []}
                for _ in range(asked.repeats + 1):
                    for engine in times:
                        turn += 1
                        times[engine].append(ask(started[engine], Path(folder), turn, engine, [graph, name]))
                print(describe(graph, name, asked.ranks, {key: each[1:] for key, each in times.items()}), flush=True)
        for engine, process in started.items():
            turn += 1
            write(Path(folder) / f"{engine}.{turn}", [])
            process.wait()


def start(engine: str, asked: Any, folder: str) -> Any:
    """Start the process, or the ranks."""
    threads = {"cpu": asked.ranks, "mpi": 1}[engine]
    launcher = [] if engine == "cpu" else [find_mpiexec(), "-n", str(asked.ranks)]
    command = [*launcher, sys.executable, __file__, "none", "--serve", folder, "--engine", engine]
    return subprocess.Popen(command, env={**os.environ, "GRAPHLA_THREADS": str(threads)})


def find_mpiexec() -> str:
    """The mpiexec beside this Python, or that of the path."""
    beside = Path(sys.executable).with_name("mpiexec")
    return str(beside) if beside.exists() else which("mpiexec") or "mpiexec"


def ask(process: Any, folder: Path, turn: int, engine: str, what: list[str]) -> float:
    """Milliseconds of one call."""
    write(folder / f"{engine}.{turn}", what)
    answer = folder / f"{engine}.{turn}.done"
    while not answer.exists():
        if process.poll() is not None:
            raise SystemExit(f"{engine} has ended with {process.returncode} in {what}")
        time.sleep(NAP)
    return json.loads(answer.read_text())


def write(path: Path, what: Any) -> None:
    """Write a file that is there only when it is whole."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(what))
    draft.rename(path)


def describe(graph: str, name: str, ranks: int, times: dict[str, list[float]]) -> str:
    """A line of the table."""
    one, many = median(times["cpu"]), median(times["mpi"])
    return (
        f"{graph:<12} {name:<12} {ranks} threads {one:9.2f} ms (least {min(times['cpu']):.2f}), "
        f"{ranks} ranks {many:9.2f} (least {min(times['mpi']):.2f}): {one / many:.2f} x the speed"
    )


# --- the processes that are compared


def serve(asked: Any) -> None:
    """Run what the files ask for, in their order."""
    import graphla as gl

    folder, world, made = Path(asked.serve), gl.mpi.get_world(), {}
    turn = 0
    while True:
        turn, what = wait_for(folder, asked.engine, turn)
        if not what:
            return
        key = tuple(what)
        if key not in made:
            made.clear()
            made[key] = make_problem(*key, asked.engine)
        world.barrier()
        begin = time.perf_counter()
        made[key]()
        world.barrier()
        if world.rank == 0:
            write(folder / f"{asked.engine}.{turn}.done", 1e3 * (time.perf_counter() - begin))


def wait_for(folder: Path, engine: str, after: int) -> tuple[int, list[str]]:
    """The next file for this engine; turns of the other are left out."""
    while True:
        for path in folder.glob(f"{engine}.*"):
            turn = path.suffix[1:]
            if turn.isdigit() and int(turn) > after:
                return int(turn), json.loads(path.read_text())
        time.sleep(NAP)


GRAPHS: dict[str, Any] = {}


def make_graph(name: str, engine: str) -> Any:
    """A graph by its name, made once."""
    import graphla as gl

    if name not in GRAPHS:
        GRAPHS.clear()
        kind, size = re.fullmatch(r"([a-z]+)(\d+)", name).groups() if re.fullmatch(r"[a-z]+\d+", name) else ("", "0")
        makers: dict[str, Callable[[], Any]] = {
            "kron": lambda: gl.generate.kronecker(int(size), weights=(1, 255), engine=engine),
            "uniform": lambda: gl.generate.uniform(1 << int(size), weights=(1, 255), engine=engine),
            "grid": lambda: gl.generate.grid2d(int(size), weights=(1, 255), engine="cpu").to(engine),
            "": lambda: gl.read(name, engine="cpu").to(engine),
        }
        GRAPHS[name] = makers[kind]()
    return GRAPHS[name]


def make_problem(graph: str, name: str, engine: str) -> Callable[[], Any]:
    """What is timed: graphs in parts, or for many sources the whole graph on each rank."""
    import graphla as gl

    if name in NAMES[:4]:
        G = make_graph(graph, engine)
        return {
            "bfs": lambda: gl.bfs(G, SOURCE),
            "sssp": lambda: gl.sssp(G, SOURCE),
            "components": lambda: gl.components(G),
            "pagerank": lambda: gl.pagerank(G, rounds=20),
        }[name]
    G, solve = make_graph(graph, "cpu"), gl.mpi if engine == "mpi" else gl
    few, many = range(SOURCE, SOURCE + 16), range(SOURCE, SOURCE + 256)
    return {
        "many bfs": lambda: solve.bfs(G, sources=many),
        "many sssp": lambda: solve.sssp(G, sources=few),
        "closeness": lambda: solve.closeness(G, many),
        "betweenness": lambda: solve.betweenness(G, sources=few),
        "apsp": lambda: solve.apsp(G),
    }[name]


if __name__ == "__main__":
    main()
