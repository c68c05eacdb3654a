"""Every problem that two other libraries solve, beside them on the CPU: ``python asv_bench/peers_cpu.py``.

    python asv_bench/peers_cpu.py --enron email-Enron.txt.gz      the graph of SNAP as well, which does not ship
    python asv_bench/peers_cpu.py --graphs grid --problems bfs    a part; its rows replace those that were stored

Each answer is checked as `gl.compare` checks it; then all are called in turn in one process, two threads each. The
least time of each goes to ``docs/_data/peers_cpu.csv``, of which ``docs/results.md`` makes its table. The libraries
are the extra ``peers``; one that is not installed is left out.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

THREADS = "2"
os.environ |= dict.fromkeys(("GRAPHLA_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"), THREADS)

import numpy as np  # noqa: E402

import graphla as gl  # noqa: E402
from graphla.common.errors import NotSupported  # noqa: E402
from graphla.graphs.generators import pair_weights  # noqa: E402
from graphla.measuring import peers  # noqa: E402
from graphla.measuring.comparing.clock import time_call  # noqa: E402
from graphla.measuring.comparing.judge import describe_difference, find_fault  # noqa: E402
from graphla.measuring.machine import find_processor_name  # noqa: E402
from graphla.measuring.peers import Task  # noqa: E402

ROOT = Path(__file__).parents[1]
STORED = ROOT / "docs" / "_data" / "peers_cpu.csv"
COLUMNS = ("problem", "graph", "library", "ms", "note", "date", "machine")
PEERS = ("igraph", "leidenalg", "networkit", "rustworkx", "scikit_network", "scipy")
TOO_LARGE = ("apsp", "eccentricity")
"""Answers of n² numbers, or searches from each of hundreds of thousands of vertices."""

ALL_SEARCHES = {"diameter": "igraph"}
"""Problems for which a library, and our verifier, search from every vertex; the answers of the others are compared."""

TAKES_MINUTES = {"triangles": "scikit_network", "clustering": "scikit_network"}
"""Problems for which a library goes over the vertices in Python."""


@dataclass(frozen=True)
class Case:
    """A problem with its options, and the graph it is about."""

    problem: str
    options: dict[str, Any] = field(default_factory=dict)
    choose: Callable[[Any], dict[str, Any]] = lambda G: {}
    change: Callable[[Any], Any] = lambda G: G

    @property
    def title(self) -> str:
        """The problem and its options, as a row of the table names them."""
        return " ".join([self.problem, *(f"{name}={value}" for name, value in self.options.items())])


def find_hub(G: Any) -> dict[str, Any]:
    """The vertex of most arcs as the source."""
    return {"source": int(np.diff(G.csr.indptr).argmax())}


def find_ends(G: Any) -> dict[str, Any]:
    """The two vertices of most arcs as source and sink."""
    source, sink = np.argsort(-np.diff(G.csr.indptr), kind="stable")[:2].tolist()
    return {"source": source, "sink": sink}


def choose_sources(count: int, G: Any) -> dict[str, Any]:
    """Vertices that are spread over the numbers."""
    return {"sources": np.linspace(0, G.n - 1, count).astype(int).tolist()}


def orient(G: Any) -> Any:
    """The arcs that lead to a later vertex."""
    tails = np.repeat(np.arange(G.n), np.diff(G.csr.indptr))
    later = tails < G.csr.indices
    return gl.Graph((tails[later], G.csr.indices[later]), n=G.n, engine="cpu", name=G.name)


SPECIAL = {
    "bfs": [Case("bfs", choose=find_hub)],
    "sssp": [Case("sssp", choose=find_hub)],
    "dominators": [Case("dominators", choose=find_hub)],
    "components": [Case("components"), Case("components", {"kind": "strong"})],
    "clustering": [Case("clustering"), Case("clustering", {"kind": "transitivity"})],
    "matching": [Case("matching"), Case("matching", {"weights": True})],
    "max_flow": [Case("max_flow", choose=find_ends)],
    "betweenness": [Case("betweenness", choose=partial(choose_sources, 16))],
    "closeness": [Case("closeness", {"improved": False}, partial(choose_sources, 64))],
    "topological_order": [Case("topological_order", change=orient)],
}
"""The problems that need more than the graph, or have rows with several options."""
WIDE = ("betweenness", "closeness", "topological_order", "diameter", "coloring", "biconnected_components")
"""Problems of one other library, igraph's, that are measured nevertheless."""


def list_cases() -> Iterator[Case]:
    """The cases of every problem that two of the libraries solve, and of those of one that matter."""
    known = peers.list_known()
    solved = Counter(problem for name in PEERS for problem in known[name].tasks)
    for problem in sorted(solved):
        if problem not in TOO_LARGE and (solved[problem] > 1 or problem in WIDE):
            yield from SPECIAL.get(problem, [Case(problem)])


def weigh(tails: Any, heads: Any, n: int, name: str) -> Any:
    """An undirected graph of these edges, each both ways, with a weight from 1 to 255 that both ways have."""
    ends = np.minimum(tails, heads).astype(np.int64), np.maximum(tails, heads).astype(np.int64)
    low, high = np.divmod(np.unique((ends[0] * n + ends[1])[ends[0] != ends[1]]), n)
    weights = np.tile(pair_weights(low, high, 1, 255), 2)
    return gl.Graph((np.append(low, high), np.append(high, low), weights), n=n, engine="cpu", name=name)


def take_edges(G: Any, name: str) -> Any:
    """The edges of a graph, weighted anew."""
    return weigh(np.repeat(np.arange(G.n), np.diff(G.csr.indptr)), G.csr.indices, G.n, name)


def list_graphs(enron: str | None) -> dict[str, Callable[[], Any]]:
    """Makers of the graphs, by name."""
    drawn = {"kron16": "kron:16", "grid": "grid2d:400", "uniform": "uniform:65536,16", "hubs": "hubs:100000"}
    found = {name: partial(lambda spec, name: take_edges(gl.generate.from_spec(spec), name), spec, name)
             for name, spec in drawn.items()}  # fmt: skip
    found["roads"] = lambda: take_edges(gl.read(gl.datasets.new_york(), engine="cpu"), "roads")
    if enron:
        found["enron"] = lambda: take_edges(gl.read(enron, engine="cpu"), "enron")
    return found


def load_tasks(case: Case, G: Any, given: dict[str, Any]) -> Iterator[tuple[str, Task | str]]:
    """Ours, then that of each library, which has loaded the graph; or why it refuses."""
    problem, options = getattr(gl, case.problem), {k: v for k, v in given.items() if k not in ("source", "sink")}

    def answer(result: Any) -> Any:
        return problem.gives[0].to_array(result[0] if isinstance(result, tuple) else result)

    yield "graphla", Task(lambda *where: problem(G, *where, **options), answer)
    known = peers.list_installed()
    for name in PEERS:
        if name in (ALL_SEARCHES.get(case.problem), TAKES_MINUTES.get(case.problem)):
            continue
        if name in known and case.problem in known[name].tasks:
            try:
                yield known[name].title, known[name].tasks[case.problem](G.csr, **problem.definition(options))
            except NotSupported as error:
                yield known[name].title, f"refused: {error}"


def find_faults(case: Case, G: Any, where: tuple[Any, ...], given: dict[str, Any], right: Any, found: Any) -> str:
    """What is wrong with the answer of a library beside ours, or with ours, for which `found` is None."""
    problem, options = getattr(gl, case.problem), {k: v for k, v in given.items() if k not in ("source", "sink")}
    if found is None:
        return "" if case.problem in ALL_SEARCHES else find_fault(problem, G, where, options, (right,)) or ""
    return describe_difference(problem, found, right, options) or ""


def measure(case: Case, G: Any, repeat: int, limit: float) -> list[dict[str, str]]:
    """The rows of a case on a graph: ours by the method that is chosen, and each library's."""
    G = case.change(G)
    given = {**case.options, **case.choose(G)}
    where = tuple(given[name] for name in getattr(gl, case.problem).takes)
    tasks = dict(load_tasks(case, G, given))
    answers, notes = {}, {name: task for name, task in tasks.items() if isinstance(task, str)}
    for name, task in tasks.items():
        if isinstance(task, Task):
            try:
                answers[name] = task.answer(task.run(*where))
                against = None if name == "graphla" else answers[name]
                notes[name] = find_faults(case, G, where, given, answers["graphla"], against)
            except Exception as error:  # a library may raise what it likes; the row says so
                notes[name] = f"failed: {type(error).__name__}: {error}"
    right = {name: task for name, task in tasks.items() if not notes[name]}
    times = time_in_turn(right, where, repeat, limit)
    told = {"problem": case.title, "graph": G.name, "date": str(datetime.now(UTC).date()),
            "machine": f"{THREADS} threads, {find_processor_name()}"}  # fmt: skip
    ms = {name: f"{1e3 * seconds:.4g}" for name, seconds in times.items()}
    return [{**told, "library": name, "ms": ms.get(name, ""), "note": notes[name][:120]}
            for name in tasks]  # fmt: skip


def time_in_turn(tasks: dict[str, Task], where: tuple[Any, ...], repeat: int, limit: float) -> dict[str, float]:
    """The least seconds of each task, all called in turn until every one has had its share."""
    least: dict[str, float] = dict.fromkeys(tasks, float("inf"))
    began, rounds = time.perf_counter(), 0
    while rounds < repeat or (time.perf_counter() - began < limit and rounds < 10 * repeat):
        for name, task in tasks.items():
            _, seconds = time_call(lambda task=task: task.run(*where))
            least[name] = min(least[name], seconds)
        rounds += 1
    return least


def store(rows: list[dict[str, str]]) -> None:
    """Put rows in place of those of the same problem and graph."""
    kept = []
    if STORED.exists():
        with STORED.open(encoding="utf-8", newline="") as file:
            kept = list(csv.DictReader(file))
    fresh = {(row["problem"], row["graph"]) for row in rows}
    kept = [row for row in kept if (row["problem"], row["graph"]) not in fresh] + rows
    with STORED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(kept, key=lambda row: (row["problem"], row["graph"])))


def show(rows: list[dict[str, str]]) -> None:
    """Print a line about a case on a graph."""
    times = sorted((float(row["ms"]), row["library"]) for row in rows if row["ms"])
    ours = next((ms for ms, name in times if name == "graphla"), None)
    theirs = next(((ms, name) for ms, name in times if name != "graphla"), None)
    said = f"{ours} / {theirs}: {ours / theirs[0]:.2f}" if ours and theirs else str(times)
    faults = "; ".join(f"{row['library']} {row['note']}" for row in rows if row["note"])
    print(f"{rows[0]['graph']:9} {rows[0]['problem']:32} {said}  {faults}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--graphs", nargs="*")
    parser.add_argument("--problems", nargs="*")
    parser.add_argument("--enron", help="email-Enron.txt.gz of SNAP")
    parser.add_argument("--repeat", type=int, default=3, help="rounds of calls, at least")
    parser.add_argument("--limit", type=float, default=1.0, help="seconds of a case, if all calls are short")
    asked = parser.parse_args()
    for name, make in list_graphs(asked.enron).items():
        if asked.graphs is None or name in asked.graphs:
            G = make()
            for case in list_cases():
                if asked.problems is None or case.problem in asked.problems:
                    rows = measure(case, G, asked.repeat, asked.limit)
                    show(rows)
                    store(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
