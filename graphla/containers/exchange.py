"""What matrices and vectors give to others, and take from them, in the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from graphla.common.arguments import to_int
from graphla.common.errors import DomainMismatch
from graphla.common.extras import require
from graphla.common.typing import Number
from graphla.containers import display
from graphla.containers.container import Container
from graphla.containers.interop import read_graphblas, require_graphblas
from graphla.engine import EngineLike
from graphla.language.kinds import R

KINDS = "Scalar", "Vector", "Matrix"


class Exchanged(Container[R]):
    """A matrix or a vector as arrays of NumPy, as an object of python-graphblas, and as text."""

    if TYPE_CHECKING:  # what `Matrix` and `Vector` have

        @property
        def _sizes(self) -> dict[str, int]: ...

        def to_dense(self, fill_value: Number | None = None) -> Any: ...

        def to_coo(self) -> tuple[Any, ...]: ...

        def to_arrow(self) -> Any: ...

        @classmethod
        def from_coo(cls, *entries: Any, engine: EngineLike = None, **sizes: Any) -> Self: ...

    def to_numpy(self, fill_value: Number | None = None) -> Any:
        """The entries as a NumPy array of this shape.

        Parameters
        ----------
        fill_value : number, optional
            The value for absent entries; may be left out if every entry is present.

        Returns
        -------
        numpy.ndarray
            Shape (size,) of a vector, (nrows, ncols) of a matrix, on the host.

        Raises
        ------
        GraphlaError
            If a place has no entry and there is no `fill_value`.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.to_numpy(0)
        array([5, 0, 7])
        """
        return self.engine.to_host(self.to_dense(fill_value))

    def to_pandas(self) -> Any:
        """The entries as a `pandas.DataFrame`, with the columns that `to_arrow` gives.

        Returns
        -------
        pandas.DataFrame
            One row per entry.

        Raises
        ------
        NotSupported
            If pandas or pyarrow is not installed.

        Examples
        --------
        >>> import graphla as gl
        >>> frame = gl.pagerank(gl.generate.cycle(4)).to_pandas()  # doctest: +SKIP
        """
        require("pandas", "pandas", "to_pandas")
        return self.to_arrow().to_pandas()

    def top(self, count: int) -> list[tuple[Any, ...]]:
        """The entries of the largest values, the largest first; of equal ones those that stand first.

        Parameters
        ----------
        count : int
            How many at most.

        Returns
        -------
        list of tuple
            An index and a value each, or row, column and value of a matrix; of the answer to a problem the labels of
            the vertices, if the graph has labels.

        Raises
        ------
        DomainMismatch
            If the values are complex, and have no order.

        Notes
        -----
        O(entries), and a sort of `count`.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 2], [1, 2, 1]), labels=["a", "b", "c"])
        >>> [name for name, rank in gl.pagerank(G).top(2)]
        ['b', 'c']
        """
        count = to_int(count, "count", 0)
        if self.dtype.kind == "c":
            raise DomainMismatch(f"top: the values are {self.dtype}, and have no order: take unary.abs first")
        parts = [self.engine.to_host(part) for part in self.to_coo()]
        order = find_largest(parts[-1], count)
        columns = [None] * len(parts) if self._names is None else [each.labels for each in self._names.columns]
        named = [
            part[order] if labels is None else labels.array[part[order]]
            for part, labels in zip(parts, columns, strict=True)
        ]
        return list(zip(*(each.tolist() for each in named), strict=True))

    @classmethod
    def from_graphblas(cls, source: Any, *, engine: EngineLike = None) -> Self:
        """A copy of a matrix, or of a vector, of python-graphblas.

        Parameters
        ----------
        source : graphblas.Matrix or graphblas.Vector
            Of this kind, and of a dtype that graphla has.
        engine : {"cpu", "cuda"}, optional
            Where it is to live.

        Returns
        -------
        Matrix or Vector
            With the same entries, of the same dtype.

        Raises
        ------
        DomainMismatch
            If `source` is something else.

        Examples
        --------
        >>> import graphblas as gb
        >>> from graphla import Vector
        >>> Vector.from_graphblas(gb.Vector.from_coo([1], [2], size=3)).to_dict()
        {1: 2}
        """
        rank: Any = cls.rank
        entries = read_graphblas(source, KINDS[rank])
        sizes = {"size": source.size} if len(entries) == 2 else {"nrows": source.nrows, "ncols": source.ncols}
        return cls.from_coo(*entries, source.dtype.name, engine=engine, **sizes)

    def to_graphblas(self) -> Any:
        """A copy as a `graphblas.Matrix` or a `graphblas.Vector`.

        Returns
        -------
        graphblas.Matrix or graphblas.Vector
            With the same entries, of the same dtype.

        Raises
        ------
        NotSupported
            If python-graphblas is not installed.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_coo([0], [1], [2]).to_graphblas().nvals
        1
        """
        entries = (self.engine.to_host(part) for part in self.to_coo())
        kind = getattr(require_graphblas(), KINDS[self.rank])
        return kind.from_coo(*entries, self.dtype.name, **self._sizes)

    def __repr__(self) -> str:
        return display.format_text(self)

    def _repr_html_(self) -> str:
        return display.format_page(self)


def find_largest(values: Any, count: int) -> Any:
    """Where the largest values stand, the largest first, and of equal ones the first."""
    if not 0 < count < values.size:
        chosen = np.arange(values.size if count else 0)
    else:
        least = np.partition(values, values.size - count)[values.size - count]
        above = np.flatnonzero(values > least)
        chosen = np.sort(np.concatenate([above, np.flatnonzero(values == least)[: count - above.size]]))
    return chosen[::-1][np.argsort(values[chosen[::-1]], kind="stable")[::-1]]
