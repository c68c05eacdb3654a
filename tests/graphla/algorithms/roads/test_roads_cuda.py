"""Roads on a GPU, in the emulator: what it answers is what the CPU does."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import errors
from graphla.algorithms.apsp.elimination import pairs_cuda
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.roads.test_roads import as_floats, make_graph, measure, solve

pytestmark = pytest.mark.emulated


def make_both(G: gl.Graph, seed: int | None = None, **options: Any) -> tuple[Any, Any]:
    """Roads on the CPU, and on the device."""
    build = make_loader(build="plain") if seed is None else make_loader(build="checked", seed=seed)
    return gl.roads.prepare(G, **options), gl.roads.prepare(G.to(CudaEngine(np, build)), **options)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64", "INT16"])
@pytest.mark.parametrize("seed", range(2))
def test_pairs(seed: int, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In passes of few pairs, and of all; some of them stand twice."""
    G = make_graph(seed, n=70)
    weights = G.A.to_coo()[2].astype("int32" if dtype == "INT16" else dtype)
    G = gl.Graph((*G.A.to_coo()[:2], weights), n=G.n, engine="cpu")
    _, there = make_both(G, seed, dtype="INT16" if dtype == "INT16" else None)
    D, pairs = solve(G), np.random.default_rng(seed).integers(0, G.n, (200, 2))
    pairs[:9] = pairs[9:18]
    for together in (1 << 16, 37):
        monkeypatch.setattr(pairs_cuda, "TOGETHER", together)
        found = there.distances(pairs=pairs)
        assert found.dtype == there.dtype
        np.testing.assert_allclose(as_floats(there, found), D[pairs[:, 0], pairs[:, 1]], rtol=1e-6)
    assert there.distances(pairs=[]).shape == (0,)


@pytest.mark.parametrize("together", [1024, 7])
@pytest.mark.parametrize("labels", [None, [f"v{i}" for i in range(40)]])
def test_the_other_answers(labels: Any, together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphla.algorithms.roads.roads.TOGETHER", together)
    monkeypatch.setattr("graphla.algorithms.roads._nearest.CELLS", together)
    G = make_graph(2, n=40, labels=labels)
    names, D = labels or list(range(40)), solve(G)
    here, there = make_both(G)
    for one, other in ((here, there), (here, there.customize(G.A.to_coo()[2]))):
        found = other.distances(names, [names[3], names[7]])
        np.testing.assert_array_equal(as_floats(other, found), D[:, [3, 7]])
        for limits in (4, float("inf"), list(np.arange(40) / 3)):
            for mine, theirs in zip(one.isochrone(names, limits), other.isochrone(names, limits), strict=True):
                np.testing.assert_array_equal(mine.vertices, theirs.vertices)
                np.testing.assert_array_equal(mine.times, theirs.times)
        for k in (1, 3, 9):
            for mine, theirs in zip(one.nearest(names, names[:7], k), other.nearest(names, names[:7], k), strict=True):
                np.testing.assert_array_equal(mine, theirs)
    pairs = list(product(range(0, 40, 3), repeat=2))
    for (source, target), path in zip(pairs, there.paths([(names[u], names[v]) for u, v in pairs]), strict=True):
        assert bool(path) == np.isfinite(D[source, target])
        assert not path or measure(G, [names.index(v) for v in path]) == D[source, target]
    assert there.isochrone([], 3) == []


def test_turns() -> None:
    """The graph of arcs is made on the host, and eliminated on the device."""
    G = make_graph(4, n=30)
    here, there = make_both(G, u_turn=float("inf"))
    pairs = np.random.default_rng(1).integers(0, 30, (80, 2))
    for one, other in ((here, there), (here.customize(G.A.to_coo()[2] + 2), there.customize(G.A.to_coo()[2] + 2))):
        np.testing.assert_array_equal(one.distances(pairs=pairs), other.distances(pairs=pairs))
        assert one.paths(pairs) == other.paths(pairs)
        np.testing.assert_array_equal(one.isochrone(0, 9).vertices, other.isochrone(0, 9).vertices)


def test_a_distance_that_does_not_fit() -> None:
    G = gl.Graph((range(5), range(1, 6), [30_000] * 5), n=7, engine="cpu")
    _, there = make_both(G, dtype="INT16")
    assert there.distances(pairs=[(0, 1)]).tolist() == [30_000]
    with pytest.raises(errors.Overflow):
        there.distances(pairs=[(0, 2)])
