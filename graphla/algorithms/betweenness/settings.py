"""The request of a betweenness: the sources, what counts, and the factors that scale sums of dependencies."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphla.common.arguments import find_int, show, to_bool, to_int
from graphla.common.errors import InvalidGraph, InvalidOption
from graphla.problem import Settings as Checked
from semirings.dtypes import DType, lookup

Array = Any
DTYPES = ("FP32", "FP64")


@dataclass(frozen=True, eq=False)
class Settings(Checked):
    """A resolved request.

    `sources` are vertices, int32 on the host; one that occurs twice counts twice. `sampled` says whether they were
    drawn at random. `directed` and `normalized` decide the factors only.
    """

    sources: Array
    sampled: bool
    weighted: bool
    normalized: bool
    endpoints: bool
    edges: bool
    directed: bool
    dtype: DType
    lasts: ClassVar[bool] = False

    def tell(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The options as they are given, but for the sources, and whether weights count."""
        return {**asked, "sources": self.sources, "weights": self.weighted}

    @classmethod
    def resolve(cls, G: Any, asked: Mapping[str, Any]) -> Settings:
        """Check the options of a call."""
        edges, endpoints = to_bool(asked["edges"], "edges"), to_bool(asked["endpoints"], "endpoints")
        if edges and endpoints:
            raise InvalidOption("edges=True and endpoints=True: both ends of an edge are on its paths anyway; give one")
        sources, sampled = choose_sources(G, asked["sources"], asked["seed"])
        return cls(
            sources=sources,
            sampled=sampled,
            weighted=check_weights(G, asked["weights"]),
            normalized=to_bool(asked["normalized"], "normalized"),
            endpoints=endpoints,
            edges=edges,
            directed=check_directed(G, asked["directed"]),
            dtype=check_dtype(asked["dtype"]),
        )

    def scale(self, n: int) -> tuple[float, float]:
        """The factors of the sums: of vertices that are no sampled source, and of those that are.

        As in NetworkX: sums over all pairs are divided by the number of pairs, or halved if the graph is undirected;
        those of a sample stand for all sources. Without endpoints a sampled source is no pair's interior in its own
        search, so that one source less has told of it.
        """
        ends = n if self.endpoints or self.edges else n - 1
        if ends < 2:
            return 1.0, 1.0
        pairs = ends * (ends - 1) if self.normalized else 1 if self.directed else 2
        if not self.sampled:
            return 1 / pairs, 1 / pairs
        count, own = len(self.sources), len(self.sources) - (0 if self.endpoints or self.edges else 1)
        return ends / count / pairs, ends / own / pairs if own else math.nan


def choose_sources(G: Any, sources: Any, seed: Any) -> tuple[Array, bool]:
    """All vertices, those given, or a sample of so many; and whether they are a sample of some."""
    seed = to_int(seed, "seed", 0)
    if sources is None:
        return np.arange(G.n, dtype=np.int32), False
    if find_int(sources) is None:
        return np.array(G.vertices(sources, "sources"), np.int32), False
    count = to_int(sources, "sources", 1, max(G.n, 1))
    if count >= G.n:
        return np.arange(G.n, dtype=np.int32), False
    return np.array(random.Random(seed).sample(range(G.n), count), np.int32), True


def check_weights(G: Any, value: Any) -> bool:
    """Whether weights are lengths; then all must be positive."""
    if not to_bool(value, "weights") or not G.nvals or G.dtype.name == "BOOL":
        return False
    if not G.min_weight > 0:
        raise InvalidGraph(
            f"weights=True: the smallest weight is {G.min_weight}, and the number of shortest paths is defined for "
            "positive lengths only; give weights=False, or a graph without these arcs, as "
            "gl.Graph(select.valuegt(G.A, 0).new())"
        )
    return True


def check_directed(G: Any, value: Any) -> bool:
    """Whether arcs are counted each for itself; by default unless the graph equals its transpose."""
    if value is None:
        return not G.symmetric
    if not to_bool(value, "directed") and not G.symmetric:
        raise InvalidOption(
            "directed=False: the matrix does not equal its transpose; give a graph with both arcs of each edge, as "
            "gl.read(…, undirected=True) or gl.Graph(binary.max(G.A | G.A.T).new())"
        )
    return bool(value)


def check_dtype(value: Any) -> DType:
    """FP32 or FP64."""
    dtype = lookup(value)
    if dtype.name not in DTYPES:
        raise InvalidOption(f"dtype={show(value)}: a betweenness is computed in FP32 or FP64")
    return dtype
