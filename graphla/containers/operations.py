"""Operations by name, as python-graphblas spells them; each gives an expression."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, overload

from graphla.common.arguments import to_bool, to_int
from graphla.common.errors import DomainMismatch, InvalidOption
from graphla.common.typing import BinaryLike, Position, SemiringLike
from graphla.containers.aggregators import Aggregator, TypedAggregator, agg
from graphla.containers.elementwise import Elementwise, compute_operand
from graphla.containers.execute import find_engine
from graphla.containers.power import power
from graphla.language.apply import Reduce
from graphla.language.expr import Expr, require_entries, to_operand
from graphla.language.extract import Extract
from graphla.language.index import resolve_index
from graphla.language.kinds import AMatrix, AScalar, AVector, IsMatrix, IsVector, R, ReduceLike
from graphla.language.lookup import find_operator
from graphla.language.places import Part
from graphla.language.products import Kronecker, MatMul
from semirings import BinaryOp, binary, monoid, semiring
from semirings.operators import TypedOperator


def make_kronecker(left: Any, right: Any, op: Any) -> Kronecker[Any]:
    """Every entry of one with every entry of the other."""
    times = find_operator(op, binary, monoid, semiring)
    left, right = require_entries(left, "kronecker"), require_entries(right, "kronecker: other")
    if isinstance(times, TypedOperator):
        left, right, times = left._cast(times.type), right._cast(times.type), times.op
    return Kronecker(left, right, times.binaryop)


class Operations(Elementwise[R]):
    """Operations by name, as python-graphblas spells them; each gives an expression."""

    def _reduce_all(self, op: ReduceLike, allow_empty: bool) -> Expr[Any]:
        """Reduce everything; if the result may not be empty, no entries give the identity."""
        found = self._reduce_with(op, None)
        if to_bool(allow_empty, "allow_empty"):
            return found
        if isinstance(found, Reduce):
            return replace(found, or_identity=True)
        chosen: Any = find_operator(op, monoid, binary, agg)
        if chosen.monoid is None:
            raise InvalidOption(f"allow_empty=False not allowed when using Aggregators without an identity: {chosen!r}")
        value = found.new()
        if value.is_empty:
            value.value = chosen.monoid.identity(value.dtype)
        return value

    def _reduce_with(self, op: ReduceLike, axis: int | None) -> Expr[Any]:
        """Reduce along an axis, or everything (None), by a monoid, the operator of one, or an aggregator."""
        if getattr(op, "sort", None) == "semiring":
            raise DomainMismatch(f"reduce: {op!r} is a semiring: write {op!r}.monoid to get the Monoid")
        chosen = find_operator(op, monoid, binary, agg)
        if isinstance(chosen, Aggregator) and chosen.monoid is not None:
            chosen = chosen.monoid
        if isinstance(chosen, (Aggregator, TypedAggregator)):
            return chosen.reduce(self, axis)
        of: Any = self
        if isinstance(chosen, TypedOperator):
            of, chosen = self._cast(chosen.type), chosen.op
        if isinstance(chosen, BinaryOp):
            if chosen.monoid is None:
                raise DomainMismatch(
                    f"{chosen.name} is no monoid: register one to reduce with it. Expected type: Monoid or Aggregator"
                )
            chosen = chosen.monoid
        return Reduce(to_operand(of, "reduce"), chosen, axis)

    @overload
    def __getitem__(self: Operations[IsVector[Any, AScalar]], index: Position) -> Extract[AScalar]: ...

    @overload
    def __getitem__(self: Operations[AVector], index: Part) -> Extract[AVector]: ...

    @overload
    def __getitem__(self: Operations[IsMatrix[Any, AScalar]], index: tuple[Position, Position]) -> Extract[AScalar]: ...

    @overload
    def __getitem__(
        self: Operations[IsMatrix[AVector, Any]], index: tuple[Position, Part] | tuple[Part, Position]
    ) -> Extract[AVector]: ...

    @overload
    def __getitem__(self: Operations[AMatrix], index: tuple[Part, Part]) -> Extract[AMatrix]: ...

    def __getitem__(self, index: Any) -> Extract[Any]:
        return Extract(self, resolve_index(index, self.shape))


class MatrixOperations(Operations[R]):
    """Operations that only matrices and their transposes have."""

    def mxm(self, other: Expr[R], op: SemiringLike = "plus_times") -> MatMul[R]:
        """The product with a matrix, A ⊕.⊗ B.

        Parameters
        ----------
        other : Matrix or expression
            A matrix with as many rows as this one has columns.
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
        O(number of products) where both are sparse.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.mxm(A).new().to_dicts()
        {0: {0: 6}, 1: {1: 6}}
        """
        return find_operator(op, semiring)(compute_operand(self) @ compute_operand(other))

    def mxv(
        self: MatrixOperations[IsMatrix[AVector, Any]], other: Expr[AVector], op: SemiringLike = "plus_times"
    ) -> MatMul[AVector]:
        """The product with a vector, A ⊕.⊗ v.

        Parameters
        ----------
        other : Vector or expression
            A vector as long as this matrix has columns.
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
        O(arcs that are read): a push reads the columns of the vector's entries, a pull the rows.

        Examples
        --------
        >>> from graphla import Matrix, Vector
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.mxv(Vector.from_coo([1], [5], size=2)).new().to_dict()
        {0: 10}
        """
        return find_operator(op, semiring)(compute_operand(self) @ compute_operand(other))

    def power(self, n: int, op: SemiringLike = "plus_times") -> Expr[R]:
        """A ⊕.⊗ … ⊕.⊗ A of n factors, by squaring; for n = 0 the identity of ⊗ on the diagonal.

        Parameters
        ----------
        n : int
            The number of factors.
        op : Semiring or str
            The semiring, or its name; by default sums of products.

        Returns
        -------
        Expr
            The expression; ``new()`` or ``<<`` computes it.

        Raises
        ------
        DimensionMismatch
            If the matrix is not square.
        GraphlaError
            If `n` is negative, or 0 where ⊗ has no identity.

        Notes
        -----
        O(log n) products.

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1, 2], [1, 2, 0], [2, 3, 4], nrows=3, ncols=3)
        >>> A.power(3).new().to_dense(0).tolist()
        [[24, 0, 0], [0, 24, 0], [0, 0, 24]]
        """
        chosen = find_operator(op, semiring)
        if isinstance(chosen, TypedOperator):
            return power(self._cast(chosen.type), n, chosen.op)
        return power(self, n, chosen)

    def reposition(
        self, row_offset: int, column_offset: int, *, nrows: int | None = None, ncols: int | None = None
    ) -> R:
        """A matrix with every entry some rows and columns further on; what falls outside is dropped.

        Parameters
        ----------
        row_offset : int
            How many rows further down.
        column_offset : int
            How many columns further to the right.
        nrows, ncols : int, optional
            The shape of the result; by default that of this matrix.

        Returns
        -------
        Matrix
            A new matrix.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.reposition(0, 1).to_dicts()
        {1: {1: 3}}
        """
        row_offset, column_offset = to_int(row_offset, "row_offset"), to_int(column_offset, "column_offset")
        shape = tuple(old if new is None else new for old, new in zip(self.shape, (nrows, ncols), strict=True))
        result = self._containers[2](self.dtype, *shape, engine=find_engine(self))
        shape = result.shape
        offsets = row_offset, column_offset
        begin = [max(0, -offset) for offset in offsets]
        end = [min(old, new - offset) for old, new, offset in zip(self.shape, shape, offsets, strict=True)]
        if all(first < last for first, last in zip(begin, end, strict=True)):
            of: Any = self
            part: Any = tuple(slice(first, last) for first, last in zip(begin, end, strict=True))
            there: Any = tuple(slice(s.start + o, s.stop + o) for s, o in zip(part, offsets, strict=True))
            result[there] << of[part]
        return result

    def kronecker(self, other: Expr[R], op: BinaryLike = "times") -> Kronecker[R]:
        """The Kronecker product: C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l], where B has shape (m, n).

        Parameters
        ----------
        other : Matrix or expression
            The other factor.
        op : BinaryOp, Monoid or str
            The product of two entries.

        Returns
        -------
        Expr
            The expression; ``new()`` or ``<<`` computes it.

        Raises
        ------
        GraphlaError
            If there is no such operator.

        Notes
        -----
        O(entries of one · entries of the other).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.kronecker(A).new().to_dicts()
        {0: {3: 4}, 1: {2: 6}, 2: {1: 6}, 3: {0: 9}}
        """
        return make_kronecker(self, other, op)

    def reduce_rowwise(self: MatrixOperations[IsMatrix[AVector, Any]], op: ReduceLike = "plus") -> Expr[AVector]:
        """Combine the entries of each row; rows without entries have none in the result.

        Parameters
        ----------
        op : Monoid, Aggregator or str
            What combines the entries, such as ``"max"`` or `agg.mean`.

        Returns
        -------
        Expr
            An expression of size `nrows`.

        Raises
        ------
        GraphlaError
            If there is no such operator.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.reduce_rowwise().new().to_dict()
        {0: 2, 1: 3}
        """
        return self._reduce_with(op, 1)

    def reduce_columnwise(self: MatrixOperations[IsMatrix[AVector, Any]], op: ReduceLike = "plus") -> Expr[AVector]:
        """Combine the entries of each column; columns without entries have none in the result.

        Parameters
        ----------
        op : Monoid, Aggregator or str
            What combines the entries, such as ``"max"`` or `agg.mean`.

        Returns
        -------
        Expr
            An expression of size `ncols`.

        Raises
        ------
        GraphlaError
            If there is no such operator.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.reduce_columnwise().new().to_dict()
        {0: 3, 1: 2}
        """
        return self._reduce_with(op, 0)

    def reduce_scalar(
        self: MatrixOperations[IsMatrix[Any, AScalar]], op: ReduceLike = "plus", *, allow_empty: bool = True
    ) -> Expr[AScalar]:
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
        >>> from graphla import Matrix
        >>> A = Matrix.from_coo([0, 1], [1, 0], [2, 3], nrows=2, ncols=2)
        >>> A.reduce_scalar().new().value
        5
        """
        return self._reduce_all(op, allow_empty)
