"""Every method on every engine that it claims, against the queue of the textbook.

The methods are those of the folder: one that is dropped in is tested here without another line.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.algorithms.bfs import bfs
from graphla.algorithms.bfs._verify import verify
from tests.graphla.algorithms.bfs.graphs import GRAPHS, TinyGraph, kronecker, uniform
from tests.graphla.algorithms.bfs.reference import compute_reference_levels

KERNELS = [name for name, m in bfs.methods.items() if "cuda" in m.runs and name != "algebraic"]
FEW = ["kronecker", "grid", "star", "directed", "isolated vertices"]
CPU = SimpleNamespace(name="cpu", xp=np)


def check(G: TinyGraph, name: str, source: int, **options: Any) -> None:
    """Levels equal those of the reference; parents, if the method gives any, make a tree of them."""
    method = bfs.methods[name]
    for parents in (False, True):
        if method.refusal(G, {"parents": parents}) is not None:
            continue
        levels, above = method.run(G, source, parents=parents, **options)
        assert levels.dtype == np.int32
        assert (above is not None) == parents
        np.testing.assert_array_equal(levels, compute_reference_levels(G.csr, source))
        verify(G.csr, source, levels, above)


@pytest.mark.emulated
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("name", KERNELS)
def test_cuda_method(name: str, graph: str, emulated: Any) -> None:
    G = TinyGraph(GRAPHS[graph], emulated)
    for source in {0, G.n // 2}:
        check(G, name, source)


@pytest.mark.emulated
@pytest.mark.parametrize("name", KERNELS)
def test_cuda_method_with_64_bit_row_pointers(name: str, emulated: Any) -> None:
    check(TinyGraph(GRAPHS["directed"], emulated, np.int64), name, 3)


@pytest.mark.emulated
@pytest.mark.parametrize("name", KERNELS)
def test_cuda_method_with_threads_in_any_order(name: str, shuffled: Any) -> None:
    for graph in FEW:
        check(TinyGraph(GRAPHS[graph], shuffled), name, 1)


@pytest.mark.emulated
@pytest.mark.parametrize("graph", FEW)
def test_options_do_not_change_the_answer(graph: str, emulated: Any) -> None:
    G = TinyGraph(GRAPHS[graph], emulated)
    check(G, "linear_work", 0, gathering="serial")
    check(G, "hierarchical", 0, split_degree=5)


def test_a_negative_split_is_refused(emulated: Any) -> None:
    with pytest.raises(ValueError, match="split_degree=-1"):
        check(TinyGraph(GRAPHS["path"], emulated), "hierarchical", 0, split_degree=-1)


@pytest.mark.parametrize("graph", GRAPHS)
def test_cpu_method(graph: str) -> None:
    G = TinyGraph(GRAPHS[graph], CPU)
    for source in {0, G.n // 2}:
        check(G, "direction_optimized", source)


def test_cpu_method_with_64_bit_row_pointers() -> None:
    check(TinyGraph(GRAPHS["directed"], CPU, np.int64), "direction_optimized", 3)


def test_cpu_method_goes_all_three_ways() -> None:
    """Graphs large enough to be pushed alone, pushed together and pulled."""
    check(TinyGraph(kronecker(15, 1), CPU), "direction_optimized", 5)
    check(TinyGraph(uniform(60_000, 200_000, 1, both_ways=False), CPU), "direction_optimized", 5)
