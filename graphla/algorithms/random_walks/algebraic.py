"""R = P any.second S copies the rows of the walkers; the first column whose sum exceeds a random number is next.

P has a row for each walk with an entry at its vertex, and S holds the sums of the weights of each row of A up to the
column, or the numbers 1, 2, 3, … if weights do not count. With a random number x of each walk below the last sum

    R = P any.second S        X = diag(x) any.first R        next = [minⱼ j where R > X]

O(sum of the degrees of the walkers) per step.

Source: walks as products as in Kepner, Gilbert, "Graph Algorithms in the Language of Linear Algebra", 2011; inversion
of the distribution as in Devroye, "Non-Uniform Random Variate Generation", 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.random_walks.settings import Settings
from graphla.algorithms.shared.random_words import draw, make_keys, multiply_high
from graphla.algorithms.shared.weight_sums import add_up_weights
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method, Request
from graphla.storage.convert import expand_pointers
from semirings import any_first, any_second, binary, min_secondi

Array = Any


def run(G: Graph, s: Settings) -> tuple[Array]:
    """The vertices of each walk: int32, -1 after its end."""
    xp, count = G.engine.xp, int(s.starts.size)
    walks = xp.full((count, s.length + 1), -1, np.int32)
    walks[:, 0] = s.starts
    S, keys = make_sums_matrix(G, s.weighted), make_keys(s.seed, s.numbers)
    for step in range(s.length):
        alive = xp.flatnonzero(walks[:, step] >= 0)
        if not alive.size:
            break
        P = Matrix.from_coo(alive, walks[alive, step], True, nrows=count, ncols=G.n, engine=G.engine)
        walks[:, step + 1] = find_next(G, any_second(P @ S).new("INT64"), draw(keys, step << 32), s.weighted)
    return (walks,)


def make_sums_matrix(G: Graph, weighted: bool) -> Any:
    """The matrix with the sums of the weights of each row, or of ones."""
    xp, csr = G.engine.xp, G.csr
    if weighted:
        sums = add_up_weights(G).astype(np.int64)
    else:
        sums = xp.arange(1, csr.nvals + 1) - csr.indptr[:-1][expand_pointers(xp, csr.indptr, csr.nvals)]
    return Matrix.from_csr(csr.indptr, csr.indices, sums, "INT64", ncols=G.n, engine=G.engine)


def find_next(G: Graph, R: Matrix, numbers: Array, weighted: bool) -> Array:
    """For each row the first column whose sum exceeds its random number; -1 if there is none."""
    xp, low = G.engine.xp, np.uint64(32)
    total = R.reduce_rowwise("max").new().to_dense(0).astype(np.uint64)
    x = multiply_high(numbers, total) if weighted else ((numbers >> low) * total) >> low
    D = Vector.from_dense(x.astype(np.int64), engine=G.engine).diag()
    above = binary.gt(R & any_first(D @ R).new()).new()
    chosen = above.select("valueeq", True).new()
    ones = Vector.from_dense(xp.ones(G.n, bool), engine=G.engine)
    return min_secondi(chosen @ ones).new("INT32").to_dense(-1)


def refuse(G: Any, request: Request) -> str | None:
    """Steps that depend on the one before are no product."""
    if request.get("p", 1) != 1 or request.get("q", 1) != 1:
        return "a step depends on the vertex before the last by p and q; method 'walkers' takes them"
    return None


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="R = P any.second S, and the first column whose sum exceeds a random number",
    source="Kepner, Gilbert, 2011; Devroye, 1986",
    refuses=refuse,
)
