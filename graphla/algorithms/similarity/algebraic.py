"""C<M> = A plus.pair A counts the common neighbours of the pairs in the mask M; weighted ones C<M> = A W plus.first A.

W is diagonal and holds what each vertex counts as a common neighbour. The product is computed at the entries of the
mask alone, each of which intersects two rows. The scores follow from C and the degrees, entry by entry.
Source: the measures as in Lü, Zhou, "Link Prediction in Complex Networks: A Survey", Physica A 390, 2011; the masked

product as for triangles: Davis, HPEC 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.undirected import find_degrees, find_neighbours
from graphla.algorithms.similarity.formulas import score, weigh
from graphla.algorithms.similarity.settings import Pairs, Settings
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import binary, plus_first, plus_pair, plus_second


def run(G: Graph, s: Settings) -> tuple[Any]:
    """The score of each pair: float64."""
    pairs, kind = s.pairs, s.kind
    xp, degrees = G.engine.xp, find_degrees(G)
    mask, places = (pairs.mask, None) if pairs.mask is not None else make_mask(G, pairs)
    C = add_up(G, mask, weigh(xp, kind, degrees))
    found = Graph(C).csr.values
    common = found if places is None else found[places]
    return (score(xp, kind, common, degrees, pairs.tails, pairs.heads),)


def make_mask(G: Graph, pairs: Pairs) -> tuple[Matrix, Any]:
    """The matrix of all pairs that occur, and which of its entries each pair is."""
    xp = G.engine.xp
    keys = pairs.tails.astype(np.int64) * G.n + pairs.heads
    held, places = xp.unique(keys, return_inverse=True)
    n = max(1, G.n)
    return Matrix.from_coo(held // n, held % n, True, nrows=G.n, ncols=G.n, engine=G.engine), places.reshape(-1)


def add_up(G: Graph, mask: Matrix, weights: Any) -> Matrix:
    """For each entry of the mask the sum over the common neighbours, 0 if there is none."""
    A: Any = find_neighbours(G)
    C = mask.apply("one").new("FP64") * 0
    C = C.new()
    if weights is None:
        C(mask.S, binary.plus) << plus_pair["FP64"](A @ A)
        return C
    W = Vector.from_dense(weights, engine=G.engine).diag()
    C(mask.S, binary.plus) << plus_first["FP64"](plus_second["FP64"](A @ W).new() @ A)
    return C


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="C<M> = A plus.pair A at the pairs of the mask, and a formula of C and the degrees",
    source="Lü, Zhou, Physica A 2011; Davis, HPEC 2018",
)
