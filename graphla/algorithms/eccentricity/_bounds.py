"""Bounds of eccentricities from distances: each search narrows those of all vertices that it connects both ways.

Let e be the eccentricity of v, the largest distance from it. For a vertex w with paths to v and from v

    max(d(w, v), e - d(v, w))  <=  e(w)  <=  d(w, v) + e

for w reaches what v reaches, by way of v, and the other way round. In an undirected graph the two distances are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.bfs.many.multi_source import WORD
from graphla.algorithms.eccentricity.settings import Settings, measure, reverse
from graphla.common.errors import NotSupported
from graphla.engine.cpu.threads import count_workers
from graphla.graphs.graph import Graph
from graphla.storage.convert import is_any

Array = Any
SINGLE = 8
"""Searches from one vertex each before many are searched at a time."""
ROUNDING = 1e-12
"""Bounds of floating-point numbers that differ by less than this share of them are one number."""
MOST = 1 << 63


@dataclass(frozen=True, eq=False)
class Bounds:
    """What is known of each eccentricity: arrays of shape (n,), of uint64 or float64."""

    xp: Any
    low: Array
    high: Array

    def find_open(self) -> Array:
        """Which eccentricities are not known yet."""
        return self.exceeds(self.low)

    def find_above(self) -> Array:
        """Which may be larger than the largest lower bound."""
        return self.exceeds(self.low.max())

    def exceeds(self, low: Array) -> Array:
        """Whether upper bounds are above lower ones by more than rounding; their difference does not overflow."""
        return self.high - low > low * ROUNDING if self.low.dtype.kind == "f" else self.high > low

    def tighten(self, v: int, forward: tuple[Array, Array], backward: tuple[Array, Array]) -> None:
        """Use the distances from a vertex and to it; each with the truths where there is one."""
        xp, (away, reached), (back, reaching) = self.xp, forward, backward
        away, back, zero = away.astype(self.low.dtype), back.astype(self.low.dtype), self.low.dtype.type(0)
        e = xp.where(reached, away, zero).max()
        both = reached & reaching
        xp.maximum(self.low, xp.where(both, e - xp.where(both, away, zero), zero), out=self.low)
        xp.maximum(self.low, xp.where(reaching, back, zero), out=self.low)
        with np.errstate(over="ignore"):  # no bound is as good as one beyond FP64
            xp.minimum(self.high, xp.where(both, back + e, self.high), out=self.high)
        self.low[v] = self.high[v] = e


def begin(G: Graph, s: Settings) -> Bounds:
    """Nothing is known but of vertices that no arc leaves."""
    xp, kind = G.engine.xp, np.float64 if s.weighted and G.dtype.kind == "f" else np.uint64
    end = np.inf if kind == np.float64 else np.iinfo(np.uint64).max
    low, high = xp.zeros(G.n, kind), xp.full(G.n, kind(end), kind)
    high[G.degrees == 0] = 0
    return Bounds(xp, low, high)


def search_until(G: Graph, s: Settings, bounds: Bounds, largest: bool, most: int | None = None) -> None:
    """Search until all eccentricities are known, those of sources, or the largest; or as often as is allowed."""
    wanted = mark(G, s.sources)
    done, many = 0, WORD if G.engine.name == "cuda" or not s.weighted else count_workers()
    while most is None or done < most:
        waiting = (bounds.find_above() if largest else bounds.find_open()) & wanted
        left = many if most is None else min(many, most - done)
        chosen = pick(G, bounds, waiting, done) if done < SINGLE else pick_many(G, bounds, waiting, left)
        if not chosen:
            return
        use_searches(G, s, bounds, chosen)
        done += len(chosen)


def mark(G: Graph, sources: list[int] | None) -> Array:
    """Which vertices are meant."""
    xp = G.engine.xp
    if sources is None:
        return xp.ones(G.n, bool)
    wanted = xp.zeros(G.n, bool)
    wanted[xp.asarray(sources, dtype=np.int64)] = True
    return wanted


def pick(G: Graph, bounds: Bounds, waiting: Array, done: int) -> list[int]:
    """In turn a vertex that may be central and one that may be far from others; of some the one with most arcs."""
    xp = G.engine.xp
    if not is_any(waiting):
        return []
    held = bounds.high if done % 2 else bounds.low
    extreme = held[waiting].max() if done % 2 else held[waiting].min()
    return [int(xp.argmax(xp.where(waiting & (held == extreme), G.degrees, -1)))]


def pick_many(G: Graph, bounds: Bounds, waiting: Array, most: int) -> list[int]:
    """Half of them vertices that may be farthest, half those that may be most central, of many arcs first."""
    xp = G.engine.xp
    places = xp.flatnonzero(waiting)
    few = -G.degrees[places].astype(np.float64)
    far = xp.lexsort(xp.stack([few, -bounds.high[places].astype(np.float64)]))[: (most + 1) // 2]
    near = xp.lexsort(xp.stack([few, bounds.low[places].astype(np.float64)]))[: most // 2]
    return list(dict.fromkeys(G.engine.to_host(places[xp.concatenate([far, near])]).tolist()))


def use_searches(G: Graph, s: Settings, bounds: Bounds, chosen: list[int]) -> None:
    """Search from some vertices, and to them if that is not the same."""
    forward = measure(G, chosen, s.weighted)
    backward = forward if s.is_symmetric(G) else measure(reverse(G), chosen, s.weighted)
    require_room(forward)
    for k, v in enumerate(chosen):
        bounds.tighten(v, (forward[0][k], forward[1][k]), (backward[0][k], backward[1][k]))


def require_room(forward: tuple[Array, Array]) -> None:
    """Refuse whole distances of which two do not add up in 64 bits."""
    distances, there = forward
    if distances.dtype == np.uint64 and is_any(distances[there] >= MOST):
        raise NotSupported(
            "a distance is 2**63 or more, so that bounds do not fit 64 bits; 'searches' of eccentricity adds none"
        )
