"""The request of eccentricities, and the distances that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs.many.multi_source import search_many
from graphla.algorithms.shared.undirected import is_undirected
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import sssp
from graphla.algorithms.sssp.path_lengths import widen
from graphla.common.arguments import to_bool
from graphla.common.errors import InvalidGraph, Overflow
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Settings as Checked
from graphla.storage.convert import cast_indices

Array = Any


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """A resolved request; `sources` has each vertex once, and is None if all are meant."""

    sources: list[int] | None
    weighted: bool

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given, but for the sources."""
        return {name: self.sources if name == "sources" else value for name, value in asked.items()}

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call."""
        sources = asked.get("sources")
        chosen = None if sources is None else list(dict.fromkeys(G.vertices(sources, "sources")))
        return cls(chosen, check_weights(G, asked["weights"]))

    def list_sources(self, G: Any) -> Any:
        """The vertices that are meant."""
        return range(G.n) if self.sources is None else self.sources

    def is_symmetric(self, G: Any) -> bool:
        """Whether distances are the same in both directions."""
        return G.symmetric if self.weighted else is_undirected(G)


def check_weights(G: Any, value: Any) -> bool:
    """Whether weights are lengths; then none may be negative."""
    if not to_bool(value, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return False
    if G.min_weight < 0:
        raise InvalidGraph(
            f"weights=True: the smallest weight is {G.min_weight}, and the largest of negative distances is no radius; "
            "give weights=False, or a graph without these arcs, as gl.Graph(select.valuege(G.A, 0).new())"
        )
    return True


def reverse(G: Graph) -> Graph:
    """The graph with its arcs turned around."""
    return G.cached("eccentricity.reverse", lambda g: Graph(Matrix._from_storage(g.csc, g.engine)))


def measure(G: Graph, sources: list[int], weighted: bool) -> tuple[Array, Array]:
    """Distances [k, n] from some vertices, and where there is one."""
    distances, none = find_distances(G, sources, weighted)
    return distances, distances != none


def find_distances(G: Graph, sources: list[int], weighted: bool) -> tuple[Array, Any]:
    """Distances [k, n] from some vertices, and what stands where there is no path."""
    if not weighted:
        return search_many(G, sources), -1
    D = sssp(widen(G), sources=sources)
    none = infinity(np.dtype(D.dtype.numpy))
    return D.to_dense(none), none


def finish(values: Array, weighted: bool) -> Array:
    """Eccentricities as they are returned: int32 of hops, int64 or float64 of lengths.

    Raises
    ------
    Overflow
        If an unsigned one is 2**63 or more.
    """
    if values.dtype == np.uint64 and values.size and int(values.max()) >= 1 << 63:
        raise Overflow(f"an eccentricity is {int(values.max())}, which INT64 does not hold; give lighter weights")
    return cast_indices(values, "int32" if not weighted else "float64" if values.dtype.kind == "f" else "int64")
