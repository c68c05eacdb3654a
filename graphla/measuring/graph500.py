"""The Graph500 benchmark: build a Kronecker graph, search it from 64 sources, validate, and report TEPS.

Kernel 1 builds a graph from the list of edges. Kernel 2 is a search with parents. A search traverses the edges of the
list, repeats included, whose ends it reaches. Specification: https://graph500.org/?page_id=12.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.common.errors import InvalidGraph, VerificationError
from graphla.common.memory import require as require_memory
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.engine.protocol import EngineLike
from graphla.graphs.generators.build import LOW, SHIFT, draw_keys
from graphla.graphs.generators.kronecker import GRAPH500, list_new_numbers, make_quadrant_drawer, relabel
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix

SOURCES = 64
CHUNK = 1 << 26  # edges or arcs processed together
ARCS_AT_ONCE = 1 << 29  # arcs of a range of rows that are sorted together
OUTSIDE = 1 << 30  # vertices outside the tree have the level -OUTSIDE
INT32_END = 2**31
EDGE_BYTES, VERTEX_BYTES = 24, 64  # peak bytes per edge (keys, both columns and flags, or relabelled keys) and vertex

Array = Any


@dataclass(frozen=True)
class Graph500:
    """The results of the benchmark.

    Attributes
    ----------
    scale, edge_factor : int
        The graph has ``2**scale`` vertices and `edge_factor` edges per vertex.
    engine : str
        The engine that ran the benchmark.
    construction : float
        Seconds of kernel 1.
    seconds : tuple of float
        Seconds of each search.
    edges : tuple of int
        Edges that each search traversed.
    """

    scale: int
    edge_factor: int
    engine: str
    construction: float
    seconds: tuple[float, ...] = field(repr=False)
    edges: tuple[int, ...] = field(repr=False)

    @property
    def teps(self) -> Array:
        """Traversed edges per second of each search."""
        return np.asarray(self.edges) / np.asarray(self.seconds)

    @property
    def harmonic_mean_teps(self) -> float:
        """The harmonic mean of `teps`, which is the benchmark's figure of merit."""
        return float(len(self.edges) / np.sum(1 / self.teps))

    @property
    def harmonic_stddev_teps(self) -> float:
        """The standard deviation of the harmonic mean, as the specification defines it."""
        inverse = 1 / self.teps
        spread = np.std(inverse, ddof=1) if len(inverse) > 1 else 0.0
        return float(spread / (np.mean(inverse) ** 2 * np.sqrt(max(len(inverse) - 1, 1))))

    def format_lines(self) -> list[str]:
        """Format the report in the terms of the specification."""
        numbers = {
            "SCALE": self.scale,
            "edgefactor": self.edge_factor,
            "NBFS": len(self.seconds),
            "construction_time": f"{self.construction:.6g}",
            **format_quartiles("time", np.asarray(self.seconds)),
            **format_quartiles("nedge", np.asarray(self.edges, float)),
            **format_quartiles("TEPS", self.teps),
            "harmonic_mean_TEPS": f"{self.harmonic_mean_teps:.6g}",
            "harmonic_stddev_TEPS": f"{self.harmonic_stddev_teps:.6g}",
        }
        return [f"{name + ':':<24}{value}" for name, value in numbers.items()]


def format_quartiles(what: str, values: Array) -> dict[str, str]:
    """Format minimum, quartiles and maximum under the names of the specification."""
    names = ("min", "firstquartile", "median", "thirdquartile", "max")
    points = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    return {f"{name}_{what}": f"{value:.6g}" for name, value in zip(names, points, strict=True)}


def run(
    scale: int,
    *,
    edge_factor: int = 16,
    engine: EngineLike = None,
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
        Edges per vertex in the list of edges.
    engine : {"cpu", "cuda"}, optional
    method : str, optional
        A method of `bfs` that returns parents; by default the best one.
    seed : int
        The seed of the graph and the sources.
    sources : int
        Number of searches; the benchmark specifies 64.
    validate : bool
        Check each search by the five rules.
    progress : callable (what, done, of)
        Called before each step.

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
    device = get_engine(engine)
    xp = device.xp
    n, m = 1 << scale, edge_factor << scale
    require_memory((EDGE_BYTES * m) + VERTEX_BYTES * n, f"graph500 at scale {scale}", xp)
    progress("generation", 0, 1)
    edges = draw_edges(scale, m, seed, xp)
    end_counts = count_ends(xp, n, edges)
    progress("construction", 0, 1)
    rows, construction = time_call(xp, partial(build_graph, xp, n, edges))
    edges = None  # frees its memory
    rows.cached("transposed", lambda same: same)
    G = Graph(Matrix._from_storage(rows, device))
    starts = choose_sources(xp, G.degrees, sources, seed)
    chosen = bfs.choose(G, method, {"parents": True})
    chosen.run(G, starts[0], parents=True)  # compiles, and prepares what is cached with the graph
    seconds, traversed = [], []
    for done, source in enumerate(starts):
        progress("search", done, len(starts))
        (_, parents), took = time_call(xp, partial(chosen.run, G, source, parents=True))
        tree = parents.to_dense(-1) if isinstance(parents, Vector) else parents
        if validate:
            check_tree(G, source, tree)
        seconds.append(took)
        traversed.append(int((end_counts * (tree >= 0)).sum()) // 2)
    return Graph500(scale, edge_factor, device.name, construction, tuple(seconds), tuple(traversed))


def draw_edges(scale: int, m: int, seed: int, xp: Any) -> Array:
    """Draw the list of edges as packed pairs."""
    draw, new = make_quadrant_drawer(scale, GRAPH500, seed, xp), list_new_numbers(1 << scale, seed, xp)
    return draw_keys(m, lambda start, length: relabel(draw(start, length), new), xp)


def count_ends(xp: Any, n: int, edges: Array) -> Array:
    """Count how often each vertex is an end of an edge; a loop counts twice."""
    counts = xp.zeros(n, np.int64)
    for start in range(0, edges.size, CHUNK):
        piece = edges[start : start + CHUNK]
        counts += xp.bincount(piece >> SHIFT, minlength=n)
        counts += xp.bincount(piece & LOW, minlength=n)
    return counts


def build_graph(xp: Any, n: int, edges: Array) -> CompressedMatrix:
    """Kernel 1: build a CSR matrix with both arcs of each edge, without loops and repeats, by ranges of rows.

    `edges` are packed pairs. O(E log E). At the peak it holds the columns, and 32 bytes per arc of a range.
    """
    pointers, columns, filled = xp.zeros(n + 1, np.int64), xp.empty(2 * edges.size, np.int32), 0
    step = -(-n // max(1, -(-2 * edges.size // ARCS_AT_ONCE)))
    for first in range(0, n, step):
        last = min(first + step, n)
        arcs = sort_arcs(xp, edges, first, last)
        end = filled + arcs.size
        columns[filled:end] = arcs & LOW
        counts = xp.bincount((arcs >> SHIFT) - first, minlength=last - first)
        pointers[first + 1 : last + 1] = filled + xp.cumsum(counts)
        filled = end
    if filled < INT32_END:
        pointers = pointers.astype(np.int32)
    return CompressedMatrix(n, n, pointers, columns[:filled], xp.ones(filled, bool))


def sort_arcs(xp: Any, edges: Array, first: int, last: int) -> Array:
    """Return the arcs that leave vertices `first` to ``last - 1``, packed and sorted, without loops and repeats."""
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


def time_call(xp: Any, work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of `work` and the seconds until the device has finished it."""
    wait = xp.cuda.Device().synchronize if hasattr(xp, "cuda") else lambda: None
    wait()
    start = time.perf_counter()
    result = work()
    wait()
    return result, time.perf_counter() - start


def choose_sources(xp: Any, ends: Array, count: int, seed: int) -> list[int]:
    """Choose distinct random vertices among those with an edge to another vertex."""
    candidates = xp.flatnonzero(ends > 0)
    if not candidates.size:
        raise InvalidGraph("no vertex has an edge to another: choose a larger scale or edge_factor")
    positions = np.random.default_rng(seed).permutation(int(candidates.size))[:count]
    return [int(v) for v in candidates[xp.asarray(positions)]]


# --- the five rules


def check_tree(G: Graph, source: int, parents: Array) -> None:
    """Check the five rules of the specification on the array of parents, on its device.

    1. The parents form a tree without cycles. 2. Tree edges join vertices whose levels differ by one. 3. No edge of the
    graph joins levels that differ by more than one. 4. The tree spans the component of the source. 5. Tree edges are
    edges of the graph.
    """
    levels = compute_levels(G.engine.xp, source, parents)
    in_tree = levels >= 0
    for tails, heads in iterate_arcs(G):
        steps = abs(levels[tails] - levels[heads])
        require(bool((steps < OUTSIDE).all()), "4: the tree does not span the component")
        require(bool((steps <= 1).all()), "3: an edge joins levels that differ by more than one")
    children = G.engine.xp.flatnonzero(in_tree)
    children = children[children != source]
    above = parents[children]
    require(bool((levels[children] == levels[above] + 1).all()), "2: a tree edge does not join adjacent levels")
    require(bool(are_arcs(G, above, children).all()), "5: a tree edge is not an edge of the graph")


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise VerificationError(f"Graph500 rule {rule}")


def compute_levels(xp: Any, source: int, parents: Array) -> Array:
    """Compute the level of each vertex in the tree of `parents` by pointer doubling; `-OUTSIDE` outside the tree."""
    rule = "1: the parents are not a tree"
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


def iterate_arcs(G: Graph) -> Iterator[tuple[Array, Array]]:
    """Yield the tails and heads of the arcs in chunks."""
    xp, pointers = G.engine.xp, G.csr.indptr
    for first in range(0, G.nvals, CHUNK):
        heads = G.csr.indices[first : first + CHUNK]
        limits = xp.asarray([first, first + heads.size - 1], dtype=pointers.dtype)
        low, high = (int(row) - 1 for row in xp.searchsorted(pointers, limits, side="right"))
        ends = pointers[low + 1 : high + 1] - first
        yield low + xp.cumsum(xp.bincount(ends, minlength=heads.size)), heads


def are_arcs(G: Graph, tails: Array, heads: Array) -> Array:
    """Return whether each pair is an arc, by binary searches in the sorted rows, all pairs at once."""
    xp, columns = G.engine.xp, G.csr.indices
    low, high = G.csr.indptr[tails].astype(np.int64), G.csr.indptr[tails + 1].astype(np.int64)
    end = high.copy()
    for _ in range(32):
        middle = (low + high) // 2
        less = (low < high) & (columns[xp.minimum(middle, columns.size - 1)] < heads)
        low, high = xp.where(less, middle + 1, low), xp.where(less, high, xp.minimum(middle, high))
    return (low < end) & (columns[xp.minimum(low, columns.size - 1)] == heads)
