"""On a GPU: vertices numbered by their degrees, the arcs to smaller numbers, and the rows of the hubs as bits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Array = Any
KERNELS = Path(__file__).with_name("orient.cuh")
THREADS = 256
QUAD_WORDS = 128
"""Words of a row of bits that a warp loads at once."""
LONG = 2048
"""Arcs from which a block orients a row together, instead of a warp."""


class OrientParameters(NamedTuple):
    """A struct of orient.cuh."""

    first: int
    last: int
    hubs: int
    indptr: Array
    indices: Array
    order: Array
    rank: Array
    directed: bool
    ways: Array
    arcs: Array
    rows: Array


class PackParameters(NamedTuple):
    """Another."""

    n: int
    arcs: Array
    ends: Array
    rows: Array
    packed: Array


class BitsParameters(NamedTuple):
    """Another."""

    rows_with_bits: int
    words: int
    arcs: Array
    rows: Array
    bits: Array
    directed: bool
    both: Array


@dataclass(frozen=True, eq=False)
class Oriented:
    """The arcs of a graph to vertices of higher degree, on a GPU.

    Parameters
    ----------
    order : array
        The vertices, those of the largest degree first; positions in it are their numbers here.
    rows : array
        A `Row` of _row.cuh for each vertex.
    arcs : array
        The numbers of the heads, to hubs first; of a directed graph negative where there are arcs both ways.
    hubs : int
        The number of hubs: vertices that rows of bits have a bit for.
    words : int
        The number of 32-bit words of such a row.
    with_bits : int
        The number of vertices that have a row of bits: 0, or at least all hubs.
    counted : int
        The number of vertices with two neighbours or more.
    directed : bool
        Whether arcs both ways are told apart.
    """

    order: Array
    rows: Array
    arcs: Array
    hubs: int
    words: int
    with_bits: int
    counted: int
    directed: bool = False


def name_offset(G: Any) -> str:
    """The C++ type of the row pointers."""
    return "int" if G.csr.indptr.dtype == np.int32 else "long long"


def orient(G: Any, hubs: int, least_degree: int, given: Any = None) -> Oriented:
    """Number the vertices and keep the arcs to smaller numbers; the host reads three numbers.

    Of a directed graph, `G` has the arcs of both directions, and `given` (int8) is 2 for those that are both ways.
    """
    xp, n, csr = G.engine.xp, G.n, G.csr
    degrees = G.degrees
    order, rank = sort_by_degree(xp, degrees)
    bounds = [degrees >= least_degree, degrees > LONG, degrees > 1]
    with_bits, long_rows, counted = (int(x) for x in G.engine.to_host(xp.stack([x.sum() for x in bounds])))
    with_bits = min(n, max(with_bits, hubs)) if with_bits else 0
    hubs = hubs if with_bits else 0
    words = -(-hubs // (32 * QUAD_WORDS)) * QUAD_WORDS
    arcs, rows = xp.empty(G.nvals, np.int32), xp.empty((n, 4), csr.indptr.dtype)
    directed, ways = given is not None, G.engine.get_unread("int8") if given is None else given
    for first, last, threads in ((0, long_rows, THREADS), (long_rows, n, 32)):
        if first < last:
            kernel = G.engine.kernel(KERNELS, f"orient<{name_offset(G)}, {threads}>", takes=OrientParameters)
            structure = csr.indptr, csr.indices, order, rank
            parameters = OrientParameters(first, last, hubs, *structure, directed, ways, arcs, rows)
            kernel(-(-(last - first) * threads // THREADS), THREADS, parameters)
    arcs = pack(G, rows, arcs)
    return Oriented(order, rows, arcs, hubs, words, with_bits, counted, directed)


def pack(G: Any, rows: Array, arcs: Array) -> Array:
    """Close the gaps between the rows, so that more of them fit into the cache; `rows` then say where they are."""
    xp, n = G.engine.xp, G.n
    counts = rows.view(np.int32)[:, 2 * rows.itemsize // 4 :][:, :2]
    ends = xp.cumsum(counts.T.ravel(), dtype=rows.dtype)
    packed = xp.empty(arcs.size // 2, np.int32)
    kernel = G.engine.kernel(KERNELS, f"pack<{name_offset(G)}>", takes=PackParameters)
    kernel(-(-n * 32 // THREADS), THREADS, PackParameters(n, arcs, ends, rows, packed))
    return packed


def sort_by_degree(xp: Any, degrees: Array) -> tuple[Array, Array]:
    """The vertices by falling degree, then by number; and the place of each in this order."""
    n = degrees.size
    keys = (xp.int64(1) << 62) - (degrees.astype(np.int64) << 31) + xp.arange(n)
    keys.sort()
    order = (keys & (2**31 - 1)).astype(np.int32)
    rank = xp.empty(n, np.int32)
    rank[order] = xp.arange(n, dtype=np.int32)
    return order, rank


def set_bits(G: Any, oriented: Oriented) -> tuple[Array, Array]:
    """The rows of bits, and of a directed graph those of the arcs that are there both ways."""
    size = max(1, oriented.with_bits * oriented.words)
    bits = G.engine.xp.zeros(size, np.uint32)
    both = G.engine.xp.zeros(size, np.uint32) if oriented.directed else G.engine.get_unread("uint32")
    if oriented.with_bits:
        kernel = G.engine.kernel(KERNELS, f"set_bits<{name_offset(G)}>", takes=BitsParameters)
        sizes = oriented.with_bits, oriented.words
        parameters = BitsParameters(*sizes, oriented.arcs, oriented.rows, bits, oriented.directed, both)
        kernel(-(-oriented.with_bits * 32 // THREADS), THREADS, parameters)
    return bits, both
