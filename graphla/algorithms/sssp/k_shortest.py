"""The k shortest paths between two vertices, none of which meets a vertex twice, by Yen's algorithm.

Every path leaves one that was found before at some place, by an arc that none of them took there. Such a deviation is
no shorter than its beginning, the arc, and what is left from there to the target: distances that one search against the
arcs finds. Deviations wait in a queue by this bound. The first one is answered by the shortest path from there if that
misses the beginning; else it is searched for, by A* with the distances as what is to go, and waits with its length. So
most deviations are never searched for. Of paths of l arcs each takes O(l (degree + log)), and its searches.

Source: Yen, "Finding the k shortest loopless paths in a network", Management Science 17, 1971; Lawler, 1972 (no path
twice); Kurz, Mutzel, "A Sidetrack-Based Algorithm for Finding the k Shortest Simple Paths in a Directed Graph", ISAAC
2016; Feng, "Finding k shortest simple paths in directed graphs: a node classification algorithm", Networks 64, 2014
(paths that need no search).
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import sssp
from graphla.common.arguments import to_int
from graphla.common.errors import NotSupported, Overflow
from graphla.common.typing import Vertex
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage import CompressedMatrix

Array = Any


class Deviation(NamedTuple):
    """Paths that begin as one that was found, as far as the place `at`, and leave to no vertex that is banned there.

    `rest` is the shortest of them from that place on, None if it is not known: then `head` is where the bound leads.
    """

    path: Array
    lengths: Array
    at: int
    banned: tuple[int, ...]
    head: int
    rest: Any


def k_shortest_paths(G: Graph, source: Vertex, target: Vertex, k: int) -> tuple[list[list[Any]], Array]:
    """The k shortest paths from one vertex to another that meet no vertex twice.

    Parameters
    ----------
    G : Graph
        The graph, on the CPU. No weight is negative; an arc of a pattern weighs 1.
    source : int
        The first vertex of the paths.
    target : int
        The last vertex of the paths.
    k : int
        How many paths, from 1 on.

    Returns
    -------
    paths : list of list
        The vertices of each path in their order, `source` and `target` included, the shortest path first; fewer than k
        if there are no more. Their labels if the graph has labels. Of paths of one length any may come first.
    lengths : numpy.ndarray
        The sum of the weights of each path: INT64, or FP64 for floating-point weights.

    Raises
    ------
    InvalidGraph
        If `source` or `target` is no vertex of G.
    InvalidOption
        If `k` is no number from 1 on.
    NotSupported
        If a weight is negative, or the graph is not on the CPU.
    Overflow
        If the length of a path may exceed INT64.

    See Also
    --------
    shortest_path : One shortest path.

    Notes
    -----
    Yen's algorithm with distances to the target as bounds, so that most deviations are never searched.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [4, 9, 3, 9, 1]), engine="cpu")
    >>> paths, lengths = gl.k_shortest_paths(G, 0, 3, 3)
    >>> paths, lengths.tolist()
    ([[0, 1, 2, 3], [0, 2, 3], [0, 1, 3]], [8, 10, 13])
    """
    require_graph(G)
    wanted, ends = to_int(k, "k", 1), (G.vertex(source, "source"), G.vertex(target, "target"))
    require_lengths(G, "k_shortest_paths")
    found = sssp._within_memory(G, find_paths, *ends, wanted)
    paths = sorted(found, key=lambda each: each[1])
    return [G._call_vertices(path.tolist()) for path, _ in paths], np.array(
        [length for _, length in paths], sum_type(G)
    )


def require_lengths(G: Graph, what: str) -> None:
    """Refuse graphs elsewhere, and weights that no path may have, or that do not add up twice along all vertices."""
    if G.engine.name != "cpu":
        raise NotSupported(f"{what} runs on the CPU, and G is on {G.engine.name!r}: take G.to('cpu')")
    if not G.nvals:
        return
    if G.min_weight < 0:
        raise NotSupported(f"{what}: the smallest weight is {G.min_weight}, and none may be negative")
    if sum_type(G) == "int64" and 2 * G.n * int(G.max_weight) >= 2**63:
        raise Overflow(
            f"{what}: {2 * G.n:,} arcs of the largest weight, {G.max_weight}, exceed INT64; make the weights FP64, as "
            "gl.Graph(G.A.dup(dtype='FP64'))"
        )


def sum_type(G: Graph) -> str:
    """The dtype of lengths."""
    return "float64" if np.dtype(G.dtype.numpy).kind == "f" else "int64"


def get_sums(G: Graph) -> Array:
    """The weights in the dtype of lengths, kept with the graph."""
    return G.cached("k_shortest.weights", lambda g: g.csr.values.astype(sum_type(g)))


def reverse(G: Graph) -> Graph:
    """The graph against the arcs, with weights that add up."""
    csc, dtype = G.csc, sum_type(G)
    held = CompressedMatrix(csc.nrows, csc.ncols, csc.indptr, csc.indices, csc.values.astype(dtype))
    return Graph(Matrix._from_storage(held, G.engine))


def find_paths(G: Graph, source: int, target: int, k: int) -> list[tuple[Array, Any]]:
    """Each path and its length."""
    from graphla.algorithms.sssp._k_shortest_cpu import follow

    search, found = Search(G, target), list[tuple[Array, Any]]()
    if search.far[source] == search.none:
        return found
    path = follow(search.after, source, target, list_vertices(), search.marks, search.ask())
    at, banned, queue, numbers = 0, (), list[tuple[Any, int, Deviation]](), count()
    while True:
        lengths = search.add_up(path)
        found.append((path, lengths[-1]))
        if len(found) == k:
            return found
        for bound, deviation in search.list_deviations(path, lengths, at, banned):
            heappush(queue, (bound, next(numbers), deviation))
        first = search.take_first(queue, numbers)
        if first is None:
            return found
        path, at, banned = np.append(first.path[: first.at + 1], first.rest), first.at, first.banned


def list_vertices(*vertices: int) -> Array:
    """Vertices as the kernels take them."""
    return np.array(vertices, np.int32)


class Search:
    """Distances to the target, and the arrays of questions."""

    def __init__(self, G: Graph, target: int) -> None:
        far, after = sssp(G.cached("k_shortest.reverse", reverse), target, parents=True)
        weights = get_sums(G)
        self.none: Any = infinity(weights.dtype)
        self.far, self.after, self.target = far.to_numpy(self.none), after.to_numpy(-1), target
        self.A = G.csr.indptr, G.csr.indices, weights
        self.marks, self.bans, self.asked = np.zeros(G.n, np.int32), np.zeros(G.n, np.int32), 0
        self.met = np.empty(G.n, weights.dtype), np.empty(G.n, np.int32), np.zeros(G.n, np.int32)

    def ask(self) -> np.int32:
        """The number of a question."""
        self.asked += 1
        return np.int32(self.asked)

    def add_up(self, path: Array) -> Array:
        """The length of a path as far as each of its vertices."""
        from graphla.algorithms.sssp._k_shortest_cpu import add_up

        return add_up(*self.A, path)

    def list_deviations(self, path: Array, lengths: Array, first: int, banned: tuple[int, ...]) -> Any:
        """The deviations from a path at each place from the first on, with their bounds."""
        from graphla.algorithms.sssp._k_shortest_cpu import bound_each

        given = self.far, self.none, path, lengths, first, list_vertices(*banned), self.marks, self.bans, self.ask()
        bounds, heads = bound_each(*self.A, *given)
        after = path[first + 1 :].tolist()
        for i, (bound, head) in enumerate(zip(bounds.tolist(), heads.tolist(), strict=True)):
            if head >= 0:
                taken = (*banned, after[0]) if i == 0 else (after[i],)
                yield bound, Deviation(path, lengths, first + i, taken, head, None)

    def take_first(self, queue: list[Any], numbers: Any) -> Deviation | None:
        """The deviation with the shortest path, which is known then; None if there are no more."""
        while queue:
            _, _, first = heappop(queue)
            if first.rest is not None:
                return first
            known = self.complete(first)
            if known is not None:
                return known
            around = self.go_around(first)
            if around.rest is not None:
                length = around.lengths[around.at] + self.met[0][self.target]
                heappush(queue, (length.item(), next(numbers), around))
        return None

    def complete(self, first: Deviation) -> Deviation | None:
        """The deviation with the shortest path from where its bound leads; None if that meets the beginning."""
        from graphla.algorithms.sssp._k_shortest_cpu import follow

        beginning = first.path[: first.at + 1]
        rest = follow(self.after, first.head, self.target, beginning, self.marks, self.ask())
        return first._replace(rest=rest) if rest.size else None

    def go_around(self, first: Deviation) -> Deviation:
        """The deviation with its shortest path, if there is one; its length from there on stands with the target."""
        from graphla.algorithms.sssp._k_shortest_cpu import detour

        beginning, banned = first.path[: first.at + 1], list_vertices(*first.banned)
        given = self.far, self.none, self.target, beginning, banned, self.marks, self.bans, self.met, self.ask()
        rest = detour(*self.A, *given)
        return first._replace(rest=rest if rest.size else None)
