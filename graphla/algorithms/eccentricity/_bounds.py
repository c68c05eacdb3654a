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
from graphla.algorithms.eccentricity.settings import Settings, find_distances, reverse
from graphla.common.errors import NotSupported
from graphla.engine.cpu.threads import count_workers
from graphla.graphs.graph import Graph
from graphla.storage.convert import is_any, make_full

Array = Any
SINGLE = 8
"""Searches from one vertex each before many are searched at a time."""
ROUNDING = 1e-12
"""Bounds of floating-point numbers that differ by less than this share of them are one number."""
MOST = 1 << 63


@dataclass(frozen=True, eq=False)
class Bounds:
    """What is known of each eccentricity: arrays of shape (n,), of uint64 or float64."""

    degrees: Array
    low: Array
    high: Array

    def wait(self, wanted: Array, largest: bool) -> tuple[Array, int]:
        """Those of the wanted vertices whose eccentricity is not known yet or may be the largest, and how many."""
        waiting = self.exceeds(self.low.max() if largest else self.low) & wanted
        return waiting, int(waiting.sum())

    def exceeds(self, low: Array) -> Array:
        """Whether upper bounds are above lower ones by more than rounding; their difference does not overflow."""
        return self.high - low > low * ROUNDING if self.low.dtype.kind == "f" else self.high > low

    def pick(self, waiting: Array, done: int) -> list[int]:
        """In turn one that may be central and one that may be far from others; of some the one with most arcs."""
        held = self.high if done % 2 else self.low
        extreme = held[waiting].max() if done % 2 else held[waiting].min()
        return [int(np.argmax(np.where(waiting & (held == extreme), self.degrees, -1)))]

    def pick_many(self, waiting: Array, most: int) -> list[int]:
        """Half of them vertices that may be farthest, half those that may be most central, of many arcs first."""
        places = np.flatnonzero(waiting)
        few = -self.degrees[places].astype(np.float64)
        far = np.lexsort(np.stack([few, -self.high[places].astype(np.float64)]))[: (most + 1) // 2]
        near = np.lexsort(np.stack([few, self.low[places].astype(np.float64)]))[: most // 2]
        return list(dict.fromkeys(places[np.concatenate([far, near])].tolist()))

    def tighten(self, chosen: list[int], away: Array, back: Array, none: Any) -> None:
        """Use distances [k, n] from vertices and to them, `none` where there is no path."""
        for k, v in enumerate(chosen):
            self.tighten_by(v, (away[k], away[k] != none), (back[k], back[k] != none))

    def tighten_by(self, v: int, forward: tuple[Array, Array], backward: tuple[Array, Array]) -> None:
        """Use the distances from a vertex and to it; each with the truths where there is one."""
        (away, reached), (back, reaching) = forward, backward
        away, back, zero = away.astype(self.low.dtype), back.astype(self.low.dtype), self.low.dtype.type(0)
        e = np.where(reached, away, zero).max()
        both = reached & reaching
        np.maximum(self.low, np.where(both, e - np.where(both, away, zero), zero), out=self.low)
        np.maximum(self.low, np.where(reaching, back, zero), out=self.low)
        with np.errstate(over="ignore"):  # no bound is as good as one beyond FP64
            np.minimum(self.high, np.where(both, back + e, self.high), out=self.high)
        self.low[v] = self.high[v] = e


def begin(G: Graph, s: Settings) -> Any:
    """Nothing is known but of vertices that no arc leaves."""
    kind = np.float64 if s.weighted and G.dtype.kind == "f" else np.uint64
    end = np.inf if kind == np.float64 else np.iinfo(np.uint64).max
    if G.engine.name == "cuda":
        from graphla.algorithms.eccentricity._bounds_cuda import DeviceBounds

        return DeviceBounds(G, kind, end)
    low, high = np.zeros(G.n, kind), np.full(G.n, kind(end), kind)
    high[G.degrees == 0] = 0
    return Bounds(G.degrees, low, high)


def search_until(G: Graph, s: Settings, bounds: Any, largest: bool, most: int | None = None) -> None:
    """Search until all eccentricities are known, those of sources, or the largest; or as often as is allowed."""
    wanted = mark(G, s.sources)
    done, many = 0, WORD if G.engine.name == "cuda" or not s.weighted else count_workers()
    while most is None or done < most:
        waiting, count = bounds.wait(wanted, largest)
        if not count:
            return
        left = many if most is None else min(many, most - done)
        chosen = bounds.pick(waiting, done) if done < SINGLE else bounds.pick_many(waiting, left)
        use_searches(G, s, bounds, chosen)
        done += len(chosen)


def mark(G: Graph, sources: list[int] | None) -> Array:
    """Which vertices are meant."""
    xp = G.engine.xp
    if sources is None:
        return make_full(xp, G.n, True, "bool")
    wanted = xp.zeros(G.n, bool)
    wanted[xp.asarray(sources, dtype=np.int64)] = True
    return wanted


def use_searches(G: Graph, s: Settings, bounds: Any, chosen: list[int]) -> None:
    """Search from some vertices, and to them if that is not the same."""
    forward = backward = find_distances(G, chosen, s.weighted)
    if not s.is_symmetric(G):
        backward = find_distances(reverse(G), chosen, s.weighted)
    away, back, none = widen_to_one(G.engine.xp, forward, backward)
    require_room(away, none)
    bounds.tighten(chosen, away, back, none)


def widen_to_one(xp: Any, forward: tuple[Array, Any], backward: tuple[Array, Any]) -> tuple[Array, Array, Any]:
    """Both distances in the dtype that one of them may need, where sums of INT32 are too large for it."""
    (away, none), (back, other) = forward, backward
    if away.dtype == back.dtype:
        return away, back, none
    if away.dtype.itemsize < back.dtype.itemsize:
        wide = away.astype(back.dtype)
        return xp.where(wide == none, other, wide), back, other
    wide = back.astype(away.dtype)
    return away, xp.where(wide == other, none, wide), none


def require_room(distances: Array, none: Any) -> None:
    """Refuse whole distances of which two do not add up in 64 bits."""
    if distances.dtype == np.uint64 and is_any((distances != none) & (distances >= MOST)):
        raise NotSupported(
            "a distance is 2**63 or more, so that bounds do not fit 64 bits; 'searches' of eccentricity adds none"
        )
