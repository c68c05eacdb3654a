"""Kinds of answers: how each is made of what a method fills, brought to the host, and told from something else."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from graphla.common.arguments import find_int, show, to_real
from graphla.common.errors import DimensionMismatch
from graphla.containers.labels import Column, Labels, Names
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.storage import CompressedMatrix, FullVector
from graphla.storage.convert import copy_array

Array = Any
UNTOLD = ("value", "values")
"""Names of answers that say nothing beside the name of the problem."""
NOUNS = {"iu": "a vector of whole numbers", "b": "a BOOL vector"}
"""What is asked for by the kinds of dtypes; else numbers."""


def to_singular(name: str) -> str:
    """What one value of an answer is called.

    Parameters
    ----------
    name : str
        What all of them are called.

    Returns
    -------
    str
        The column of a table of them.

    Examples
    --------
    >>> to_singular("levels"), to_singular("authorities"), to_singular("depth")
    ('level', 'authority', 'depth')
    """
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


@dataclass(frozen=True)
class Answer:
    """One of the things that a problem gives: a number, a value for each vertex, or rows of such values.

    Which of them it is, the dimensions of the array say; `PerVertex`, `PerArc`, `Entries` and `Number` are one of them.

    Parameters
    ----------
    name : str
        What it is, as files and tables name it: ``"levels"``.
    absent : object or callable (dtype) -> object
        What an array holds where there is no entry; None if each vertex has one.
    asked_by : str
        The option that asks for it; empty for what is always given.
    argument : str
        Its name among the arguments of `Problem.verify`, if that is another.
    kinds : str
        The kinds of dtypes that it may have, as NumPy names them.
    column : str
        What its values are called in a table; by default the name without an "s" at its end, and the problem where the
        name says nothing.
    index : tuple of str
        What its indices are called in a table, if they are not all vertices.
    of_vertices : bool
        Whether its values are vertices.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
    >>> levels, parents = gl.bfs.gives
    >>> levels.to_array(gl.bfs(G, 0)).tolist(), parents.asked_by
    ([0, 1, 2, -1], 'parents')
    """

    each_vertex: ClassVar[bool] = False
    """Whether it is, or with some options is, a vector of a value for each vertex."""

    name: str
    absent: Any = -1
    asked_by: str = ""
    argument: str = ""
    kinds: str = "iuf"
    column: str = ""
    index: tuple[str, ...] = ()
    of_vertices: bool = False

    def call(self, G: Any, answer: Any, problem: str, sources: Any = None) -> Any:
        """An answer that knows what its indices and its values are called, and the labels of the vertices.

        Parameters
        ----------
        G : Graph
            The graph that was asked about.
        answer : object
            What `from_array` made.
        problem : str
            The name of the problem.
        sources : sequence of int, optional
            The vertices for which its rows stand; by default all.

        Returns
        -------
        object
            The answer itself.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs(gl.Graph(([0], [1]), labels=["a", "b"]), "a").to_arrow().to_pydict()
        {'vertex': ['a', 'b'], 'level': [0, 1]}
        """
        if not isinstance(answer, Vector | Matrix):
            return answer
        labels = G._labels
        first = labels
        if sources is not None:
            chosen = np.asarray(sources, np.int64)
            first = Labels(chosen if labels is None else labels.array[chosen])
        usual = ("vertex",) if answer.rank == 1 else ("source", "vertex" if sources is not None else "target")
        held = (None, None) if self.index else (first, labels)
        ends = [Column(name, labels) for name, labels in zip(self.index or usual, held, strict=False)]
        column = self.column or (problem if self.name in UNTOLD else to_singular(self.name))
        return answer._name_columns(Names((*ends, Column(column, labels if self.of_vertices else None))))

    def find_absent(self, dtype: Any) -> Any:
        """What an array of a dtype holds where there is no entry.

        Parameters
        ----------
        dtype : dtype
            The dtype of the array.

        Returns
        -------
        object
            `absent` itself, or what it gives for the dtype.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.bfs.gives[0].find_absent("int32")
        -1
        """
        return self.absent(np.dtype(dtype)) if callable(self.absent) else self.absent

    def from_array(self, G: Any, array: Array) -> Any:
        """The answer of an array: a number, a vector, or a matrix of rows.

        Parameters
        ----------
        G : Graph
            The graph that was asked about.
        array : array, number, Vector or Matrix
            The values that a method filled, with `absent` where nothing is, or what `to_array` made. A container is an
            answer already.

        Returns
        -------
        int, float, Vector or Matrix
            On the engine of the graph.

        Examples
        --------
        >>> import graphla as gl
        >>> import numpy as np
        >>> G = gl.Graph(([0, 1], [1, 2]), n=3, engine="cpu")
        >>> gl.bfs.gives[0].from_array(G, np.array([0, -1, 1], "int32")).to_dict()
        {0: 0, 2: 1}
        """
        if isinstance(array, (Vector, Matrix, int, float)):
            return array
        if array.ndim == 0:
            return array.item()
        if self.absent is None:
            return Vector._from_storage(FullVector(copy_array(G.engine.xp.asarray(array))), G.engine)
        absent = self.absent(array.dtype) if callable(self.absent) else self.absent
        return (Vector if array.ndim == 1 else Matrix)._from_sentinel(array, absent, G.engine)

    def to_array(self, answer: Any) -> Array:
        """The array of an answer, on the host.

        Parameters
        ----------
        answer : int, float, Vector or Matrix
            What the problem returned.

        Returns
        -------
        array
            The values, with `absent` where nothing is.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
        >>> gl.bfs.gives[0].to_array(gl.bfs(G, 0)).tolist()
        [0, 1, 2, -1]
        """
        if not hasattr(answer, "to_dense"):
            return np.asarray(answer)
        return answer.to_numpy(-1 if self.absent is None else self.find_absent(answer.dtype.numpy))

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The array of what a caller gave to be verified, refused if it cannot be an answer.

        Parameters
        ----------
        G : Graph
            The graph that was asked about.
        value : object
            What a caller gave.
        settings : object
            The settings of the problem.

        Returns
        -------
        array
            As `to_array` makes it.

        Raises
        ------
        DimensionMismatch
            If it has not the shape of an answer.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
        >>> gl.bfs.gives[0].read(G, gl.bfs(G, 0), None).tolist()
        [0, 1, 2, -1]
        """
        fits = isinstance(value, Vector) and value.shape == (G.n,) and value.dtype.kind in self.kinds
        if not fits:
            raise self.refuse(value, f"{NOUNS.get(self.kinds, 'a vector of numbers')} of size {G.n:,}")
        return self._to_read(value)

    def _to_read(self, value: Vector) -> Array:
        """The array of an answer that is verified."""
        return self.to_array(value)

    def refuse(self, value: Any, wanted: str) -> DimensionMismatch:
        """The error of a value that is no answer.

        Parameters
        ----------
        value : object
            What a caller gave.
        wanted : str
            What is an answer.

        Returns
        -------
        DimensionMismatch
            With the name, the value and what to give.

        Examples
        --------
        >>> import graphla as gl
        >>> str(gl.bfs.gives[0].refuse(3, "a vector"))
        'levels=3: give a vector, as the problem returns it'
        """
        return DimensionMismatch(
            f"{self.argument or self.name}={show(value)}: give {wanted}, as the problem returns it"
        )


class PerVertex(Answer):
    """A value for each vertex: a vector, with no entry where the array holds `absent`."""

    each_vertex = True


class OfSome(Answer):
    """A number for each of some vertices: a vector that has no entry elsewhere, read as NaN there."""

    each_vertex = True

    def _to_read(self, value: Vector) -> Array:
        return value.to_numpy(np.nan).astype(float)


def name_values(G: Any, values: Vector, name: str) -> Vector:
    """A vector with a value for each vertex that knows the labels of these and what the values are.

    Parameters
    ----------
    G : Graph
        The graph that was asked about.
    values : Vector
        Of size n.
    name : str
        What the values are called in a table.

    Returns
    -------
    Vector
        The vector itself.
    """
    return PerVertex("value").call(G, values, name)


@dataclass(frozen=True)
class Rows(Answer):
    """Rows of values: a matrix, with no entry where the array holds `absent`.

    Parameters
    ----------
    shape : callable (G, settings) -> tuple of int
        The shape that it has.
    """

    shape: Callable[[Any, Any], tuple[int, ...]] = lambda G, settings: (G.n, G.n)

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The rows, refused if they have another shape."""
        shape = self.shape(G, settings)
        if not isinstance(value, Matrix) or value.shape != shape:
            raise DimensionMismatch(f"{self.argument or self.name}={show(value)}: give a matrix of shape {shape}")
        return self.to_array(value)


class Number(Answer):
    """A number."""

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The number, refused if it is none."""
        real = to_real(value, self.argument or self.name)
        return real if find_int(value) is None else int(value)


@dataclass(frozen=True)
class NumberOrPerVertex(Answer):
    """A number, or a value for each vertex, as the settings say.

    Parameters
    ----------
    per_vertex : callable (settings) -> bool
        Whether there is one for each vertex.
    """

    each_vertex = True
    per_vertex: Callable[[Any], bool] = bool

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The number or the array, refused if it cannot be an answer."""
        if self.per_vertex(settings):
            return super().read(G, value, settings)
        return Number.read(self, G, value, settings)  # type: ignore[arg-type]


@dataclass(frozen=True)
class PerArc(Answer):
    """A value for each arc: a matrix with an entry for each, row by row.

    Parameters
    ----------
    arcs : callable (G) -> Graph
        The graph whose arcs have one; by default that which was asked about.
    """

    arcs: Callable[[Any], Graph] = lambda G: G

    def from_array(self, G: Any, array: Array) -> Matrix:
        """The matrix of the values of all arcs."""
        csr = self.arcs(G).csr
        values = G.engine.xp.asarray(array)
        return Matrix._from_storage(CompressedMatrix(G.n, G.n, csr.indptr, csr.indices, values), G.engine)

    def to_array(self, answer: Matrix) -> Array:
        """The values of all arcs, on the host."""
        return answer.engine.to_host(answer.to_coo()[2])

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The values of all arcs, refused if some have none or others have one."""
        name = self.argument or self.name
        if not isinstance(value, Matrix) or value.shape != (G.n, G.n) or value.dtype.kind not in self.kinds:
            raise DimensionMismatch(
                f"{name}={show(value)}: give the matrix of shape {(G.n, G.n)} that the problem returns"
            )
        csr, found = self.arcs(G).csr, Graph(value.to("cpu")).csr
        if not all(np.array_equal(getattr(found, part), getattr(csr, part)) for part in ("indptr", "indices")):
            raise DimensionMismatch(f"{name}: give the matrix that the problem returns, with an entry for each arc")
        return found.values


class Entries(Answer):
    """Pairs of vertices, or vertices, each with a value: a matrix, or a vector, that has no entry elsewhere.

    The array has records: ``tail``, ``head`` and ``value`` of a matrix, ``vertex`` and ``value`` of a vector.
    """

    def from_array(self, G: Any, array: Array) -> Any:
        """The matrix or the vector of records."""
        if isinstance(array, Vector | Matrix):
            return array
        parts: list[Any] = [np.ascontiguousarray(array[name]) for name in array.dtype.names]
        if len(parts) == 2:
            return Vector.from_coo(*parts, size=G.n, engine=G.engine)
        return Matrix.from_coo(*parts, nrows=G.n, ncols=G.n, engine=G.engine)

    def to_array(self, answer: Vector | Matrix) -> Array:
        """The records of all entries, on the host, in order."""
        return pack_records(*(answer.engine.to_host(part) for part in answer.to_coo()))

    def read(self, G: Any, value: Any, settings: Any) -> Array:
        """The records of a matrix, refused if it is none of the shape of the graph."""
        if not isinstance(value, Matrix) or value.shape != (G.n, G.n):
            raise DimensionMismatch(
                f"{self.argument or self.name}={show(value)}: give the matrix of shape {(G.n, G.n)} that the problem "
                "returns"
            )
        return self.to_array(value.to("cpu"))


def pack_records(*parts: Array) -> Array:
    """Records of a vertex and a value, or of tail, head and value."""
    names = ("tail", "head", "value") if len(parts) == 3 else ("vertex", "value")
    dtypes = [np.int32] * (len(parts) - 1) + [parts[-1].dtype]
    records: Any = np.empty(parts[-1].size, list(zip(names, dtypes, strict=True)))
    for name, part in zip(names, parts, strict=True):
        records[name] = part
    return records
