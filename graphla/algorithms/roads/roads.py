"""`Roads`: a graph that is prepared for routing, with one set of weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, Literal, overload

import numpy as np

from graphla.algorithms.apsp.elimination.closed import code
from graphla.algorithms.apsp.elimination.factor import Factor, eliminate_coded, find_vertices, have_same_arcs
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.initial import cast, is_non_negative
from graphla.algorithms.roads import order_file
from graphla.algorithms.roads.answers import Nearest, Reached
from graphla.algorithms.roads.turns import Turns
from graphla.algorithms.shared.limits import Limits
from graphla.algorithms.shared.nearby import Lists, search_in, search_near
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import sssp
from graphla.common.arguments import show, to_array, to_bool, to_int, to_list, to_path, to_real
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidOption, NotSupported, Overflow
from graphla.common.interrupts import show_interrupts
from graphla.common.memory import budget, convert_memory_error, require
from graphla.common.typing import ArrayLike, DTypeLike, Vertex, Vertices
from graphla.containers.matrix import Matrix
from graphla.graphs.aligning import align
from graphla.graphs.graph import Graph
from graphla.graphs.pairs import Pairs, split_pairs
from graphla.storage.convert import gather, is_any, list_true, split_cells, tally

SIGNS = "routing needs weights of zero or more; gl.factorize(G) takes others, and F.path(source, target) its paths"
TOGETHER, BYTES_A_CELL = 1024, 32
"""Sources on a device whose distances to all vertices are held at once, and the bytes that go with each distance."""
FIRST, SOME = 16, 64
"""Sources of isochrones that are searched together, at first, and then on the host."""
FEWER = "give some sources at a time, or smaller limits"
NOTHING = Lists(*(np.empty(0, np.int32) for _ in range(4)))
"""Of no searches."""


@dataclass(frozen=True, eq=False)
class Network:
    """What does not depend on the weights.

    Parameters
    ----------
    graph : Graph
        The graph that was prepared.
    structure : Structure
        The order of elimination and what follows from it.
    turns : Turns or None
        How the graph of arcs follows from the graph, if turns cost something.
    dtype : dtype, optional
        What was asked for.
    """

    graph: Graph
    structure: Structure
    turns: Turns | None
    dtype: DTypeLike | None


class Roads:
    """Routes, travel times and isochrones of a graph: make it by `prepare`.

    Vertices are given and returned by their labels if the graph has labels, else by their numbers.

    Parameters
    ----------
    network : Network
        What does not depend on the weights.
    weighted : Graph
        The graph that is eliminated: the given one, or that of its arcs.

    Examples
    --------
    >>> import graphla as gl
    >>> roads = gl.roads.prepare(gl.Graph(([0, 1, 2], [1, 2, 3], [5, 2, 4]), n=4, engine="cpu"))
    >>> roads
    Roads of 4 vertices and 3 arcs, int64
    >>> roads.isochrone(0, 7).vertices.tolist()
    [0, 1, 2]
    """

    def __init__(self, network: Network, weighted: Graph) -> None:
        if not is_non_negative(weighted):
            raise NotSupported(f"a weight is {weighted.min_weight}: {SIGNS}")
        self._network, self._graph = network, network.graph
        self._factor: Factor = eliminate_coded(code(weighted, "min_plus", network.dtype), network.structure)

    def __repr__(self) -> str:
        turns = "" if self._network.turns is None else ", with turns"
        return f"Roads of {self._graph.n:,} vertices and {self._graph.nvals:,} arcs{turns}, {self.dtype}"

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self._graph.n

    @property
    def dtype(self) -> str:
        """The name of the dtype of the distances."""
        return self._factor.dtype

    @property
    def nbytes(self) -> int:
        """The bytes of the factor."""
        return self._factor.nbytes

    @property
    def unreachable(self) -> Any:
        """What stands in arrays of distances where there is no path: infinity, or the largest of an integer dtype."""
        return infinity(np.dtype(self.dtype))

    @overload
    def distances(self, sources: Vertices, targets: Vertices) -> Any: ...

    @overload
    def distances(self, *, pairs: Pairs) -> Any: ...

    @show_interrupts
    def distances(
        self, sources: Vertices | None = None, targets: Vertices | None = None, *, pairs: Pairs | None = None
    ) -> Any:
        """Compute a matrix of distances (travel times, a skim), or those of a list of pairs.

        Parameters
        ----------
        sources, targets : sequence
            Vertices, for all distances from one to another.
        pairs : sequence or array, optional
            Pairs (source, target) instead: tuples, an array of shape (pairs, 2), or a tuple of two arrays, the
            sources and the targets.

        Returns
        -------
        array
            Of shape (sources, targets) or (pairs,), on the engine of the graph, in `dtype`, with `unreachable` where
            there is no path.

        Raises
        ------
        InvalidOption
            If it is neither sources with targets nor pairs.
        DimensionMismatch
            If a pair is not two vertices.
        InvalidGraph
            If one of them is no vertex.
        Overflow
            If a distance does not fit the dtype.

        Notes
        -----
        For a pair only the ancestors of both in the tree of the elimination are visited: some hundreds of vertices on
        roads; a GPU makes lists of the distances to them, and compares those of both ends. Pairs add in another order
        than a matrix does, so that floats may differ in their last digit.

        Examples
        --------
        >>> import graphla as gl
        >>> roads = gl.roads.prepare(gl.generate.grid2d(9, 9, engine="cpu"))
        >>> roads.distances([0, 40], [8, 80]).tolist()
        [[8, 16], [8, 8]]
        >>> roads.distances(pairs=[(0, 80), (40, 8)]).tolist()
        [16, 8]
        """
        if (pairs is None) == (sources is None or targets is None):
            raise InvalidOption("give sources and targets for a matrix of distances, or pairs= alone")
        if pairs is None:
            ends = self._find(sources, "sources"), self._find(targets, "targets", goals=True)
            return self._factor._compute(*ends)
        if sources is not None or targets is not None:
            raise InvalidOption("give sources and targets for a matrix of distances, or pairs= alone")
        starts, goals = self._find_pairs(pairs)
        found = self._factor._pairs.measure(starts, goals)
        return self._factor._check_some(found.reshape(-1, 1), starts).reshape(-1)

    @overload
    def paths(self, pairs: Pairs, *, ragged: Literal[False] = False) -> list[list[Any]]: ...

    @overload
    def paths(self, pairs: Pairs, *, ragged: Literal[True]) -> tuple[Any, Any]: ...

    @show_interrupts
    def paths(self, pairs: Pairs, *, ragged: bool = False) -> list[list[Any]] | tuple[Any, Any]:
        """Find shortest paths: routes.

        Parameters
        ----------
        pairs : sequence or array
            Pairs (source, target): tuples, an array of shape (pairs, 2), or a tuple of two arrays, the sources and
            the targets.
        ragged : bool
            Return two arrays instead of lists: the vertices of all paths, and where each begins and the last ends.

        Returns
        -------
        list of list, or tuple of ndarray
            The vertices of each path, both ends included; none where there is no path.

        Raises
        ------
        DimensionMismatch
            If a pair is not two vertices.
        InvalidGraph
            If one of them is no vertex.
        Overflow
            If the length of a path does not fit the dtype.

        Notes
        -----
        A walk over the factor on the host, to which that of a GPU is copied once.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2], [480, 530]), labels=["Ulm", "Bonn", "Kiel"], engine="cpu")
        >>> gl.roads.prepare(G).paths([("Ulm", "Kiel"), ("Kiel", "Ulm")])
        [['Ulm', 'Bonn', 'Kiel'], []]
        """
        flat = to_bool(ragged, "ragged")
        vertices, indptr = self._trace(*self._find_pairs(pairs))
        if flat:
            return self._name(vertices), indptr
        named = self._graph._call_vertices(vertices.tolist())
        return [named[low:high] for low, high in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True)]

    @overload
    def isochrone(self, sources: Vertices, limits: float | Sequence[float]) -> list[Reached]: ...

    @overload
    def isochrone(self, sources: Vertex, limits: float) -> Reached: ...

    @show_interrupts
    def isochrone(self, sources: Any, limits: Any) -> Any:
        """Find what is reached from sources within a limit.

        Parameters
        ----------
        sources : vertex or sequence
            A vertex, or several.
        limits : float or sequence of float
            How far, in the unit of the weights; one for all sources, or one for each.

        Returns
        -------
        Reached or list of Reached
            The vertices that are reached with their distances; a list if `sources` is a sequence.

        Raises
        ------
        InvalidGraph
            If a source is no vertex.
        InvalidOption
            If a limit is no number of zero or more.
        DimensionMismatch
            If there are not as many limits as sources.
        OutOfMemory
            If what is reached does not fit, as the first sources show.

        Notes
        -----
        On the CPU Dijkstra's algorithm in lists of what it meets: time and memory follow the vertices within the limit.
        Where these are a sixteenth of the graph or more, rows of distances instead if they are whole numbers, else
        `sssp`, which adds in the same order. On a GPU the distances to all vertices, some sources at a time.

        Examples
        --------
        >>> import graphla as gl
        >>> roads = gl.roads.prepare(gl.generate.grid2d(9, 9, engine="cpu"))
        >>> roads.isochrone(0, 1)
        Reached(vertices=array([0, 1, 9], dtype=int32), times=array([0, 1, 1], dtype=int32))
        """
        starts, alone = find_vertices(self._graph, sources, "sources")
        ends, areas = read_limits(limits, starts.size), list[Reached]()
        try:
            while len(areas) < starts.size:
                areas += self._list_areas(starts, ends, len(areas))
                require_rest(areas, starts.size)
        except MemoryError as error:
            raise convert_memory_error(error, self._graph.engine, "Roads.isochrone") from None
        return areas[0] if alone else areas

    @show_interrupts
    def nearest(self, sources: Vertices, targets: Vertices, k: int = 1) -> Nearest:
        """Find the nearest targets of each source.

        Parameters
        ----------
        sources : sequence
            Vertices.
        targets : sequence
            Vertices from which the nearest are chosen, as shops or stations; one that stands twice counts once.
        k : int
            How many of each source.

        Returns
        -------
        Nearest
            Vertices and distances of shape (sources, k), from the nearest on; of equal ones the smaller number first.

        Raises
        ------
        InvalidGraph
            If one of them is no vertex.
        InvalidOption
            If `k` is less than 1.
        OutOfMemory
            If the lists do not fit.

        Notes
        -----
        On the CPU lists of the nearest targets below each vertex that is above one; on a GPU the distances to all
        targets, some sources at a time, sorted.

        Examples
        --------
        >>> import graphla as gl
        >>> roads = gl.roads.prepare(gl.generate.path(9, engine="cpu"))
        >>> roads.nearest([0, 6], [1, 4, 8], k=2)
        Nearest(vertices=array([[1, 4],
               [4, 8]]), times=array([[1, 4],
               [2, 2]], dtype=int32))
        """
        count = to_int(k, "k", 1)
        starts, goals = self._find(sources, "sources"), self._find(targets, "targets", goals=True)
        from graphla.algorithms.roads._nearest import find_nearest, sort_targets

        find = find_nearest if self._factor._on_host else sort_targets
        d, found = find(self._factor, starts, goals, count)
        known = found >= 0
        found[known] -= self._first_goal
        return Nearest(self._name(found, known), d)

    @show_interrupts
    def customize(self, weights: ArrayLike | Graph) -> Roads:
        """Take other weights on the same order: another time of day, metres instead of seconds.

        Parameters
        ----------
        weights : array or Graph
            A weight for each arc, by tail and head, as in ``G.A.to_coo()``; or a graph with the same arcs, whose
            labels say which vertex is which, if there are some, else numbers. Both sets of weights can be used side
            by side.

        Returns
        -------
        Roads
            The same roads with these weights; turns cost what they did.

        Raises
        ------
        DimensionMismatch
            If there is not one weight for each arc.
        DomainMismatch
            If a weight is no real number.
        InvalidGraph
            If the arcs of a graph are others, or one of both has labels and the other none.
        NotSupported
            If a weight is negative.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 0], [1, 2, 2], [5, 2, 9]), engine="cpu")
        >>> slow = gl.roads.prepare(G).customize([9, 9, 9])
        >>> slow.distances(pairs=[(0, 2), (1, 2)]).tolist()
        [9, 9]
        """
        values = self._read_weights(weights)
        return Roads(self._network, weigh(self._network, values))

    def save_order(self, path: str | PathLike[str]) -> None:
        """Write the order of elimination, and what follows from it, to a file without weights.

        Parameters
        ----------
        path : str or path
            The file, an archive of arrays (.npz), for the option `order` of `prepare`.

        Raises
        ------
        InvalidOption
            If it names no file.

        Examples
        --------
        >>> import graphla as gl, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "order.npz"
        >>> G = gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu")
        >>> gl.roads.prepare(G).save_order(path)
        >>> gl.roads.prepare(G, order=path).paths([(0, 2)])
        [[0, 1, 2]]
        """
        order_file.write(to_path(path, "path"), self._factor._graph, self._network.structure)

    def _list_areas(self, starts: Any, ends: list[float], low: int) -> list[Reached]:
        """Return what some sources reach, from one on: few at first, which say what memory all take."""
        some = SOME if self._factor._on_host else TOGETHER
        limits = ends[low : low + (some if low else FIRST)]
        found = self._search(starts[low : low + len(limits)], limits)
        begins = [0, *found.ends.tolist()]
        return [self._cut(found, *ends_of) for ends_of in zip(begins[:-1], begins[1:], limits, strict=True)]

    def _search(self, starts: Any, limits: list[float]) -> Lists:
        """Search from each source up to a limit, its own or a larger one."""
        if not self._factor._on_host:
            return list_within(self._factor, starts, limits)
        G, s, far = self._factor._graph, Limits(limit=max(limits)), self.unreachable
        how = G, self._weights, starts.tolist(), s, far
        wide = s.limit == float("inf") and far.dtype.kind != "f"
        return (None if wide else search_near(*how)) or self._search_far(how, starts, limits)

    def _search_far(self, how: Any, starts: Any, limits: list[float]) -> Lists:
        """Do it where much of the graph is reached: by rows, whose sums are the same if they are whole numbers."""
        if self.unreachable.dtype.kind != "f":
            try:
                return list_within(self._factor, starts, limits)
            except Overflow:  # beyond the limit, perhaps, which a search does not pass
                pass
        elif self._weights.dtype == self._factor._graph.csr.values.dtype:
            return join_areas([find_area(self._factor._graph, *each) for each in zip(starts, limits, strict=True)])
        return search_in(*how, room=self._factor.n)

    @cached_property
    def _weights(self) -> Any:
        """The weights of the arcs that are searched, in the dtype of the distances."""
        return cast(self._factor._graph.csr.values, np.dtype(self.dtype))

    def _cut(self, found: Lists, begin: int, end: int, limit: float) -> Reached:
        """Return what one search has reached within its limit."""
        vertices, times = found.vertices[begin:end] - np.int32(self._first_goal), found.values[begin:end]
        kept = times <= limit
        if self._network.turns is not None:
            kept &= (vertices >= 0) & (vertices < self.n)
        return Reached(self._name(vertices[kept]), times[kept])

    def _read_weights(self, weights: Any) -> Any:
        """Return the weights of all arcs as an array of the engine."""
        G = self._graph
        if isinstance(weights, Graph):
            aligned = align(weights, G, "weights")
            if not have_same_arcs(aligned, G):
                raise InvalidGraph(f"weights={show(weights)}: its arcs are not those of these roads")
            return G.engine.asarray(aligned.engine.to_host(aligned.csr.values))
        values = to_array(G.engine.asarray, weights, "weights")
        if values.shape != (G.nvals,):
            raise DimensionMismatch(f"weights: give {G.nvals:,} of them, one for each arc; the shape is {values.shape}")
        kind = values.dtype.kind
        if kind not in "biuf" or (kind == "f" and is_any(G.engine.xp.isnan(values))):
            raise DomainMismatch(f"weights={show(weights)}: give real numbers, and no NaN")
        return values

    @property
    def _first_goal(self) -> int:
        """Where the vertices at which paths end begin in the graph that is eliminated."""
        return 0 if self._network.turns is None else self.n

    def _find(self, vertices: Any, what: str, goals: bool = False) -> Any:
        """Return vertices of the graph that is eliminated."""
        return self._graph._number_vertices(vertices, what) + (self._first_goal if goals else 0)

    def _find_pairs(self, pairs: Any) -> tuple[Any, Any]:
        """Return the sources and the targets of pairs, as `_find` does."""
        sources, targets = split_pairs(pairs, "pairs")
        return self._find(sources, "pairs"), self._find(targets, "pairs", goals=True)

    def _name(self, numbers: Any, known: Any = None) -> Any:
        """Return labels for numbers, None where they are not `known`; the numbers if the graph has no labels."""
        labels = self._graph._labels
        if labels is None:
            return numbers
        named = np.asarray(labels.array, object if known is not None else None)[numbers]
        if known is not None:
            named[~known] = None
        return named

    def _trace(self, starts: Any, goals: Any) -> tuple[Any, Any]:
        """Return the vertices of paths, and pointers."""
        vertices, indptr = self._factor._unpacker.find(starts, goals)
        lost = np.flatnonzero(np.diff(indptr) == 0)
        if lost.size:
            absent = np.full((lost.size, 1), self.unreachable)
            self._factor._check_some(absent, starts[lost])
        if self._network.turns is None:
            return vertices, indptr
        named = self._network.turns.name_vertices(vertices)
        kept = np.concatenate([[0], np.cumsum(named >= 0)])
        return named[named >= 0], kept[indptr]


def list_within(factor: Factor, starts: Any, limits: list[float]) -> Lists:
    """Return what is within a limit of each source, from rows of distances on a device."""
    n, engine, found = factor.n, factor._graph.engine, list[tuple[Any, Any, Any]]()
    together = SOME if factor._on_host else TOGETHER
    step = max(1, min(together, budget(engine.xp) // (BYTES_A_CELL * max(1, n))))
    for low in range(0, starts.size, step):
        D = factor._compute(starts[low : low + step], None)
        within = engine.asarray(np.array(limits[low : low + step]))[:, None] >= D
        within &= infinity(D.dtype) != D
        places = list_true(within.reshape(-1))
        rows, columns = split_cells(places, D.shape)
        parts = tally(rows, D.shape[0]), columns, gather(D.reshape(-1), places)
        found.append(tuple(map(engine.to_host, parts)))
    if not found:
        return NOTHING
    counts, vertices, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Lists(np.cumsum(counts), vertices.astype(np.int32), values, NOTHING.parents)


def find_area(G: Graph, source: int, limit: float) -> tuple[Any, Any]:
    """Return vertices and distances within a limit, from arrays of all vertices."""
    found = sssp(G.plain, int(source), limit=None if limit == float("inf") else limit)
    return found.to_coo()


def join_areas(areas: list[tuple[Any, Any]]) -> Lists:
    """Return what several searches have found, one after another."""
    vertices, values = (np.concatenate(parts) for parts in zip(*areas, strict=True))
    ends = np.cumsum([part.size for part, _ in areas])
    return Lists(ends, vertices.astype(np.int32), values, NOTHING.parents)


def require_rest(areas: list[Reached], count: int) -> None:
    """Refuse more sources than fit if they reach as much as the first ones."""
    held = sum(area.vertices.nbytes + area.times.nbytes for area in areas)
    rest = 2 * held * (count - len(areas)) // max(1, len(areas))
    require(rest, f"what {count - len(areas):,} more sources reach, as the first {len(areas):,} do,", np, FEWER)


def read_limits(limits: Any, count: int) -> list[float]:
    """Return a limit for each source."""
    if isinstance(limits, int | float | np.number):
        return [to_real(limits, "limits", 0)] * count
    found = [to_real(each, "limits", 0) for each in to_list(limits, "limits", "limits", InvalidOption)]
    if len(found) != count:
        raise DimensionMismatch(f"limits: there are {len(found)} for {count} sources: give one, or one for each")
    return found


def weigh(network: Network, values: Any) -> Graph:
    """Return the graph that is eliminated, for weights of the arcs of the graph, an array of its engine."""
    G = network.graph
    if network.turns is not None:
        return network.turns.weigh(G.engine.to_host(values)).to(G.engine)
    A = Matrix.from_csr(G.csr.indptr, G.csr.indices, values, nrows=G.n, ncols=G.n, engine=G.engine)
    return Graph(A, name=G.name)
