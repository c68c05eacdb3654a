"""A call of each function of factors, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.factor import factorize
from graphla.graphs.graph import Graph


def ask_factor(G: Graph) -> Any:
    """Rows, some distances and a path by a factor over paths."""
    F = factorize(G)
    return F[0], F[[0, 1], [2, 3]], F[0, 1], F.path(0, G.n - 1)


def solve_equations(G: Graph) -> Any:
    """One right-hand side and several, by factors of a symmetric matrix with a strong diagonal."""
    A = G.to("cpu").A.dup("FP64").to_scipy_sparse("csr")
    A.setdiag(1 + abs(A).sum(axis=1))
    H = Graph(A, engine="cpu").to(G.engine)
    return [
        F.solve(np.ones((G.n, *columns)))
        for F in (factorize(H, semiring="plus_times", dtype=dtype) for dtype in ("FP64", "FP32"))
        for columns in ((), (8,))
    ]


EXAMPLES = {"factorize": ask_factor, "factorize_plus_times": solve_equations}
