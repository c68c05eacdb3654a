"""`Graph`: an adjacency matrix and the facts about it that methods ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.containers.execute import way_in
from graphla.containers.matrix import Matrix
from graphla.engine import engine_named
from graphla.errors import DimensionMismatch, InvalidGraph
from graphla.storage import CompressedMatrix, Coo
from semirings import binary
from semirings.dtypes import DType


class Graph:
    """A graph: A[i, j] is the weight of the edge i → j; an explicit zero is an edge of weight zero.

    Parameters
    ----------
    source : object
        A `Matrix`, a SciPy or cupyx sparse array or matrix, a two-dimensional array (zeros are no edges), a
        NetworkX graph, or a tuple (rows, columns) or (rows, columns, weights) of arrays.
    n : int, optional
        The number of vertices, for a tuple; by default one more than the largest.
    weight : str
        The edge attribute that holds the weight, for a NetworkX graph; an edge without it weighs 1.
    dup : {"error", "min", "sum", "first"}
        What repeated edges of a tuple become.
    engine : {"cpu", "cuda"}, optional
        Where it lives.

    Raises
    ------
    DimensionMismatch
        If the matrix is not square.
    InvalidGraph
        If a weight is NaN, or an edge occurs twice and `dup` is ``"error"``.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
    >>> G.n, G.nvals, gl.bfs(G, 0).to_dict()
    (4, 3, {0: 0, 1: 1, 2: 2})
    """

    @way_in
    def __init__(
        self,
        source: Any,
        *,
        n: int | None = None,
        weight: str = "weight",
        dup: str = "error",
        name: str | None = None,
        engine: Any = None,
    ) -> None:
        self.A = adjacency(source, n, weight, dup, engine)
        self.name = name
        self._facts: dict[str, Any] = {}
        if self.A.nrows != self.A.ncols:
            columns = self.A.ncols in (2, 3) and not isinstance(source, Matrix) and not hasattr(source, "tocoo")
            way = "; of a table of arcs give the columns: gl.Graph((E[:, 0], E[:, 1]))" if columns else ""
            raise DimensionMismatch(f"a graph needs a square matrix, and this one has shape {self.A.shape}{way}")
        if self.A.dtype.kind == "f" and self.A.nvals and bool((self.A._storage.values != self.A._storage.values).any()):
            raise InvalidGraph(f"a weight is NaN: {first_nan(self.A)}; a weight must be a number")

    # --- what methods ask for

    @property
    def n(self) -> int:
        """Vertices."""
        return self.A.nrows

    @property
    def nvals(self) -> int:
        """Stored arcs."""
        return self.csr.nvals

    @property
    def engine(self) -> Any:
        """The engine on which it lives."""
        return self.A.engine

    @property
    def dtype(self) -> DType:
        """The dtype of the weights; BOOL for a pattern, where each edge weighs 1."""
        return self.A.dtype

    def cached(self, name: str, make: Callable[[Graph], Any]) -> Any:
        """``make(self)``, computed once and kept with the graph."""
        if name not in self._facts:
            self._facts[name] = make(self)
        return self._facts[name]

    @property
    def csr(self) -> CompressedMatrix:
        """Row i holds the arcs that leave i."""
        return self.cached("csr", lambda G: G.A._compressed())

    @property
    def csc(self) -> CompressedMatrix:
        """Row j holds the arcs that enter j; the same object as `csr` if the graph is symmetric."""
        return self.csr if self.symmetric else self.engine.transpose(self.csr)

    @property
    def symmetric(self) -> bool:
        """Whether A equals its transpose, in structure and values."""
        return self.cached("symmetric", find_symmetric)

    @property
    def degrees(self) -> Any:
        """Arcs that leave each vertex, an int32 array of the engine."""
        return self.cached("degrees", lambda G: (G.csr.indptr[1:] - G.csr.indptr[:-1]).astype("int32"))

    @property
    def max_degree(self) -> int:
        return self.cached("max_degree", lambda G: int(G.degrees.max()) if G.n else 0)

    @property
    def min_weight(self) -> Any:
        """The smallest weight as a Python number; None without arcs."""
        return self.cached("min_weight", lambda G: G.csr.values.min().item() if G.nvals else None)

    @property
    def max_weight(self) -> Any:
        """The largest weight as a Python number; None without arcs."""
        return self.cached("max_weight", lambda G: G.csr.values.max().item() if G.nvals else None)

    # --- elsewhere

    def to(self, engine: Any) -> Graph:
        """The same graph on another engine; itself if it lives there already."""
        target = engine_named(engine)
        return self if target is self.engine else Graph(self.A.to(target), name=self.name)

    def vertex(self, value: Any, what: str) -> int:
        """A vertex of this graph, or an error that names the argument."""
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise InvalidGraph(f"{what}={value!r}: a vertex is an int from 0 to {self.n - 1}")
        if not 0 <= value.__index__() < self.n:
            raise InvalidGraph(f"{what}={value!r} is no vertex: the graph has {self.n:,}, numbered from 0")
        return value.__index__()

    def __repr__(self) -> str:
        kind = "symmetric" if self._facts.get("symmetric") else "directed" if "symmetric" in self._facts else "arcs"
        name = f" {self.name!r}" if self.name else ""
        arcs = "stored arcs" if kind != "arcs" else "stored arcs, symmetry not asked yet"
        shown = f"{self.nvals:,} {arcs}" + (f", {kind}" if kind != "arcs" else "")
        return f"Graph{name}: {self.n:,} vertices, {shown}, {self.dtype.name}, on {self.engine.name}"


def find_symmetric(G: Graph) -> bool:
    """Compare with the transpose; a symmetric matrix is kept as its own, and the copy goes."""
    matrix = G.csr
    xp = G.engine.xp
    if matrix.is_cached("transposed") and matrix.cached("transposed", None) is matrix:
        return True
    transposed = G.engine.transpose(matrix)
    same = all(
        bool(xp.array_equal(getattr(matrix, part), getattr(transposed, part)))
        for part in ("indptr", "indices", "values")
    )
    if same:
        matrix._cache["transposed"] = matrix
    return same


def adjacency(source: Any, n: int | None, weight: str, dup: str, engine: Any) -> Matrix:
    """The adjacency matrix of whatever may stand for a graph."""
    if isinstance(source, Matrix):
        return source if engine is None else source.to(engine)
    if isinstance(source, Coo):
        return from_edges(source.rows, source.cols, source.values, max(source.nrows, source.ncols), dup, engine)
    if isinstance(source, tuple) and len(source) in (2, 3):
        rows, cols = (numbered(part) for part in source[:2])
        return from_edges(rows, cols, source[2] if len(source) == 3 else None, n, dup, engine)
    if hasattr(source, "tocoo"):
        return Matrix.from_scipy_sparse(source, engine=engine)
    if hasattr(source, "adjacency") and hasattr(source, "number_of_nodes"):
        return from_networkx(source, weight, engine)
    if getattr(source, "ndim", 0) == 2:
        return Matrix.from_dense(source, 0, engine=engine)
    raise InvalidGraph(
        f"{type(source).__name__} is no graph: give a Matrix, a SciPy or cupyx sparse matrix, a two-dimensional array, "
        "a NetworkX graph, or a tuple (rows, columns[, weights]); gl.read opens files"
    )


def numbered(ends: Any) -> Any:
    """The tails or the heads of arcs, unless they are names."""
    found = np.asarray(ends) if isinstance(ends, list | range) else ends
    if getattr(getattr(found, "dtype", None), "kind", "i") in "SUO":
        raise InvalidGraph(
            f"vertices are whole numbers from 0, and these are {found.dtype}: number names first, "
            "as by names, ends = np.unique(np.stack([tails, heads]), return_inverse=True)"
        )
    return found


JOINS = {"error": None, "first": binary.first, "min": binary.min, "sum": binary.plus}


def from_edges(rows: Any, cols: Any, weights: Any, n: int | None, dup: str, engine: Any) -> Matrix:
    """A square matrix of arcs."""
    if dup not in JOINS:
        raise InvalidGraph(f"dup={dup!r}: there are {', '.join(map(repr, JOINS))}")
    engine = engine_named(engine)
    if n is None:
        n = 1 + max(
            (int(part.max()) for part in (engine.asarray(rows), engine.asarray(cols)) if part.size),
            default=-1,
        )
    values = True if weights is None else weights
    return Matrix.from_coo(rows, cols, values, nrows=n, ncols=n, dup_op=JOINS[dup], engine=engine)


def from_networkx(source: Any, weight: str, engine: Any) -> Matrix:
    """The matrix of a NetworkX graph in the order of its nodes; repeated edges keep the lightest."""
    number = {node: k for k, node in enumerate(source.nodes)}
    edges = [(number[u], number[v], data.get(weight, 1)) for u, v, data in source.edges(data=True)]
    if not source.is_directed():
        edges += [(v, u, w) for u, v, w in edges if u != v]
    if not edges:
        return Matrix("INT64", len(number), len(number), engine=engine)
    rows, cols, weights = (np.asarray(part) for part in zip(*edges, strict=True))
    return Matrix.from_coo(rows, cols, weights, nrows=len(number), ncols=len(number), dup_op=binary.min, engine=engine)


def first_nan(A: Matrix) -> str:
    """The first cell whose value is NaN."""
    rows, cols, values = (A.engine.to_host(part) for part in A.to_coo())
    place = int(np.flatnonzero(values != values)[0])
    return f"the edge {rows[place]} → {cols[place]}"
