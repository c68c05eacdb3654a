"""`Factor`: a graph after elimination, which answers many questions about its shortest paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from os import PathLike
from typing import Any, Literal, overload

import numpy as np

from graphla.algorithms.apsp._levels import ROUNDING_FP32, ROUNDING_FP64
from graphla.algorithms.apsp._row_writer import FileSink, write_rows
from graphla.algorithms.apsp.batches import CELLS
from graphla.algorithms.apsp.distance_file import find_fault_of_path, find_fault_of_progress, open_output
from graphla.algorithms.apsp.elimination import factor_file
from graphla.algorithms.apsp.elimination.closed import Coding, code, find_closed, find_name
from graphla.algorithms.apsp.elimination.eliminate import (
    DevicePanels,
    Panels,
    eliminate,
    get_structure,
    make_sweeps,
)
from graphla.algorithms.apsp.elimination.linear_factor import LinearFactor, factorize_matrix
from graphla.algorithms.apsp.elimination.predict import predict
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.initial import is_non_negative
from graphla.algorithms.shared.distance_range import fits, lowest, require_range
from graphla.algorithms.shared.weights import infinity
from graphla.algorithms.sssp import shortest_path, sssp
from graphla.common.arguments import find_int, show, to_int, to_path
from graphla.common.errors import InvalidGraph, InvalidIndex, InvalidOption, NotSupported
from graphla.common.interrupts import show_interrupts
from graphla.common.memory import require
from graphla.common.typing import DTypeLike, SemiringLike, Vertex
from graphla.containers import display
from graphla.containers.labels import Column, Labels, Names
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import EngineLike
from graphla.graphs.aligning import align
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.problem.answer import PerVertex

NAMES = {"min_plus": "distance", "max_plus": "distance", "lor_land": "reachable"}
"""What values are called in a table; others after their semiring."""


class Factor:
    """The distances of a graph in the form that an elimination leaves: make it by `factorize`.

    ``F[i]`` are the distances from vertex i to all vertices, a Vector; ``F[sources]`` a Matrix with a row per source;
    ``F[sources, targets]`` the cells of those columns, for which only a part of the graph is visited; ``F[i, j]`` one
    distance, None without a path. Sources and targets are vertices, lists of them, or slices.
    One distance adds in another order than a row does, so that floats may differ in their last digit.

    Parameters
    ----------
    coding : Coding
        The semiring, and the graph as its values were eliminated.
    panels : Panels or DevicePanels
        The result of the elimination.

    Examples
    --------
    >>> import graphla as gl
    >>> F = gl.factorize(gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu"))
    >>> F[0, 2], F[2, 0]
    (3, None)
    >>> F[0].to_dict()
    {0: 0, 1: 1, 2: 3}
    >>> F[[0, 1], 1:].to_dicts()
    {0: {0: 1, 1: 3}, 1: {0: 0, 1: 2}}
    """

    def __init__(self, coding: Coding, panels: Panels | DevicePanels) -> None:
        self._graph, self._panels, self._coding = coding.graph, panels, coding
        self._sweeps = make_sweeps(coding.graph, panels)

    def _repr_html_(self) -> str:
        return display.format_facts(self, vertices=f"{self.n:,}", bytes=f"{self.nbytes:,}", graph=self._graph)

    def __repr__(self) -> str:
        return f"Factor of {self.n:,} vertices over {self.semiring}: {self.nbytes:,} bytes of {self.dtype}"

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self._panels.structure.n

    @property
    def semiring(self) -> str:
        """The name of the semiring."""
        return self._coding.name

    @property
    def dtype(self) -> str:
        """The name of the dtype of the distances."""
        return self._coding.dtype.name

    @property
    def nbytes(self) -> int:
        """The bytes of the panels."""
        return self._panels.nbytes

    def __getitem__(self, key: Any) -> Any:
        """Distances; see the class."""
        pair = isinstance(key, tuple)
        if pair and len(key) != 2:
            raise InvalidIndex(f"{show(key)}: give F[sources] or F[sources, targets]")
        sources, alone = self._find_vertices(key[0] if pair else key, "sources")
        targets, one = self._find_vertices(key[1], "targets") if pair else (None, False)
        D, absent = self._compute(sources, targets), self._panels.arithmetic.absent
        if alone and one:
            return None if D[0, 0] == absent else self._coding.decode(D)[0, 0].item()
        kind, cells = (Vector, D.reshape(-1)) if alone or one else (Matrix, D)
        ends = [*([] if alone else [("source", sources)]), *([] if one else [("vertex", targets)])]
        names = Names((*(self._name_end(*end) for end in ends), Column(NAMES.get(self.semiring, self.semiring))))
        return kind._from_storage(self._coding.list_entries(cells, absent), self._graph.engine)._name_columns(names)

    def _name_end(self, name: str, vertices: Any) -> Column:
        """Return what stands for the rows or the columns of some vertices, or of all."""
        labels = self._graph._labels
        if vertices is None:
            return Column(name, labels)
        return Column(name, Labels(vertices if labels is None else labels.array[vertices]))

    def _fill(self, D: Any) -> Any:
        """Return cells as an array of results."""
        return self._coding.fill(D, self._panels.arithmetic.absent)

    def _find_vertices(self, key: Any, what: str) -> tuple[Any, bool]:
        """Return the vertices that a key names, and whether it names one by a number or a label."""
        if isinstance(key, slice):
            return self._cut(key, what), False
        return find_vertices(self._graph, key, what)

    def _cut(self, key: slice, what: str) -> Any:
        """Return the vertices of a slice."""
        try:
            return np.arange(self.n)[key]
        except (TypeError, ValueError) as error:
            raise InvalidIndex(f"{what}={show(key)}: {error}") from None

    @property
    def _on_host(self) -> bool:
        """Whether the panels are read by the kernels of the CPU."""
        return self._graph.engine.name == "cpu"

    @cached_property
    def _climber(self) -> Any:
        """The ways from single vertices up to the roots, on the host, to which the panels are copied."""
        from graphla.algorithms.apsp.elimination.pairs import Climber

        return Climber(self._panels.fetch())

    @cached_property
    def _pairs(self) -> Any:
        """What measures pairs on the engine: ``measure(sources, targets)``."""
        if self._on_host:
            return self._climber
        from graphla.algorithms.apsp.elimination.pairs_cuda import DevicePairs

        return DevicePairs(self._sweeps)

    @cached_property
    def _unpacker(self) -> Any:
        """Paths by a walk over the panels, on the host, if no weight is negative; else None."""
        from graphla.algorithms.apsp.elimination.unpack import Unpacker

        walks = self._coding.core == "min_plus" and is_non_negative(self._graph)
        return Unpacker(self._graph.to("cpu"), self._climber) if walks else None

    @show_interrupts
    def _compute(self, sources: Any, targets: Any) -> Any:
        """Compute distances in the core of the semiring, as an array of the engine."""
        shape = sources.size, self.n if targets is None else targets.size
        xp = self._graph.engine.xp
        require(
            shape[0] * shape[1] * self._panels.arithmetic.dtype.itemsize, f"{shape[0]:,} × {shape[1]:,} distances", xp
        )
        if shape == (1, 1) and targets is not None:
            D = self._pairs.measure(sources, targets).reshape(shape)
        else:
            D = xp.empty(shape, self._panels.arithmetic.dtype)
            self._sweeps.compute(sources, targets, D)
        return self._check(D) if targets is None else self._check_some(D, sources)

    def _check(self, D: Any) -> Any:
        """Refuse sums that do not fit their dtype."""
        if self._coding.core != "min_plus":
            return D
        return require_range(self._graph, D, sign=find_sign(self._coding))

    def _check_some(self, D: Any, sources: Any) -> Any:
        """Do the same for some columns: whole rows tell whether a missing path is too long, or not there."""
        if self._coding.core == "min_plus" and not fits(self._graph, D.dtype):
            doubtful = ((infinity(D.dtype) == D) | (lowest(D.dtype) == D)).any(axis=1)
            rows = np.unique(sources[self._graph.engine.to_host(doubtful)])
            step = max(1, CELLS // max(1, self.n))
            for low in range(0, rows.size, step):
                self._compute(rows[low : low + step], None)
        return D

    def blocks(self, rows: int | None = None) -> Iterator[tuple[int, Any]]:
        """Iterate over all rows, a block at a time, so that n² distances need not fit in memory.

        Parameters
        ----------
        rows : int, optional
            The rows of a block; by default as many as have 16 million distances.

        Returns
        -------
        iterator of (int, array)
            The first source of a block, and its distances: shape (rows, n), on the engine. Where there is no path
            they hold the worst number of the dtype: of min_plus and min_max the largest or infinity, of max_plus and
            max_min the smallest or −infinity, of max_times 0, of lor_land false.

        Raises
        ------
        NotSupported
            If that number is the value of an arc as well, but in min_plus and max_plus, which have no such paths.

        Examples
        --------
        >>> import graphla as gl
        >>> F = gl.factorize(gl.generate.path(5, engine="cpu"))
        >>> [(first, block.shape) for first, block in F.blocks(2)]
        [(0, (2, 5)), (2, (2, 5)), (4, (1, 5))]
        """
        self._coding.require_gap("take F[sources], whose entries tell")
        step = max(1, CELLS // max(1, self.n)) if rows is None else to_int(rows, "rows", 1)
        return self._stream(min(step, max(1, self.n)))

    def _stream(self, step: int) -> Iterator[tuple[int, Any]]:
        """Yield all rows, so many at a time."""
        for first, block in self._sweeps.stream(step):
            yield first, self._fill(self._check(block))

    @show_interrupts
    def write_rows(self, path: str | PathLike[str], *, progress: Callable[[int, int], Any] | None = None) -> Any:
        """Write all rows to a file, each block while the next is computed.

        Parameters
        ----------
        path : str or path
            The file (.npy) of n² distances. Until it is finished it is called ``path.unfinished``, and a note beside it
            counts the rows that are whole; the same call goes on from there.
        progress : callable, optional
            Called with the rows that are written, and with n.

        Returns
        -------
        ndarray
            A read-only memory map of the file, of shape (n, n); where there is no path it holds what `blocks` does.

        Raises
        ------
        NotSupported
            If the semiring is not min_plus or max_plus.
        InvalidOption
            If the path names no file, or `progress` is no function.
        GraphlaError
            If there is an unfinished file of another run.
        OutOfMemory
            If the file does not fit on its disk.
        Overflow
            If a distance does not fit the dtype.

        See Also
        --------
        blocks : The same rows as arrays of the engine.

        Examples
        --------
        >>> import graphla as gl, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.npy"
        >>> gl.factorize(gl.Graph(([0, 1], [1, 0], [1, 2]), engine="cpu")).write_rows(path).tolist()
        [[0, 1], [2, 0]]
        """
        if self._coding.core != "min_plus":
            raise NotSupported(f"a factor over {self.semiring} writes no files of distances: iterate over F.blocks()")
        for fault in (find_fault_of_path("" if path is None else path), find_fault_of_progress(progress)):
            if fault:
                raise InvalidOption(f"path={show(path)}, progress={show(progress)}: {fault}")
        dtype = np.dtype(self.dtype)
        with open_output(path, self._graph, dtype, f"factor over {self.semiring}") as file:
            facts = self._graph, self._sweeps, FileSink(file), dtype, progress
            write_rows(*facts, file.begun or 0, lambda block: self._fill(self._check(block)))
            return file.finish()

    def path(self, source: Vertex, target: Vertex) -> list[Any]:
        """Find the vertices on a shortest path.

        Parameters
        ----------
        source, target : int
            The first and the last vertex.

        Returns
        -------
        list of int
            The vertices in their order, both included; empty if there is no path.

        Raises
        ------
        InvalidGraph
            If `source` or `target` is no vertex.

        Notes
        -----
        Where no weight is negative, a walk over the factor on the host, to which that of a GPU is copied once: up from
        both ends to the highest vertex of the path, then down into its arcs. Else the row of the source, and a search
        over the arcs on shortest paths.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.factorize(gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3]), engine="cpu")).path(0, 2)
        [0, 1, 2]
        """
        start, end = self._graph.vertex(source, "source"), self._graph.vertex(target, "target")
        if self._unpacker is None:
            return self._graph._call_vertices(shortest_path(self._find_tight_graph(start), start, end))
        found, _ = self._unpacker.find(np.array([start]), np.array([end]))
        if not found.size:
            self._compute(np.array([start]), np.array([end]))  # refuses a path that is too long
        return self._graph._call_vertices(found.tolist())

    def next_hops(self, source: Vertex) -> Vector:
        """Find the vertex after the source on a shortest path to each vertex.

        Parameters
        ----------
        source : int
            The first vertex of the paths.

        Returns
        -------
        Vector
            INT32 of size n, with an entry where there is a path; the source's own is itself.

        Raises
        ------
        InvalidGraph
            If `source` is no vertex.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.factorize(gl.Graph(([0, 0, 1], [1, 2, 2], [4, 9, 3]), engine="cpu")).next_hops(0).to_dict()
        {0: 0, 1: 1, 2: 1}
        """
        start = self._graph.vertex(source, "source")
        _, parents = sssp(self._find_tight_graph(start), start, parents=True)
        before = np.asarray(parents.to_numpy(-1))
        hop = np.where((before == start) | (before < 0), np.arange(self.n), before)
        for _ in range(self.n.bit_length()):
            hop = hop[hop]
        hops = np.where(before < 0, -1, hop).astype(np.int32)
        found = Vector._from_sentinel(self._graph.engine.asarray(hops), -1, self._graph.engine)
        return PerVertex("next_hops", of_vertices=True).call(self._graph, found, "next_hops")

    def _find_tight_graph(self, source: int) -> Graph:
        """Return the graph of the arcs on shortest paths from a source, up to the rounding of floats."""
        if self._coding.core != "min_plus":
            raise NotSupported(f"a factor over {self.semiring} has no paths: take min_plus or max_plus")
        G, engine = self._graph, self._graph.engine
        d = engine.to_host(self._compute(np.array([source]), None))[0]
        indptr, heads, weights = (engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values))
        tails, known = np.repeat(np.arange(self.n), np.diff(indptr)), d != infinity(d.dtype)
        room = find_rounding(d.dtype) * float(np.abs(d[known]).max(initial=0))
        with np.errstate(all="ignore"):
            wide = d.astype(np.float64) if d.dtype.kind == "f" else d
            tight = known[tails] & known[heads] & (np.abs(wide[tails] + weights - wide[heads]) <= room)
        return Graph((tails[tight], heads[tight], weights[tight]), n=self.n, engine="cpu")

    @show_interrupts
    def refactor(self, G: Graph) -> Factor:
        """Eliminate a graph with the same arcs and other weights, without a new symbolic phase.

        Parameters
        ----------
        G : Graph
            The graph; its weights have any values that the dtype of the factor holds. Labels say which vertex is
            which, if there are some, else numbers.

        Returns
        -------
        Factor
            A new factor.

        Raises
        ------
        InvalidGraph
            If the arcs are not those of the graph that was eliminated, or one of both has labels and the other none.
        NegativeCycle
            If there is a cycle of negative weight.

        Examples
        --------
        >>> import graphla as gl
        >>> F = gl.factorize(gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu"))
        >>> F.refactor(gl.Graph(([0, 1], [1, 2], [5, 2]), engine="cpu"))[0, 2]
        7
        """
        require_graph(G)
        aligned = align(G, self._graph, "G")
        if not have_same_arcs(aligned, self._graph):
            raise InvalidGraph(f"G={show(G)}: its arcs are not those of this factor: gl.factorize(G) makes another")
        return eliminate_coded(code(aligned, self.semiring, self._coding.dtype), self._panels.structure)

    @staticmethod
    def explain(G: Graph, *, dtype: DTypeLike | None = None, semiring: SemiringLike = "min_plus") -> str:
        """Say what `factorize` would cost, without running it.

        Parameters
        ----------
        G : Graph
            The graph.
        dtype : dtype, optional
            The dtype of the distances.
        semiring : Semiring or str
            As of `factorize`.

        Returns
        -------
        str
            The order, the fill, bytes, updates and seconds that the symbolic phase predicts.

        Raises
        ------
        NotSupported
            If the dtype does not suit the weights, or the semiring is not eliminated.

        See Also
        --------
        apsp.explain : The same, with the choice among all methods.

        Notes
        -----
        The order and the symbolic phase are computed, and cached with the graph.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.Factor.explain(gl.generate.grid2d(30, 30, engine="cpu"), dtype="INT16").splitlines()[0]
        "elimination of 900 vertices and 3,480 arcs on 'cpu', int16"
        """
        require_graph(G)
        return predict(G, code(G, find_closed(semiring), dtype).cells).describe()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the factor and its graph to a file.

        Parameters
        ----------
        path : str or path
            The file, an archive of arrays (.npz).

        Raises
        ------
        InvalidOption
            If it names no file.

        Examples
        --------
        >>> import graphla as gl, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "factor.npz"
        >>> gl.factorize(gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu")).save(path)
        >>> gl.Factor.load(path, engine="cpu")[0, 2]
        3
        """
        factor_file.write(to_path(path, "path"), self._coding, self._panels.fetch())

    @classmethod
    def load(cls, path: str | PathLike[str], *, engine: EngineLike = None) -> Factor:
        """Read a factor that `save` wrote.

        Parameters
        ----------
        path : str or path
            The file.
        engine : {"cpu", "cuda"}, optional
            Where the results are to be.

        Returns
        -------
        Factor
            The factor.

        Raises
        ------
        GraphlaError
            If the file is none of a factor, or damaged.

        Examples
        --------
        >>> import graphla as gl, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "factor.npz"
        >>> gl.factorize(gl.Graph(([0, 1], [1, 2], [1, 2]), engine="cpu")).save(path)
        >>> gl.Factor.load(path, engine="cpu").path(0, 2)
        [0, 1, 2]
        """
        return cls(*factor_file.read(to_path(path, "path"), engine))


def find_vertices(G: Graph, key: Any, what: str) -> tuple[Any, bool]:
    """Return the vertices that are named, and whether it is one by its number or its label."""
    labels = G._labels
    if find_int(key) is not None or isinstance(key, str) or (labels is not None and labels.find(key) is not None):
        return np.array([G.vertex(key, what)]), True
    return G._number_vertices(key, what), False


def have_same_arcs(G: Graph, other: Graph) -> bool:
    """Whether two graphs have the same arcs, on whichever engines."""
    mine, theirs = ([each.engine.to_host(part) for part in (each.csr.indptr, each.csr.indices)] for each in (G, other))
    return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


def find_sign(coding: Coding) -> int:
    """Return −1 if the weights of the core are the negatives of those given, else 1."""
    return -1 if coding.name == "max_plus" else 1


def eliminate_coded(coding: Coding, structure: Structure) -> Factor:
    """Eliminate the graph of a coding."""
    return Factor(coding, eliminate(coding.graph, coding.cells, structure, coding.core, find_sign(coding)))


def find_rounding(dtype: np.dtype[Any]) -> float:
    """Return the relative difference that two orders of summation may have."""
    return 0.0 if dtype.kind != "f" else ROUNDING_FP32 if dtype.itemsize == 4 else ROUNDING_FP64


def star(A: Matrix, op: SemiringLike) -> Matrix:
    """Return I ⊕ A ⊕ A² ⊕ … for `Matrix.star`."""
    return factorize(Graph(A), semiring=find_closed(op))[:]._name_columns(None)


@overload
def factorize(G: Graph, *, dtype: DTypeLike | None = None, semiring: Literal["plus_times"]) -> LinearFactor: ...


@overload
def factorize(G: Graph, *, dtype: DTypeLike | None = None, semiring: SemiringLike = "min_plus") -> Factor: ...


@show_interrupts
def factorize(
    G: Graph, *, dtype: DTypeLike | None = None, semiring: SemiringLike = "min_plus"
) -> Factor | LinearFactor:
    """Eliminate the vertices of a graph, for many questions about its shortest paths, or for linear equations.

    Parameters
    ----------
    G : Graph
        The graph, directed or not. Weights may be zero or negative; an arc of a pattern weighs 1.
    dtype : dtype, optional
        Compute the distances in this dtype: FP32, FP64, INT16, INT32, INT64, UINT32 or UINT64. By default as `apsp`;
        max_plus, whose core is signed, gives INT64 for UINT32 and UINT64. lor_land gives BOOL.
    semiring : Semiring or str
        What a path and the choice among paths mean: min_plus (the shortest), max_plus (the longest; no cycle may be
        positive), max_min (the widest), min_max (the one whose heaviest arc is lightest), max_times (the likeliest;
        no cycle may have a product of more than 1), lor_land (whether there is one all of whose arcs are true). A
        stored value is an arc whatever it is, a 0 too; but an infinite weight is no arc in min_plus and max_plus.
        plus_times factorizes the adjacency matrix A = L D Lᵀ, which must be symmetric, in FP64 (or FP32).

    Returns
    -------
    Factor or LinearFactor
        Distances by ``F[sources]`` and ``F[sources, targets]``, paths, next hops; of plus_times the solution of
        A x = b by ``F.solve(b)``.

    Raises
    ------
    NegativeCycle
        If there is a cycle of negative weight (in max_plus, of positive weight); the error holds its vertices.
    NotSupported
        If the dtype does not suit the weights, or the semiring is none of these.
    DomainMismatch
        If a value is negative or infinite in max_times.
    Overflow
        If weights of both signs may add up to more than the dtype holds. Without `dtype`, INT64 is taken where INT32 is
        too narrow.
    OutOfMemory
        If the factor does not fit in memory; nothing is eliminated then.
    InvalidGraph
        If the matrix is not symmetric in plus_times.
    SingularMatrix
        If it is singular to rounding, or nothing is left of its diagonal at some vertex, in plus_times.

    See Also
    --------
    apsp : All distances at once.
    sssp : The distances from some vertices, without a factor.
    laplacian_eigenvectors : What a factor of the Laplacian is good for.

    Notes
    -----
    The order is nested dissection. For a planar graph of n vertices the factor has O(n log n) cells, after
    O(n^1.5) updates; a row then takes O(n log n). A graph without small separators fills up, and needs O(n³).
    A. George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10(2), 1973.

    Examples
    --------
    >>> import graphla as gl
    >>> F = gl.factorize(gl.generate.grid2d(8, 8, engine="cpu"))
    >>> F[0, 63]
    14
    >>> F.path(0, 2)
    [0, 1, 2]
    """
    require_graph(G)
    if find_name(semiring) == LinearFactor.semiring:
        return factorize_matrix(G, get_structure(G), dtype)
    name, structure = find_closed(semiring), get_structure(G)
    return eliminate_coded(code(G, name, dtype), structure)
