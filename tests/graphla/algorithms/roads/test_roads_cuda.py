"""Roads on a GPU, in the emulator: matrices are computed there, and what is not says where it is."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla import errors
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.roads.test_roads import as_floats, make_graph, solve

pytestmark = pytest.mark.emulated


def test_matrices_on_a_gpu_and_what_is_refused_there() -> None:
    G = make_graph(2, n=40)
    there = gl.roads.prepare(G.to(CudaEngine(np, make_loader(build="plain"))))
    for roads in (there, there.customize(G.A.to_coo()[2])):
        found = roads.distances(range(40), [3, 7])
        np.testing.assert_array_equal(as_floats(roads, found), solve(G)[:, [3, 7]])
    for ask in (
        lambda: there.distances(pairs=[(0, 1)]),
        lambda: there.paths([(0, 1)]),
        lambda: there.isochrone(0, 5),
        lambda: there.nearest([0], [1]),
        lambda: gl.roads.prepare(there._graph, u_turn=1),
    ):
        with pytest.raises(errors.NotSupported, match="to\\('cpu'\\)"):
            ask()
