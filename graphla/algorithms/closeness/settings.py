"""The request of a closeness, and the formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphla.common.arguments import to_bool, to_choice
from graphla.common.errors import InvalidGraph
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Settings as Checked
from graphla.storage import Distributed

Array = Any


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """A resolved request; `sources` has each vertex once."""

    sources: list[int]
    weighted: bool
    harmonic: bool
    improved: bool
    inwards: bool
    lasts: ClassVar[bool] = False

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given, but for the sources."""
        return {**asked, "sources": self.sources}

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call."""
        chosen = range(G.n) if asked["sources"] is None else G.vertices(asked["sources"], "sources")
        return cls(
            sources=list(dict.fromkeys(chosen)),
            weighted=check_weights(G, asked["weights"]),
            harmonic=to_bool(asked["harmonic"], "harmonic"),
            improved=to_bool(asked["improved"], "improved"),
            inwards=to_choice(asked["direction"], "direction", ("in", "out")) == "in",
        )

    def rate(self, G: Any, reached: Array, sums: Array) -> Array:
        """The centralities of the sources, from the number of vertices that each reaches and its sum."""
        if self.harmonic:
            return sums
        others = reached - 1
        values = np.where(sums > 0, others / np.where(sums > 0, sums, 1), 0)
        return values * (others / max(1, G.n - 1)) if self.improved else values

    def orient(self, G: Graph) -> Graph:
        """The graph whose distances from a source are those that count."""
        if not self.inwards or G.symmetric:
            return G
        return G.cached("closeness.reverse", reverse)


def reverse(G: Graph) -> Graph:
    """The graph of the reversed arcs."""
    if isinstance(G.A._storage, Distributed):
        return Graph(G.A.T.new())
    return Graph(Matrix._from_storage(G.csc, G.engine))


def check_weights(G: Any, value: Any) -> bool:
    """Whether weights are lengths; then none may be negative."""
    if not to_bool(value, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return False
    if G.min_weight < 0:
        raise InvalidGraph(
            f"weights=True: the smallest weight is {G.min_weight}, and a mean of negative distances ranks no vertex; "
            "give weights=False, or a graph without these arcs, as gl.Graph(select.valuege(G.A, 0).new())"
        )
    return True
