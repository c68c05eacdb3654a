"""The six algorithms: what each asks of graphla with the parameters of a data set, and how its answer is compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.algorithms.clustering import clustering
from graphla.algorithms.components import components
from graphla.algorithms.label_propagation import label_propagation
from graphla.algorithms.pagerank import pagerank
from graphla.algorithms.sssp import sssp
from graphla.common.errors import InvalidGraph
from graphla.measuring.benchmarks.graphalytics import rules
from graphla.measuring.benchmarks.graphalytics.dataset import Dataset
from graphla.measuring.benchmarks.graphalytics.graph_files import LoadedGraph
from graphla.problem import Problem

Array = Any
Request = tuple[tuple[Any, ...], dict[str, Any]]
UNREACHED = 2**63 - 1
"""The level of a vertex that a search does not reach."""


@dataclass(frozen=True)
class Algorithm:
    """One of the six.

    Attributes
    ----------
    name : str
        Its name in the properties file.
    problem : Problem
        What it asks of graphla.
    rule : str
        How its answer is compared: ``"exact"``, ``"epsilon"`` or ``"equivalence"``.
    request : callable (Dataset, LoadedGraph) -> (tuple, dict)
        What the problem takes beside the graph: by place, and by name.
    absent : number
        What the benchmark writes where the answer has no entry.
    answers_vertices : bool
        Whether the answer of a vertex is a vertex.
    """

    name: str
    problem: Problem
    rule: str
    request: Callable[[Dataset, LoadedGraph], Request]
    absent: float = 0
    answers_vertices: bool = False

    def find_differences(self, found: Array, expected: Array) -> Array:
        """Where an answer is wrong by the rule, both as arrays of a place for each vertex."""
        return RULES[self.rule](found, expected)

    def to_array(self, answer: Any) -> Array:
        """The answer on the host, a place for each vertex."""
        kind = np.float64 if self.rule == "epsilon" else np.int64
        found = np.full(answer.size, self.absent, kind)
        places, values = (answer.engine.to_host(part) for part in answer.to_coo())
        found[places] = values
        return found


RULES: Mapping[str, rules.Rule] = {
    "exact": rules.differ_at_all,
    "epsilon": rules.differ_by_epsilon,
    "equivalence": rules.differ_as_partitions,
}


def find_source(dataset: Dataset, loaded: LoadedGraph, algorithm: str) -> int:
    """The source of a search."""
    key, why = f"{algorithm}.source-vertex", algorithm.upper()
    text = dataset.get(key, why)
    source = loaded.find_vertex(text)
    if source < 0:
        raise InvalidGraph(f"{dataset.file}: graph.{dataset.name}.{key} = {text} is no vertex of the graph")
    return source


def ask_bfs(dataset: Dataset, loaded: LoadedGraph) -> Request:
    """From the source."""
    return (find_source(dataset, loaded, "bfs"),), {}


def ask_pagerank(dataset: Dataset, loaded: LoadedGraph) -> Request:
    """A number of rounds in FP64; the rank of vertices without leaving arcs goes to all."""
    rounds = dataset.get_number("pr.num-iterations", "PR", int)
    damping = dataset.get_number("pr.damping-factor", "PR", float)
    return (), {"convention": "graphalytics", "damping": damping, "rounds": rounds}


def ask_components(dataset: Dataset, loaded: LoadedGraph) -> Request:
    """Nothing more."""
    return (), {}


def ask_label_propagation(dataset: Dataset, loaded: LoadedGraph) -> Request:
    """A number of rounds."""
    return (), {"rounds": dataset.get_number("cdlp.max-iterations", "CDLP", int)}


def ask_clustering(dataset: Dataset, loaded: LoadedGraph) -> Request:
    """Nothing more."""
    return (), {}


def ask_sssp(dataset: Dataset, loaded: LoadedGraph) -> Request:
    """From the source, by the weight property."""
    name = dataset.get("sssp.weight-property", "SSSP").lower()
    if [name] != dataset.edge_properties:
        raise InvalidGraph(
            f"{dataset.file}: graph.{dataset.name}.sssp.weight-property = {name} is no edge property; "
            f"graph.{dataset.name}.edge-properties.names has: {', '.join(dataset.edge_properties) or 'none'}"
        )
    return (find_source(dataset, loaded, "sssp"),), {}


ALGORITHMS: Mapping[str, Algorithm] = {
    each.name: each
    for each in (
        Algorithm("bfs", bfs, "exact", ask_bfs, UNREACHED),
        Algorithm("pr", pagerank, "epsilon", ask_pagerank),
        Algorithm("wcc", components, "equivalence", ask_components, answers_vertices=True),
        Algorithm("cdlp", label_propagation, "exact", ask_label_propagation, answers_vertices=True),
        Algorithm("lcc", clustering, "epsilon", ask_clustering),
        Algorithm("sssp", sssp, "epsilon", ask_sssp, float("inf")),
    )
}
"""The algorithms by name, in the order of the specification."""
