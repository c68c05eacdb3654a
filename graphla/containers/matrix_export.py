"""Export a matrix: coordinates, CSR and CSC arrays, dictionaries, dense arrays, SciPy and cupyx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from graphla.containers import arrow
from graphla.containers.container import Container
from graphla.containers.interop import cupyx_of
from graphla.containers.operations import MatrixOperations
from graphla.errors import GraphlaError
from graphla.language.recording import refuse_in_loop
from graphla.storage import CompressedMatrix, FullMatrix
from graphla.storage.deferred import SentinelArray
from graphla.storage.formats import as_cells, as_sparse, compressed, row_ids
from graphla.typing import Number

if TYPE_CHECKING:
    from graphla.containers.matrix import (
        Matrix,  # noqa: F401 (named in a base class)
        TransposedMatrix,
    )

Order: TypeAlias = Literal["rowwise", "columnwise"]


def require_order(order: str) -> str:
    """Refuse an order of nested dictionaries that is none."""
    if order not in ("rowwise", "columnwise"):
        raise GraphlaError(f"order={order!r}: there are 'rowwise' and 'columnwise'")
    return order


class MatrixExport(Container["Matrix"], MatrixOperations):
    """A matrix as coordinates, rows, columns, dictionaries and arrays, and in the formats of other libraries."""

    if TYPE_CHECKING:  # what `Matrix` has

        @property
        def nrows(self) -> int: ...

        @property
        def ncols(self) -> int: ...

        @property
        def T(self) -> TransposedMatrix: ...

    def to_coo(self) -> tuple[Any, Any, Any]:
        """Rows, columns and values in row order, on the engine."""
        matrix = self._compressed()
        return row_ids(matrix), matrix.indices.copy(), matrix.values.copy()

    def to_arrow(self, labels: Any = None) -> Any:
        """The entries in row order as a `pyarrow.Table` of the columns ``row``, ``column`` and ``value``.

        Parameters
        ----------
        labels : array, optional
            What stands for rows and columns, such as `Graph.labels`.

        Returns
        -------
        pyarrow.Table

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
        if labels is not None:
            rows, columns = np.asarray(labels)[rows], np.asarray(labels)[columns]
        return arrow.write_table(self.engine, row=rows, column=columns, value=values)

    def to_edgelist(self) -> tuple[Any, Any]:
        """An array of (row, column) pairs in row order, and the values."""
        rows, columns, values = self.to_coo()
        return self.engine.xp.stack([rows, columns.astype(rows.dtype)], axis=1), values

    def to_dicts(self, order: Order = "rowwise") -> dict[int, dict[int, Any]]:
        """``{row: {column: value}}``, or ``{column: {row: value}}`` with ``order="columnwise"``; Python numbers."""
        of = self if require_order(order) == "rowwise" else self.T.new()
        rows, columns, values = (self.engine.to_host(part).tolist() for part in of.to_coo())
        found: dict[int, dict[int, Any]] = {}
        for row, column, value in zip(rows, columns, values, strict=True):
            found.setdefault(row, {})[column] = value
        return found

    def to_csr(self) -> tuple[Any, Any, Any]:
        """Row pointers, columns and values, on the engine."""
        matrix = self._compressed()
        return matrix.indptr.copy(), matrix.indices.copy(), matrix.values.copy()

    def to_csc(self) -> tuple[Any, Any, Any]:
        """Column pointers, rows and values, on the engine."""
        return self.T.new().to_csr()

    def to_dense(self, fill_value: Number | None = None) -> Any:
        """A two-dimensional array on the engine; absent cells hold `fill_value`, without which there may be none."""
        refuse_in_loop()
        if fill_value is not None and isinstance(self._held, SentinelArray) and self._held.fills(fill_value):
            return self.engine.xp.array(self._held.values)
        cells = self.nrows * self.ncols
        if fill_value is None and self.nvals < cells:
            raise GraphlaError(f"{cells - self.nvals:,} of {cells:,} cells have no entry: give to_dense a fill_value")
        if isinstance(self._storage, FullMatrix):
            return self._storage.values.copy()
        kind = np.dtype(self.dtype.numpy)
        if fill_value is not None and not np.can_cast(np.asarray(fill_value).dtype, kind, "same_kind"):
            kind = np.result_type(kind, np.asarray(fill_value).dtype)
        dense = self.engine.xp.full(cells, 0 if fill_value is None else fill_value, kind)
        sparse = as_sparse(self.engine.xp, as_cells(self.engine.xp, self._storage))
        dense[sparse.indices] = sparse.values
        return dense.reshape(self.shape)

    def to_numpy(self, fill_value: Number | None = None) -> Any:
        """As `to_dense`, as a NumPy array on the host."""
        return self.engine.to_host(self.to_dense(fill_value))

    def to_scipy_sparse(self, format: str = "csr") -> Any:
        """A SciPy sparse array on the host."""
        import scipy.sparse

        matrix = self._compressed()
        indptr, indices, values = (self.engine.to_host(part) for part in (matrix.indptr, matrix.indices, matrix.values))
        return scipy.sparse.csr_array((values.copy(), indices.copy(), indptr.copy()), self.shape).asformat(format)

    def to_cupyx_sparse(self) -> Any:
        """A `cupyx.scipy.sparse.csr_matrix` of the same arrays: copy it before you change it.

        Raises
        ------
        NotSupported
            If the matrix does not live on a GPU.
        DomainMismatch
            If cupyx has no matrices of this dtype: it has BOOL, FP32, FP64, FC32 and FC64.
        """
        return cupyx_of(self._compressed(), self.engine)

    def head(self, count: int) -> tuple[Any, Any, Any]:
        """The first few rows, columns and values, on the host."""
        if isinstance(self._storage, FullMatrix):
            places = np.arange(min(count, self.nvals))
            values = self.engine.to_host(self._storage.values.reshape(-1)[:count])
            return places // max(1, self.ncols), places % max(1, self.ncols), values
        matrix = self._storage
        pointers = self.engine.to_host(matrix.indptr)
        rows = np.searchsorted(pointers, np.arange(min(count, self.nvals)), side="right") - 1
        return rows, self.engine.to_host(matrix.indices[:count]), self.engine.to_host(matrix.values[:count])

    def _compressed(self) -> CompressedMatrix:
        """The storage as rows of columns."""
        return compressed(self.engine.xp, self._storage)
