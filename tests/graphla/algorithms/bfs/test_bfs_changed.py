"""A graph that is changed between two searches, behind the back of what is kept with it: a search ends all the same."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.bfs import bfs
from graphla.algorithms.bfs.many.multi_source import search_many
from tests.graphla.algorithms.bfs.graphs import GRAPHS
from tests.graphla.engine.engines import get_engine_named

DEVICES = [pytest.param("cuda", marks=pytest.mark.gpu), pytest.param("emulated", marks=pytest.mark.emulated)]
METHODS = [name for name, method in bfs.methods.items() if "cuda" in method.engines]


def change(G: gl.Graph, way: str) -> None:
    """Other heads for the same arcs: mirrored, all the same, or each its own tail."""
    G.csr.indices[...] = {
        "mirrored": lambda xp: G.n - 1 - G.csr.indices,
        "one head": lambda xp: xp.zeros(G.nvals, np.int32),
        "loops": lambda xp: xp.repeat(xp.arange(G.n, dtype=np.int32), xp.diff(G.csr.indptr).tolist()),
    }[way](G.engine.xp)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("way", ["mirrored", "one head", "loops"])
@pytest.mark.parametrize("graph", ["grid", "kronecker"])
def test_every_search_ends(graph: str, way: str, device: str) -> None:
    G = gl.Graph(GRAPHS[graph], engine=get_engine_named(device))
    searches = [lambda name=name: gl.bfs(G, 3, method=name).to_numpy(-1) for name in METHODS]
    searches = [*searches, lambda: G.engine.xp.asarray(search_many(G, range(9)))]
    before = [search() for search in searches]
    change(G, way)
    for search, kept in zip(searches, before, strict=True):
        levels = search()
        assert levels.shape == kept.shape
        assert int(levels.max()) < G.n
        assert int(levels.min()) >= -1
