"""`Graph`: an adjacency matrix and the facts about it that methods ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from graphla.common.arguments import find_int, show, to_bool, to_int
from graphla.common.errors import GraphlaError, InvalidGraph, NotSupported
from graphla.common.typing import ArrayLike, ArrowTable, Vertex, Vertices
from graphla.containers import arrow, display
from graphla.containers.execute import report_out_of_memory
from graphla.containers.labels import Labels, Number, name_arcs, read_labels
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.engine.protocol import Engine, EngineLike
from graphla.graphs.adjacency import GraphSource, check_adjacency, require_square, to_adjacency
from graphla.graphs.batches import read_batches, resolve
from graphla.graphs.carrying import carry_facts
from graphla.graphs.changes import Change, apply
from graphla.graphs.pairs import list_vertices
from graphla.storage import CompressedMatrix, Distributed
from graphla.storage.convert import are_equal, cast_indices, measure_rows
from graphla.storage.formats import as_compressed
from semirings.dtypes import DType

SEVERAL = list | tuple | set | range | np.ndarray
"""What callers give who mean several vertices."""
SEVERAL_HINT = "; several go into sources=, where a problem has it"


@dataclass(frozen=True, eq=False)
class Facts:
    """What has been computed about one storage of a matrix, by name.

    A storage is frozen: a change of the matrix gives it another, for which these facts do not hold.
    """

    storage: Any = None
    known: dict[str, Any] = field(default_factory=dict)


class Graph:
    """A graph on n vertices: an adjacency matrix A, where A[i, j] is the weight of the arc i → j.

    A cell without an entry is no arc; an entry that is zero is an arc of weight zero. An undirected graph has both arcs
    of each edge.

    Parameters
    ----------
    source : Matrix, sparse matrix, array, NetworkX graph, Graph, tuple or table
        A `Matrix`; a SciPy or cupyx sparse array or matrix; a two-dimensional array, whose zeros are no arcs; a
        NetworkX graph, whose nodes are the labels unless they are 0 … n − 1 in this order; a `Graph`; a tuple (tails,
        heads) or (tails, heads, weights) of arrays of shape (m,) for m arcs; or a table of the columns ``source`` and
        ``target``, as `from_arrow` takes it.
    n : int, optional
        The number of vertices; by default as many as the matrix has, or one more than the largest of a tuple. Those
        beyond the matrix are isolated.
    weight : str
        The edge attribute that holds the weight, for a NetworkX graph: an edge without ``"weight"`` weighs 1, as in
        NetworkX; another one that is named is an attribute of all edges. The column that does, for a table; without
        the usual one each arc weighs 1.
    dup : {"error", "min", "sum", "first"}, optional
        What repeated arcs become, whatever the source. By default they are refused, but for the parallel edges of a
        NetworkX multigraph, of which the lightest stays. ``"sum"`` counts arcs that have no weights.
    undirected : bool
        Add the reverse of every arc that is not there with the same weight, on the host. Two directions of different
        weights are repeats.
    labels : sequence, optional
        A label for each vertex, by which it goes then: no two are the same, and None is none. By default those that
        `source` has.
    name : str, optional
        A name for messages and tables.
    engine : {"cpu", "cuda", "mpi"}, optional
        Where it lives; by default as `config.engine` says.

    Attributes
    ----------
    A : Matrix
        The adjacency matrix; the very `Matrix` that was given, if one was. It may be changed: what is asked of the
        graph next is about the matrix as it is then. The labels belong to it: when it is resized, the vertices that
        are left keep theirs, and `Graph` of this matrix has them, too.

    Raises
    ------
    DimensionMismatch
        If the matrix is not square, also when it was resized since.
    InvalidGraph
        If a weight is NaN or no number, an edge lacks the attribute that `weight` names, an edge occurs twice and `dup`
        does not say what it becomes, or `n` is less than the vertices of the matrix.

    Notes
    -----
    The arrays of a CSR matrix of SciPy or cupyx may be shared and not copied. Do not write into them afterwards
    (``S.data[0] = 5``), for the graph cannot see that and goes on with what it computed before: change `A`, or give
    ``S.copy()``.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4)
    >>> G.n, G.nvals, gl.bfs(G, 0).to_dict()
    (4, 3, {0: 0, 1: 1, 2: 2})
    """

    @report_out_of_memory
    def __init__(
        self,
        source: GraphSource | Graph,
        *,
        n: int | None = None,
        weight: str = "weight",
        dup: str | None = None,
        undirected: bool = False,
        labels: Any = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> None:
        if arrow.is_table(source):
            source, labels = arrow.read_usual_arcs(source, weight, labels), None
        source = source.A if isinstance(source, Graph) else source
        self._A = to_adjacency(source, n, weight, dup, to_bool(undirected, "undirected"), engine)
        self.name = name
        self._is_plain = False
        require_square(self._A, source, name)
        self._facts = Facts(check_adjacency(self._A))
        if labels is not None:
            self.labels = labels

    @classmethod
    def from_arrow(
        cls,
        table: ArrowTable,
        source: str = "source",
        target: str = "target",
        weight: str | None = "weight",
        *,
        relabel: bool = False,
        labels: Any = None,
        n: int | None = None,
        dup: str | None = None,
        undirected: bool = False,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Graph:
        """A graph of a table of arcs, with the labels of its vertices if they have names.

        Parameters
        ----------
        table : table
            One of pandas, Polars, DuckDB or pyarrow (whatever speaks the Arrow C stream), or a dictionary of arrays.
            Arrays on a GPU are integers; they stay there, and are numbered there.
        source, target : str
            The names of the columns of tails and heads. Integers are the numbers of the vertices. Anything else is a
            label: labels are numbered in the order in which they first occur, in `source` and then in `target`, and
            `labels` holds them. A table that `to_arrow` made, and that kept its metadata, has all vertices as they
            were.
        weight : str, optional
            The name of the column of weights. The default is taken if it is there; else, and for None, each arc
            weighs 1.
        relabel : bool
            Whether integers are labels, too: for numbers that are large, negative, or have gaps.
        labels : sequence, optional
            The labels of all vertices in their order, those without arcs included; the table has no others.
        n : int, optional
            The number of vertices, as of `Graph`; those beyond the labels have None for a label.
        dup : {"error", "min", "sum", "first"}, optional
            What repeated arcs become; by default they are refused. ``"sum"`` counts the arcs of a table without
            weights.
        undirected : bool
            Add the reverse of every arc that the table does not hold with the same weight.
        name : str, optional
            A name for messages and tables.
        engine : {"cpu", "cuda", "mpi"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Graph
            A new graph; `labels` holds the names of its vertices, if they have names.

        Raises
        ------
        InvalidGraph
            If a column is missing or holds nulls, weights are no numbers, numbers are no vertices, or an arc occurs
            twice and there is no `dup`. The message names the column and the row.
        UnknownLabel
            If an end of an arc is none of `labels`.
        NotSupported
            If pyarrow is not installed.

        See Also
        --------
        read : The same of a file: Parquet, Feather or CSV.

        Examples
        --------
        >>> import graphla as gl
        >>> arcs = {"source": ["Ulm", "Bonn"], "target": ["Bonn", "Kiel"], "km": [380, 520]}
        >>> G = gl.Graph.from_arrow(arcs, weight="km")
        >>> gl.sssp(G, "Ulm").to_arrow().to_pydict()
        {'vertex': ['Ulm', 'Bonn', 'Kiel'], 'distance': [0, 380, 900]}
        """
        arcs = arrow.read_arcs(table, source, target, weight, to_bool(relabel, "relabel"), labels)
        return cls(arcs, n=n, dup=dup, undirected=undirected, name=name, engine=engine)

    def to_arrow(self) -> Any:
        """The arcs as a `pyarrow.Table` of the columns ``source``, ``target`` and ``weight``, with labels if there are.

        Returns
        -------
        pyarrow.Table
            One row per arc, in the order of the rows of A. Its metadata say how many vertices there are, and list their
            labels, so that `from_arrow` finds the same numbers, and those that have no arc.

        Raises
        ------
        NotSupported
            If pyarrow is not installed.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.Graph(([0, 1], [1, 2], [4, 5])).to_arrow().to_pydict()
        {'source': [0, 1], 'target': [1, 2], 'weight': [4, 5]}
        """
        rows, cols, values = map(self.engine.to_host, self._A.to_coo())
        return arrow.tabulate(rows, cols, values, self.n, self._labels)

    @property
    def A(self) -> Matrix:
        """The adjacency matrix."""
        return self._A

    @A.setter
    def A(self, matrix: Matrix) -> None:
        labels, self._A = self._labels, matrix
        if matrix._names is None and labels is not None:
            self._take_labels(labels)

    @property
    def labels(self) -> Any:
        """A label for each vertex: an array of shape (n,), on the host; None if they have none."""
        held = self._labels
        return None if held is None else held.array

    @labels.setter
    def labels(self, given: Any) -> None:
        self._take_labels(read_labels(given, self._A.nrows))

    @property
    def _labels(self) -> Labels | None:
        names = None if self._is_plain else self._A._names
        return None if names is None else names.columns[0].labels

    def _take_labels(self, labels: Labels | None) -> None:
        """Let vertices have labels; those that are added to the labelled ones have None."""
        self._A._names = None if labels is None else name_arcs(labels.fit(self._A.nrows))

    @property
    def plain(self) -> Graph:
        """The same graph with the same facts, whose vertices are numbers alone, for the authors of methods."""
        if self._labels is None:
            return self
        _ = self._known
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, _is_plain=True)
        return made

    def update(
        self,
        *,
        insert: Any = None,
        delete: Any = None,
        weights: Any = None,
        n: int | None = None,
        undirected: bool = False,
        dup: str | None = None,
        missing: str = "error",
    ) -> Graph:
        """A graph with some arcs more, some less, and some of another weight; this one stays as it is.

        Arcs are deleted first, then weights change, then arcs are inserted.

        Parameters
        ----------
        insert, delete, weights : table, tuple of arrays, or matrix, optional
            Arcs: (tails, heads) or (tails, heads, weights), numbers or labels; a table of the columns ``source``,
            ``target`` and perhaps ``weight``; or the entries of a Matrix or another matrix that `Graph` takes. Weights
            of arcs to `delete` do not matter; arcs to `insert` weigh 1 without; those of `weights` must be there.
        n : int, optional
            The number of vertices from then on. By default as many as there are, and those that `insert` names:
            labels that are new become the next vertices.
        undirected : bool
            Whether the reverse of each arc belongs to its batch, too.
        dup : {"error", "first", "min", "sum"}, optional
            What an arc becomes that is inserted and is there, or is inserted twice; by default it is refused.
        missing : {"error", "ignore"}
            What becomes of arcs to delete that are not there.

        Returns
        -------
        Graph
            A new graph on the same engine, with the same name. What is known of this one and follows for the new one is
            kept: its transpose, symmetry, degrees, and the least and largest weight.

        Raises
        ------
        InvalidGraph
            If an arc to delete, or whose weight is to change, is not there; one to insert is there; a weight does not
            fit the dtype of the graph; or an end is no vertex. The message names the arc.
        UnknownLabel
            If an arc to delete, or whose weight is to change, has a label for an end that no vertex has.
        NotSupported
            If the graph is spread over ranks.

        Notes
        -----
        A batch of b arcs takes O(b log b) and one copy of the arrays of the graph, and of its transpose if that is
        known.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2], [4, 5]), labels=["a", "b", "c"])
        >>> H = G.update(insert=(["c"], ["d"], [6]), delete=(["a"], ["b"]))
        >>> H.to_arrow().to_pydict()
        {'source': ['b', 'c'], 'target': ['c', 'd'], 'weight': [5, 6]}
        >>> G.nvals, H.labels.tolist()
        (2, ['a', 'b', 'c', 'd'])
        """
        return self._update(insert, delete, weights, n, undirected, dup, missing)[0]

    def _update(
        self, insert: Any, delete: Any, weights: Any, n: int | None, undirected: bool, dup: str | None, missing: str
    ) -> tuple[Graph, Change]:
        """The changed graph, and what has changed of its arcs."""
        if self.engine.name == "mpi":
            raise NotSupported(
                "update: this graph is spread over ranks: G.to('cpu') collects it, and .to('mpi') spreads the result"
            )
        both = to_bool(undirected, "undirected")
        batches, labels = read_batches(self.engine, self._labels, delete, weights, insert, both, dup)
        named = arrow.find_size(batches[2].rows, batches[2].cols)
        size = max(self.n, named, 0 if labels is None else labels.array.size)
        wanted = size if n is None else to_int(n, "n", 0, arrow.LARGEST + 1, InvalidGraph)
        if wanted < size:
            raise InvalidGraph(f"n={n}: there are {size:,} vertices, and n may add some, not drop any")
        size = wanted

        def call(vertex: int) -> str:
            return str(vertex) if labels is None or vertex >= labels.array.size else repr(labels.array[vertex])

        change = resolve(self.engine, self.csr, batches, dup, missing, call)
        rows = apply(self.engine, self.csr, size, change)
        made = Graph(Matrix._from_storage(rows, self.engine), name=self.name)
        made._known.update(carry_facts(self.engine, self._known, self.csr, rows, change))
        made._take_labels(labels)
        return made, change

    def table(self, *answers: Vector, **named: Vector) -> Any:
        """A table of the vertices, with the answers to problems in its columns.

        Parameters
        ----------
        *answers : Vector
            Answers about this graph; their columns are called after them, as in `Vector.to_arrow`.
        **named : Vector
            Vectors with the names of their columns.

        Returns
        -------
        pyarrow.Table
            A row for each vertex: the column ``vertex`` with its label, or its number if there are no labels, and a
            column for each answer, with a null where it has no entry.

        Raises
        ------
        DimensionMismatch
            If one has no value for each vertex.
        InvalidGraph
            If two columns have one name; give them as ``name=answer``.
        NotSupported
            If pyarrow is not installed.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), labels=["a", "b", "c"])
        >>> G.table(gl.bfs(G, "b"), cores=gl.components(G)).to_pydict()
        {'vertex': ['a', 'b', 'c'], 'level': [None, 0, 1], 'cores': ['a', 'a', 'a']}
        """
        return arrow.join_answers(self.n, self._labels, answers, named)

    def index(self, label: Vertex) -> int:
        """The number of the vertex that has a label.

        Parameters
        ----------
        label : object
            One of `labels`.

        Returns
        -------
        int
            The vertex. Wherever a vertex is asked for, this int is a number, also if the labels are integers.

        Raises
        ------
        UnknownLabel
            If no vertex has this label; it is a KeyError, too.
        InvalidGraph
            If the graph has no labels.

        Notes
        -----
        The first call numbers all labels, in O(n).

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph.from_arrow({"source": ["Ulm", "Bonn"], "target": ["Bonn", "Kiel"]})
        >>> G.index("Kiel")
        2
        """
        held = self._labels
        if held is None:
            raise InvalidGraph(f"label={show(label)}: the graph has no labels; its vertices are 0 … {self.n - 1}")
        return Number(held.require(label, what="label"))

    # --- what methods ask for

    @property
    def n(self) -> int:
        """The number of vertices."""
        _ = self._known
        return self._A.shape[0]

    @property
    def nvals(self) -> int:
        """The number of stored arcs: two per edge if the graph is undirected."""
        return self._A.nvals

    @property
    def engine(self) -> Engine:
        """The engine on which it lives."""
        return self._A.engine

    @property
    def dtype(self) -> DType:
        """The dtype of the weights; BOOL for a pattern, where each edge weighs 1."""
        return self._A.dtype

    @property
    def _known(self) -> dict[str, Any]:
        """Return the facts about the current matrix; those about an older storage are dropped."""
        if self._facts.storage is not self._A._held:
            self._facts = Facts(check_adjacency(self.A))
        return self._facts.known

    def cached(self, name: str, make: Callable[[Graph], Any]) -> Any:
        """``make(self)``, computed once for the matrix as it is now, and again when it has changed.

        For the authors of methods, who prepare something of a graph once.

        Parameters
        ----------
        name : str
            A name that no other method uses.
        make : callable (Graph) -> object
            Computes the value.

        Returns
        -------
        object
            What `make` returned, now or before.

        Raises
        ------
        GraphlaError
            If the name is no text, or `make` no function.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), n=4)
        >>> G.cached("isolated", lambda G: int((G.degrees == 0).sum()))
        2
        """
        if not isinstance(name, str) or not callable(make):
            raise GraphlaError(f"cached: name={show(name)}, make={show(make)}: give a text and a function of the graph")
        known = self._known
        return known[name] if name in known else self._compute(name, make)

    @report_out_of_memory
    def _compute(self, name: str, make: Callable[[Graph], Any]) -> Any:
        """Compute what `cached` keeps."""
        made = self._known[name] = make(self)
        return made

    @property
    def csr(self) -> CompressedMatrix:
        """The rows of A as CSR arrays `indptr`, `indices` and `values`: row i holds the arcs that leave i."""
        return self.cached("csr", find_rows)

    @property
    def csc(self) -> CompressedMatrix:
        """The rows of the transpose: row j holds the arcs that enter j. If the graph is symmetric, it is `csr`."""
        return self.csr if self.symmetric else self.cached("csc", transpose_rows)

    @property
    def symmetric(self) -> bool:
        """Whether A equals its transpose, in structure and values."""
        return self.cached("symmetric", find_symmetric)

    @property
    def degrees(self) -> Any:
        """The number of arcs that leave each vertex: int32 of shape (n,), on the engine."""
        return self.cached("degrees", lambda G: cast_indices(measure_rows(G.csr.indptr), "int32"))

    @property
    def in_degrees(self) -> Any:
        """The number of arcs that enter each vertex: int32 of shape (n,), on the engine."""
        return self.cached("in_degrees", lambda G: cast_indices(measure_rows(G.csc.indptr), "int32"))

    @property
    def max_degree(self) -> int:
        """The largest number of arcs that leave a vertex."""
        return self.cached("max_degree", lambda G: int(G.degrees.max()) if G.n else 0)

    @property
    def min_weight(self) -> Any:
        """The smallest weight as a Python number; None without arcs."""
        return self.cached("min_weight", lambda G: reduce_weights(G, "min"))

    @property
    def max_weight(self) -> Any:
        """The largest weight as a Python number; None without arcs."""
        return self.cached("max_weight", lambda G: reduce_weights(G, "max"))

    # --- elsewhere

    def to(self, engine: EngineLike) -> Graph:
        """The same graph on another engine.

        Parameters
        ----------
        engine : {"cpu", "cuda", "mpi"} or None
            Where it is to live; None means as `config.engine` says.

        Returns
        -------
        Graph
            The graph itself if it lives there already, else a copy.

        Raises
        ------
        NotSupported
            If there is no such engine, or no GPU.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), engine="cpu")
        >>> G.to("cpu") is G
        True
        """
        target = get_engine(engine)
        if target is self.engine:
            return self
        return Graph(self.A.to(target), name=self.name)

    def vertex(self, value: Vertex, what: str) -> int:
        """Find the vertex that a caller means: by its label if the graph has labels, else by its number.

        Parameters
        ----------
        value : object
            What a caller gave. An int is a number, unless a label of the graph is a number, too: then it is a label,
            but for those that `index` returned.
        what : str
            The name of the argument, for the message of the error.

        Returns
        -------
        int
            The number of the vertex.

        Raises
        ------
        InvalidGraph
            If it is no int from 0 to n − 1, and the graph has no labels.
        UnknownLabel
            If no vertex has this label; it is an `InvalidGraph` and a KeyError.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.Graph(([0, 1], [1, 2])).vertex(2, "source")
        2
        >>> gl.Graph(([0, 1], [1, 2]), labels=["a", "b", "c"]).vertex("c", "source")
        2
        """
        labels = self._labels
        if labels is None and type(value) is int and 0 <= value < self._A.shape[0]:
            return value
        if labels is not None and labels.has(value):
            return labels.require(value, what, SEVERAL_HINT if isinstance(value, SEVERAL) else "")
        vertex = find_int(value)
        if vertex is None:
            several = SEVERAL_HINT if isinstance(value, SEVERAL) else ""
            unnamed = ", and this graph has no labels" if isinstance(value, str) else ""
            raise InvalidGraph(f"{what}={show(value)}: a vertex is an int from 0 to {self.n - 1}{unnamed}{several}")
        if not 0 <= vertex < self.n:
            raise InvalidGraph(f"{what}={show(value)} is no vertex: the graph has {self.n:,}, numbered from 0")
        return vertex

    def vertices(self, values: Vertices, what: str) -> list[int]:
        """Find the vertices that a caller means, each as `vertex` does.

        Parameters
        ----------
        values : sequence
            What a caller gave: numbers, or labels.
        what : str
            The name of the argument, for the message of the error.

        Returns
        -------
        list of int
            The numbers of the vertices.

        Raises
        ------
        InvalidGraph
            If it is no sequence, or holds something that is no vertex.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.Graph(([0, 1], [1, 2])).vertices([2, 0], "sources")
        [2, 0]
        """
        return self._number_vertices(values, what).tolist()

    def _number_vertices(self, values: Vertices, what: str) -> Any:
        """The same as an array, int64."""
        labels = self._labels
        numbered = labels is None or not labels.numeric
        if numbered and isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu":
            outside = np.flatnonzero((values < 0) | (values >= self.n))
            if outside.size:
                self.vertex(int(values[outside[0]]), what)
            return values.astype(np.int64)
        listed = list_vertices(values, what, numbered)
        return np.array([self.vertex(value, what) for value in listed], np.int64)

    def neighbors(self, vertex: Vertex) -> Any:
        """The vertices to which the arcs of a vertex lead.

        Parameters
        ----------
        vertex : object
            A vertex, by its label or by its number.

        Returns
        -------
        numpy.ndarray
            Their labels if the graph has labels, else their numbers, in the order of the numbers; on the host.

        Raises
        ------
        InvalidGraph
            If it is no vertex.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph.from_arrow({"source": ["Ulm", "Ulm"], "target": ["Bonn", "Kiel"]})
        >>> G.neighbors("Ulm").tolist()
        ['Bonn', 'Kiel']
        """
        row, csr = self.vertex(vertex, "vertex"), self.csr
        first, last = self.engine.to_host(csr.indptr[row : row + 2]).tolist()
        found = self.engine.to_host(csr.indices[first:last])
        return found if self._labels is None else self.labels[found]

    def plot(
        self,
        labels: Vector | ArrayLike | None = None,
        positions: ArrayLike | None = None,
        *,
        axes: Any = None,
        limit: int = 20_000,
        names: bool = True,
        weights: bool = False,
        seed: int = 0,
    ) -> Any:
        """Draw the graph: vertices as points and arcs as lines, or communities as circles if that were too many.

        Parameters
        ----------
        labels : Vector or array, optional
            A whole number for each vertex, as `leiden` finds it. The seven largest communities have a colour each, and
            all others are grey.
        positions : array, optional
            Of shape (n, 2): where vertices are; by default as `layout` finds them.
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        limit : int
            The most vertices and arcs together that are drawn one by one. Beyond it the 200 largest communities are
            drawn, by default those of `leiden`: the area of a circle says how many vertices it has, the width of a line
            how much weight the arcs between two of them have.
        names : bool
            Whether to write the labels or numbers of up to 40 vertices of the highest degrees beside them, without
            those that would cover another.
        weights : bool
            Whether arcs count by their weights for positions and widths; none may be negative or infinite then.
        seed : int
            Of the layout and of the communities.

        Returns
        -------
        matplotlib.axes.Axes
            What was drawn on.

        Raises
        ------
        DimensionMismatch
            If `labels` or `positions` do not fit the vertices.
        DomainMismatch
            If a position is NaN or infinite.
        InvalidGraph
            If weights count and one is negative or infinite.
        InvalidOption
            If an argument is out of range.
        NotSupported
            If matplotlib is not installed.

        Notes
        -----
        Up to 300 arcs of a directed graph have arrow heads. Loops are not drawn.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.generate.path(4, engine="cpu")
        >>> axes = G.plot(gl.leiden(G))  # doctest: +SKIP
        """
        picture = import_module("graphla.measuring.graph_plot")  # by name, for it stands above
        return picture.plot(self, labels, positions, axes, limit, names, weights, seed)

    def _call_vertices(self, numbers: list[int]) -> list[Any]:
        """The labels of vertices, or their numbers if the graph has no labels."""
        labels = self._labels
        return numbers if labels is None else labels.array[numbers].tolist()

    def __len__(self) -> int:
        return self.n

    def __contains__(self, vertex: Any) -> bool:
        """Whether the graph has a vertex, by its label or by its number."""
        try:
            self.vertex(vertex, "vertex")
        except InvalidGraph:
            return False
        return True

    def __getstate__(self) -> dict[str, Any]:
        """The matrix with its labels, and the name; whoever unpickles it computes the facts anew."""
        return {"_A": self._A, "name": self.name, "_is_plain": self._is_plain}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _facts=Facts())

    def _repr_html_(self) -> str:
        return display.format_facts(self, arcs=self.A)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        if self.A.nrows != self.A.ncols:
            return f"Graph{name}: its matrix has shape {self.A.shape}, and must be square again before it is used"
        known = self._facts.known if self._facts.storage is self.A._held else {}
        kind = "symmetric" if known.get("symmetric") else "directed" if "symmetric" in known else "arcs"
        arcs = "stored arcs" if kind != "arcs" else "stored arcs, symmetry not asked yet"
        shown = f"{self.A.nvals:,} {arcs}" + (f", {kind}" if kind != "arcs" else "")
        return f"Graph{name}: {self.A.nrows:,} vertices, {shown}, {self.dtype.name}, on {self.engine.name}"


def require_graph(G: Any) -> None:
    """Refuse what is no graph.

    Parameters
    ----------
    G : object
        What a caller gave.

    Raises
    ------
    GraphlaError
        If it is no `Graph`; the message says how to make one.

    Examples
    --------
    >>> import graphla as gl
    >>> from graphla.problem import require_graph
    >>> require_graph(gl.Graph(([0], [1])))
    """
    kind: type[object] = type(G)
    if not hasattr(kind, "csr"):
        raise GraphlaError(
            f"G={show(G)}: {kind.__name__} is no Graph: gl.Graph(…) makes one of a matrix, an array, arcs or NetworkX's"
        )


def reduce_weights(G: Graph, name: str) -> Any:
    """The smallest or the largest weight as a Python number; None without arcs."""
    if not G.nvals:
        return None
    if isinstance(G.A._storage, Distributed):
        return G.A.reduce_scalar(name).new().value
    return getattr(G.csr.values, name)().item()


def find_rows(G: Graph) -> CompressedMatrix:
    """The rows of the matrix; refused where they are spread over ranks."""
    return as_compressed(G.engine.xp, G.A._storage)


def transpose_rows(G: Graph) -> CompressedMatrix:
    """The rows of the transpose of the matrix."""
    return G.engine.transpose(G.csr)


def find_symmetric(G: Graph) -> bool:
    """Compare with the transpose; a symmetric matrix is kept as its own, and the copy goes."""
    if isinstance(G.A._storage, Distributed):
        return bool(G.A.isequal(G.A.T))
    matrix = G.csr
    if matrix.is_cached("transposed") and matrix.cached("transposed", None) is matrix:
        return True
    transposed = G.engine.transpose(matrix)
    same = all(are_equal(getattr(matrix, part), getattr(transposed, part)) for part in ("indptr", "indices", "values"))
    if same:
        matrix.keep_transpose(matrix)
    return same
