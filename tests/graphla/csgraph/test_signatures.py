"""The names, signatures and classes are those of SciPy."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
import scipy.sparse.csgraph

import graphla.common.errors
from graphla.doors import csgraph
from graphla.doors.csgraph import delegate

ON_GPU = {
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "csgraph_from_dense",
    "csgraph_to_dense",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "maximum_bipartite_matching",
    "maximum_flow",
    "minimum_spanning_tree",
    "reconstruct_path",
    "shortest_path",
    "structural_rank",
    "yen",
}
FUNCTIONS = sorted(set(csgraph.__all__) - {"NegativeCycleError"})


def test_the_names_are_those_of_scipy() -> None:
    assert set(scipy.sparse.csgraph.__all__) <= set(csgraph.__all__)
    assert dir(csgraph) == sorted(csgraph.__all__)
    assert csgraph.NegativeCycleError is scipy.sparse.csgraph.NegativeCycleError
    with pytest.raises(AttributeError, match=r"module 'graphla\.csgraph' has no attribute 'astar'"):
        _ = csgraph.astar  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_signature_is_that_of_scipy(name: str) -> None:
    theirs = inspect.signature(getattr(scipy.sparse.csgraph, name)).parameters.values()
    ours = inspect.signature(getattr(csgraph, name)).parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in theirs]


def test_an_import_loads_neither_scipy_nor_numba() -> None:
    script = "import sys, graphla.csgraph; print(*({'scipy', 'numba', 'cupy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"


def test_a_function_that_an_old_scipy_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(scipy.sparse.csgraph, "yen")
    with pytest.raises(graphla.errors.NotSupported, match=f"SciPy {scipy.__version__} has no yen: update it"):
        csgraph.yen([[0, 1], [0, 0]], 0, 1, 1)


class Matrix:
    """A matrix of cupyx, for all that can be seen of its type."""

    __module__ = "cupyx.scipy.sparse"


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - ON_GPU))
def test_no_input_on_a_gpu_is_copied_in_silence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delegate, "call_scipy", lambda *_, **__: pytest.fail("passed to SciPy"))
    function = getattr(csgraph, name)
    required = [p for p in inspect.signature(function).parameters.values() if p.default is inspect.Parameter.empty]
    with pytest.raises(graphla.errors.NotSupported, match=rf"csgraph.{name} has no method on the GPU: copy"):
        function(Matrix(), *range(1, len(required)))
