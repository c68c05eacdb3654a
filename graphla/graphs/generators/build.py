"""From packed pairs of vertices to coordinates: what every generator ends with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_int
from graphla.common.errors import InvalidGraph
from graphla.common.memory import require
from graphla.graphs.generators.weights import check_range, pair_weights
from graphla.storage import Coo

Weights = tuple[float, float] | None
SHIFT, LOW = 32, 0xFFFFFFFF
MAX_SEED = 2**63


def pack(u: Any, v: Any) -> Any:
    """Pairs of vertices as int64 keys, which sort by u and then v."""
    return (u << SHIFT) | v


def draw_keys(count: int, draw: Callable[[int, int], Any], xp: Any) -> Any:
    """Keys ``draw(start, length)`` for `count` edges in pieces that stay in the cache."""
    piece = 1 << (16 if xp.__name__ == "numpy" else 24)
    keys = xp.empty(count, xp.int64)
    for start in range(0, count, piece):
        length = min(piece, count - start)
        keys[start : start + length] = draw(start, length)
    return keys


@dataclass(frozen=True, eq=False)
class Draft:
    """What a generator draws: edges by number or by parts, so that any part of them can be drawn alone.

    Parameters
    ----------
    what : str
        The call, for messages.
    n : int
        Vertices.
    count : int
        Edges that are drawn, about so many if they are drawn by parts.
    prepare : callable () -> draw
        Makes what is needed to draw; ``draw(start, length)`` then returns the packed pairs of so many edges. Of a
        generator that has parts, ``draw(part, parts)`` returns the packed pairs of one of them.
    weights, seed
        As the generator takes them.
    symmetric : bool
        Whether each edge is kept as both its arcs.
    simple : bool
        Whether loops and repeats are left out.
    has_parts : bool
        Whether edges have no numbers, and are drawn by parts.
    """

    what: str
    n: int
    count: int
    prepare: Callable[[], Callable[[int, int], Any]]
    weights: Weights
    seed: int
    symmetric: bool = True
    simple: bool = True
    has_parts: bool = False

    def finish(self, xp: Any) -> Coo:
        """Draw all edges and return the coordinates of the graph."""
        require((1 + self.symmetric) * ENTRY_BYTES * self.count + 16 * self.n, self.what, xp)
        make = make_undirected if self.symmetric else make_directed
        draw = self.prepare()
        keys = draw(0, 1) if self.has_parts else draw_keys(self.count, draw, xp)
        return make(self.n, keys, self.weights, self.seed, xp, simple=self.simple)


ENTRY_BYTES = 32
"""Bytes per arc while a graph is put together."""


def make_undirected(n: int, keys: Any, weights: Weights, seed: int, xp: Any, *, simple: bool = True) -> Coo:
    """Both arcs of each pair, sorted; `simple` leaves out loops and repeats."""
    both = xp.concatenate([keys, (keys & LOW) << SHIFT | keys >> SHIFT])
    return make_directed(n, both, weights, seed, xp, simple=simple)


def make_directed(n: int, keys: Any, weights: Weights, seed: int, xp: Any, *, simple: bool = True) -> Coo:
    """The arcs as they are, sorted; `simple` leaves out loops and repeats. `keys` is used up."""
    if simple and xp.__name__ == "numpy":
        rows, cols = sort_without_repeats(n, keys)
        return Coo(n, n, rows, cols, None if weights is None else pair_weights(rows, cols, *weights, seed))
    keys.sort()
    if simple and keys.size:
        kept = keys >> SHIFT != keys & LOW
        kept[1:] &= keys[1:] != keys[:-1]
        keys = keys[kept]
    rows = (keys >> SHIFT).astype(xp.int32)
    keys &= LOW
    cols = keys.astype(xp.int32)
    return Coo(n, n, rows, cols, None if weights is None else pair_weights(rows, cols, *weights, seed))


def sort_without_repeats(n: int, keys: Any) -> tuple[Any, Any]:
    """Rows and columns sorted, without loops and repeats: SciPy sorts by rows faster than NumPy sorts keys."""
    from scipy.sparse import coo_array

    rows, cols = (keys >> SHIFT).astype(np.int32), (keys & LOW).astype(np.int32)
    kept = rows != cols
    rows, cols = rows[kept], cols[kept]
    matrix = coo_array((np.ones(rows.size, bool), (rows, cols)), shape=(n, n)).tocsr()
    return np.repeat(np.arange(n, dtype=np.int32), np.diff(matrix.indptr)), matrix.indices.astype(np.int32, copy=False)


def require_whole(name: str, value: int, low: int, high: int = 2**31 - 1) -> int:
    """An argument that must be a whole number in a range."""
    if not isinstance(value, int | np.integer):
        raise InvalidGraph(f"{name}={show(value)}: give a whole number from {low} to {high}")
    return to_int(value, name, low, high, InvalidGraph)


def check_arguments(what: str, n: int, seed: int, weights: Weights) -> None:
    """Refuse a bad seed, weights that are no range, or too many vertices."""
    require_whole("seed", seed, 0, MAX_SEED)
    if n >= 2**31:
        raise InvalidGraph(f"{what} has {n:,} vertices; indices of 32 bits number at most {2**31 - 1:,}")
    if weights is not None:
        if not isinstance(weights, tuple | list) or len(weights) != 2:
            raise InvalidGraph(f"weights={show(weights)}: give (smallest, largest), or None")
        check_range(*weights)
