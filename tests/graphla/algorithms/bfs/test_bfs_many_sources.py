"""Many sources at once: the levels of each against one search at a time."""

import networkx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph, NotSupported

GRAPHS = {
    "kron": lambda: gl.generate.kronecker(7, engine="cpu"),
    "directed": lambda: gl.Graph(networkx.gnp_random_graph(60, 0.04, seed=2, directed=True), engine="cpu"),
    "apart": lambda: gl.Graph(networkx.disjoint_union(networkx.path_graph(5), networkx.star_graph(4)), engine="cpu"),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("method", [None, "algebraic"])
def test_each_row_is_a_search(name, method):
    G = GRAPHS[name]()
    sources = np.random.default_rng(1).integers(0, G.n, 70)
    L = gl.bfs(G, sources=sources, method=method)
    assert L.shape == (70, G.n)
    for row, source in enumerate(sources):
        assert L[row, :].new().isequal(gl.bfs(G, int(source)))


def test_what_many_sources_refuse():
    G = GRAPHS["apart"]()
    with pytest.raises(InvalidGraph, match="sources=99 is no vertex"):
        gl.bfs(G, sources=[0, 99])
    with pytest.raises(NotSupported, match="both given"):
        gl.bfs(G, 1, sources=[0])
    with pytest.raises(NotSupported, match="levels alone"):
        gl.bfs(G, sources=[0], parents=True)
    with pytest.raises(NotSupported, match="levels alone, not method='fused', speed"):
        gl.bfs(G, sources=[0], method="fused", speed=0)
    with pytest.raises(InvalidGraph, match="source=None"):
        gl.bfs(G)
    assert gl.bfs(G, sources=[]).shape == (0, G.n)
