"""The Graph500 benchmark: build a Kronecker graph, search it from 64 sources, validate, and report TEPS.

Kernel 1 turns the list of edges into a graph, kernel 2 is a search with parents; a search traverses the edges of
the list, repeats counted, whose ends it reached. Specification: https://graph500.org/?page_id=12.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import engine_named
from graphla.errors import InvalidGraph, VerificationError
from graphla.generators.build import LOW, SHIFT
from graphla.generators.kronecker import GRAPH500, quadrants, relabelled
from graphla.graph import Graph
from graphla.memory import require as require_memory
from graphla.storage import CompressedMatrix

SOURCES = 64
CHUNK = 1 << 26  # edges or arcs looked at together
ARCS_AT_ONCE = 1 << 29  # of a range of rows, sorted together
OUTSIDE = 1 << 30  # so far below zero are the levels of vertices outside the tree
INT32_END = 2**31
BYTES_AN_EDGE, BYTES_A_VERTEX = 24, 64  # at the peak: keys, both columns and truths, or keys relabelled

Array = Any


@dataclass(frozen=True)
class Graph500:
    """What the benchmark reports.

    Attributes
    ----------
    scale, edge_factor : int
        ``2**scale`` vertices and `edge_factor` edges for each.
    engine : str
    construction : float
        Seconds of kernel 1.
    seconds : tuple of float
        Of each search.
    edges : tuple of int
        Traversed by each search.
    """

    scale: int
    edge_factor: int
    engine: str
    construction: float
    seconds: tuple[float, ...] = field(repr=False)
    edges: tuple[int, ...] = field(repr=False)

    @property
    def teps(self) -> Array:
        """Traversed edges a second, of each search."""
        return np.asarray(self.edges) / np.asarray(self.seconds)

    @property
    def harmonic_mean_teps(self) -> float:
        """The figure of merit."""
        return float(len(self.edges) / np.sum(1 / self.teps))

    @property
    def harmonic_stddev_teps(self) -> float:
        """The standard deviation of the harmonic mean, as the specification has it."""
        inverse = 1 / self.teps
        spread = np.std(inverse, ddof=1) if len(inverse) > 1 else 0.0
        return float(spread / (np.mean(inverse) ** 2 * np.sqrt(max(len(inverse) - 1, 1))))

    def lines(self) -> list[str]:
        """The report in the words of the specification."""
        numbers = {
            "SCALE": self.scale,
            "edgefactor": self.edge_factor,
            "NBFS": len(self.seconds),
            "construction_time": f"{self.construction:.6g}",
            **quartiles("time", np.asarray(self.seconds)),
            **quartiles("nedge", np.asarray(self.edges, float)),
            **quartiles("TEPS", self.teps),
            "harmonic_mean_TEPS": f"{self.harmonic_mean_teps:.6g}",
            "harmonic_stddev_TEPS": f"{self.harmonic_stddev_teps:.6g}",
        }
        return [f"{name + ':':<24}{value}" for name, value in numbers.items()]


def quartiles(what: str, values: Array) -> dict[str, str]:
    """Minimum, quartiles and maximum under the names of the specification."""
    names = ("min", "firstquartile", "median", "thirdquartile", "max")
    points = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    return {f"{name}_{what}": f"{value:.6g}" for name, value in zip(names, points, strict=True)}


def run(
    scale: int,
    *,
    edge_factor: int = 16,
    engine: Any = None,
    method: str | None = None,
    seed: int = 1,
    sources: int = SOURCES,
    validate: bool = True,
    progress: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Graph500:
    """Run the benchmark.

    Parameters
    ----------
    scale : int
        The graph has ``2**scale`` vertices.
    edge_factor : int
        Edges of the list for each vertex.
    engine : {"cpu", "cuda"}, optional
    method : str, optional
        A method of `bfs` that gives parents; by default the best.
    seed : int
        Of graph and sources.
    sources : int
        How many searches; the benchmark asks for 64.
    validate : bool
        Check each search by the five rules.
    progress : callable (what, done, of)
        Told of each step.

    Returns
    -------
    Graph500

    Raises
    ------
    VerificationError
        If a search breaks one of the five rules.
    InvalidGraph
        If no vertex has an edge to another.
    """
    device = engine_named(engine)
    xp = device.xp
    n, m = 1 << scale, edge_factor << scale
    require_memory((BYTES_AN_EDGE * m) + BYTES_A_VERTEX * n, f"graph500 at scale {scale}", xp)
    progress("generation", 0, 1)
    edges = relabelled(quadrants(scale, m, GRAPH500, seed, xp), n, seed, xp)
    listed = ends_of(xp, n, edges)
    progress("construction", 0, 1)
    rows, construction = timed(xp, partial(both_ways, xp, n, edges))
    edges = None  # its memory is wanted
    rows.cached("transposed", lambda same: same)
    G = Graph(Matrix._from_storage(rows, device))
    starts = chosen_sources(xp, G.degrees, sources, seed)
    chosen = bfs.choose(G, method, {"parents": True})
    chosen.run(G, starts[0], parents=True)  # compiles, and prepares what is kept with the graph
    seconds, traversed = [], []
    for done, source in enumerate(starts):
        progress("search", done, len(starts))
        (_, parents), took = timed(xp, partial(chosen.run, G, source, parents=True))
        above = parents.to_dense(-1) if isinstance(parents, Vector) else parents
        if validate:
            check_tree(G, source, above)
        seconds.append(took)
        traversed.append(int((listed * (above >= 0)).sum()) // 2)
    return Graph500(scale, edge_factor, device.name, construction, tuple(seconds), tuple(traversed))


def ends_of(xp: Any, n: int, edges: Array) -> Array:
    """How often each vertex is an end in the list, a loop counted twice."""
    counts = xp.zeros(n, np.int64)
    for start in range(0, edges.size, CHUNK):
        piece = edges[start : start + CHUNK]
        counts += xp.bincount(piece >> SHIFT, minlength=n)
        counts += xp.bincount(piece & LOW, minlength=n)
    return counts


def both_ways(xp: Any, n: int, edges: Array) -> CompressedMatrix:
    """Kernel 1: rows of both arcs of each edge without loops and repeats, a range of rows at a time.

    `edges` are packed pairs. O(E log E); at the peak the columns, and 32 bytes for each arc of a range.
    """
    pointers, columns, filled = xp.zeros(n + 1, np.int64), xp.empty(2 * edges.size, np.int32), 0
    step = -(-n // max(1, -(-2 * edges.size // ARCS_AT_ONCE)))
    for first in range(0, n, step):
        last = min(first + step, n)
        arcs = arcs_from(xp, edges, first, last)
        end = filled + arcs.size
        columns[filled:end] = arcs & LOW
        counts = xp.bincount((arcs >> SHIFT) - first, minlength=last - first)
        pointers[first + 1 : last + 1] = filled + xp.cumsum(counts)
        filled = end
    if filled < INT32_END:
        pointers = pointers.astype(np.int32)
    return CompressedMatrix(n, n, pointers, columns[:filled], xp.ones(filled, bool))


def arcs_from(xp: Any, edges: Array, first: int, last: int) -> Array:
    """The arcs that leave vertices `first` to ``last - 1``, packed and sorted, without loops and repeats."""
    parts = []
    for start in range(0, edges.size, CHUNK):
        piece = edges[start : start + CHUNK]
        tails, heads = piece >> SHIFT, piece & LOW
        joins = tails != heads
        parts.append(piece[joins & (tails >= first) & (tails < last)])
        joins &= (heads >= first) & (heads < last)
        parts.append((heads << SHIFT | tails)[joins])
    arcs = xp.concatenate(parts) if parts else xp.zeros(0, np.int64)
    parts.clear()
    arcs.sort()
    is_new = xp.ones(arcs.size, bool)
    is_new[1:] = arcs[1:] != arcs[:-1]
    return arcs[is_new]


def timed(xp: Any, work: Callable[[], Any]) -> tuple[Any, float]:
    """What `work` gives, and the seconds until the device had finished it."""
    wait = xp.cuda.Device().synchronize if hasattr(xp, "cuda") else lambda: None
    wait()
    start = time.perf_counter()
    result = work()
    wait()
    return result, time.perf_counter() - start


def chosen_sources(xp: Any, ends: Array, count: int, seed: int) -> list[int]:
    """Different vertices at random, of those with an edge to another vertex."""
    candidates = xp.flatnonzero(ends > 0)
    if not candidates.size:
        raise InvalidGraph("no vertex has an edge to another: choose a larger scale or edge_factor")
    places = np.random.default_rng(seed).permutation(int(candidates.size))[:count]
    return [int(v) for v in candidates[xp.asarray(places)]]


# --- the five rules


def check_tree(G: Graph, source: int, parents: Array) -> None:
    """Assert the five rules of the specification on the array of parents alone, where it lives.

    1. It is a tree without cycles. 2. Its edges join vertices whose levels differ by one. 3. No edge of the graph joins
    levels that differ by more. 4. It spans the component of the source. 5. Its edges are edges of the graph.
    """
    levels = levels_of(G.engine.xp, source, parents)
    in_tree = levels >= 0
    for tails, heads in arcs_of(G):
        steps = abs(levels[tails] - levels[heads])
        require(bool((steps < OUTSIDE).all()), "4: the tree does not span the component")
        require(bool((steps <= 1).all()), "3: an edge joins levels that differ by more than one")
    children = G.engine.xp.flatnonzero(in_tree)
    children = children[children != source]
    above = parents[children]
    require(bool((levels[children] == levels[above] + 1).all()), "2: a tree edge does not join adjacent levels")
    require(bool(are_arcs(G, above, children).all()), "5: a tree edge is no edge of the graph")


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise VerificationError(f"Graph500 rule {rule}")


def levels_of(xp: Any, source: int, parents: Array) -> Array:
    """The depth of each vertex in the tree of `parents`, by doubling the way up; far below zero outside."""
    rule = "1: the parents are no tree"
    require(int(parents[source]) == source, f"{rule}: the source is not its own parent")
    in_tree = parents >= 0
    up = xp.where(in_tree, parents, source)
    require(bool(in_tree[up].all()), f"{rule}: a parent is outside")
    depth = (in_tree & (xp.arange(parents.size) != source)).astype(np.int32)
    for _ in range(int(parents.size).bit_length() + 1):
        if bool((up == source).all()):
            return xp.where(in_tree, depth, -OUTSIDE)
        depth = depth + xp.where(up != source, depth[up], 0)
        up = up[up]
    raise VerificationError(f"Graph500 rule {rule}: there is a cycle")


def arcs_of(G: Graph) -> Iterator[tuple[Array, Array]]:
    """Tails and heads of the arcs, a chunk at a time."""
    xp, pointers = G.engine.xp, G.csr.indptr
    for first in range(0, G.nvals, CHUNK):
        heads = G.csr.indices[first : first + CHUNK]
        limits = xp.asarray([first, first + heads.size - 1], dtype=pointers.dtype)
        low, high = (int(row) - 1 for row in xp.searchsorted(pointers, limits, side="right"))
        ends = pointers[low + 1 : high + 1] - first
        yield low + xp.cumsum(xp.bincount(ends, minlength=heads.size)), heads


def are_arcs(G: Graph, tails: Array, heads: Array) -> Array:
    """Whether each pair is an arc: a binary search in each sorted row, all at once."""
    xp, columns = G.engine.xp, G.csr.indices
    low, high = G.csr.indptr[tails].astype(np.int64), G.csr.indptr[tails + 1].astype(np.int64)
    end = high.copy()
    for _ in range(32):
        middle = (low + high) // 2
        less = (low < high) & (columns[xp.minimum(middle, columns.size - 1)] < heads)
        low, high = xp.where(less, middle + 1, low), xp.where(less, high, xp.minimum(middle, high))
    return (low < end) & (columns[xp.minimum(low, columns.size - 1)] == heads)
