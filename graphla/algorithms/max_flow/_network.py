"""A network: the capacities of a graph as whole numbers, with a place for the reverse of each arc.

A capacity that is a float is counted in a power of two, in which all capacities together are below 2**61: so flows are
exact, and no sum overflows. An infinite capacity is more than all finite ones together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph, NotSupported
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, count_true, expand_rows, is_any, make_range, tally

Array = Any
SUM_BITS = 61
"""All capacities together are below two to this power."""
ROOM_BITS = 8
"""The threads of a block on a GPU, as a power of two, add up what a vertex has, each at most all of it."""


@dataclass(frozen=True)
class Network:
    """Capacities and reverse arcs.

    Attributes
    ----------
    capacity : CompressedMatrix
        int64: of each arc, and zero where only its reverse is one; without loops.
    reverse : array
        The place of the reverse of each entry.
    exponent : int or None
        A capacity is its number times two to minus this power; None if they are whole numbers.
    finite : int
        The sum of the finite capacities.
    infinite : int
        How many capacities are infinite.
    largest : float
        The largest finite capacity if some were rounded, else 0.
    """

    capacity: CompressedMatrix
    reverse: Array
    exponent: int | None
    finite: int
    infinite: int
    largest: float

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.capacity.nrows


def make_network(G: Graph) -> Network:
    """The network of a graph; cached with it."""
    return G.cached("max_flow.network", build_network)


def build_network(G: Graph, most: float = np.inf) -> Network:
    """Count the capacities, as far as a flow of less than `most` needs them, and pair each arc with its reverse."""
    xp, csr = G.engine.xp, Graph(Matrix._from_storage(G.csr, G.engine).select("offdiag").new()).csr
    numbers, exponent, finite, infinite, largest = count_capacities(xp, csr, most)
    capacity = add_reverse(G.engine, replace(csr, values=numbers))
    places = CompressedMatrix(G.n, G.n, capacity.indptr, capacity.indices, make_range(xp, range(capacity.nvals)))
    reverse = cast_indices(G.engine.transpose(places).values, str(capacity.indptr.dtype))
    return Network(capacity, reverse, exponent, finite, infinite, largest)


def add_reverse(engine: Any, rows: CompressedMatrix) -> CompressedMatrix:
    """The capacities with a zero where only the reverse of an arc is there."""
    turned = engine.transpose(rows)
    zeros = replace(turned, values=engine.xp.zeros_like(turned.values))
    return engine.overlay_rows(zeros, rows, rows.type)


def count_capacities(xp: Any, csr: CompressedMatrix, most: float) -> tuple[Array, int | None, int, int, float]:
    """Whole numbers for capacities, and what `Network` holds of them.

    Raises
    ------
    InvalidGraph
        If a capacity is negative.
    NotSupported
        If whole capacities are too large to be added up.
    """
    values = csr.values
    if values.size and values.dtype.kind in "if" and values.min() < 0:
        raise InvalidGraph(f"an arc has the capacity {values.min()}: no capacity may be negative")
    if values.dtype.kind == "f":
        return count_floats(xp, replace(csr, values=xp.minimum(csr.values.astype(np.float64), most)))
    numbers = cast_indices(values, "int64")
    total, about = int(numbers.sum()), 0.0
    if values.itemsize == 8:  # the sum may wrap around
        total, about = int(values.astype(np.uint64).sum()), float(values.astype(np.float64).sum())
    if total >= 2**SUM_BITS or about >= 2.0 ** (SUM_BITS + 1):
        raise NotSupported(f"the capacities add up to {max(about, total):.3g}: their sum must be below 2**{SUM_BITS}")
    return numbers, None, total, 0, 0.0


def count_floats(xp: Any, csr: CompressedMatrix) -> tuple[Array, int, int, int, float]:
    """The same of floats. What leaves a vertex is below 2**SUM_BITS, or 2**ROOM_BITS less if some is infinite."""
    finite = xp.isfinite(csr.values)
    given = xp.where(finite, csr.values, 0.0)
    widest = int(tally(expand_rows(csr)[~finite], csr.nrows).max()) if csr.nvals else 0
    bits = SUM_BITS - (ROOM_BITS + widest.bit_length() + 1 if widest else 0)
    top = float(given.max()) if csr.nvals else 0.0
    largest = int(np.frexp(top)[1])
    held = xp.ldexp(given, -largest)
    exponent = bits - int(np.frexp(float(held.sum()))[1])
    held = xp.ldexp(held, exponent)
    numbers = xp.rint(held).astype(np.int64)
    total, rounded = int(numbers.sum()), is_any((numbers != held) | ((held == 0) & (given > 0)))
    counts = total, int(csr.nvals - count_true(finite)), top * rounded
    return xp.where(finite, numbers, total + 1), exponent - largest, *counts
