"""`Matrix`: entries at some of the cells (i, j)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from graphla.common.arguments import find_int, show, speaks, to_array, to_int, to_list
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph
from graphla.common.memory import require_large, require_on_host
from graphla.common.typing import (
    ArrayLike,
    ArrowTable,
    BinaryLike,
    DTypeLike,
    Number,
    Order,
    SemiringLike,
    SparseMatrix,
)
from graphla.containers import arrow
from graphla.containers.diagonal import read_diagonal, set_diagonal
from graphla.containers.execute import report_out_of_memory, run
from graphla.containers.interop import check_pointers, to_engine_array, to_rows
from graphla.containers.matrix_export import MatrixExport, require_order
from graphla.containers.operations import MatrixOperations
from graphla.containers.validate import (
    LARGEST,
    BadValues,
    as_dense,
    check_bounds,
    compress_lines,
    compress_sorted,
    infer_size,
    is_uniform,
    join_uniform,
    sort_into_rows,
    stay_on_host,
    to_indices,
    to_shape,
    to_size,
    to_uniform,
    to_values,
)
from graphla.engine import EngineLike, get_engine
from graphla.engine.protocol import Engine
from graphla.language.masks import MaskView
from graphla.language.operand import Transposed
from graphla.planning.steps import Plan, SelectStep
from graphla.storage import BitmapVector, CompressedMatrix, Distributed, FullMatrix
from graphla.storage.convert import count_true
from graphla.storage.formats import as_sparse, choose_index_dtype, from_cells
from graphla.storage.pointers import find_pointer_fault
from semirings import BinaryOp, Monoid, indexunary
from semirings.dtypes import lookup

if TYPE_CHECKING:
    from graphla.containers.scalar import Scalar
    from graphla.containers.vector import Vector


class TransposedMatrix(MatrixOperations["Matrix"], Transposed["Matrix"]):
    """A.T: the same storage, read the other way round; an operand like any matrix."""

    def to_coo(
        self,
        dtype: DTypeLike | None = None,
        *,
        rows: bool = True,
        columns: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:
        """The entries as arrays, in the order of the matrix itself: by columns, and within these by rows.

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
            int32 of shape (nvals,), on the engine.
        columns : array
            int64 of shape (nvals,).
        values : array
            Shape (nvals,).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> [part.tolist() for part in A.T.to_coo()]
        [[1, 0], [0, 1], [2, 3]]
        """
        j, i, held = self.of.to_coo(dtype, rows=columns, columns=rows, values=values, sort=sort)
        return i, j, held


class Matrix(MatrixExport["Matrix"], rank=2):
    """A sparse matrix on an engine, stored by rows.

    Parameters
    ----------
    dtype : dtype
        One of BOOL, INT8 … UINT64, FP32, FP64, FC32, FC64, or NumPy's name or type for it.
    nrows, ncols : int
        The shape. There is no entry at first.
    name : str, optional
        A name for messages.
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

    @report_out_of_memory
    def __init__(
        self,
        dtype: DTypeLike = "FP64",
        nrows: ArrayLike = 0,
        ncols: int = 0,
        *,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> None:
        engine, kind = get_engine(engine), lookup(dtype)
        shape = to_shape(nrows, ncols)
        require_large(4 * shape[0], "a matrix of {:,} rows", shape[0], engine.xp)
        arrays = engine.xp.zeros(shape[0] + 1, "int32"), engine.xp.zeros(0, choose_index_dtype(shape[1]))
        super().__init__(CompressedMatrix(*shape, *arrays, engine.xp.zeros(0, kind.numpy)), engine, name)

    @property
    def nrows(self) -> int:
        return self.shape[0]

    @property
    def ncols(self) -> int:
        return self.shape[1]

    if TYPE_CHECKING:

        @property
        def _is_matrix(self) -> tuple[Vector, Scalar]: ...

        @property
        def T(self) -> TransposedMatrix: ...

    else:
        T = property(TransposedMatrix, doc="The transpose, as a view: products read it without building it.")

    # --- in

    @classmethod
    @report_out_of_memory
    def from_coo(
        cls,
        rows: ArrayLike,
        columns: ArrayLike,
        values: ArrayLike = 1.0,
        dtype: DTypeLike | None = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: BinaryLike | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of rows, columns and values.

        Parameters
        ----------
        rows, columns : array of int
            Shape (nvals,), in any order.
        values : array or number
            A value per entry, or one for all.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        nrows, ncols : int, optional
            The shape; by default one more than the largest row and column.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused. Not where there is one value for all, which
            repeated entries get once.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        IndexOutOfBounds
            If a row or a column is outside the shape.
        InvalidGraph
            If an entry occurs twice and there is no `dup_op`.
        DimensionMismatch
            If the arrays differ in length.

        Notes
        -----
        O(nvals log nvals).

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_coo([1, 0], [0, 1], [3, 2]).to_dicts()
        {0: {1: 2}, 1: {0: 3}}
        """
        engine, dup_op = get_engine(engine), join_uniform(values, dup_op)
        if nrows is not None and ncols is not None and stay_on_host(engine, rows, columns, values):
            held, shape = to_values(engine, values, np.size(cast("Any", rows)), dtype), to_shape(nrows, ncols)
            if (in_order := compress_sorted(rows, columns, held, shape)) is not None:
                return cls._from_storage(in_order, engine, name)
        i, j = to_indices(engine, rows, "rows"), to_indices(engine, columns, "columns")
        shape = to_shape(
            infer_size(i, "nrows") if nrows is None else nrows, infer_size(j, "ncols") if ncols is None else ncols
        )
        if i.shape != j.shape:
            sizes = f"{i.size}, {j.size}, {i.size if is_uniform(values) else np.size(cast('Any', values))}"
            raise DimensionMismatch(f"`rows` and `columns` and `values` lengths must match: {sizes}")
        held = to_values(engine, values, i.size, dtype)
        check_bounds(i, shape[0], "row")
        check_bounds(j, shape[1], "column")
        return cls._from_storage(sort_into_rows(engine, i, j, held, shape, dup_op, is_uniform(values)), engine, name)

    @classmethod
    @report_out_of_memory
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        values: ArrayLike = 1.0,
        dtype: DTypeLike | None = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of the three arrays of CSR.

        Parameters
        ----------
        indptr : array of int
            Shape (nrows + 1,): where the entries of each row begin.
        indices : array of int
            Shape (nvals,): the columns; they are sorted within rows if they are not.
        values : array or number
            A value per entry, or one for all.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        nrows : int, optional
            What `indptr` says.
        ncols : int, optional
            The number of columns; by default one more than the largest.
        name : str, optional
            The name of the matrix.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        InvalidGraph
            If `indptr` does not rise from 0 to the number of indices.
        IndexOutOfBounds
            If a column is outside the shape.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_csr([0, 1, 2], [1, 0], [2, 3]).to_dicts()
        {0: {1: 2}, 1: {0: 3}}
        """
        engine = get_engine(engine)
        pointers, columns = to_indices(engine, indptr, "indptr"), to_indices(engine, indices, "indices")
        size = max(0, pointers.size - 1)
        if nrows is not None and to_size(nrows, "nrows") != pointers.size - 1:
            raise InvalidGraph(f"nrows must be {pointers.size - 1}, for which there are pointers, and not {nrows}")
        values = to_values(engine, values, columns.size, dtype)
        if size and ncols is not None and stay_on_host(engine, pointers, columns, values):
            held = compress_lines(pointers, columns, values, to_shape(size, ncols))
            if held is not None:
                return cls._from_storage(held, engine, name)
        rows = spread_lines(engine, np.arange(size), pointers, columns, "from_csr")
        ncols = 0 if ncols is None and not columns.size else ncols
        return cls.from_coo(rows, columns, values, dtype, nrows=size, ncols=ncols, name=name, engine=engine)

    @classmethod
    def from_dcsr(
        cls,
        compressed_rows: ArrayLike,
        indptr: ArrayLike,
        indices: ArrayLike,
        values: ArrayLike = 1.0,
        dtype: DTypeLike | None = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of the four arrays of hypersparse CSR, which name the rows that have entries.

        Parameters
        ----------
        compressed_rows : array of int
            Shape (k,): the rows.
        indptr : array of int
            Shape (k + 1,): where the entries of each of these begin.
        indices : array of int
            Shape (nvals,): the columns.
        values : array or number
            A value per entry, or one for all.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        nrows, ncols : int, optional
            The shape; by default one more than the largest row and column.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        InvalidGraph
            If `indptr` does not rise from 0 to the number of indices, or has another length.
        IndexOutOfBounds
            If a row or a column is outside the shape.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_dcsr([0, 9], [0, 1, 2], [1, 0], [2, 3]).to_dicts()
        {0: {1: 2}, 9: {0: 3}}
        """
        engine = get_engine(engine)
        lines = to_indices(engine, compressed_rows, "compressed_rows")
        pointers, columns = to_indices(engine, indptr, "indptr"), to_indices(engine, indices, "indices")
        rows = spread_lines(engine, engine.to_host(lines), pointers, columns, "from_dcsr")
        sizes = {
            "nrows": (infer_size(lines, "nrows") if lines.size else 0) if nrows is None else nrows,
            "ncols": 0 if ncols is None and not columns.size else ncols,
        }
        values = to_values(engine, values, columns.size, dtype)
        return cls.from_coo(rows, columns, values, dtype, **sizes, name=name, engine=engine)

    @classmethod
    def from_dcsc(
        cls,
        compressed_cols: ArrayLike,
        indptr: ArrayLike,
        indices: ArrayLike,
        values: ArrayLike = 1.0,
        dtype: DTypeLike | None = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of the four arrays of hypersparse CSC, which name the columns that have entries.

        Parameters
        ----------
        compressed_cols : array of int
            Shape (k,): the columns.
        indptr : array of int
            Shape (k + 1,): where the entries of each of these begin.
        indices : array of int
            Shape (nvals,): the rows.
        values : array or number
            A value per entry, or one for all.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        nrows, ncols : int, optional
            The shape; by default one more than the largest row and column.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        InvalidGraph
            If `indptr` does not rise from 0 to the number of indices, or has another length.
        IndexOutOfBounds
            If a row or a column is outside the shape.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_dcsc([0, 9], [0, 1, 2], [1, 0], [2, 3]).to_dicts()
        {0: {9: 3}, 1: {0: 2}}
        """
        sizes: dict[str, Any] = {"nrows": ncols, "ncols": nrows}
        transposed = cls.from_dcsr(compressed_cols, indptr, indices, values, dtype, **sizes, engine=engine)
        return transposed.T.new(name=name)

    @classmethod
    def from_csc(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        values: ArrayLike = 1.0,
        dtype: DTypeLike | None = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of the three arrays of CSC.

        Parameters
        ----------
        indptr : array of int
            Shape (ncols + 1,): where the entries of each column begin.
        indices : array of int
            Shape (nvals,): the rows.
        values : array or number
            A value per entry, or one for all.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        nrows : int, optional
            The number of rows; by default one more than the largest.
        ncols : int, optional
            What `indptr` says.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        InvalidGraph
            If `indptr` does not rise from 0 to the number of indices.
        IndexOutOfBounds
            If a row is outside the shape.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_csc([0, 1, 2], [1, 0], [3, 2]).to_dicts()
        {0: {1: 2}, 1: {0: 3}}
        """
        pointers = to_indices(get_engine(engine), indptr, "indptr")
        size = pointers.size - 1
        if ncols is not None and to_size(ncols, "ncols") != size:
            raise InvalidGraph(f"ncols must be {size}, for which there are pointers, and not {ncols}")
        return cls.from_csr(pointers, indices, values, dtype, ncols=nrows, engine=engine).T.new(name=name)

    @classmethod
    @report_out_of_memory
    def from_dense(
        cls,
        values: ArrayLike,
        missing_value: Number | None = None,
        dtype: DTypeLike | None = None,
        *,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of a two-dimensional array.

        Parameters
        ----------
        values : array
            Shape (nrows, ncols).
        missing_value : number, optional
            Cells that hold it have no entry; by default every cell has one.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        DimensionMismatch
            If the array has not two dimensions.
        DomainMismatch
            If it is one number.

        Notes
        -----
        O(cells).

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_dense([[0, 2], [3, 0]], missing_value=0).to_dicts()
        {0: {1: 2}, 1: {0: 3}}
        """
        engine = get_engine(engine)
        given = to_array(engine.asarray, values, "values", BadValues)
        held, present = as_dense(engine, given, missing_value, dtype)
        if held.ndim == 0:
            raise DomainMismatch("from_dense takes an array; of one value for all, use Matrix.from_scalar")
        if held.ndim != 2:
            raise DimensionMismatch(
                f"A 2d array is required to create a dense Matrix: it must be 2d, not of shape {held.shape}"
            )
        if present is None:
            return cls._from_storage(FullMatrix(held), engine, name)
        cells = BitmapVector(present.reshape(-1), held.reshape(-1), count_true(present.reshape(-1)))
        return cls._from_storage(from_cells(engine.xp, as_sparse(engine.xp, cells), held.shape), engine, name)

    @classmethod
    @report_out_of_memory
    def from_scipy_sparse(
        cls,
        matrix: SparseMatrix,
        *,
        dup_op: BinaryLike | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of a SciPy or cupyx sparse array or matrix; stored zeros are entries.

        CSR with sorted columns is taken as it is: its arrays are shared where device and dtype allow, so change them no
        more, or give ``matrix.copy()``.

        Parameters
        ----------
        matrix : sparse array or matrix
            In any format.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused. SciPy itself would add them.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        DomainMismatch
            If it is no sparse matrix of two dimensions.

        Examples
        --------
        >>> from graphla import Matrix
        >>> from scipy.sparse import csr_array
        >>> Matrix.from_scipy_sparse(csr_array([[0, 2], [3, 0]])).to_dicts()
        {0: {1: 2}, 1: {0: 3}}
        """
        engine = get_engine(engine)
        if not speaks(matrix, "tocoo") or len(matrix.shape) != 2:
            raise DomainMismatch(f"matrix={show(matrix)}: give a sparse matrix of SciPy or cupyx, of two dimensions")
        csr = to_rows(engine, matrix)
        if csr is not None:
            return cls._from_storage(csr, engine, name)
        coo = check_pointers(matrix).tocoo()
        rows, columns = (coo.row, coo.col) if hasattr(coo, "row") else coo.coords
        return cls.from_coo(
            to_engine_array(engine, rows),
            to_engine_array(engine, columns),
            to_engine_array(engine, coo.data),
            nrows=coo.shape[0],
            ncols=coo.shape[1],
            dup_op=dup_op,
            name=name,
            engine=engine,
        )

    @classmethod
    def from_arrow(
        cls,
        table: ArrowTable,
        row: str = "row",
        column: str = "column",
        value: str | None = "value",
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: BinaryLike | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """A matrix of three columns of an Arrow table.

        Parameters
        ----------
        table : table
            One of pandas, Polars, DuckDB or pyarrow (whatever speaks the Arrow C stream), or a dictionary of arrays.
        row, column : str
            The names of the columns of integers.
        value : str or None
            The name of the column of numbers or truths; None makes every value 1.
        nrows, ncols : int, optional
            The shape; by default one more than the largest row and column.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        InvalidGraph
            If a column is missing, holds nulls or no numbers, or a cell occurs twice and there is no `dup_op`.
        NotSupported
            If pyarrow is not installed.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_arrow({"row": [0, 1], "column": [1, 0], "value": [2, 3]}).to_dense(0).tolist()
        [[0, 2], [3, 0]]
        """
        columns = arrow.read_table(table)
        names = ((row, "row"), (column, "column"), *([] if value is None else [(value, "value")]))
        parts = [arrow.to_numbers(arrow.read_column(columns, name, what), f"{what}={name!r}") for name, what in names]
        parts = parts if value is not None else [*parts, np.ones(parts[0].shape[0])]
        return cls.from_coo(*parts, nrows=nrows, ncols=ncols, dup_op=dup_op, engine=engine)

    @classmethod
    def from_edgelist(
        cls,
        edges: Iterable[Sequence[Number]] | np.ndarray[Any, Any],
        values: ArrayLike | None = None,
        dtype: DTypeLike | None = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: BinaryLike | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of pairs or triples.

        Parameters
        ----------
        edges : iterable of tuples
            (row, column) pairs, or (row, column, value) triples.
        values : array or number, optional
            The values of pairs; by default 1.0.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        nrows, ncols : int, optional
            The shape; by default one more than the largest row and column.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        IndexOutOfBounds
            If a row or a column is outside the shape.
        InvalidGraph
            If an entry occurs twice and there is no `dup_op`.
        DomainMismatch
            If the edges have values and `values` is given, too.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_edgelist([(0, 1, 2), (1, 0, 3)]).to_dicts()
        {0: {1: 2}, 1: {0: 3}}
        """
        parts = split_edges(edges)
        if values is not None and len(parts) == 3:
            raise DomainMismatch("Too many sources of values: the edges hold some, and values= is given")
        held = (parts[2] if len(parts) == 3 else 1.0) if values is None else values
        return cls.from_coo(
            parts[0], parts[1], held, dtype, nrows=nrows, ncols=ncols, dup_op=dup_op, name=name, engine=engine
        )

    @classmethod
    def from_dicts(
        cls,
        nested: Mapping[int, Mapping[int, Number]] | Sequence[Mapping[int, Number]],
        dtype: DTypeLike | None = None,
        *,
        order: Order = "rowwise",
        nrows: int | None = None,
        ncols: int | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix of nested dictionaries.

        Parameters
        ----------
        nested : mapping or sequence
            ``{row: {column: value}}``, or a sequence of ``{column: value}``, one per row.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        order : {"rowwise", "columnwise"}
            Whether the outer keys are rows or columns.
        nrows, ncols : int, optional
            The shape; by default one more than the largest row and column.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Raises
        ------
        GraphlaError
            If `order` is neither.
        DimensionMismatch
            If a list has another length than the shape says.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_dicts({0: {1: 2}, 1: {0: 3}}).nvals
        2
        """
        lines = read_lines(nested)
        entries = [(i, j, value) for i, line in lines for j, value in line.items()]
        i, j, values = zip(*entries, strict=True) if entries else ((), (), np.zeros(0))
        sizes, by_rows = dict[str, Any](nrows=nrows, ncols=ncols), require_order(order) == "rowwise"
        counted, other = ("nrows", "ncols") if by_rows else ("ncols", "nrows")
        if sizes[counted] is None:
            sizes[counted] = (
                max((to_int(line, "nested", 0, LARGEST, InvalidGraph) for line, _ in lines), default=-1) + 1
            )
        elif not isinstance(nested, Mapping) and sizes[counted] != len(lines):
            raise DimensionMismatch(f"{counted} must be {len(lines)}, for there are so many dictionaries")
        if sizes[other] is None and not entries:
            sizes[other] = 0
        rows, columns = (i, j) if by_rows else (j, i)
        return cls.from_coo(list(rows), list(columns), list(values), dtype, **sizes, name=name, engine=engine)

    @classmethod
    @report_out_of_memory
    def from_scalar(
        cls,
        value: Number,
        nrows: int,
        ncols: int,
        dtype: DTypeLike | None = None,
        *,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Matrix:
        """Make a matrix with the same value in every cell.

        Parameters
        ----------
        value : number
            The value.
        nrows, ncols : int
            The shape.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Matrix
            A new matrix.

        Examples
        --------
        >>> from graphla import Matrix
        >>> Matrix.from_scalar(4, 1, 2).to_dicts()
        {0: {0: 4, 1: 4}}
        """
        engine, shape, (held, kind) = get_engine(engine), to_shape(nrows, ncols), to_uniform(value, dtype)
        require_on_host(shape[0] * shape[1] * kind.bits // 8, f"a full matrix of {nrows} × {ncols}", engine.xp)
        return cls._from_storage(FullMatrix(engine.xp.full(shape, held, kind.numpy)), engine, name)

    def diag(self, k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None) -> Vector:
        """The entries of a diagonal.

        Parameters
        ----------
        k : int
            Which diagonal: above the main one, or below it if negative.
        dtype : dtype, optional
            Of the vector; by default that of the matrix.
        name : str, optional
            A name for messages.

        Returns
        -------
        Vector
            As long as the diagonal.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.diag(1).to_dict()
        {0: 2}
        """
        k = to_int(k, "k", -LARGEST, LARGEST)
        step = SelectStep(self._storage, False, indexunary.diag, k)
        found = self._from_storage(run(self.engine, Plan(step, None, self.dtype)), self.engine)
        size = max(0, min(self.nrows, self.ncols - k) if k >= 0 else min(self.nrows + k, self.ncols))
        if isinstance(found._storage, Distributed):
            made = self._containers[1]._from_storage(
                found._storage.ranks.read_diagonal(found._storage, k, size), self.engine, name
            )
            return made if dtype is None else made.dup(dtype, name=name)
        kind = self.dtype if dtype is None else lookup(dtype)
        vector = read_diagonal(self.engine.xp, found._storage, k, size, kind)
        return self._containers[1]._from_storage(vector, self.engine, name)

    def star(self, op: SemiringLike) -> Matrix:
        """The closure I ⊕ A ⊕ A² ⊕ …: for each pair (i, j) the best path from i to j, whatever its length.

        Parameters
        ----------
        op : Semiring or str
            One of min_plus, max_plus, max_min, min_max, max_times and lor_land.

        Returns
        -------
        Matrix
            An entry for each pair with a path; the diagonal holds the empty path. A stored value is an arc whatever it
            is: 0 in max_min and max_times, false in lor_land, the ends of the dtype.

        Raises
        ------
        DimensionMismatch
            If the matrix is not square.
        DomainMismatch
            If a value is negative or infinite in max_times.
        Overflow
            If sums do not fit 64 bits in min_plus or max_plus.
        NegativeCycle
            If a cycle has a negative sum in min_plus, or a positive one in max_plus.
        NotSupported
            If the semiring is another one.
        OutOfMemory
            If the factor or n² values do not fit in memory.

        See Also
        --------
        graphla.factorize : The same for some rows or entries.

        Notes
        -----
        By elimination in an order by nested dissection; A. George, SIAM J. Numer. Anal. 10(2), 1973.

        Examples
        --------
        >>> from graphla import Matrix
        >>> from semirings import max_min
        >>> A = Matrix.from_coo([0, 1], [1, 2], [5.0, 3.0], nrows=3, ncols=3, engine="cpu")
        >>> A.star(max_min)[0, 2].new().value
        3.0
        """
        if self.nrows != self.ncols:
            raise DimensionMismatch(f"star: the matrix is {self.nrows} × {self.ncols}, and only square ones have one")
        elimination = import_module("graphla.algorithms.apsp.elimination.factor")  # by name, for it stands above
        return elimination.star(self, op)

    @report_out_of_memory
    def resize(self, nrows: int, ncols: int) -> None:
        """Change the shape; entries outside the new one are dropped.

        Parameters
        ----------
        nrows, ncols : int
            The new shape.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.resize(1, 2)
        >>> A.to_dicts()
        {0: {1: 2}}
        """
        self._held = self.reposition(0, 0, nrows=nrows, ncols=ncols)._storage
        self._names = self._names and self._names.fit(self.shape)

    def build(
        self,
        rows: ArrayLike,
        columns: ArrayLike,
        values: ArrayLike,
        *,
        dup_op: BinaryLike | None = None,
        clear: bool = False,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> None:
        """Fill this matrix as `from_coo` would.

        Parameters
        ----------
        rows, columns : array of int
            Shape (nvals,), in any order.
        values : array or number
            A value per entry, or one for all.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused.
        clear : bool
            Remove all entries first.
        nrows, ncols : int, optional
            A new shape.

        Raises
        ------
        GraphlaError
            If there are entries and they are not cleared.
        InvalidGraph
            If an entry occurs twice and there is no `dup_op`.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix("INT64", 2, 2)
        >>> A.build([0, 1], [1, 0], [2, 3])
        >>> A.nvals
        2
        """
        sizes = {"nrows": self.nrows if nrows is None else nrows, "ncols": self.ncols if ncols is None else ncols}
        self._build((rows, columns, values), dup_op, clear, sizes)

    @report_out_of_memory
    def setdiag(
        self,
        values: Vector | ArrayLike,
        k: int = 0,
        *,
        mask: MaskView | None = None,
        accum: BinaryOp | Monoid | None = None,
    ) -> None:
        """Write a vector, an array or a number into a diagonal: ``A[i, i + k] = values[i]``.

        Parameters
        ----------
        values : Vector, array or number
            As many as the diagonal is long. Where a vector has no entry the diagonal loses its own, unless there is
            an accumulator.
        k : int
            Which diagonal: above the main one, or below it if negative.
        mask : mask, optional
            Of a vector along the diagonal, or of a matrix, of which the diagonal counts.
        accum : BinaryOp, Monoid or str, optional
            Joins old values and new ones.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.setdiag(9)
        >>> A.to_dense().tolist()
        [[9, 2], [3, 9]]
        """
        set_diagonal(self, values, k, mask, accum)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        rows, columns, _ = (self.engine.to_host(part) for part in self.to_coo())
        return iter(list(zip(rows.tolist(), columns.tolist(), strict=True)))

    def get(self, row: int, col: int, default: Number | None = None) -> Any:
        """The value at a cell.

        Parameters
        ----------
        row, col : int
            The cell; negative ones count from the end.
        default : number, optional
            What is returned if there is no entry.

        Returns
        -------
        number or None
            A Python number.

        Raises
        ------
        IndexOutOfBounds
            If there is no such cell.
        DimensionMismatch
            If a row or a column is not one index.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.get(0, 1), A.get(0, 0, -1)
        (2, -1)
        """
        if find_int(row) is None or find_int(col) is None:
            raise DimensionMismatch(f"Bad row, col in Matrix.get: {show(row)}, {show(col)} are not one index each")
        value = self[row, col].new().value
        return default if value is None else value

    def __contains__(self, cell: tuple[int, int]) -> bool:
        if not isinstance(cell, tuple) or len(cell) != 2 or None in map(find_int, cell):
            raise DomainMismatch(f"Invalid index {show(cell)}: is one cell (row, column) in the matrix?")
        return not self[cell].new().is_empty


def spread_lines(engine: Engine, lines: Any, pointers: Any, indices: Any, what: str) -> Any:
    """The row of each entry, of rows and of the pointers to where their entries begin."""
    wrong = find_pointer_fault(engine.xp, pointers, lines.size, indices.size)
    if wrong:
        raise InvalidGraph(f"{what}: {wrong}")
    return engine.asarray(np.repeat(lines, np.diff(engine.to_host(pointers))))


def split_edges(edges: Any) -> list[Any]:
    """The rows, the columns and perhaps the values of a list of edges."""
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2:
            raise DimensionMismatch(f"edgelist array must have 2 dimensions, not shape {edges.shape}")
        if edges.shape[1] == 3:
            raise DimensionMismatch("edgelist array of three columns: values must be passed separately, as values=")
        if edges.shape[1] != 2:
            raise DimensionMismatch(f"edgelist array must be length 2 along its rows, not {edges.shape[1]}")
        return [edges[:, 0], edges[:, 1]]
    given = to_list(edges, "edges", "(row, column) pairs or (row, column, value) triples")
    lengths = {len(edge) if hasattr(edge, "__len__") and getattr(edge, "ndim", 1) else 0 for edge in given}
    if not lengths <= {2} and not lengths <= {3}:
        raise DimensionMismatch(f"edges={show(edges)}: edgelist must have two values for each edge, or three for each")
    return [list(part) for part in zip(*given, strict=True)] or [[], []]


def read_lines(nested: Any) -> list[tuple[Any, Mapping[Any, Any]]]:
    """The numbers of rows (or columns) and the dictionaries of their entries."""
    named = isinstance(nested, Mapping)
    lines: list[Any] = list(nested.items()) if named else list(enumerate(to_list(nested, "nested", "dictionaries")))
    for line, entries in lines:
        if not isinstance(entries, Mapping):
            raise DomainMismatch(f"nested: {show(entries)} at {line} is no dictionary {{column: value}}")
    return lines
