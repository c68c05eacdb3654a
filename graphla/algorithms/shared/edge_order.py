"""The order of edges: by weight, then by number. Weights become unsigned integers that order as they do."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph
from graphla.graphs.graph import Graph
from graphla.storage.convert import expand_rows, is_all

Array = Any
WAY_OUT = (
    "gl.Graph(binary.min(G.A | G.A.T).new()) has both arcs of each edge with the smaller weight; gl.read(…, "
    "undirected=True) and `graphla … --undirected` add the reverse arcs"
)


def require_edges(G: Any, name: str = "spanning_forest", what: str = "a spanning forest") -> None:
    """Refuse a graph in which an arc has no reverse of the same weight."""
    if G.symmetric:
        return
    tail, head = find_one_way(Graph(G.A.to("cpu")))
    raise InvalidGraph(
        f"{name}: the arc {tail} → {head} has no reverse of the same weight; {what} is of "
        f"an undirected graph: {WAY_OUT}"
    )


def find_one_way(G: Graph) -> tuple[int, int]:
    """The first arc of a graph on the host that has no reverse, or one of another weight; bit by bit, in its dtype."""
    (arcs, weights), (reverses, others) = (
        (expand_rows(rows).astype(np.int64) * G.n + rows.indices, rows.values) for rows in (G.csr, G.csc)
    )
    there = np.minimum(np.searchsorted(reverses, arcs), arcs.size - 1)
    first = np.flatnonzero((reverses[there] != arcs) | (others[there] != weights))[0]
    return divmod(int(arcs[first]), G.n)


def order_weights(G: Any) -> Array:
    """Unsigned integers, one per arc, that order as the weights do: of 32 bits if these tell the weights apart."""
    return G.cached("spanning_forest.order", lambda G: order_values(G.engine.xp, G.csr.values))


def rank_weights(G: Any) -> Array:
    """The same of 32 bits, whatever the weights: the ranks of those that need 64."""
    return G.cached("spanning_forest.ranks", lambda G: rank_values(G.engine.xp, order_weights(G)))


def rank_values(xp: Any, keys: Array) -> Array:
    """Keys of 32 bits themselves, else their ranks among the distinct ones. Sorts the keys."""
    if keys.dtype == np.uint32:
        return keys
    return xp.searchsorted(xp.unique(keys), keys).astype(np.uint32)


def order_values(xp: Any, values: Array) -> Array:
    """Keys of 32 bits without a copy where the bits order as the values do, else computed."""
    values = narrow(xp, values)
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "bu":
        return values if size == 8 else values.astype(np.uint32, copy=False)
    if kind == "f":
        values = values.astype(np.float32) if size < 4 else values
        return order_floats(xp, values)
    return order_integers(values if size == 8 else values.astype(np.int32, copy=False))


def narrow(xp: Any, values: Array) -> Array:
    """Values of 64 bits in 32, if none changes."""
    if values.dtype.itemsize < 8 or not values.size:
        return values
    if values.dtype.kind == "f":
        with np.errstate(over="ignore"):
            short = values.astype(np.float32)
        return short if is_all(short == values) else values
    ends = np.iinfo(np.int32 if values.dtype.kind == "i" else np.uint32)
    fits = int(values.min()) >= ends.min and int(values.max()) <= ends.max
    return values.astype(ends.dtype) if fits else values


def order_integers(values: Array) -> Array:
    """Signed integers by their bits, the sign turned where one is negative."""
    bits = values.view(f"u{values.dtype.itemsize}")
    if not values.size or int(values.min()) >= 0:
        return bits
    return bits ^ bits.dtype.type(1 << (8 * values.dtype.itemsize - 1))


def order_floats(xp: Any, values: Array) -> Array:
    """Floats by their bits; negative ones order the other way round, and both zeros are one."""
    bits = values.view(f"u{values.dtype.itemsize}")
    sign = bits.dtype.type(1 << (8 * values.dtype.itemsize - 1))
    if not values.size or int(bits.max()) < int(sign):
        return bits
    bits = (values + values.dtype.type(0)).view(bits.dtype)
    return xp.where(bits & sign != 0, ~bits, bits | sign)
