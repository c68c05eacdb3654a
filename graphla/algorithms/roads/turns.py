"""Graphs of arcs, in which a turn is an arc of its own and so can cost something or be forbidden.

Every arc e of the graph is a vertex, and a turn from e to f an arc whose weight is the turn's cost and the weight of f.
Before them stand two vertices for each of the graph, where paths begin and where they end.

T. Caldwell, "On finding minimum routes in a network with turn penalties", Communications of the ACM 4(2), 1961;
S. Winter, "Modeling costs of turns in route planning", GeoInformatica 6(4), 2002.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_real
from graphla.common.errors import InvalidGraph, InvalidOption, Overflow
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.storage.convert import make_pointers

Array = Any


@dataclass(frozen=True, eq=False)
class Turns:
    """The pattern of a graph of arcs, and how its weights follow from those of the arcs.

    Parameters
    ----------
    n : int
        The vertices of the graph; in the graph of arcs paths begin at v, end at n + v, and 2 n + e is arc e.
    heads : ndarray
        The head of each arc.
    pattern : csr_array
        The pattern, whose values number the rows of `arc` and `cost`.
    arc, cost : ndarray
        The arc whose weight an arc of this graph has, −1 for none, and what it costs beside.
    """

    n: int
    heads: Array
    pattern: Any
    arc: Array
    cost: Array

    def weigh(self, weights: Array) -> Graph:
        """Return the graph of arcs for these weights of the arcs."""
        arc, cost = self.arc[self.pattern.data], self.cost[self.pattern.data]
        dtype = weights.dtype if weights.dtype.kind == "f" else np.result_type(weights.dtype, cost.dtype)
        require_sums(weights, cost, dtype)
        own = weights[np.maximum(arc, 0)].astype(dtype) if weights.size else np.zeros(arc.size, dtype)
        values = (np.where(arc >= 0, own, dtype.type(0)) + cost).astype(dtype)
        size, facts = self.pattern.shape[0], (self.pattern.indptr, self.pattern.indices, values)
        return Graph(Matrix.from_csr(*facts, nrows=size, ncols=size, engine="cpu"))

    def name_vertices(self, path: Array) -> Array:
        """Return the vertex of the graph at each vertex of paths in the graph of arcs; −1 at the end of a path."""
        ends = np.concatenate([np.arange(self.n), np.full(self.n, -1), self.heads]).astype(np.int64)
        return ends[path]


def require_sums(weights: Array, cost: Array, dtype: Any) -> None:
    """Refuse whole weights that turns would make too large for the dtype."""
    if dtype.kind in "iu" and int(weights.max(initial=0)) + int(cost.max(initial=0)) > np.iinfo(dtype).max:
        raise Overflow(f"the costs of turns, up to {cost.max()}, and the weights do not fit {dtype}: give floats")


def make_turns(G: Graph, turns: Mapping[Any, float] | None, u_turn: float) -> Turns:
    """Make the pattern of the graph of arcs.

    Parameters
    ----------
    G : Graph
        The graph, on the CPU.
    turns : mapping or None
        The cost of turns (a, b, c), from arc a → b to arc b → c; infinity forbids.
    u_turn : float
        The cost of turning back, a → b → a, where `turns` does not say it.
    """
    n, m, indptr = G.n, G.nvals, np.asarray(G.csr.indptr).astype(np.int64)
    heads = np.asarray(G.csr.indices).astype(np.int64)
    tails = np.repeat(np.arange(n), np.diff(indptr))
    count = np.diff(indptr)[heads]
    before = np.repeat(np.arange(m), count)
    after = np.arange(before.size) + np.repeat(indptr[heads] - make_pointers(np, count)[:-1], count)
    back = heads[after] == tails[before]
    cost = np.where(back, to_cost(u_turn, "u_turn"), 0.0)
    for e, f, price in list_turns(G, {} if turns is None else turns, (indptr, heads)):
        cost[np.searchsorted(before, e) + f - indptr[heads[e]]] = price
    allowed = np.isfinite(cost)
    before, after, cost = before[allowed], after[allowed], cost[allowed]
    every, arcs, none = np.arange(n), np.arange(m), np.full(n + m, -1)
    rows = np.concatenate([tails, 2 * n + before, 2 * n + arcs, every])
    columns = np.concatenate([2 * n + arcs, 2 * n + after, n + heads, n + every])
    costs = np.concatenate([np.zeros(m), cost, np.zeros(m + n)])
    whole = (costs == np.floor(costs)).all() and costs.max(initial=0) < 2**31
    pattern = compress(rows, columns, 2 * n + m)
    return Turns(n, heads, pattern, np.concatenate([arcs, after, none]), costs.astype(np.int32 if whole else float))


def compress(rows: Array, columns: Array, n: int) -> Any:
    """Return a matrix by rows whose values number the entries as they are given."""
    from scipy.sparse import coo_array

    A = coo_array((np.arange(rows.size), (rows, columns)), shape=(n, n)).tocsr()
    A.sort_indices()
    return A


def list_turns(G: Graph, turns: Any, arcs: tuple[Array, Array]) -> list[tuple[int, int, float]]:
    """Return the two arcs and the cost of each turn."""
    if not isinstance(turns, Mapping):
        raise InvalidOption(f"turns={show(turns)}: give a dict of (from, via, to) to what the turn costs")
    found = []
    for turn, price in turns.items():
        if not isinstance(turn, tuple) or len(turn) != 3:
            raise InvalidOption(f"turns: {show(turn)} is no turn: give (from, via, to), three vertices")
        a, b, c = (G.vertex(each, "turns") for each in turn)
        found.append((find_arc(arcs, a, b, turn), find_arc(arcs, b, c, turn), to_cost(price, f"turns[{show(turn)}]")))
    return found


def find_arc(arcs: tuple[Array, Array], a: int, b: int, turn: Any) -> int:
    """Return the number of an arc; refuse a turn over one that is not there."""
    indptr, heads = arcs
    found = np.flatnonzero(heads[indptr[a] : indptr[a + 1]] == b)
    if not found.size:
        raise InvalidGraph(f"turns: {show(turn)} is over an arc that the graph does not have")
    return int(indptr[a] + found[0])


def to_cost(value: Any, what: str) -> float:
    """Return the cost of a turn."""
    return float("inf") if isinstance(value, float) and value == np.inf else to_real(value, what, 0)
