"""On the CPU: vertices numbered by their degrees, the arcs to smaller numbers, and the rows of the hubs as bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.engine.cpu.late import compile_late
from graphla.engine.cpu.threads import run_over_rows
from graphla.storage.convert import make_pointers

Array = Any
WORD = 64


@dataclass(frozen=True, eq=False)
class Oriented:
    """The arcs of a graph to vertices of higher degree.

    Parameters
    ----------
    order : array
        The vertices, those of the largest degree first; positions in it are their numbers here.
    begin, end : array
        Where the slot of each row is in `arcs`: arcs to hubs from the front, the others at the end.
    hubs, rests : array
        How many of both there are.
    arcs : array
        The numbers of the heads.
    bits : array
        The rows of bits of the first vertices: bit w of row v is the arc from v to the hub w.
    ways : array
        Of a directed graph, whether there are arcs both ways for each of `arcs`; else empty.
    both : array
        The rows of bits of those that are both ways; of an undirected graph `bits` itself.
    """

    order: Array
    begin: Array
    end: Array
    hubs: Array
    rests: Array
    arcs: Array
    bits: Array
    ways: Array
    both: Array


@compile_late(0.2, lambda first, last, order, *given: 2 * (last - first) + 0.5 * len(given[2]), views=True)
def _orient(first, last, order, rank, indptr, indices, given, hub_count, hubs, rests, arcs, ways):  # type: ignore[no-untyped-def]
    """Keep the arcs of the vertices of some numbers that lead to smaller ones."""
    for r in range(first, last):
        v = order[r]
        front, back = np.int64(indptr[v]), np.int64(indptr[v + 1])
        begin, end = front, back
        for k in range(begin, end):
            w = rank[indices[k]]
            if w < r:
                if w < hub_count:
                    place = front
                    front += 1
                else:
                    back -= 1
                    place = back
                arcs[place] = w
                if len(given):
                    ways[place] = given[k] == 2
        hubs[r], rests[r] = front - begin, end - back


@compile_late(0.1, lambda first, last, begin, hubs, arcs, *_: last - first + 0.4 * len(arcs), views=True)
def _set_bits(first, last, begin, hubs, arcs, ways, bits, both):  # type: ignore[no-untyped-def]
    """The rows of bits of some vertices."""
    for v in range(first, last):
        for k in range(begin[v], begin[v] + hubs[v]):
            w = arcs[k]
            bit = np.uint64(1) << np.uint64(w & 63)
            bits[v, w >> 6] |= bit
            if len(ways) and ways[k]:
                both[v, w >> 6] |= bit


def orient(G: Any, hub_count: int, least_degree: int, given: Any = None) -> Oriented:
    """Number the vertices, keep the arcs to smaller numbers, and set the bits.

    Of a directed graph, `G` has the arcs of both directions, and `given` is 2 for those that are there both ways.
    """
    n, csr, degrees = G.n, G.csr, G.degrees
    given = np.zeros(0, np.uint8) if given is None else given
    order = np.argsort(-degrees, kind="stable").astype(np.int32)
    rank = np.empty(n, np.int32)
    rank[order] = np.arange(n, dtype=np.int32)
    with_bits = int((degrees >= least_degree).sum())
    with_bits = max(with_bits, min(n, hub_count)) if with_bits else 0
    hub_count = min(n, hub_count) if with_bits else 0
    pointers = make_pointers(np, degrees[order])
    hubs, rests, arcs = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(G.nvals, np.int32)
    ways, rows = np.empty(given.size, np.bool_), (csr.indptr, csr.indices, given)
    run_over_rows(_orient, pointers, G.nvals, order, rank, *rows, hub_count, hubs, rests, arcs, ways)
    begin, end = (csr.indptr[k:][order].astype(np.int64) for k in (0, 1))
    bits = np.zeros((with_bits, -(-hub_count // WORD)), np.uint64)
    both = np.zeros_like(bits) if given.size else bits
    split = pointers[: with_bits + 1]
    run_over_rows(_set_bits, split, int(split[-1]), begin, hubs, arcs, ways, bits, both)
    return Oriented(order, begin, end, hubs, rests, arcs, bits, ways, both)
