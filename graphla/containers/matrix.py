"""`Matrix`: entries at some of the cells (i, j)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphla.containers import display
from graphla.containers.execute import way_in
from graphla.containers.interop import as_array, rows_of
from graphla.containers.matrix_export import MatrixOut, checked_order
from graphla.containers.operations import MatrixAlgebra
from graphla.containers.validate import Pending, as_indices, as_values, check_bounds, checked_size, joined
from graphla.engine import engine_named
from graphla.engine.arrays.formats import as_sparse, from_cells, index_dtype
from graphla.errors import DimensionMismatch, InvalidGraph
from graphla.language.expr import Shape, Transposed
from graphla.language.recording import refuse_in_loop
from graphla.storage import BitmapVector, CompressedMatrix, FullMatrix, SparseVector
from semirings.dtypes import lookup


class TransposedMatrix(Transposed, MatrixAlgebra):
    """A.T: the same storage, read the other way round; an operand like any matrix."""


class Matrix(MatrixOut, rank=2):
    """A sparse matrix on an engine, stored by rows.

    Parameters
    ----------
    dtype : dtype
        One of BOOL, INT8 … UINT64, FP32, FP64, or what stands for it in NumPy.
    nrows, ncols : int
        The shape. There is no entry at first.
    engine : {"cpu", "cuda"}, optional
        Where it lives.

    Examples
    --------
    >>> from graphla import Matrix
    >>> from semirings import plus_times
    >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
    >>> plus_times(A @ A).new().to_dense(0).tolist()
    [[6, 0], [0, 6]]
    """

    def __init__(
        self,
        dtype: Any = "FP64",
        nrows: Any = 0,
        ncols: int = 0,
        *,
        name: str | None = None,
        engine: Any = None,
    ) -> None:
        engine = engine_named(engine)
        shape = checked_size(nrows), checked_size(ncols)
        arrays = engine.xp.zeros(shape[0] + 1, "int32"), engine.xp.zeros(0, index_dtype(shape[1]))
        super().__init__(CompressedMatrix(*shape, *arrays, engine.xp.zeros(0, lookup(dtype).numpy)), engine, name)

    @property
    def shape(self) -> Shape:
        return self._held.shape  # type: ignore[attr-defined]

    @property
    def nrows(self) -> int:
        return self.shape[0]

    @property
    def ncols(self) -> int:
        return self.shape[1]

    @property
    def T(self) -> TransposedMatrix:
        """The transpose, as a view: products read it without building it where they can."""
        return TransposedMatrix(self)

    # --- in

    @classmethod
    @way_in
    def from_coo(
        cls,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        name: str | None = None,
        engine: Any = None,
    ) -> Matrix:
        """A matrix with `values` (one for all, or one each) at the cells (rows[k], columns[k]).

        Raises
        ------
        IndexOutOfBounds
            If a row or a column is outside the shape.
        InvalidGraph
            If a cell occurs twice and there is no `dup_op` to join the values.
        """
        engine = engine_named(engine)
        i, j = as_indices(engine, rows, "rows"), as_indices(engine, columns, "columns")
        if i.shape != j.shape:
            raise DimensionMismatch(f"{i.size} rows and {j.size} columns do not match")
        held = as_values(engine, values, i.size, dtype)
        shape = (
            checked_size(nrows) if nrows is not None else (int(i.max()) + 1 if i.size else 0),
            checked_size(ncols) if ncols is not None else (int(j.max()) + 1 if j.size else 0),
        )
        check_bounds(i, shape[0], "row")
        check_bounds(j, shape[1], "column")
        keys = i * shape[1] + j
        order = engine.xp.argsort(keys, **({"kind": "stable"} if engine.xp is np else {}))
        cells = joined(engine, SparseVector(shape[0] * shape[1], keys[order], held[order]), dup_op, shape[1])
        return cls._from_storage(from_cells(engine.xp, cells, shape), engine, name)

    @classmethod
    @way_in
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        ncols: int | None = None,
        engine: Any = None,
    ) -> Matrix:
        """A matrix of the three arrays of CSR; columns are sorted within rows if they are not."""
        engine = engine_named(engine)
        pointers, columns = engine.asarray(indptr), as_indices(engine, indices, "indices")
        if (
            pointers.ndim != 1
            or not pointers.size
            or int(pointers[0])
            or int(pointers[-1]) != columns.size
            or bool((pointers[1:] < pointers[:-1]).any())
        ):
            raise InvalidGraph(f"indptr must rise from 0 to {columns.size}, the number of indices")
        counts = engine.to_host(pointers[1:] - pointers[:-1])
        rows = engine.asarray(np.repeat(np.arange(counts.size), counts))
        return cls.from_coo(rows, columns, values, dtype, nrows=int(counts.size), ncols=ncols, engine=engine)

    @classmethod
    def from_csc(
        cls,
        indptr: Any,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        engine: Any = None,
    ) -> Matrix:
        """A matrix of the three arrays of CSC."""
        return cls.from_csr(indptr, indices, values, dtype, ncols=nrows, engine=engine).T.new()

    @classmethod
    @way_in
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        dtype: Any = None,
        *,
        name: str | None = None,
        engine: Any = None,
    ) -> Matrix:
        """A matrix of a two-dimensional array; cells that hold `missing_value` have no entry."""
        engine = engine_named(engine)
        held = engine.xp.array(engine.asarray(values), dtype=None if dtype is None else lookup(dtype).numpy, order="C")
        if held.ndim != 2:
            raise DimensionMismatch(f"from_dense wants two dimensions, not shape {held.shape}")
        lookup(held.dtype)
        if missing_value is None:
            return cls._from_storage(FullMatrix(held), engine, name)
        present = held == held if missing_value != missing_value else held != missing_value
        cells = BitmapVector(present.reshape(-1), held.reshape(-1), int(present.sum()))
        return cls._from_storage(from_cells(engine.xp, as_sparse(engine.xp, cells), held.shape), engine, name)

    @classmethod
    @way_in
    def from_scipy_sparse(
        cls, matrix: Any, *, dup_op: Any = "plus", name: str | None = None, engine: Any = None
    ) -> Matrix:
        """A matrix of a SciPy (or cupyx) sparse array or matrix; stored zeros are entries.

        CSR with sorted columns is taken as it is: its arrays are shared where device and dtype allow, so change
        them no more, or give ``matrix.copy()``.
        """
        engine = engine_named(engine)
        rows = rows_of(engine, matrix)
        if rows is not None:
            return cls._from_storage(rows, engine, name)
        coo = matrix.tocoo()
        places = (coo.row, coo.col) if hasattr(coo, "row") else coo.coords
        return cls.from_coo(
            *(as_array(engine, part) for part in places),
            as_array(engine, coo.data),
            nrows=coo.shape[0],
            ncols=coo.shape[1],
            dup_op=dup_op,
            name=name,
            engine=engine,
        )

    @classmethod
    def _from_sentinel(cls, values: Any, absent: Any, engine: Any) -> Matrix:
        """An array of the engine as it is, with no entry where it holds `absent`; looked through when first needed."""
        return cls._from_storage(Pending(values, absent), engine)

    @property
    def _storage(self) -> Any:
        """The frozen record of arrays that holds the entries now."""
        refuse_in_loop()
        if isinstance(self._held, Pending):
            cells = self._held.resolve()
            if isinstance(cells, BitmapVector):
                cells = as_sparse(self.engine.xp, cells)
            self._held = from_cells(self.engine.xp, cells, self._held.shape)
        return self._held

    @classmethod
    def from_edgelist(
        cls,
        edges: Any,
        values: Any = None,
        dtype: Any = None,
        *,
        nrows: Any = None,
        ncols: Any = None,
        dup_op: Any = None,
    ) -> Matrix:
        """A matrix of (row, column) pairs, with `values` or 1.0, or of (row, column, value) triples."""
        parts = [list(part) for part in zip(*edges, strict=True)] or [[], []]
        held = (parts[2] if len(parts) == 3 else 1.0) if values is None else values
        return cls.from_coo(*parts[:2], held, dtype, nrows=nrows, ncols=ncols, dup_op=dup_op)

    @classmethod
    def from_dicts(
        cls,
        nested: Any,
        dtype: Any = None,
        *,
        order: str = "rowwise",
        nrows: int | None = None,
        ncols: int | None = None,
        engine: Any = None,
    ) -> Matrix:
        """A matrix of ``{row: {column: value}}`` or of a list of ``{column: value}``; by columns if `order` says so."""
        lines = list(nested.items() if hasattr(nested, "items") else enumerate(nested))
        entries = [(i, j, value) for i, line in lines for j, value in line.items()]
        i, j, values = zip(*entries, strict=True) if entries else ((), (), np.zeros(0))
        sizes, by_rows = {"nrows": nrows, "ncols": ncols}, checked_order(order) == "rowwise"
        counted = "nrows" if by_rows else "ncols"
        if sizes[counted] is None and not hasattr(nested, "items"):
            sizes[counted] = len(lines)
        places = (i, j) if by_rows else (j, i)
        return cls.from_coo(*map(list, places), list(values), dtype, engine=engine, **sizes)

    @classmethod
    @way_in
    def from_scalar(cls, value: Any, nrows: int, ncols: int, dtype: Any = None, *, engine: Any = None) -> Matrix:
        """The same value in every cell."""
        shape = checked_size(nrows), checked_size(ncols)
        return cls.from_dense(np.full(shape, value, None if dtype is None else lookup(dtype).numpy), engine=engine)

    def diag(self, k: int = 0) -> Any:
        """The entries of the k-th diagonal as a vector."""
        rows, columns, values = self.select("diag", k).new().to_coo()
        size = max(0, min(self.nrows, self.ncols - k) if k >= 0 else min(self.nrows + k, self.ncols))
        places = rows if k >= 0 else columns
        return self._containers[1].from_coo(places, values, self.dtype, size=size, engine=self.engine)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        rows, columns, _ = (self.engine.to_host(part) for part in self.to_coo())
        return iter(list(zip(rows.tolist(), columns.tolist(), strict=True)))

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """The value at a cell, or `default`."""
        value = self[row, col].new().value
        return default if value is None else value

    def __contains__(self, cell: tuple[int, int]) -> bool:
        return not self[cell].new().is_empty

    def __repr__(self) -> str:
        return display.text(self)

    def _repr_html_(self) -> str:
        return display.page(self)
