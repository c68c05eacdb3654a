"""Searches that end at a limit or at their targets: by every method the distances of SciPy that are within the end."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graphla as gl
from graphla.algorithms.shared import nearby
from graphla.algorithms.shared.limits import Limits
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotSupported, VerificationError
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

DTYPES = "int32", "float32", "float64", "int64", "uint8"
ENDS = list(itertools.product([None, 0, 3, 10**6], [None, [0], [4, 7, 4], [59]]))
CASES = [*list_cases(gl.sssp, gl.sssp), *list_cases(gl.bfs, gl.bfs)]


def make_graph(seed: int, dtype: str = "int32", n: int = 60) -> gl.Graph:
    """A random directed graph with arcs of weight zero, loops and lone vertices."""
    rng = np.random.default_rng(seed)
    keys = rng.choice((n - 1) * (n - 1), 2 * n, replace=False)
    weights = rng.integers(0, 9, keys.size).astype(dtype)
    return gl.Graph((keys // (n - 1), keys % (n - 1), weights), n=n, engine="cpu")


def measure(G: gl.Graph, source: int, problem: Any, limit: Any, targets: Any) -> dict[int, float]:
    """The distances, or levels, that are within the limit and the farthest target."""
    S = csr_array((G.csr.values.astype(float), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))
    far = dijkstra(S, indices=source, unweighted=problem is gl.bfs)
    last = np.inf if limit is None else limit
    if targets is not None and far[targets].max() <= last:
        last = far[targets].max()
    return {v: d for v, d in enumerate(far.tolist()) if d <= last and d < np.inf}


@pytest.mark.parametrize(("problem", "name", "engine"), CASES)
def test_every_method_ends(problem: Any, name: str, engine: str) -> None:
    at = get_engine_named(engine)
    for seed, (limit, targets) in enumerate(ENDS if engine == "cpu" else ENDS[5:10]):
        G = make_graph(seed, DTYPES[seed % 5])
        H, asked = G.to(at), {"limit": limit, "targets": targets}
        source = seed % 7
        parents = problem.methods[name].refusal(H, {"parents": True}) is None
        answers = problem(H, source, method=name, parents=parents, **asked)
        answers = answers if parents else (answers,)
        assert answers[0].to_dict() == measure(G, source, problem, limit, targets)
        problem.verify(G, source, *(each.to("cpu") for each in answers), **asked)


@pytest.mark.parametrize("method", [None, "algebraic"])
@pytest.mark.parametrize("problem", [gl.sssp, gl.bfs])
@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_many_sources_end(engine: str, problem: Any, method: str | None) -> None:
    G, sources = make_graph(3), [3, 0, 59, 3]
    H = G.to(get_engine_named(engine))
    for limit, targets in ENDS[:: 1 if engine == "cpu" else 5]:
        rows = problem(H, sources=sources, method=method, limit=limit, targets=targets).to_dicts()
        for k, source in enumerate(sources):
            assert rows.get(k, {}) == measure(G, source, problem, limit, targets), (limit, targets)


def test_parents_of_many_sources_end() -> None:
    G = make_graph(5)
    distances, parents = gl.sssp(G, sources=[1, 2], limit=4, parents=True)
    for k, source in enumerate([1, 2]):
        gl.sssp.verify(G, source, distances[k, :].new(), parents[k, :].new(), limit=4)


@pytest.mark.parametrize("problem", [gl.sssp, gl.bfs])
def test_lists_that_grow_and_are_given_up(problem: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little room at first, many pieces, and searches that are handed over to arrays of all vertices."""
    monkeypatch.setattr(nearby, "ROOM", 2)
    G = gl.generate.from_spec("grid2d:30?weights=1..9").to("cpu")
    sources = list(range(0, 900, 11))
    for limit in (0, 2, 5, 100):
        rows = problem(G, sources=sources, limit=limit).to_dicts()
        for k, source in enumerate(sources):
            assert rows[k] == measure(G, source, problem, limit, None)
            assert problem(G, source, limit=limit).to_dict() == rows[k]


def test_nearby_takes_no_time_for_the_rest() -> None:
    """The table and the lists hold what is met, whatever the graph has."""
    G = gl.Graph((np.arange(10**6 - 1), np.arange(1, 10**6)), n=10**6, engine="cpu")
    found = nearby.search_near(G, None, [5], Limits(limit=3), np.int32(2**31 - 1))
    assert found is not None
    assert found.vertices.tolist() == [5, 6, 7, 8]
    assert found.values.tolist() == [0, 1, 2, 3]
    assert found.parents.tolist() == [5, 5, 6, 7]
    assert gl.bfs.choose(G, None, {"limit": 3}).name == gl.sssp.choose(G, None, {"targets": (9,)}).name == "nearby"


@pytest.mark.parametrize("name", gl.sssp.methods)
def test_ends_of_a_dtype(name: str) -> None:
    """Limits between two numbers of a dtype, at its end and beyond it."""
    if gl.sssp.methods[name].find_run("cpu") is None:
        pytest.skip("it runs on a GPU alone")
    least = float(np.nextafter(np.float32(0.1), np.float32(1)))
    G = gl.Graph(([0, 1], [1, 2], np.array([0.1, 1], "float32")), engine="cpu")
    below = (3 * float(np.float32(0.1)) + float(np.nextafter(np.float32(0.1), np.float32(0)))) / 4  # rounds to 0.1
    assert gl.sssp(G, 0, limit=below, method=name).nvals == 1
    assert gl.sssp(G, 0, limit=least, method=name).nvals == 2
    whole = gl.Graph(([0, 1], [1, 2], np.array([2**31 - 2, 5], "int32")), engine="cpu")
    assert gl.sssp(whole, 0, limit=2**31 - 2, method=name).to_dict() == {0: 0, 1: 2**31 - 2}
    assert gl.sssp(whole, 0, limit=1e30, method=name).to_dict() == {0: 0, 1: 2**31 - 2, 2: 2**31 + 3}
    assert gl.sssp(whole, 0, targets=[1], method=name).to_dict() == {0: 0, 1: 2**31 - 2}
    large = gl.Graph(([0, 1], [1, 2], np.array([2**62, 2**62 - 1], "int64")), engine="cpu")
    assert gl.sssp(large, 0, limit=2**63 - 2, method=name).nvals == 2


WRONG = [
    (gl.sssp, {"limit": -1}, InvalidOption, "limit=-1"),
    (gl.sssp, {"limit": float("nan")}, InvalidOption, "limit=nan"),
    (gl.sssp, {"limit": "5"}, InvalidOption, "limit='5'"),
    (gl.bfs, {"limit": 1.5}, InvalidOption, "limit=1.5"),
    (gl.bfs, {"limit": True}, InvalidOption, "limit=True"),
    (gl.bfs, {"targets": []}, InvalidOption, "targets="),
    (gl.bfs, {"targets": [60]}, InvalidGraph, "targets=60"),
    (gl.sssp, {"targets": 3}, GraphlaError, "targets=3"),
]


@pytest.mark.parametrize(("problem", "asked", "error", "text"), WRONG)
def test_refusals(problem: Any, asked: Any, error: type[Exception], text: str) -> None:
    for source in ({"source": 0}, {"sources": [0]}):
        with pytest.raises(error, match=text):
            problem(make_graph(1), **source, **asked)


def test_negative_weights_have_no_end() -> None:
    G = gl.Graph(([0, 1], [1, 2], [5, -3]), engine="cpu")
    search: Any = gl.sssp
    for asked in ({"source": 0}, {"sources": [0]}):
        with pytest.raises(NotSupported, match="the weight -3"):
            search(G, **asked, limit=2)
    assert gl.shortest_path(G, 0, 2) == [0, 1, 2]


@pytest.mark.parametrize("problem", [gl.sssp, gl.bfs])
def test_verifier_finds_ends_that_are_wrong(problem: Any) -> None:
    """An answer that ends too early, too late, or without a target."""
    G = gl.Graph(([0, 1, 2], [1, 2, 3]), n=4, engine="cpu")
    for limit, targets, wrong in [(2, None, 1), (1, None, 2), (None, [2], 3), (None, [3], 2), (None, [1], None)]:
        with pytest.raises(VerificationError):
            problem.verify(G, 0, problem(G, 0, limit=wrong), limit=limit, targets=targets)
    problem.verify(G, 0, problem(G, 0, limit=2), limit=2)


def test_targets_by_label() -> None:
    G = gl.Graph.from_arrow({"source": ["Ulm", "Bonn"], "target": ["Bonn", "Kiel"], "km": [380, 520]}, weight="km")
    for problem in (gl.sssp, gl.bfs):
        found = problem(G, G.index("Ulm"), targets=["Bonn"])
        assert found.nvals == problem(G, sources=[G.index("Ulm")], targets=["Bonn"]).nvals == 2
        problem.verify(G, G.index("Ulm"), found, targets=["Bonn"])
    assert list(gl.shortest_path(G, "Ulm", "Bonn")) == ["Ulm", "Bonn"]
