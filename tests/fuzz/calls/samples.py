"""Calls that draw samples of a graph, make vectors of its vertices, and follow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import graphla as gl
from tests.fuzz.calls.call import Call, plain


def list_calls() -> Iterator[Call]:
    G = gl.Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2], [1.0, 1, 2, 2, 3, 3]), engine="cpu")
    drawn: dict[str, Any] = {"seeds": [0, 1], "fanouts": [2, 1], "replace": False, "weights": True, "direction": "in"}
    timed: dict[str, Any] = {"seed_time": [3, 4], "latest": False, "disjoint": True, "seed": 1}
    yield plain("sample_neighbors", gl.sample_neighbors, G=G, **drawn, time=np.arange(6), vertex_time=None, **timed)
    yield plain("sample_neighbors vertex_time", gl.sample_neighbors, G=G, **drawn, vertex_time=[1, 2, 3])
    typed: dict[str, Any] = {"seeds": {"v": [0]}, "fanouts": {("v", "e", "v"): [2]}}
    yield plain("sample_neighbors typed", gl.sample_neighbors, G={("v", "e", "v"): G}, **typed)
    yield plain("sample_negative_edges", gl.sample_negative_edges, G=gl.Graph(([0], [1]), n=4, engine="cpu"), count=2,
                sources=[0, 1], replace=True, seed=1)  # fmt: skip
    walks: dict[str, Any] = {"walks": 2, "weights": True, "p": 2.0, "q": 0.5, "seed": 1}
    batches: dict[str, Any] = {"length": 3, "starts": [0, 1], "batch_size": 3, "shuffle": True, **walks}
    yield Call("WalkBatches", lambda _, **given: list(gl.WalkBatches(**given)), {"G": G, **batches}, gl.WalkBatches)
    shares: dict[str, Any] = {"iteration_weights": [0.5, 1.0], "strength": -0.5, "weights": True, "seed": 1}
    yield plain("fastrp", gl.fastrp, G=G, dimensions=4, **shares)
    filtered: dict[str, Any] = {"order": 3, "mu": 0.2, "theta": 0.5, "weights": True, "rotate": True}
    yield plain("propagate", gl.propagate, G=G, X=np.ones((3, 2)), **filtered)
    yield plain("similar", gl.similar, X=np.eye(3), k=1, queries=[0, 2], metric="dot", engine="cpu")
    forces: dict[str, Any] = {"scaling": 1.5, "gravity": 0.1, "theta": 0.5, "start": np.eye(3)[:, :2], "seed": 1}
    yield plain("layout", gl.layout, G=G, dimensions=2, steps=3, weights=True, **forces)
    update: dict[str, Any] = {"insert": ([0], [3]), "delete": ([0], [1]), "weights": ([1], [0], [9.0]), "n": 6}
    more: dict[str, Any] = {"undirected": False, "dup": "first", "missing": "ignore"}
    yield Call("follow", lambda _, **given: gl.follow(**given, source=0), {"problem": "bfs", "G": G}, gl.follow)
    yield Call("follow update", lambda _, **given: gl.follow("sssp", G, source=0).update(**given), {**update, **more},
               type(gl.follow("bfs", G, source=0)).update)  # fmt: skip
