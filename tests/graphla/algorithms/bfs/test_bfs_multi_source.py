"""Searches from many sources at once against one at a time, and closeness against NetworkX."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphla.algorithms.bfs._multi_source import closeness, multi_source
from graphla.algorithms.bfs._verify import reference_levels
from tests.graphla.algorithms.bfs.graphs import GRAPHS, TinyGraph

CPU = SimpleNamespace(name="cpu", xp=np)


def check(G: TinyGraph, count: int) -> None:
    sources = np.random.default_rng(3).integers(0, G.n, count).tolist()
    levels = multi_source(G, sources)
    assert levels.shape == (count, G.n)
    for source, found in zip(sources, levels, strict=True):
        np.testing.assert_array_equal(found, reference_levels(G.csr, source))


@pytest.mark.parametrize("graph", GRAPHS)
def test_cpu(graph: str) -> None:
    check(TinyGraph(GRAPHS[graph], CPU), 70)


@pytest.mark.emulated
@pytest.mark.parametrize("graph", ["kronecker", "dense", "grid", "star", "directed", "single vertex", "no arcs"])
def test_cuda(graph: str, emulated: Any) -> None:
    check(TinyGraph(GRAPHS[graph], emulated), 66)


def test_no_sources() -> None:
    assert multi_source(TinyGraph(GRAPHS["path"], CPU), []).shape == (0, 70)


@pytest.mark.parametrize("graph", ["two components", "grid", "isolated vertices"])
def test_closeness(graph: str) -> None:
    wanted = nx.closeness_centrality(nx.from_scipy_sparse_array(GRAPHS[graph]))
    found = closeness(TinyGraph(GRAPHS[graph], CPU))
    np.testing.assert_allclose(found, [wanted[v] for v in range(len(found))])
