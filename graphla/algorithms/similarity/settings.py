"""The pairs of vertices that are compared: the arcs of the graph, the entries of a mask, or two lists; and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from graphla.algorithms.shared.undirected import find_neighbours
from graphla.algorithms.similarity.formulas import KINDS
from graphla.common.arguments import show, to_array, to_choice, to_int
from graphla.common.errors import DimensionMismatch, InvalidGraph, InvalidOption
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.graphs.pairs import split_pairs
from graphla.problem import Settings as Checked
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, is_any
from semirings import any_pair

Array = Any
Kind = Literal[
    "adamic_adar",
    "common_neighbors",
    "cosine",
    "hub_depressed",
    "jaccard",
    "overlap",
    "preferential_attachment",
    "resource_allocation",
    "sorensen",
]
Hops = Literal["two_hops", "distance_two"]
TWO_HOPS, DISTANCE_TWO = "two_hops", "distance_two"
WAYS = (
    "two_hops, distance_two, a Matrix whose entries are the pairs, pairs (u, v), or a tuple of two arrays of vertices"
)


@dataclass(frozen=True, eq=False)
class Pairs:
    """The two vertices of each pair, int32 arrays on the engine; and the matrix whose entries they are, if there is."""

    tails: Array
    heads: Array
    mask: Matrix | None = None

    def wrap(self, G: Graph, scores: Array) -> Vector | Matrix:
        """The scores as they were asked for."""
        if self.mask is None:
            return Vector.from_dense(scores, engine=G.engine)
        csr = Graph(self.mask).csr
        return Matrix._from_storage(CompressedMatrix(G.n, G.n, csr.indptr, csr.indices, scores), G.engine)


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """The pairs, and the kind of similarity."""

    pairs: Pairs
    kind: Kind
    top: int | None = None
    lasts: ClassVar[bool] = False

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given."""
        return asked

    @classmethod
    def resolve(cls, G: Graph, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call."""
        to_choice(asked["kind"], "kind", KINDS)
        pairs, top = list_pairs(G, asked["pairs"]), asked["top"]
        if top is not None and pairs.mask is None:
            raise InvalidOption(
                f"top={show(top)}: a list of pairs has no rows; leave it out, or give a Matrix of the pairs"
            )
        return cls(pairs, asked["kind"], None if top is None else to_int(top, "top", 1))


def list_pairs(G: Graph, pairs: Any) -> Pairs:
    """The pairs that are meant."""
    if pairs is None:
        return list_entries(find_neighbours(G))
    if isinstance(pairs, str) and pairs == TWO_HOPS:
        return list_entries(G.cached("similarity.two_hops", find_two_hops))
    if isinstance(pairs, str) and pairs == DISTANCE_TWO:
        return list_entries(G.cached("similarity.distance_two", find_distance_two))
    if isinstance(pairs, Matrix):
        return list_entries(require_mask(G, pairs))
    if isinstance(pairs, str):
        raise DimensionMismatch(f"pairs={show(pairs)}: give {WAYS}")
    return Pairs(*(read_vertices(G, part, pairs) for part in split_pairs(pairs, "pairs")))


def find_two_hops(G: Graph) -> Matrix:
    """The pairs of different vertices with a neighbour in common: the structure of A any.pair A."""
    A: Any = find_neighbours(G)
    return any_pair(A @ A).new().select("offdiag").new()


def find_distance_two(G: Graph) -> Matrix:
    """Those of them that no arc joins, two steps apart: the structure of A any.pair A where A has no entry."""
    return find_two_hops(G).dup(mask=~find_neighbours(G).S)


def require_mask(G: Graph, mask: Matrix) -> Matrix:
    """The mask, if it has the shape of the graph and its engine."""
    if mask.shape != (G.n, G.n):
        raise DimensionMismatch(f"pairs: the matrix has shape {mask.shape}, and the graph {G.n:,} vertices")
    return mask.to(G.engine)


def list_entries(mask: Matrix) -> Pairs:
    """The entries of a matrix, row by row."""
    tails, heads, _ = mask.to_coo(values=False)
    return Pairs(cast_indices(tails, "int32"), cast_indices(heads, "int32"), mask)


def read_vertices(G: Graph, values: Any, pairs: Any) -> Array:
    """Vertices as an array, each of them checked."""
    xp = G.engine.xp
    if G.labels is not None:
        values = G.vertices(values, "pairs")
    found = to_array(G.engine.asarray, values, "pairs", DimensionMismatch)
    if found.ndim != 1 or (found.dtype.kind not in "iu" and found.size):
        raise DimensionMismatch(f"pairs={show(pairs)}: give {WAYS}")
    wrong = (found < 0) | (found >= G.n)
    if is_any(wrong):
        raise InvalidGraph(f"pairs: {found[wrong][0]} is no vertex: the graph has {G.n:,}, numbered from 0")
    return xp.ascontiguousarray(found.astype(np.int32))
