"""Bounds of eccentricities by kernels of a GPU, all of one module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import launch_over
from graphla.graphs.graph import Graph

Array = Any
KERNELS = Path(__file__).with_name("bounds.cuh")


class DeviceBounds:
    """What is known of each eccentricity, as `Bounds`.

    Attributes
    ----------
    low, high : array
        Of shape (n,), of uint64 or float64.
    """

    def __init__(self, G: Graph, kind: Any, end: Any) -> None:
        self.engine: Any = G.engine
        self.xp, self.indptr, self.n = self.engine.xp, G.csr.indptr, G.n
        self.T, self.P = self.engine.c_type(np.empty(0, kind)), self.engine.c_type(self.indptr)
        self.kind = np.dtype(kind)
        each = (f"{name}<{self.T}>" for name in ("flag_waiting", "find_extreme"))
        by_rows = (f"{name}<{self.T}, {self.P}>" for name in ("begin_bounds", "find_strongest", "make_keys"))
        self.together = (*each, *by_rows)
        self.engine.begin(KERNELS, *self.together)
        if kind != np.float64:
            self.engine.begin(KERNELS, *self.name_searches("int"))
        self.low, self.high = self.xp.zeros(G.n, kind), self.xp.empty(G.n, kind)
        self.launch(f"begin_bounds<{self.T}, {self.P}>", self.n, self.indptr, np.int32(G.n), kind(end), self.high)

    def wait(self, wanted: Array, largest: bool) -> tuple[Array, int]:
        """Those of the wanted vertices whose eccentricity is not known yet or may be the largest, and how many."""
        most = self.low.max().item() if largest else 0
        waiting, counter = self.xp.empty(self.n, bool), self.engine.device.take_counter()
        given = np.bool_(not largest), self.kind.type(most), np.int32(self.n), waiting, counter.array
        self.launch(f"flag_waiting<{self.T}>", self.n, self.low, self.high, wanted, *given)
        return waiting, self.engine.device.read_counters(counter)[0]

    def pick(self, waiting: Array, done: int) -> list[int]:
        """Of those with the largest upper bound, or in turn with the smallest lower one, the one with most arcs."""
        largest = np.bool_(done % 2)
        held, counter, n = self.high if largest else self.low, self.engine.device.take_counter(), np.int32(self.n)
        self.launch(f"find_extreme<{self.T}>", self.n, held, waiting, largest, n, counter.array)
        given = held, waiting, largest, self.indptr, n, counter.array, counter.array[1:]
        self.launch(f"find_strongest<{self.T}, {self.P}>", self.n, *given)
        return [0xFFFFFFFF - (self.engine.device.read_counters(counter)[1] & 0xFFFFFFFF)]

    def pick_many(self, waiting: Array, most: int) -> list[int]:
        """Half of them vertices that may be farthest, half those that may be most central, of many arcs first."""
        places = self.engine.lists.list_true(waiting, "int32")
        chosen = [*self.sort(places, self.high, True, (most + 1) // 2), *self.sort(places, self.low, False, most // 2)]
        return list(dict.fromkeys(chosen))

    def sort(self, places: Array, held: Array, falling: bool, most: int) -> list[int]:
        """The first places by bounds, and of equal ones those with most arcs."""
        keys = self.xp.empty((2, places.size))
        given = places, np.int32(places.size), held, np.bool_(falling), self.indptr, keys[0], keys[1]
        self.launch(f"make_keys<{self.T}, {self.P}>", places.size, *given)
        return self.engine.to_host(self.engine.lists.gather(places, self.xp.lexsort(keys)[:most])).tolist()

    def tighten(self, chosen: list[int], away: Array, back: Array, none: Any) -> None:
        """Use distances [k, n] from vertices and to them, `none` where there is no path."""
        searches, none = np.int32(len(chosen)), away.dtype.type(none)
        farthest = self.xp.zeros(len(chosen), self.kind)
        names = self.name_searches(self.engine.c_type(away))
        self.launch(names[0], self.n, away, np.int32(self.n), searches, none, farthest, beside=names)
        given = self.engine.asarray(np.array(chosen, np.int32)), farthest, np.int32(self.n), searches, none
        self.launch(names[1], self.n, away, back, *given, self.low, self.high, beside=names)

    def name_searches(self, distance: str) -> tuple[str, str]:
        """The kernels that use distances of a type of C."""
        return f"find_farthest<{self.T}, {distance}>", f"tighten<{self.T}, {distance}>"

    def launch(self, name: str, size: int, *arguments: Any, beside: tuple[str, ...] = ()) -> None:
        """Launch a kernel over so many elements, compiled with those of the same types."""
        launch_over(self.engine.kernel(KERNELS, name, beside=beside or self.together), size, arguments)
