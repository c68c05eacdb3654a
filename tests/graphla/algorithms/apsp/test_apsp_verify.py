"""The verifier sees what is wrong, and names the pair."""

from __future__ import annotations

import numpy as np
import pytest
from apsp_graphs import GRAPHS, make_graph

import graphla as gl
from graphla.algorithms.apsp._verify import verify
from graphla.common.errors import VerificationError


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_planted_errors_are_seen(dtype: str) -> None:
    G = make_graph(GRAPHS["ragged"], dtype, "cpu")
    D, H = gl.apsp(G, method="blocked_floyd_warshall", next_hops=True, dense=True)
    arcs = G.n, G.csr.indptr, G.csr.indices, G.csr.values
    verify(*arcs, D, H)
    i, j = np.argwhere((H >= 0) & (np.arange(G.n) != H) & (np.arange(G.n)[:, None] != np.arange(G.n)))[0]
    for change in (1, -1):
        wrong = D.copy()
        wrong[i, j] += change
        with pytest.raises(VerificationError, match=r"makes it|no path is that short"):
            verify(*arcs, wrong)
    for hop in (i, -1):
        wrong = H.copy()
        wrong[i, j] = hop
        with pytest.raises(VerificationError, match="no arc"):
            verify(*arcs, D, wrong)
    wrong = D.copy()
    wrong[2, 2] = 1
    with pytest.raises(VerificationError, match="from 2 to 2"):
        verify(*arcs, wrong)


def test_hops_that_go_round_are_seen() -> None:
    G = gl.Graph(([0, 1, 1], [1, 0, 2], [0, 0, 5]), engine="cpu")
    D, H = gl.apsp(G, method="blocked_floyd_warshall", next_hops=True, dense=True)
    wrong = H.copy()
    wrong[1, 2] = 0
    with pytest.raises(VerificationError, match="circle"):
        verify(G.n, G.csr.indptr, G.csr.indices, G.csr.values, D, wrong)
