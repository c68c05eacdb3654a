"""On a GPU: vertices numbered by their degrees, the arcs to smaller numbers, and the rows of the hubs as bits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.records import Filler, read_struct

Array = Any
KERNELS = Path(__file__).with_name("orient.cuh")
THREADS = 256
QUAD_WORDS = 128
"""Words of a row of bits that a warp loads at once."""
LONG = 2048
"""Arcs from which a block orients a row together, instead of a warp."""
OrientParameters = read_struct(KERNELS, "OrientParameters")
PackParameters = read_struct(KERNELS, "PackParameters")
BitsParameters = read_struct(KERNELS, "BitsParameters")


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


def count_words(hubs: int) -> int:
    """Return the 32-bit words of a row of bits: a warp loads QUAD_WORDS of them at once."""
    return -(-hubs // (32 * QUAD_WORDS)) * QUAD_WORDS


def name_offset(G: Any) -> str:
    """The C++ type of the row pointers."""
    return "int" if G.csr.indptr.dtype == np.int32 else "long long"


def orient(G: Any, hubs: int, least_degree: int, given: Any = None) -> Oriented:
    """Number the vertices and keep the arcs to smaller numbers; the host reads three numbers.

    Of a directed graph, `G` has the arcs of both directions, and `given` (int8) is 2 for those that are both ways.
    """
    xp, n, csr = G.engine.xp, G.n, G.csr
    G.engine.begin(KERNELS, *name_kernels(G))
    order, rank, (with_bits, long_rows, counted) = sort_by_degree(G, least_degree)
    with_bits = min(n, max(with_bits, hubs)) if with_bits else 0
    hubs = hubs if with_bits else 0
    words = count_words(hubs)
    arcs, rows = xp.empty(G.nvals, np.int32), xp.empty((n, 4), csr.indptr.dtype)
    directed, ways = given is not None, G.engine.get_unread("int8") if given is None else given
    for first, last, threads in ((0, long_rows, THREADS), (long_rows, n, 32)):
        if first < last:
            kernel = get_kernel(G, f"orient<{name_offset(G)}, {threads}>", OrientParameters)
            parameters = OrientParameters(
                first=first,
                last=last,
                hubs=hubs,
                indptr=csr.indptr,
                indices=csr.indices,
                order=order,
                rank=rank,
                directed=directed,
                ways=ways,
                arcs=arcs,
                rows=rows,
            )
            kernel(-(-(last - first) * threads // THREADS), THREADS, parameters)
    arcs = pack(G, rows, arcs)
    return Oriented(order, rows, arcs, hubs, words, with_bits, counted, directed)


def name_kernels(G: Any) -> tuple[str, ...]:
    """Name the kernels that orienting a graph without very long rows takes, with that for the rows of bits."""
    offset = name_offset(G)
    parts = f"count_parts<{offset}>", f"pack<{offset}>", f"set_bits<{offset}>"
    return "key_degrees", "place_vertices", f"orient<{offset}, 32>", *parts


def get_kernel(G: Any, name: str, takes: Filler | None = None) -> Any:
    """Return a kernel of orient.cuh, compiled with those that are needed anyway."""
    return G.engine.kernel(KERNELS, name, takes=takes, beside=name_kernels(G))


def count_blocks(n: int) -> int:
    """Return how many blocks have a thread for each vertex."""
    return -(-n // THREADS)


def pack(G: Any, rows: Array, arcs: Array) -> Array:
    """Close the gaps between the rows, so that more of them fit into the cache; `rows` then say where they are."""
    xp, n = G.engine.xp, G.n
    counts, packed = xp.empty(2 * n, np.int32), xp.empty(arcs.size // 2, np.int32)
    get_kernel(G, f"count_parts<{name_offset(G)}>")(count_blocks(n), THREADS, (np.int32(n), rows, counts))
    begins = G.engine.lists.make_pointers(counts)
    kernel = get_kernel(G, f"pack<{name_offset(G)}>", PackParameters)
    parameters = PackParameters(n=n, arcs=arcs, begins=begins, rows=rows, packed=packed)
    kernel(count_blocks(32 * n), THREADS, parameters)
    return packed


def sort_by_degree(G: Any, least_degree: int) -> tuple[Array, Array, list[int]]:
    """Sort the vertices by falling degree, then by number, and place each in this order.

    The third item counts those of `least_degree` neighbours or more, those whose row is long, and those of two or more.
    """
    xp, n, degrees = G.engine.xp, G.n, G.degrees
    keys, order, rank = xp.empty(n, np.int64), xp.empty(n, np.int32), xp.empty(n, np.int32)
    counter = G.engine.device.take_counter()
    given = np.int32(n), degrees, np.int32(least_degree), np.int32(LONG), keys, counter.array
    get_kernel(G, "key_degrees")(count_blocks(n), THREADS, given)
    keys.sort()
    get_kernel(G, "place_vertices")(count_blocks(n), THREADS, (np.int32(n), keys, order, rank))
    return order, rank, G.engine.device.read_counters(counter)[:3]


def set_bits(G: Any, oriented: Oriented) -> tuple[Array, Array]:
    """The rows of bits, and of a directed graph those of the arcs that are there both ways."""
    size = max(1, oriented.with_bits * oriented.words)
    bits = G.engine.xp.zeros(size, np.uint32)
    both = G.engine.xp.zeros(size, np.uint32) if oriented.directed else G.engine.get_unread("uint32")
    if oriented.with_bits:
        kernel = get_kernel(G, f"set_bits<{name_offset(G)}>", BitsParameters)
        parameters = BitsParameters(
            rows_with_bits=oriented.with_bits,
            words=oriented.words,
            arcs=oriented.arcs,
            rows=oriented.rows,
            bits=bits,
            directed=oriented.directed,
            both=both,
        )
        kernel(-(-oriented.with_bits * 32 // THREADS), THREADS, parameters)
    return bits, both
