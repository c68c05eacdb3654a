"""Every compiled method of every problem through the public call: on a GPU, and among the slow tests emulated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.problem import all_problems
from semirings import binary
from tests.graphla.engine.engines import get_engine_named

DEVICES = [
    pytest.param("cuda", marks=pytest.mark.gpu),
    pytest.param("emulated", marks=[pytest.mark.emulated, pytest.mark.slow]),
]
PROBLEMS = all_problems()
REQUESTS: dict[str, list[dict[str, Any]]] = {
    "bfs": [{"parents": False}, {"parents": True}],
    "sssp": [{"parents": False}, {"parents": True}],
    "apsp": [{"next_hops": False}, {"next_hops": True}],
    "pagerank": [{"rounds": 6}, {"weights": True, "dangling": "ignore", "tolerance": 1e-5}],
    "katz": [{"rounds": 4, "weights": True}],
    "eigenvector": [{"rounds": 4, "dtype": "FP32"}],
    "hits": [{"rounds": 4}],
    "betweenness": [
        {"sources": 9},
        {"weights": True, "endpoints": True, "sources": [3, 70]},
        {"sources": [1], "edges": True},
    ],
    "closeness": [{"harmonic": True, "sources": [0, 3, 70]}, {"weights": True, "sources": [0, 3]}],
    "label_propagation": [{"rounds": 4}],
    "components": [{"kind": "weak", "sizes": True}, {"kind": "strong"}],
    "coloring": [{"seed": 0}, {"seed": 3}],
    "independent_set": [{"seed": 0}, {"seed": 3}],
    "matching": [{"seed": 3}, {"weights": True}],
    "max_flow": [{"sink": 5}],
    "louvain": [{"seed": 0}, {"resolution": 0.5, "seed": 3}],
    "leiden": [{"seed": 0}],
    "spanning_forest": [{"kind": "minimum"}, {"kind": "maximum"}],
    "eccentricity": [{}, {"weights": True, "sources": [0, 3, 70]}],
    "diameter": [{"weights": False}],
    "similarity": [{}, {"kind": "adamic_adar"}],
    "widest_paths": [{"parents": True}],
    "transitive_closure": [{}, {"reflexive": True}],
    "random_walks": [{"length": 4}, {"length": 3, "weights": True, "walks": 2}],
    "topological_order": [{"levels": True}],
    "triangles": [{"per_vertex": False}, {"per_vertex": True}],
    "clustering": [{"kind": "local"}, {"kind": "transitivity"}],
}
"""What is asked of each method that does not refuse it, where that is not the default alone."""
LONG = ("leiden", "louvain", "max_flow")
"""Problems whose algebra takes many rounds."""
CASES = [
    pytest.param(problem, name, id=f"{problem}-{name}")
    for problem in PROBLEMS
    for name, method in PROBLEMS[problem].methods.items()
    if "cuda" in method.engines
]


def make_skewed(engine: Any) -> gl.Graph:
    """Hubs, leaves, loops and vertices without an arc."""
    rng = np.random.default_rng(8)
    rows, cols = (rng.zipf(1.5, 900) % 150 for _ in range(2))
    weights = rng.integers(1, 20, 900).astype("int32")
    return gl.Graph((rows, cols, weights), n=160, dup="min", engine=engine)


def make_ladder(engine: Any) -> gl.Graph:
    """A ladder, both ways: many levels of few vertices."""
    left = np.concatenate([np.arange(118), np.arange(0, 120, 2)])
    right = np.concatenate([np.arange(2, 120), np.arange(1, 120, 2)])
    weights = np.tile(np.random.default_rng(9).integers(1, 9, left.size).astype("float32"), 2)
    both = np.concatenate([left, right]), np.concatenate([right, left])
    return gl.Graph((*both, weights), n=120, engine=engine)


@pytest.mark.parametrize("graph", [make_skewed, make_ladder])
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("problem", "name"), CASES)
def test_method(problem: str, name: str, device: str, graph: Any) -> None:
    """The answer passes the verifier of the problem, which recomputes it on the host."""
    if device == "emulated" and name == "algebraic" and problem in LONG:
        pytest.skip("their many rounds are emulated once, on small graphs, by the tests of the problem")
    solve, requests, G = PROBLEMS[problem], REQUESTS.get(problem, [{}]), graph(get_engine_named(device))
    if solve.domain == "undirected":
        G = gl.Graph(binary.min(G.A | G.A.T).new())
    if solve.domain == "acyclic":
        G = gl.Graph(gl.select.triu(G.A, 1).new())
    source = (1,) if solve.takes else ()
    why_not = [solve.methods[name].refusal(G, request) for request in requests]
    for request, refusal in zip(requests, why_not, strict=True):
        if refusal is None:
            result = solve(G, *source, method=name, **request)
            solve.verify(G, *source, *(result if isinstance(result, tuple) else (result,)), **solve.definition(request))
    if None not in why_not:
        pytest.skip(str(why_not[0]))
