"""Export a matrix: coordinates, CSR and CSC arrays, dictionaries, dense arrays, SciPy and cupyx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.common.arguments import is_wanted, show, to_bool, to_int, to_text
from graphla.common.errors import DimensionMismatch, InvalidOption
from graphla.common.memory import require_on_host
from graphla.common.typing import DTypeLike, Number, Order
from graphla.containers import arrow
from graphla.containers.exchange import Exchanged
from graphla.containers.execute import report_out_of_memory
from graphla.containers.interop import to_cupyx
from graphla.containers.operations import MatrixOperations
from graphla.containers.validate import cast_copy, copy_values, dtype_with, to_fill, to_format
from graphla.language.kinds import R
from graphla.language.recording import refuse_in_loop
from graphla.storage import CompressedMatrix, FullMatrix
from graphla.storage.cast import cast_number
from graphla.storage.convert import copy_array, make_full, scatter
from graphla.storage.deferred import SentinelArray
from graphla.storage.formats import as_cells, as_compressed, as_sparse, list_row_ids
from semirings.dtypes import lookup

ORDERS = {
    **dict.fromkeys(("row", "rows", "rowwise"), "rowwise"),
    **dict.fromkeys(("col", "cols", "column", "columns", "colwise", "columnwise"), "columnwise"),
}
"""The orders of nested dictionaries, and their other names."""


def require_order(order: str) -> str:
    """Refuse an order of nested dictionaries that is none."""
    if not isinstance(order, str) or order not in ORDERS:
        raise InvalidOption(f"order={show(order)}: there are 'rowwise' and 'columnwise'")
    return ORDERS[order]


class MatrixExport(Exchanged[R], MatrixOperations[R]):
    """A matrix as coordinates, rows, columns, dictionaries and arrays, and in the formats of other libraries."""

    if TYPE_CHECKING:  # what `Matrix` has

        @property
        def nrows(self) -> int: ...

        @property
        def ncols(self) -> int: ...

        @property
        def T(self) -> Any: ...

    @property
    def _sizes(self) -> dict[str, int]:
        return {"nrows": self.nrows, "ncols": self.ncols}

    @report_out_of_memory
    def to_coo(
        self,
        dtype: DTypeLike | None = None,
        *,
        rows: bool = True,
        columns: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:
        """The entries as arrays, in row order.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default the same.
        rows, columns, values : bool
            Which of the three to return; the others are None.
        sort : bool
            Whether they have to be sorted, which they always are.

        Returns
        -------
        rows : array
            int64 of shape (nvals,), on the engine.
        columns : array
            int32 of shape (nvals,).
        values : array
            Shape (nvals,).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> [part.tolist() for part in A.to_coo()]
        [[0, 1], [1, 0], [2, 3]]
        """
        rows, columns, values = is_wanted(rows, "rows"), is_wanted(columns, "columns"), is_wanted(values, "values")
        to_bool(sort, "sort")
        matrix = as_compressed(self.engine.xp, self._collected)
        return (
            list_row_ids(matrix) if rows else None,
            copy_array(matrix.indices) if columns else None,
            copy_values(matrix, dtype) if values else None,
        )

    @report_out_of_memory
    def to_arrow(self, labels: Any = None) -> Any:
        """The entries in row order as a `pyarrow.Table` of the columns ``row``, ``column`` and ``value``.

        The answer to a problem has the columns ``source``, ``target`` and one that is called after it, with the labels
        of the graph.

        Parameters
        ----------
        labels : array, optional
            What stands for rows and columns, such as `Graph.labels`.

        Returns
        -------
        pyarrow.Table
            One row per entry, in row order.

        Raises
        ------
        NotSupported
            If pyarrow is not installed.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_coo([0, 1], [1, 0], [2, 3]).to_arrow().to_pydict()
        {'row': [0, 1], 'column': [1, 0], 'value': [2, 3]}
        """
        rows, columns, values = (self.engine.to_host(part) for part in self.to_coo())
        return arrow.write_named(
            (rows, columns, values), self._names, ("row", "column", "value"), (labels, labels, None)
        )

    @report_out_of_memory
    def to_edgelist(self, dtype: DTypeLike | None = None, *, values: bool = True, sort: bool = True) -> tuple[Any, Any]:
        """The entries as pairs and values, in row order.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default that of the matrix.
        values : bool
            Whether the values are wanted.
        sort : bool
            Whether the order matters; it is by rows either way.

        Returns
        -------
        edges : array
            Shape (nvals, 2): row and column of each entry.
        values : array
            Shape (nvals,); None if they are not wanted.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> edges, values = A.to_edgelist()
        >>> edges.tolist(), values.tolist()
        ([[0, 1], [1, 0]], [2, 3])
        """
        rows, columns, held = self.to_coo(dtype, values=values, sort=sort)
        return self.engine.xp.stack([rows, columns.astype(rows.dtype)], axis=1), held

    @report_out_of_memory
    def to_dicts(self, order: Order = "rowwise") -> dict[int, dict[int, Any]]:
        """The matrix as nested dictionaries.

        Parameters
        ----------
        order : {"rowwise", "columnwise"}
            Whether the outer keys are rows or columns.

        Returns
        -------
        dict of int to dict
            ``{row: {column: value}}`` with Python numbers; rows without entries are left out.

        Raises
        ------
        GraphlaError
            If `order` is neither.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.to_dicts("columnwise")
        {0: {1: 3}, 1: {0: 2}}
        """
        of = self if require_order(order) == "rowwise" else self.T.new()
        rows, columns, values = (self.engine.to_host(part).tolist() for part in of.to_coo())
        found: dict[int, dict[int, Any]] = {}
        for row, column, value in zip(rows, columns, values, strict=True):
            found.setdefault(row, {})[column] = value
        return found

    @report_out_of_memory
    def to_csr(self, dtype: DTypeLike | None = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """The three arrays of CSR, copied.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default the same.
        sort : bool
            Whether they have to be sorted, which they always are.

        Returns
        -------
        indptr : array
            Shape (nrows + 1,): where the entries of each row begin.
        indices : array
            int32 of shape (nvals,): the columns, sorted within rows.
        values : array
            Shape (nvals,).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> [part.tolist() for part in A.to_csr()]
        [[0, 1, 2], [1, 0], [2, 3]]
        """
        to_bool(sort, "sort")
        matrix = self._to_compressed()
        return matrix.indptr.copy(), matrix.indices.copy(), copy_values(matrix, dtype)

    @report_out_of_memory
    def to_csc(self, dtype: DTypeLike | None = None, *, sort: bool = True) -> tuple[Any, Any, Any]:
        """The three arrays of CSC.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default the same.
        sort : bool
            Whether they have to be sorted, which they always are.

        Returns
        -------
        indptr : array
            Shape (ncols + 1,): where the entries of each column begin.
        indices : array
            int32 of shape (nvals,): the rows, sorted within columns.
        values : array
            Shape (nvals,).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> [part.tolist() for part in A.to_csc()]
        [[0, 1, 2], [1, 0], [3, 2]]
        """
        return self.T.new().to_csr(dtype, sort=sort)

    @report_out_of_memory
    def to_dcsr(self, dtype: DTypeLike | None = None, *, sort: bool = True) -> tuple[Any, Any, Any, Any]:
        """The four arrays of hypersparse CSR, which name the rows that have entries.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default the same.
        sort : bool
            Whether they have to be sorted, which they always are.

        Returns
        -------
        compressed_rows : array
            Shape (k,): the rows that have entries.
        indptr : array
            Shape (k + 1,): where the entries of each of these begin.
        indices : array
            int32 of shape (nvals,): the columns, sorted within rows.
        values : array
            Shape (nvals,).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 9], [1, 0], [2, 3])
        >>> [part.tolist() for part in A.to_dcsr()]
        [[0, 9], [0, 1, 2], [1, 0], [2, 3]]
        """
        indptr, indices, values = self.to_csr(dtype, sort=sort)
        lines = self.engine.xp.flatnonzero(indptr[1:] > indptr[:-1])
        return lines, self.engine.xp.concatenate([indptr[lines], indptr[-1:]]), indices, values

    @report_out_of_memory
    def to_dcsc(self, dtype: DTypeLike | None = None, *, sort: bool = True) -> tuple[Any, Any, Any, Any]:
        """The four arrays of hypersparse CSC, which name the columns that have entries.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default the same.
        sort : bool
            Whether they have to be sorted, which they always are.

        Returns
        -------
        compressed_cols : array
            Shape (k,): the columns that have entries.
        indptr : array
            Shape (k + 1,): where the entries of each of these begin.
        indices : array
            int32 of shape (nvals,): the rows, sorted within columns.
        values : array
            Shape (nvals,).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 9], [1, 0], [2, 3])
        >>> [part.tolist() for part in A.to_dcsc()]
        [[0, 1], [0, 1, 2], [9, 0], [3, 2]]
        """
        return self.T.new().to_dcsr(dtype, sort=sort)

    @report_out_of_memory
    def to_dense(self, fill_value: Number | None = None, dtype: DTypeLike | None = None) -> Any:
        """The matrix as a two-dimensional array.

        Parameters
        ----------
        fill_value : number, optional
            The value for absent entries; may be left out if every entry is present.
        dtype : dtype, optional
            Of the array.

        Returns
        -------
        array
            Shape (nrows, ncols), on the engine; a copy.

        Raises
        ------
        GraphlaError
            If a cell has no entry and there is no `fill_value`.

        Notes
        -----
        O(cells).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.to_dense(0).tolist()
        [[0, 2], [3, 0]]
        """
        refuse_in_loop()
        if dtype is not None:
            held = to_fill(fill_value, 0, 0)
            fill = None if held is None else cast_number(held, lookup(dtype)).item()
            return cast_copy(self.to_dense(fill), lookup(dtype))
        fill_value = to_fill(fill_value, 0, 0)
        if fill_value is not None and isinstance(self._held, SentinelArray) and self._held.fills(fill_value):
            return self.engine.xp.array(self._held.values)
        cells = self.nrows * self.ncols
        if fill_value is None and self.nvals < cells:
            to_fill(None, cells - self.nvals, cells)
        held = self._collected
        if isinstance(held, FullMatrix):
            return copy_array(held.values)
        kind = np.dtype(self.dtype.numpy) if fill_value is None else dtype_with(self.dtype, fill_value)
        require_on_host(cells * kind.itemsize, f"an array of {self.nrows} × {self.ncols}", self.engine.xp)
        dense = make_full(self.engine.xp, cells, 0 if fill_value is None else fill_value, kind.str)
        sparse = as_sparse(self.engine.xp, as_cells(self.engine.xp, held))
        scatter(dense, sparse.indices, sparse.values.astype(kind, copy=False))
        return dense.reshape(self.shape)

    @report_out_of_memory
    def to_scipy_sparse(self, format: str = "csr") -> Any:
        """The matrix as a SciPy sparse array on the host.

        Parameters
        ----------
        format : str
            A format of SciPy: ``"csr"``, ``"csc"``, ``"coo"`` …

        Returns
        -------
        scipy.sparse.sparray
            A copy.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.to_scipy_sparse("coo").nnz
        2
        """
        import scipy.sparse

        matrix = self._to_compressed()
        indptr, indices, values = (self.engine.to_host(part) for part in (matrix.indptr, matrix.indices, matrix.values))
        return to_format(scipy.sparse.csr_array((values.copy(), indices.copy(), indptr.copy()), self.shape), format)

    @report_out_of_memory
    def to_networkx(self, edge_attribute: str | None = "weight") -> Any:
        """A `networkx.DiGraph` whose nodes are the indices, with an edge for each entry.

        Parameters
        ----------
        edge_attribute : str, optional
            The attribute that holds the value; None for edges without values.

        Returns
        -------
        networkx.DiGraph
            The graph.

        Raises
        ------
        DimensionMismatch
            If the matrix is not square.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_coo([0], [1], [5], nrows=2, ncols=2).to_networkx().edges[0, 1]
        {'weight': 5}
        """
        import networkx as nx

        if edge_attribute is not None:
            to_text(edge_attribute, "edge_attribute")
        if self.nrows != self.ncols:
            raise DimensionMismatch(f"to_networkx: a graph has a square matrix, and this one is {self.shape}")
        rows, columns, values = (self.engine.to_host(part).tolist() for part in self.to_coo())
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.nrows))
        if edge_attribute is None:
            graph.add_edges_from(zip(rows, columns, strict=True))
        else:
            graph.add_weighted_edges_from(zip(rows, columns, values, strict=True), weight=edge_attribute)
        return graph

    @report_out_of_memory
    def to_cupyx_sparse(self) -> Any:
        """A `cupyx.scipy.sparse.csr_matrix` of the same arrays: copy it before you change it.

        Returns
        -------
        cupyx.scipy.sparse.csr_matrix
            It shares the arrays.

        Raises
        ------
        NotSupported
            If the matrix does not live on a GPU.
        DomainMismatch
            If cupyx has no matrices of this dtype: it has BOOL, FP32 and FP64.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2.0, 3.0], engine="cpu")
        >>> A.to_cupyx_sparse()  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        graphla.errors.NotSupported: ...
        """
        return to_cupyx(self._to_compressed(), self.engine)

    @report_out_of_memory
    def head(self, count: int) -> tuple[Any, Any, Any]:
        """The first few entries, in row order.

        Parameters
        ----------
        count : int
            How many at most.

        Returns
        -------
        rows : numpy.ndarray
            Shape (k,), on the host.
        columns : numpy.ndarray
            Shape (k,), on the host.
        values : numpy.ndarray
            Shape (k,), on the host.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> [part.tolist() for part in A.head(1)]
        [[0], [1], [2]]
        """
        count = to_int(count, "count", 0)
        matrix = self.engine.collect_first(self._storage, count)
        if isinstance(matrix, FullMatrix):
            places = np.arange(min(count, self.nvals))
            values = self.engine.to_host(matrix.values.reshape(-1)[:count])
            return places // max(1, self.ncols), places % max(1, self.ncols), values
        pointers = self.engine.to_host(matrix.indptr)
        rows = np.searchsorted(pointers, np.arange(min(count, self.nvals), dtype=pointers.dtype), side="right") - 1
        return rows, self.engine.to_host(matrix.indices[:count]), self.engine.to_host(matrix.values[:count])

    def _to_compressed(self) -> CompressedMatrix:
        """The entries as rows of columns; those of all ranks, on each."""
        return as_compressed(self.engine.xp, self._collected)
