"""The steps of the demo."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphla.algorithms.bfs import bfs
from graphla.algorithms.sssp import sssp
from graphla.common.extras import require
from graphla.graphs.datasets import new_york
from graphla.graphs.generators import pair_weights
from graphla.graphs.graph import Graph
from graphla.graphs.io import read_coo
from graphla.measuring.comparing import Comparison, compare
from graphla.measuring.demo import map_plot
from graphla.measuring.machine import list_engines
from graphla.measuring.watching import Trace

SOURCE = 0
REPEAT = 3
NEXT = """
Open new-york.png; trace.json opens in ui.perfetto.dev. Next, with the environment active (. .venv/bin/activate):
  graphla compare bfs kron:16       every method and every installed library on a graph of another kind
  graphla bfs kron:16 --trace       what a search does, level by level"""


def demonstrate(folder: Path, console: Any = None) -> bool:
    """Search the roads of New York by semiring products and by compiled kernels; verify, time and plot.

    Parameters
    ----------
    folder : Path
        The folder for ``new-york.png``, ``comparison.json``, ``comparison.csv``, ``comparison.png`` and the trace of
        the search; created if it does not exist.
    console : rich Console, optional
        The console that reports the steps; standard output by default.

    Returns
    -------
    bool
        Whether every answer was right.
    """
    say = console or make_console()
    require("matplotlib", "demo", "the demo")
    check_writable(folder)
    G, W = read_roads(say)
    say.print("\nEach answer is verified and compared with the others, then all are timed in turns.")
    say.print("[dim]algebraic: one semiring product per level; italics: another library; else: compiled kernels[/]\n")
    found = merge_comparisons([compare_methods(problem, graph) for problem, graph in ((bfs, G), (sssp, W))])
    say.print(found)
    say.print("The search level by level:")
    with Trace() as watched:
        levels = bfs(G, SOURCE, method="algebraic")
    say.print(f"  {len(watched.levels):,} levels, {levels.nvals:,} crossings reached")
    for file in write_files(folder, G, found, watched):
        say.print(f"  wrote {file}")
    say.print(NEXT)
    return found.ok


def make_console() -> Any:
    """A console on the standard output."""
    rich = require("rich.console", "demo", "the demo")
    return rich.Console(highlight=False, width=None if sys.stdout.isatty() else 120)


def check_writable(folder: Path) -> None:
    """Create the folder and a file in it, so that a folder that is not writable fails before the work."""
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".probe"
    probe.write_bytes(b"")
    probe.unlink()


def read_roads(say: Any) -> tuple[Graph, Graph]:
    """Read the roads of New York; return them without and with weights."""
    started = time.perf_counter()
    coo = read_coo(new_york())
    seconds = time.perf_counter() - started
    G = Graph(coo, name="the roads of New York", engine="cpu")
    W = Graph(
        replace(coo, values=pair_weights(coo.rows, coo.cols, 1, 255)), name="the same, weights 1..255", engine="cpu"
    )
    say.print(f"Read {G.n:,} crossings and {G.nvals // 2:,} roads of New York in {seconds:.2f} s")
    return G, W


def compare_methods(problem: Any, G: Graph) -> Comparison:
    """Compare the algebraic method and the best one, on every engine of this machine, and SciPy."""
    parts = []
    for engine in list_engines():
        there = G.to(engine)
        methods = list(dict.fromkeys([problem.choose(there, None, {}).name, "algebraic"]))
        peers = ["scipy"] if engine == "cpu" else False
        parts.append(compare(problem, there, source=SOURCE, methods=methods, peers=peers, repeat=REPEAT))
    return merge_comparisons(parts)


def merge_comparisons(parts: list[Comparison]) -> Comparison:
    """Merge the rows of several comparisons into one."""
    return Comparison(tuple(row for part in parts for row in part.rows), parts[0].conditions)


def write_files(folder: Path, G: Graph, found: Comparison, watched: Trace) -> list[Path]:
    """Write the plots, the figures and the trace; return the paths of the files."""
    files = [folder / name for name in ("new-york.png", "comparison.png", "comparison.json", "comparison.csv")]
    map_plot.draw_map(G, SOURCE, found, watched, files[0])
    found.plot(files[1])
    found.to_json(files[2])
    found.to_csv(files[3])
    trace = folder / "trace.json"
    watched.to_chrome(trace)
    return [*files, trace]
