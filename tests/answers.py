"""Digests of answers that have a seed or are decided: the same bits tomorrow, on any number of threads.

``python -m tests.answers`` computes them anew and writes them to ``answers.json``; do that where an answer changes on
purpose, and say so in the changelog. Integers and choices are the same on any machine; floats are added up in a fixed
order by compiled loops, without contraction of products.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import graphla as gl

STORED = Path(__file__).with_name("answers.json")


def make_graphs() -> dict[str, gl.Graph]:
    """A social graph with enough arcs for several threads, a small one with weights, and roads."""
    return {
        "social": gl.generate.kronecker(15, 24, seed=5, engine="cpu"),
        "weights": gl.generate.kronecker(10, 8, seed=6, weights=(1, 99), engine="cpu"),
        "directed": gl.generate.rmat(11, 8, seed=7, symmetric=False, weights=(1, 9), engine="cpu"),
        "roads": gl.generate.grid2d(120, 90, weights=(1, 99), seed=8, engine="cpu"),
    }


ASKED: dict[str, Callable[[gl.Graph, str], Any]] = {
    "bfs": lambda G, m: gl.bfs(G, 1, method=m),
    "sssp": lambda G, m: gl.sssp(G, 1, method=m),
    "components": lambda G, m: gl.components(G, method=m),
    "pagerank FP32": lambda G, m: gl.pagerank(G, rounds=12, method=m),
    "pagerank FP64": lambda G, m: gl.pagerank(G, weights=True, dtype="FP64", method=m),
    "katz": lambda G, m: gl.katz(G, 1e-4, rounds=8, method=m),
    "betweenness": lambda G, m: gl.betweenness(G, sources=20, seed=3, dtype="FP64", method=m),
    "betweenness by weight": lambda G, m: gl.betweenness(G, sources=20, weights=True, dtype="FP64", method=m),
    "betweenness of edges": lambda G, m: gl.betweenness(G, sources=40, edges=True, dtype="FP64", method=m),
    "louvain": lambda G, m: gl.louvain(G, seed=4, method=m),
    "leiden": lambda G, m: gl.leiden(G, seed=4, method=m),
    "label_propagation": lambda G, m: gl.label_propagation(G, rounds=6, method=m),
    "random_walks": lambda G, m: gl.random_walks(G, 12, walks=2, weights=True, seed=9, method=m),
    "node2vec": lambda G, m: gl.random_walks(G, 8, p=0.5, q=3, seed=9, method=m),
    "coloring": lambda G, m: gl.coloring(G, seed=2, method=m),
    "independent_set": lambda G, m: gl.independent_set(G, seed=2, method=m),
    "matching": lambda G, m: gl.matching(G, seed=2, method=m),
    "matching by weight": lambda G, m: gl.matching(G, weights=True, method=m),
    "spanning_forest": lambda G, m: gl.spanning_forest(G, method=m),
    "truss_numbers": lambda G, m: gl.truss_numbers(G, method=m),
    "core_numbers": lambda G, m: gl.core_numbers(G, method=m),
    "clustering": lambda G, m: gl.clustering(G, method=m),
}
"""What is asked; the first word is the problem, or a name for one."""
SLOW = {("social", "truss_numbers"), ("social", "node2vec")}
"""Left out, for they take seconds and use one thread."""


def digest(answer: Any) -> str:
    """A hash of an answer: its dtype, the places of its entries and their bits."""
    found = hashlib.sha256(str((answer.shape, str(answer.dtype))).encode())
    for part in answer.to_coo():
        found.update(np.ascontiguousarray(part).tobytes())
    return found.hexdigest()[:16]


def list_answers(graphs: dict[str, gl.Graph]) -> Iterator[tuple[str, str]]:
    """Each answer by the default method, and on the small graphs by the algebra: its name and its digest."""
    for name, G in graphs.items():
        for asked, ask in ASKED.items():
            if (name, asked) in SLOW or (name == "directed" and asked in UNDIRECTED):
                continue
            yield f"{asked}, {name}", digest(ask(G, None))  # type: ignore[arg-type]
            if name == "weights" and asked not in ("node2vec", "betweenness of edges", "betweenness by weight"):
                yield f"{asked}, {name}, algebraic", digest(ask(G, "algebraic"))


UNDIRECTED = {"coloring", "independent_set", "matching", "matching by weight", "spanning_forest", "truss_numbers"}
UNDIRECTED |= {"core_numbers"}


def compute() -> dict[str, str]:
    """All digests by name."""
    return dict(list_answers(make_graphs()))


if __name__ == "__main__":
    STORED.write_text(json.dumps(compute(), indent=0) + "\n", "utf-8")
