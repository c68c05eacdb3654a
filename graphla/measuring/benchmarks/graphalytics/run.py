"""Runs of the algorithms: their seconds, and whether their answers are right by the rules of the benchmark."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from graphla.common.arguments import to_int
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported
from graphla.measuring.benchmarks.clock import time_compiled
from graphla.measuring.benchmarks.graphalytics.algorithms import ALGORITHMS, Algorithm
from graphla.measuring.benchmarks.graphalytics.columns import Columns, read_columns
from graphla.measuring.benchmarks.graphalytics.dataset import Dataset
from graphla.measuring.benchmarks.graphalytics.graph_files import LoadedGraph

Array = Any
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Result:
    """What an algorithm took on a data set, and whether its answer is right.

    Attributes
    ----------
    graph, algorithm : str
        The names of the data set and of the algorithm.
    method : str
        The method of graphla that ran; empty if none could.
    vertices, edges : int
        The size of the graph; an undirected edge is one.
    seconds : tuple of float
        Seconds of each run.
    rule : str
        How the answer was compared: exact, epsilon or equivalence.
    validated : bool
        Whether there was reference output, and the answer agrees with it.
    fault : str
        Where the answer differs, or why there is none; else empty.
    """

    graph: str
    algorithm: str
    method: str
    vertices: int
    edges: int
    seconds: tuple[float, ...]
    rule: str
    validated: bool
    fault: str

    @property
    def median(self) -> float | None:
        """The median of the seconds: the processing time."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def evps(self) -> float | None:
        """Edges and vertices per second of processing time."""
        return None if self.median is None else (self.vertices + self.edges) / self.median


def run(
    dataset: Dataset,
    loaded: LoadedGraph,
    algorithms: Sequence[str] | None = None,
    *,
    repeats: int = 3,
    progress: Tell = lambda what, done, of: None,
) -> list[Result]:
    """Run algorithms on a data set and compare their answers with its reference output.

    Parameters
    ----------
    dataset : Dataset
        What its properties file says.
    loaded : LoadedGraph
        Its graph.
    algorithms : sequence of str, optional
        Names of algorithms: ``bfs``, ``pr``, ``wcc``, ``cdlp``, ``lcc``, ``sssp``; by default those of the properties
        file.
    repeats : int
        How often each runs; one run before, which compiles, is not counted.
    progress : callable (what, done, of)
        Called before each algorithm.

    Returns
    -------
    list of Result
        One for each algorithm.

    Raises
    ------
    InvalidOption
        If there is no such algorithm, or `repeats` is not positive.
    InvalidGraph
        If a parameter is missing, reference output is malformed, or the properties file names another algorithm.
    """
    repeats = to_int(repeats, "repeats", 1)
    names = dataset.algorithms if algorithms is None else list(algorithms)
    for name in names:
        if name not in ALGORITHMS:
            told = f"{name!r} is none of {', '.join(ALGORITHMS)}"
            if algorithms is None:
                raise InvalidGraph(f"{dataset.file}: graph.{dataset.name}.algorithms: {told}")
            raise InvalidOption(f"algorithms: {told}")
    results = []
    for done, name in enumerate(names):
        progress(name, done, len(names))
        results.append(run_algorithm(ALGORITHMS[name], dataset, loaded, repeats))
    return results


def run_algorithm(algorithm: Algorithm, dataset: Dataset, loaded: LoadedGraph, repeats: int) -> Result:
    """Run one algorithm, and compare its answer."""
    where, options = algorithm.request(dataset, loaded)
    G, solve = loaded.graph, cast("Any", algorithm.problem)
    about = {"vertices": G.n, "edges": loaded.edges, "rule": algorithm.rule}
    try:
        method = solve.choose(G, None, options).name
        call = partial(solve, G, *where, method=method, **options)
        call()  # compiles
    except NotSupported as error:
        return Result(dataset.name, algorithm.name, "", seconds=(), validated=False, fault=str(error), **about)
    timed = [time_compiled(G.engine.xp, call) for _ in range(repeats)]
    seconds = tuple(took for _, took in timed)
    reference = dataset.find_reference(algorithm.name)
    fault = None if reference is None else find_fault(algorithm, loaded, reference, timed[-1][0])
    validated = reference is not None and fault is None
    return Result(
        dataset.name, algorithm.name, method, seconds=seconds, validated=validated, fault=fault or "", **about
    )


def find_fault(algorithm: Algorithm, loaded: LoadedGraph, reference: Any, answer: Any) -> str | None:
    """Where an answer differs from the reference output; None if nowhere."""
    found, (expected, written) = algorithm.to_array(answer), read_reference(algorithm, loaded, reference)
    wrong = np.flatnonzero(algorithm.find_differences(found, expected))
    if not wrong.size:
        return None
    at = int(wrong[0])
    ours = loaded.names[found[at]] if algorithm.answers_vertices else found[at]
    return f"vertex {loaded.names[at]} has {ours}, and the reference has {written[at]} ({wrong.size:,} differ)"


def read_reference(algorithm: Algorithm, loaded: LoadedGraph, file: Any) -> tuple[Array, Array]:
    """The right answer of each vertex, comparable with ours, and as it is written in the file."""
    if not algorithm.answers_vertices:
        columns = read_columns(file, 1, True, loaded.numbered)
        values = columns.values.astype(np.float64 if algorithm.rule == "epsilon" else np.int64)
        ordered = put_in_order(loaded, columns, values)
        return ordered, ordered
    columns = read_columns(file, 2, False, loaded.numbered)
    written = put_in_order(loaded, columns, columns.vertices[1])
    if algorithm.rule == "equivalence":
        return np.unique(written, return_inverse=True)[1], written
    return loaded.find_vertices(written), written


def put_in_order(loaded: LoadedGraph, columns: Columns, values: Array) -> Array:
    """Values in the order of the vertices, of which each must occur once."""
    places = loaded.place(columns, columns.vertices[0])
    counts = np.bincount(places, minlength=loaded.names.size)
    if (counts != 1).any():
        at = int((counts != 1).argmax())
        raise InvalidGraph(f"{columns.file}: vertex {loaded.names[at]} occurs {counts[at]} times, and must once")
    ordered = np.empty(values.size, values.dtype)
    ordered[places] = values
    return ordered
