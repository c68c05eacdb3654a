"""`Vector`: entries at some of the places 0 … size − 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.common.arguments import find_int, is_wanted, show, to_array, to_bool, to_int, to_list
from graphla.common.errors import DimensionMismatch, DomainMismatch
from graphla.common.typing import ArrayLike, ArrowTable, BinaryLike, DTypeLike, Number, SemiringLike
from graphla.containers import arrow
from graphla.containers.elementwise import compute_operand
from graphla.containers.exchange import Exchanged
from graphla.containers.execute import report_out_of_memory
from graphla.containers.interop import DenseProtocols, to_engine_array
from graphla.containers.operations import make_kronecker
from graphla.containers.pending import read_place
from graphla.containers.validate import (
    HOST,
    LARGEST,
    BadValues,
    are_few_on_host,
    as_dense,
    cast_copy,
    check_bounds,
    combine_repeats,
    copy_entries,
    fill_gaps,
    infer_size,
    join_uniform,
    make_diagonal,
    to_fill,
    to_format,
    to_indices,
    to_size,
    to_uniform,
    to_values,
)
from graphla.engine import EngineLike, get_engine
from graphla.language.expr import Expr, to_operand
from graphla.language.kinds import ReduceLike
from graphla.language.lookup import find_operator
from graphla.language.products import Kronecker, MatMul
from graphla.storage import BitmapVector, Distributed, FullVector, SparseVector
from graphla.storage.cast import cast_number
from graphla.storage.convert import count_true, make_full
from graphla.storage.deferred import FewEntries
from graphla.storage.formats import as_best_format, as_bitmap, as_sparse, choose_index_dtype, from_cells
from semirings import binary, semiring
from semirings.dtypes import lookup

if TYPE_CHECKING:
    from graphla.containers.matrix import Matrix
    from graphla.containers.scalar import Scalar


class Vector(DenseProtocols, Exchanged["Vector"], rank=1):
    """A sparse vector on an engine.

    Parameters
    ----------
    dtype : dtype
        One of BOOL, INT8 … UINT64, FP32, FP64, FC32, FC64, or NumPy's name or type for it.
    size : int
        The length. There is no entry at first.
    name : str, optional
        A name for messages.
    engine : {"cpu", "cuda"}, optional
        Where it lives; by default `graphla.common.config.engine`, GRAPHLA_ENGINE, or the best there is.

    Examples
    --------
    >>> from graphla import Vector
    >>> v = Vector.from_coo([1, 3], [10, 30], size=5)
    >>> v.nvals, v[3].new().value, v[0].new().value
    (2, 30, None)
    """

    @report_out_of_memory
    def __init__(
        self, dtype: DTypeLike = "FP64", size: int = 0, *, name: str | None = None, engine: EngineLike = None
    ) -> None:
        engine = get_engine(engine)
        size = to_size(size)
        empty = np.zeros(0, choose_index_dtype(size)), np.zeros(0, lookup(dtype).numpy)
        super().__init__(
            FewEntries(size, *empty, engine.xp) if engine.defers_small_inputs else SparseVector(size, *empty),
            engine,
            name,
        )

    if TYPE_CHECKING:

        @property
        def _is_vector(self) -> tuple[Matrix, Scalar]: ...

    @property
    def size(self) -> int:
        return self._held.size

    @property
    def _sizes(self) -> dict[str, int]:
        return {"size": self.size}

    # --- in

    @classmethod
    @report_out_of_memory
    def from_coo(
        cls,
        indices: ArrayLike,
        values: ArrayLike = 1.0,
        dtype: DTypeLike | None = None,
        *,
        size: int | None = None,
        dup_op: BinaryLike | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Vector:
        """Make a vector of indices and values.

        Parameters
        ----------
        indices : array of int
            Shape (nvals,), in any order.
        values : array or number
            A value per index, or one for all.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        size : int, optional
            The length; by default one more than the largest index.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused. Not where there is one value for all, which
            repeated indices get once.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Vector
            A new vector.

        Raises
        ------
        IndexOutOfBounds
            If an index is negative or not below the size.
        InvalidGraph
            If an entry occurs twice and there is no `dup_op`.
        DimensionMismatch
            If the shapes do not fit together.

        Notes
        -----
        O(nvals log nvals).

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_coo([2, 0], [7, 5], size=3).to_dict()
        {0: 5, 2: 7}
        """
        engine, dup_op = get_engine(engine), join_uniform(values, dup_op)
        maker = HOST if (dup_op is None or dup_op is binary.first) and are_few_on_host(indices, values) else engine
        xp: Any = maker.xp
        places = to_indices(maker, indices, "indices")
        held = to_values(maker, values, places.size, dtype)
        size = infer_size(places, "size") if size is None else to_size(size)
        check_bounds(places, size, "index")
        if places.size > 1:
            order = xp.argsort(places, **({"kind": "stable"} if xp is np else {}))
            places, held = places[order], held[order]
        storage = SparseVector(size, places.astype(choose_index_dtype(size)), held)
        storage = combine_repeats(maker, storage, dup_op) if places.size > 1 else storage
        if maker is not engine:
            few = FewEntries(size, storage.indices, storage.values, engine.xp)
            return cls._from_storage(few if engine.defers_small_inputs else few.resolve(), engine, name)
        return cls._from_storage(as_best_format(xp, storage), engine, name)

    @classmethod
    def from_pairs(
        cls,
        pairs: Sequence[tuple[int, Number]],
        dtype: DTypeLike | None = None,
        *,
        size: int | None = None,
        dup_op: BinaryLike | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Vector:
        """Make a vector of (index, value) pairs.

        Parameters
        ----------
        pairs : sequence of (int, number)
            The entries.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        size : int, optional
            The length; by default one more than the largest index.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Vector
            A new vector.

        Raises
        ------
        IndexOutOfBounds
            If an index is negative or not below the size.
        InvalidGraph
            If an entry occurs twice and there is no `dup_op`.
        DomainMismatch
            If the pairs are an array.
        DimensionMismatch
            If one is no pair.

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_pairs([(2, 7), (0, 5)]).to_dict()
        {0: 5, 2: 7}
        """
        if isinstance(pairs, np.ndarray):
            raise DomainMismatch("from_pairs takes a list of pairs: of an array, use `Vector.from_coo` of its columns")
        given = to_list(pairs, "pairs", "(index, value) pairs")
        for pair in given:
            if not hasattr(pair, "__len__") or isinstance(pair, str) or len(pair) != 2:
                raise DimensionMismatch(
                    f"pairs: {show(pair)} is none. Each item in the pair list has an index and a value, no more"
                )
        places, values = zip(*given, strict=True) if given else ((), np.zeros(0))
        return cls.from_coo(list(places), list(values), dtype, size=size, dup_op=dup_op, name=name, engine=engine)

    @classmethod
    def from_dict(
        cls,
        entries: Mapping[int, Number],
        dtype: DTypeLike | None = None,
        *,
        size: int | None = None,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Vector:
        """Make a vector of a mapping from index to value.

        Parameters
        ----------
        entries : mapping of int to number
            The entries.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        size : int, optional
            The length; by default one more than the largest index, and 0 without entries.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Vector
            A new vector.

        Raises
        ------
        IndexOutOfBounds
            If an index is negative or not below the size.
        DomainMismatch
            If it is no mapping.

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_dict({2: 7, 0: 5}).size
        3
        """
        if not isinstance(entries, Mapping):
            raise DomainMismatch(f"entries={show(entries)}: give a mapping from index to value, such as {{0: 5}}")
        length = 0 if size is None and not entries else size
        return cls.from_pairs(list(entries.items()), dtype, size=length, name=name, engine=engine)

    @classmethod
    @report_out_of_memory
    def from_dense(
        cls,
        values: ArrayLike,
        missing_value: Number | None = None,
        dtype: DTypeLike | None = None,
        *,
        copy: bool = True,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Vector:
        """Make a vector of an array, or of what supports DLPack.

        Parameters
        ----------
        values : array
            Shape (size,).
        missing_value : number, optional
            Places that hold it have no entry; by default every place has one.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        copy : bool
            Copy the array. Without a copy it is shared where device, dtype and layout allow, and may be written
            into.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Vector
            A new vector.

        Raises
        ------
        DimensionMismatch
            If the array has not one dimension.
        DomainMismatch
            If it is one number.

        Notes
        -----
        O(size).

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_dense([5, 0, 7], missing_value=0).to_dict()
        {0: 5, 2: 7}
        """
        engine = get_engine(engine)
        given = to_array(lambda array: to_engine_array(engine, array), values, "values", BadValues)
        held, present = as_dense(engine, given, missing_value, dtype, to_bool(copy, "copy"))
        if held.ndim == 0:
            raise DomainMismatch("from_dense takes an array; of one value for all, use Vector.from_scalar")
        if held.ndim != 1:
            raise DimensionMismatch(f"the array must be 1d, and has shape {held.shape}")
        if present is None:
            return cls._from_storage(FullVector(held), engine, name)
        return cls._from_storage(
            as_best_format(engine.xp, BitmapVector(present, held, count_true(present))), engine, name
        )

    @classmethod
    @report_out_of_memory
    def from_scalar(
        cls,
        value: Number,
        size: int,
        dtype: DTypeLike | None = None,
        *,
        name: str | None = None,
        engine: EngineLike = None,
    ) -> Vector:
        """Make a vector with the same value everywhere.

        Parameters
        ----------
        value : number
            The value.
        size : int
            The length.
        dtype : dtype, optional
            The dtype of the values; by default their own.
        name : str, optional
            A name for messages.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Vector
            A new vector.

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_scalar(4, 2).to_dict()
        {0: 4, 1: 4}
        """
        engine = get_engine(engine)
        held, kind = to_uniform(value, dtype)
        return cls._from_storage(FullVector(make_full(engine.xp, to_size(size), held, kind.numpy)), engine, name)

    # --- out

    @report_out_of_memory
    def to_coo(
        self, dtype: DTypeLike | None = None, *, indices: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]:
        """The entries as arrays.

        Parameters
        ----------
        dtype : dtype, optional
            Of the values; by default the same.
        indices, values : bool
            Which of the two to return; the other is None.
        sort : bool
            Whether they have to be sorted, which they always are.

        Returns
        -------
        indices : array
            int32 of shape (nvals,), sorted; int64 for sizes from 2³¹ on.
        values : array
            Shape (nvals,), on the engine.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> indices, values = v.to_coo()
        >>> indices.tolist(), values.tolist()
        ([0, 2], [5, 7])
        """
        indices, values, _ = is_wanted(indices, "indices"), is_wanted(values, "values"), to_bool(sort, "sort")
        return copy_entries(self.engine.xp, self._collected, dtype, indices, values)

    @report_out_of_memory
    def to_dense(self, fill_value: Number | None = None, dtype: DTypeLike | None = None) -> Any:
        """The vector as an array.

        Parameters
        ----------
        fill_value : number, optional
            The value for absent entries; may be left out if every entry is present.
        dtype : dtype, optional
            The dtype of the array; by default one that holds the entries and `fill_value`.

        Returns
        -------
        array
            Shape (size,), on the engine; a copy.

        Raises
        ------
        GraphlaError
            If a place has no entry and there is no `fill_value`.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.to_dense(-1).tolist()
        [5, -1, 7]
        """
        fill_value = to_fill(fill_value, self.size - self.nvals, self.size)
        held, xp = self._collected, self.engine.xp
        bitmap: Any = held if isinstance(held, FullVector) else as_bitmap(xp, held)
        if self.nvals == self.size:
            return cast_copy(bitmap.values, self.dtype if dtype is None else lookup(dtype))
        if dtype is None:
            return fill_gaps(xp, bitmap, self.dtype, fill_value)
        there = xp.where(bitmap.present, bitmap.values, bitmap.values.dtype.type(0))
        return xp.where(bitmap.present, cast_copy(there, lookup(dtype)), cast_number(fill_value, lookup(dtype)))

    def to_dict(self) -> dict[int, Any]:
        """The vector as a dictionary.

        Returns
        -------
        dict of int to number
            Python numbers by index.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.to_dict()
        {0: 5, 2: 7}
        """
        indices, values = (self.engine.to_host(part) for part in self.to_coo())
        return dict(zip(indices.tolist(), values.tolist(), strict=True))

    @classmethod
    def from_arrow(
        cls,
        table: ArrowTable,
        index: str = "index",
        value: str = "value",
        *,
        size: int | None = None,
        dup_op: BinaryLike | None = None,
        engine: EngineLike = None,
    ) -> Vector:
        """A vector of two columns of an Arrow table.

        Parameters
        ----------
        table : table
            One of pandas, Polars, DuckDB or pyarrow (whatever speaks the Arrow C stream), or a dictionary of arrays.
        index, value : str
            The names of the columns: integers, and numbers or truths.
        size : int, optional
            The length; by default one more than the largest index.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused.
        engine : {"cpu", "cuda"}, optional
            Where it lives; by default as `config.engine` says.

        Returns
        -------
        Vector
            A new vector.

        Raises
        ------
        InvalidGraph
            If a column is missing, holds nulls or no numbers, or an index occurs twice and there is no `dup_op`.
        NotSupported
            If pyarrow is not installed.

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_arrow({"index": [0, 2], "value": [1.5, 2.5]}, size=4).to_dict()
        {0: 1.5, 2: 2.5}
        """
        columns = arrow.read_table(table)
        indices, values = (
            arrow.to_numbers(arrow.read_column(columns, name, what), f"{what}={name!r}")
            for name, what in ((index, "index"), (value, "value"))
        )
        return cls.from_coo(indices, values, size=size, dup_op=dup_op, engine=engine)

    def to_arrow(self, labels: Any = None, *, value_labels: Any = None) -> Any:
        """The entries as a `pyarrow.Table` of the columns ``index`` and ``value``.

        The answer to a problem has the columns ``vertex`` and one that is called after it, with the labels of the
        graph.

        Parameters
        ----------
        labels : array, optional
            What stands for the indices, such as `Graph.labels`: the column ``index`` then holds ``labels[i]``.
        value_labels : array, optional
            What stands for the values, if these are vertices, as parents and components are.

        Returns
        -------
        pyarrow.Table
            One row per entry, in the order of the indices.

        Raises
        ------
        NotSupported
            If pyarrow is not installed.

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_coo([0, 2], [1.5, 2.5]).to_arrow(labels=["Ulm", "Bonn", "Kiel"]).to_pydict()
        {'index': ['Ulm', 'Kiel'], 'value': [1.5, 2.5]}
        """
        indices, values = (self.engine.to_host(part) for part in self.to_coo())
        values = values if value_labels is None else arrow.require_places(values)
        return arrow.write_named((indices, values), self._names, ("index", "value"), (labels, value_labels))

    def head(self, count: int) -> tuple[Any, Any]:
        """The first few entries.

        Parameters
        ----------
        count : int
            How many at most.

        Returns
        -------
        indices : numpy.ndarray
            Shape (k,), on the host.
        values : numpy.ndarray
            Shape (k,), on the host.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> indices, values = v.head(1)
        >>> indices.tolist(), values.tolist()
        ([0], [5])
        """
        count = to_int(count, "count", 0)
        sparse = as_sparse(self.engine.xp, self.engine.collect_first(self._storage, count))
        return self.engine.to_host(sparse.indices[:count]), self.engine.to_host(sparse.values[:count])

    def get(self, index: int, default: Number | None = None) -> Any:
        """The value at an index.

        Parameters
        ----------
        index : int
            A place; negative ones count from the end.
        default : number, optional
            What is returned if there is no entry.

        Returns
        -------
        number or None
            A Python number.

        Raises
        ------
        IndexOutOfBounds
            If there is no such place.
        DimensionMismatch
            If it is not one index.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.get(2), v.get(1, -1)
        (7, -1)
        """
        if find_int(index) is None:
            raise DimensionMismatch(f"Bad index in Vector.get: {show(index)} is not one index")
        value = read_place(self, index)
        return default if value is None else value

    def __contains__(self, index: int) -> bool:
        if find_int(index) is None:
            raise DomainMismatch(f"Invalid index {show(index)}: is one index in the vector?")
        return not self[index].new().is_empty

    def __iter__(self) -> Iterator[int]:
        return iter(self.engine.to_host(self.to_coo()[0]).tolist())

    def __len__(self) -> int:
        return self.size

    # --- algebra

    def vxm(self, other: Expr[Matrix], op: SemiringLike = "plus_times") -> MatMul[Vector]:
        """The product with a matrix, v ⊕.⊗ A.

        Parameters
        ----------
        other : Matrix or expression
            A matrix with as many rows as this vector is long.
        op : Semiring or str
            The semiring, or its name; by default sums of products.

        Returns
        -------
        Expr
            The expression; ``new()`` or ``<<`` computes it.

        Raises
        ------
        GraphlaError
            If there is no such operator.
        DimensionMismatch
            If the shapes do not fit together.

        Notes
        -----
        O(arcs that are read).

        Examples
        --------
        >>> from graphla import Matrix, Vector
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> Vector.from_coo([1], [5], size=2).vxm(A).new().to_dict()
        {0: 15}
        """
        return find_operator(op, semiring)(compute_operand(self) @ compute_operand(other))

    def inner(self, other: Expr[Vector], op: SemiringLike = "plus_times") -> MatMul[Scalar]:
        """The inner product, ⊕ over k of u[k] ⊗ v[k].

        Parameters
        ----------
        other : Vector or expression
            A vector of the same length.
        op : Semiring or str
            The semiring, or its name; by default sums of products.

        Returns
        -------
        Expr
            An expression of one value.

        Raises
        ------
        GraphlaError
            If there is no such operator.
        DimensionMismatch
            If the shapes do not fit together.

        Notes
        -----
        O(entries of both).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.inner(v).new().value
        74
        """
        return find_operator(op, semiring)(compute_operand(self) @ compute_operand(other))

    @report_out_of_memory
    def outer(self, other: Expr[Vector], op: BinaryLike = "times") -> Kronecker[Matrix]:
        """The matrix of every entry with every entry of another vector: C[i, j] = u[i] ⊗ v[j].

        Parameters
        ----------
        other : Vector or expression
            The other vector, of any length.
        op : BinaryOp, Monoid or str
            The product of two entries.

        Returns
        -------
        Expr
            The expression; ``new()`` or ``<<`` computes it.

        Raises
        ------
        DimensionMismatch
            If the other is no vector.
        GraphlaError
            If there is no such operator.

        Notes
        -----
        O(entries of one · entries of the other).

        Examples
        --------
        >>> from graphla import Vector
        >>> u, v = Vector.from_coo([0, 2], [2, 3]), Vector.from_coo([1], [5])
        >>> u.outer(v).new().to_dense(0).tolist()
        [[0, 10], [0, 0], [0, 15]]
        """
        right = to_operand(other, "outer")
        if right.rank != 1:
            raise DimensionMismatch(f"other={show(other)}: outer wants a vector, not one of shape {right.shape}")
        return make_kronecker(self._to_cells((self.size, 1)), right._to_cells((1, right.size)), op)

    def _to_cells(self, shape: tuple[int, int]) -> Any:
        """The matrix of one row or column with these entries."""
        if isinstance(self._storage, Distributed):
            held = self._storage.ranks.make_line(self._storage, shape)
            return self._containers[2]._from_storage(held, self.engine)
        cells = from_cells(self.engine.xp, self._storage, shape)
        return self._containers[2]._from_storage(cells, self.engine)

    def reduce(self, op: ReduceLike = "plus", *, allow_empty: bool = True) -> Expr[Scalar]:
        """Combine all entries; empty where there is none.

        Parameters
        ----------
        op : Monoid, Aggregator or str
            What combines the entries, such as ``"max"`` or `agg.mean`.
        allow_empty : bool
            Whether the result of no entries is empty (true), or the identity of the monoid.

        Returns
        -------
        Expr
            An expression of one value.

        Raises
        ------
        GraphlaError
            If there is no such operator.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.reduce().new().value
        12
        """
        return self._reduce_all(op, allow_empty)

    def reposition(self, offset: int, *, size: int | None = None) -> Vector:
        """A vector with every entry some places further on; what falls outside is dropped.

        Parameters
        ----------
        offset : int
            How many places.
        size : int, optional
            The length of the result; by default that of this vector.

        Returns
        -------
        Vector
            A new vector.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.reposition(1).to_dict()
        {1: 5}
        """
        length, offset = self.size if size is None else to_size(size), to_int(offset, "offset")
        result = type(self)(self.dtype, length, engine=self.engine)
        first, last = max(0, -offset), min(self.size, length - offset)
        if first < last:
            result[first + offset : last + offset] << self[first:last]
        return result

    def build(
        self,
        indices: ArrayLike,
        values: ArrayLike,
        *,
        dup_op: BinaryLike | None = None,
        clear: bool = False,
        size: int | None = None,
    ) -> None:
        """Fill this vector as `from_coo` would.

        Parameters
        ----------
        indices : array of int
            Shape (nvals,), in any order.
        values : array or number
            A value per index, or one for all.
        dup_op : BinaryOp, Monoid or str, optional
            What joins repeated entries; without it they are refused.
        clear : bool
            Remove all entries first.
        size : int, optional
            A new length.

        Raises
        ------
        GraphlaError
            If there are entries and they are not cleared.
        InvalidGraph
            If an entry occurs twice and there is no `dup_op`.
        IndexOutOfBounds
            If an index is negative or not below the size.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector("INT64", 3)
        >>> v.build([2, 0], [7, 5])
        >>> v.to_dict()
        {0: 5, 2: 7}
        """
        self._build((indices, values), dup_op, clear, {"size": self.size if size is None else size})

    @report_out_of_memory
    def resize(self, size: int) -> None:
        """Change the length; entries past the end are dropped.

        Parameters
        ----------
        size : int
            The new length.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.resize(2)
        >>> v.to_dict()
        {0: 5}
        """
        size = to_size(size)
        self._names = self._names and self._names.fit((size,))
        if isinstance(self._storage, Distributed):
            self._held = self.reposition(0, size=size)._storage
            return
        if size == self.size:
            return
        sparse = as_sparse(self.engine.xp, self._storage)
        keep = sparse.indices < size
        cut = SparseVector(size, sparse.indices[keep].astype(choose_index_dtype(size)), sparse.values[keep])
        self._held = as_best_format(self.engine.xp, cut)

    @report_out_of_memory
    def to_scipy_sparse(self, format: str = "csr") -> Any:
        """A SciPy sparse array on the host: of one row, or of one column if `format` is "csc".

        Parameters
        ----------
        format : str
            A format of SciPy, such as "csr", "csc" or "coo".

        Returns
        -------
        scipy.sparse.sparray
            Of shape (1, size), or (size, 1) if the format is "csc".

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector.from_coo([1], [5], size=3).to_scipy_sparse().toarray()
        array([[0, 5, 0]])
        """
        import scipy.sparse

        indices, values = (self.engine.to_host(part) for part in self.to_coo())
        row = scipy.sparse.coo_array((values, (np.zeros_like(indices), indices)), (1, self.size))
        return to_format(row.T if isinstance(format, str) and format == "csc" else row, format)

    @report_out_of_memory
    def diag(self, k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None) -> Matrix:
        """The square matrix with these entries on a diagonal.

        Parameters
        ----------
        k : int
            Which diagonal: above the main one, or below it if negative.
        dtype : dtype, optional
            Of the matrix; by default that of the vector.
        name : str, optional
            A name for messages.

        Returns
        -------
        Matrix
            A new matrix.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.diag().to_dicts()
        {0: {0: 5}, 2: {2: 7}}
        """
        k = to_int(k, "k", -LARGEST, LARGEST)
        if isinstance(self._storage, Distributed):
            held = self._storage.ranks.make_diagonal(self._storage, k, (self.size + abs(k),) * 2)
            made = self._containers[2]._from_storage(held, self.engine, name)
            return made if dtype is None else made.dup(dtype, name=name)
        if self.engine.name == "cpu" and dtype is None:
            held = make_diagonal(as_sparse(self.engine.xp, self._storage), k)
            return self._containers[2]._from_storage(held, self.engine, name)
        places, values = self.to_coo()
        kind = self.dtype if dtype is None else dtype
        shape = {"nrows": self.size + abs(k), "ncols": self.size + abs(k), "engine": self.engine}
        return self._containers[2].from_coo(places + max(0, -k), places + max(0, k), values, kind, name=name, **shape)
