"""Build the adjacency matrix of any input that represents a graph: matrices, arrays, arcs, NetworkX graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from graphla.common.arguments import show, speaks, to_array, to_choice, to_int, to_text
from graphla.common.errors import DimensionMismatch, IndexOutOfBounds, InvalidGraph
from graphla.common.typing import ArrayLike, ArrowTable, NetworkXGraph, SparseMatrix
from graphla.containers import arrow
from graphla.containers.arcs import Arcs
from graphla.containers.device_columns import to_host
from graphla.containers.labels import Labels, name_arcs, to_labels
from graphla.containers.matrix import Matrix
from graphla.containers.validate import to_indices
from graphla.engine import get_engine
from graphla.engine.protocol import EngineLike
from graphla.graphs.attributes import read_attribute
from graphla.graphs.reverse import add_reverse
from graphla.storage import Coo, Distributed
from graphla.storage.convert import are_equal, coo_from_csr, get_array_module, is_on_device, make_full
from semirings import binary, monoid, unary

JOINS = {"error": None, "first": binary.first, "min": binary.min, "sum": binary.plus}
ENDS = ("rows", "columns")
BIPARTITE = (
    "as a graph from its rows to its columns number the columns after the rows: "
    "gl.Graph((rows, columns + nrows, values), n=nrows + ncols)"
)


GraphSource: TypeAlias = (
    Matrix
    | Coo
    | Arcs
    | SparseMatrix
    | NetworkXGraph
    | ArrayLike
    | tuple[ArrayLike, ArrayLike]
    | tuple[ArrayLike, ArrayLike, ArrayLike | None]
    | Mapping[str, ArrayLike]
    | ArrowTable
)
"""The kinds of input that represent a graph."""


def to_adjacency(
    source: Any, n: int | None, weight: str, dup: str | None, undirected: bool, engine: EngineLike
) -> Matrix:
    """A matrix of any shape, with the labels of its vertices; `n` and `dup` hold for every kind of source."""
    if dup is not None:
        to_choice(dup, "dup", JOINS, InvalidGraph)
    n = None if n is None else to_int(n, "n", 0, 2**60, InvalidGraph)
    to_text(weight, "weight", InvalidGraph)
    if isinstance(source, Arcs):
        return from_arcs(source, n, dup, undirected, engine)
    if undirected:
        return add_reverse_arcs(source, n, weight, dup, engine)
    joins = JOINS[dup or "error"]
    if isinstance(source, Matrix):
        return enlarge(source if engine is None else source.to(engine), n)
    if isinstance(source, Coo):
        return from_coordinates(source, n, joins, engine)
    if isinstance(source, tuple) and len(source) in (2, 3):
        rows, cols = (require_numbers(part) for part in source[:2])
        return from_edges(rows, cols, source[2] if len(source) == 3 else None, n, joins, engine)
    given: Any = source
    if speaks(source, "tocoo"):
        return enlarge(Matrix.from_scipy_sparse(given, dup_op=joins, engine=engine), n)
    if speaks(source, "adjacency") and hasattr(source, "number_of_nodes"):
        return from_networkx(source, weight, n, joins if dup else binary.min, engine)
    if getattr(source, "ndim", 0) == 2:
        return enlarge(Matrix.from_dense(given, 0, engine=engine), n)
    if isinstance(source, list) and source and isinstance(source[0], tuple):
        raise InvalidGraph(
            f"source={show(source)}: of a list of arcs give the columns: gl.Graph(tuple(zip(*arcs))) takes (tails, "
            "heads) or (tails, heads, weights)"
        )
    raise InvalidGraph(
        f"source={show(source)}: {type(source).__name__} is no graph: give a Matrix, a SciPy or cupyx sparse matrix, "
        "a two-dimensional array, a NetworkX graph, or a tuple (rows, columns[, weights]); gl.read opens files"
    )


def from_arcs(arcs: Arcs, n: int | None, dup: str | None, undirected: bool, engine: EngineLike) -> Matrix:
    """The matrix of the arcs of a table; a refusal names them by the labels and the rows of the table."""
    if n is not None and arcs.n is not None and n < arcs.n:
        raise InvalidGraph(f"n={n}: the table names {arcs.n:,} vertices, and n may add some, not drop any")
    columns = arcs.tails, arcs.heads, arcs.weights
    if get_engine(engine).xp is np:
        columns = to_host(arcs.tails), to_host(arcs.heads), to_host(arcs.weights)
    with arrow.name_repeats(arcs.tails, arcs.heads, arcs.labels):
        made = to_adjacency(columns, arcs.n if n is None else n, "weight", dup, undirected, engine)
    return made if arcs.labels is None else made._name_columns(name_arcs(arcs.labels.fit(made.nrows)))


def add_reverse_arcs(source: Any, n: int | None, weight: str, dup: str | None, engine: EngineLike) -> Matrix:
    """The matrix of a source with the reverse of each arc that is not there with the same weight."""
    if isinstance(source, tuple) and len(source) in (2, 3):
        home = get_engine(engine if any(map(is_on_device, source)) else "cpu")
        rows, cols = (to_indices(home, require_numbers(source[k]), what) for k, what in enumerate(ENDS))
        largest = arrow.find_size(rows, cols)
        weights = None if len(source) == 2 or source[2] is None else home.asarray(source[2])
        coo = Coo(largest, largest, rows, cols, weights)
    elif isinstance(source, Coo):
        coo = source
    else:
        A = to_adjacency(source, n, weight, dup, False, "cpu")
        require_square(A, source, None)
        made = from_coordinates(add_reverse(coo_from_csr(A._to_compressed()), dup), n, JOINS[dup or "error"], engine)
        return made._name_columns(A._names)
    whole = add_reverse(coo, dup) if coo.nrows == coo.ncols else coo
    return from_coordinates(whole, n, JOINS[dup or "error"], engine)


def require_square(A: Matrix, source: Any, name: str | None) -> None:
    """Refuse a matrix that is not square, with the way out for what it was made of."""
    if A.nrows == A.ncols:
        return
    what = f"{name} holds one of shape {A.shape}" if name else f"this one has shape {A.shape}"
    table = A.ncols in (2, 3) and not isinstance(source, Matrix | Coo) and not hasattr(source, "tocoo")
    way = "of a table of arcs give the columns: gl.Graph((E[:, 0], E[:, 1]))" if table else BIPARTITE
    if A.nrows == 2 and not isinstance(source, Matrix | Coo) and not hasattr(source, "tocoo"):
        way = f"of an edge_index of shape (2, m) give the rows: gl.Graph((E[0], E[1])); {BIPARTITE}"
    if isinstance(source, Coo):
        way = f"scipy.io.mmread or scipy.sparse.load_npz reads it for gl.Matrix.from_scipy_sparse; {way}"
    raise DimensionMismatch(f"a graph needs a square matrix, and {what}; {way}")


def enlarge(A: Matrix, n: int | None) -> Matrix:
    """A square matrix with isolated vertices up to `n`; itself if it has that many, or is not square."""
    if n is None or n == A.nrows or A.nrows != A.ncols:
        return A
    if n < A.nrows:
        raise InvalidGraph(f"n={n}: the matrix has {A.nrows:,} vertices, and n may add isolated ones, not drop any")
    larger = A.dup()
    larger.resize(n, n)
    return larger


def from_coordinates(coo: Coo, n: int | None, joins: Any, engine: EngineLike) -> Matrix:
    """The matrix of coordinates, in their shape."""
    values, joins = weigh(get_array_module(coo.rows), coo.values, coo.rows.size, joins)
    made = Matrix.from_coo(coo.rows, coo.cols, values, nrows=coo.nrows, ncols=coo.ncols, dup_op=joins, engine=engine)
    return enlarge(made if coo.labels is None else made._name_columns(name_arcs(coo.labels)), n)


def from_edges(rows: Any, cols: Any, weights: Any, n: int | None, joins: Any, engine: EngineLike) -> Matrix:
    """A square matrix of arcs."""
    engine = get_engine(engine)
    rows, cols = to_indices(engine, rows, "rows"), to_indices(engine, cols, "columns")
    size = arrow.find_size(rows, cols)
    n = size if n is None else n
    if size > n:
        raise IndexOutOfBounds(f"n={n} is less than the vertices: an arc leads to or from vertex {size - 1:,}")
    values, joins = weigh(engine.xp, weights, rows.size, joins)
    return Matrix.from_coo(rows, cols, values, nrows=n, ncols=n, dup_op=joins, engine=engine)


def weigh(xp: Any, weights: Any, size: int, joins: Any) -> tuple[Any, Any]:
    """Weights, and what joins them: of arcs without weights truths, or numbers where repeats are to be counted."""
    if weights is not None:
        return weights, joins
    if joins in (binary.first, binary.min):
        return True, None
    return make_full(xp, size, 1, "int64" if joins is binary.plus else "bool"), joins


def require_numbers(ends: Any) -> Any:
    """The tails or the heads of arcs, unless they are names."""
    found = to_array(np.asarray, ends, "the ends of arcs", InvalidGraph) if isinstance(ends, list | range) else ends
    if isinstance(found, np.ndarray) and found.dtype.kind in "SUO":
        wide = [end for end in found.flat if isinstance(end, int) and not -(2**63) <= end < 2**63]
        if wide:
            raise InvalidGraph(f"vertices are whole numbers from 0 and below 2⁶³, and one is {show(wide[0])}")
        raise InvalidGraph(
            f"vertices are whole numbers from 0, and these are {found.dtype}: number names first, "
            "as gl.Graph.from_arrow({'source': tails, 'target': heads}) does, which keeps the names as labels"
        )
    return found


def from_networkx(source: Any, weight: str, n: int | None, joins: Any, engine: EngineLike) -> Matrix:
    """The matrix of a NetworkX graph in the order of its nodes; only a multigraph has parallel edges to join."""
    made = from_nodes(source, weight, n, joins, engine)
    nodes = list(source.nodes)
    return (
        made
        if nodes == list(range(len(nodes)))
        else made._name_columns(name_arcs(Labels(to_labels(nodes)).fit(made.nrows)))
    )


def from_nodes(source: Any, weight: str, n: int | None, joins: Any, engine: EngineLike) -> Matrix:
    """The matrix of a NetworkX graph, whose nodes are numbered in their order."""
    number = {node: k for k, node in enumerate(source.nodes)}
    ends, weights = list(source.edges()), read_attribute(source, weight)
    edges = [(number[u], number[v], w) for (u, v), w in zip(ends, weights, strict=True)]
    if not source.is_directed():
        edges += [(v, u, w) for u, v, w in edges if u != v]
    count = len(number)
    if not edges:
        return enlarge(Matrix("INT64", count, count, engine=engine), n)
    rows, cols, values = (np.asarray(part) for part in zip(*edges, strict=True))
    return enlarge(Matrix.from_coo(rows, cols, values, nrows=count, ncols=count, dup_op=joins, engine=engine), n)


def check_adjacency(A: Matrix) -> Any:
    """The storage of the matrix of a graph, if that is square and has no NaN."""
    if A.nrows != A.ncols:
        raise DimensionMismatch(
            f"the matrix of this graph has shape {A.shape} now, and a graph needs a square one: resize G.A, or make a "
            "new gl.Graph"
        )
    if A.dtype.kind == "c":
        raise InvalidGraph(
            f"the weights are {A.dtype}, and a graph needs weights with an order: take unary.abs(A), creal or cimag; "
            "products of complex matrices need no Graph"
        )
    if A.dtype.kind == "f" and holds_nan(A):
        raise InvalidGraph(f"a weight is NaN: {find_first_nan(A)}; a weight must be a number")
    return A._storage


def holds_nan(A: Matrix) -> bool:
    """Whether a value is NaN."""
    if isinstance(A._storage, Distributed):
        return bool(unary.isnan(A).new()._reduce_with(monoid.lor, None).new().value)
    return bool(A._storage.nvals) and not are_equal(*[A._storage.values.reshape(-1)] * 2)


def find_first_nan(A: Matrix) -> str:
    """The first cell whose value is NaN."""
    rows, cols, values = (A.engine.to_host(part) for part in A.to_coo())
    place = int(np.flatnonzero(values != values)[0])
    return f"the edge {rows[place]} → {cols[place]}"
