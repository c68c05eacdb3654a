"""Operations by name, as python-graphblas spells them; each gives an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, overload

from graphla.containers.aggregators import Aggregator, agg
from graphla.containers.execute import engine_of
from graphla.containers.power import power
from graphla.errors import DomainMismatch, GraphlaError
from graphla.language.apply import Apply, Reduce, Select
from graphla.language.expr import Expr, ScalarLike, operand
from graphla.language.extract import Extract
from graphla.language.index import resolve_index
from graphla.language.products import Kronecker, MatMul
from graphla.language.reading import R
from graphla.language.scalars import to_number, to_operand_number
from graphla.typing import ApplyLike, BinaryLike, MonoidLike, Part, Position, SemiringLike
from semirings import BinaryOp, IndexUnaryOp, Monoid, UnaryOp, binary, indexunary, monoid, semiring, unary
from semirings.dtypes import BOOL
from semirings.operators import Operator
from semirings.registry import offered

if TYPE_CHECKING:
    from graphla.containers.matrix import Matrix
    from graphla.containers.scalar import Scalar
    from graphla.containers.vector import Vector

ReduceLike: TypeAlias = MonoidLike | Aggregator
"""What reduces: a monoid, the operator of one, an aggregator, or the name of one."""


def find_operator(op: Any, *namespaces: Any) -> Any:
    """The operator `op`, or the one of that name in one of the namespaces."""
    if isinstance(op, (Operator, Aggregator)):  # a tuple: a union would be made anew
        return op
    if not isinstance(op, str):
        raise GraphlaError(
            f"op={op!r}: give an operator, such as binary.plus, or the name of one; semirings.register_unary and its "
            "kin make one of a Python function"
        )
    for namespace in namespaces:
        if op in namespace:
            return namespace[op]
    raise GraphlaError(f"there is no operator {op!r}; {offered(op, (name for n in namespaces for name in n))}")


COMPARISONS = {
    sign: indexunary[f"value{name}"]
    for sign, name in {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}.items()
}
"""The comparison signs that `select` takes beside the names of index-unary operators."""


class Operations(Expr[R]):
    """Operations by name, as python-graphblas spells them; each gives an expression."""

    def ewise_add(self, other: Expr[R], op: BinaryLike = "plus") -> Expr[R]:
        """The union of two structures: ``C[i] = A[i] op B[i]`` where both have an entry, else the one there is.

        Parameters
        ----------
        other : expression
            An expression of the same shape.
        op : BinaryOp, Monoid or str
            What combines two entries; its name will do.

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
        O(entries of both).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.ewise_add(Vector.from_coo([0, 1], [1, 2], size=3)).new().to_dict()
        {0: 6, 1: 2, 2: 7}
        """
        return (self | other)._over(find_operator(op, binary, monoid))

    def ewise_mult(self, other: Expr[R], op: BinaryLike = "times") -> Expr[R]:
        """The intersection of two structures: ``C[i] = A[i] op B[i]`` where both have an entry.

        Parameters
        ----------
        other : expression
            An expression of the same shape.
        op : BinaryOp, Monoid or str
            What combines two entries; its name will do.

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
        O(entries of both).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.ewise_mult(Vector.from_coo([0, 1], [2, 2], size=3)).new().to_dict()
        {0: 10}
        """
        return (self & other)._over(find_operator(op, binary, monoid))

    def ewise_union(
        self, other: Expr[R], op: BinaryLike, left_default: ScalarLike, right_default: ScalarLike
    ) -> Expr[R]:
        """The union of two structures, where a default stands in for an entry that one side lacks.

        Parameters
        ----------
        other : expression
            An expression of the same shape.
        op : BinaryOp, Monoid or str
            What combines two entries; its name will do.
        left_default : number or Scalar
            Stands in where only the other side has an entry.
        right_default : number or Scalar
            Stands in where only this side has an entry.

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
        O(entries of both).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.ewise_union(Vector.from_coo([0, 1], [1, 2], size=3), "minus", 0, 0).new().to_dict()
        {0: 4, 1: -2, 2: 7}
        """
        return (self | other)._over(find_operator(op, binary, monoid), left_default, right_default)

    def apply(self, op: ApplyLike, right: ScalarLike | None = None, *, left: ScalarLike | None = None) -> Expr[R]:
        """Apply an operator to each entry.

        Parameters
        ----------
        op : UnaryOp, BinaryOp, IndexUnaryOp, Monoid or str
            The operator, or its name.
        right : number or Scalar, optional
            The second operand of a binary operator, or the thunk of an index-unary one.
        left : number or Scalar, optional
            The first operand of a binary operator; give one of the two.

        Returns
        -------
        Expr
            The expression; ``new()`` or ``<<`` computes it.

        Raises
        ------
        GraphlaError
            If there is no such operator, or it does not take these operands.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.apply("minus", right=1).new().to_dict()
        {0: 4, 2: 6}
        """
        chosen = find_operator(op, unary, binary, indexunary)
        chosen = chosen.op if isinstance(chosen, Monoid) else chosen
        if isinstance(chosen, BinaryOp) and (left is None) == (right is None):
            raise GraphlaError(f"apply {chosen.name}: give exactly one of left= and right=")
        if isinstance(chosen, UnaryOp) and (left is not None or right is not None):
            raise GraphlaError(f"apply {chosen.name}: a unary operator takes no second operand")
        bound = right if left is None else left
        if isinstance(chosen, IndexUnaryOp) and bound is None:
            bound = 0
        held = to_operand_number if isinstance(chosen, BinaryOp) else to_number
        return Apply(operand(self, "apply"), chosen, None if bound is None else held(bound, chosen), left is not None)

    def select(self, op: IndexUnaryOp | str | Expr[R], thunk: ScalarLike = 0) -> Expr[R]:
        """Keep the entries that satisfy a condition.

        Parameters
        ----------
        op : IndexUnaryOp, str or expression
            The rule ``op(value, row, column, thunk)``, its name, or a sign such as ``">"``; or an expression of
            BOOL entries, which keeps the entries where that is true.
        thunk : number or Scalar
            The parameter of the rule.

        Returns
        -------
        Expr
            The expression; ``new()`` or ``<<`` computes it.

        Raises
        ------
        GraphlaError
            If there is no such operator.
        DomainMismatch
            If `op` is an expression whose entries are not BOOL.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.select(">", 5).new().to_dict()
        {2: 7}
        """
        if isinstance(op, Expr):
            if op.dtype != BOOL:
                raise DomainMismatch(f"select by {op.dtype} entries: give BOOL entries, such as v > 3, or an operator")
            return (self & Select(operand(op, "select"), indexunary.valuene, False))._over(binary.first)
        rule = find_operator(op, indexunary, COMPARISONS)
        return Select(operand(self, "select"), rule, to_number(thunk, rule))

    def _reduce_with(self, op: ReduceLike, axis: int | None) -> Expr[Any]:
        """Reduce along an axis, or everything (None), by a monoid, the operator of one, or an aggregator."""
        chosen = find_operator(op, monoid, binary, agg)
        if isinstance(chosen, Aggregator):
            return chosen.reduce(self, axis)
        if isinstance(chosen, BinaryOp):
            same = [m for m in monoid.values() if m.op is chosen]
            if not same:
                raise DomainMismatch(f"{chosen.name} is no monoid: register one to reduce with it")
            chosen = same[0]
        return Reduce(operand(self, "reduce"), chosen, axis)

    @property
    def ndim(self) -> int:
        """1 of a vector, 2 of a matrix."""
        return self.rank

    @overload
    def __getitem__(self: Operations[Vector], index: Position) -> Extract[Scalar]: ...

    @overload
    def __getitem__(self: Operations[Vector], index: Part) -> Extract[Vector]: ...

    @overload
    def __getitem__(self: Operations[Matrix], index: tuple[Position, Position]) -> Extract[Scalar]: ...

    @overload
    def __getitem__(
        self: Operations[Matrix], index: tuple[Position, Part] | tuple[Part, Position]
    ) -> Extract[Vector]: ...

    @overload
    def __getitem__(self: Operations[Matrix], index: tuple[Part, Part]) -> Extract[Matrix]: ...

    def __getitem__(self, index: Any) -> Extract[Any]:
        return Extract(self, resolve_index(index, self.shape))


class MatrixOperations(Operations["Matrix"]):
    """Operations that only matrices and their transposes have."""

    def mxm(self, other: Expr[Matrix], op: SemiringLike = "plus_times") -> MatMul[Matrix]:
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
        return (self @ other)._over(find_operator(op, semiring))

    def mxv(self, other: Expr[Vector], op: SemiringLike = "plus_times") -> MatMul[Vector]:
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
        return (self @ other)._over(find_operator(op, semiring))

    def power(self, n: int, op: SemiringLike = "plus_times") -> Expr[Matrix]:
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
        return power(self, n, find_operator(op, semiring))

    def reposition(
        self, row_offset: int, column_offset: int, *, nrows: int | None = None, ncols: int | None = None
    ) -> Matrix:
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
        shape = tuple(old if new is None else new for old, new in zip(self.shape, (nrows, ncols), strict=True))
        result = self._containers[2](self.dtype, *shape, engine=engine_of(self))
        offsets = row_offset, column_offset
        begin = [max(0, -offset) for offset in offsets]
        end = [min(old, new - offset) for old, new, offset in zip(self.shape, shape, offsets, strict=True)]
        if all(first < last for first, last in zip(begin, end, strict=True)):
            part: Any = tuple(slice(first, last) for first, last in zip(begin, end, strict=True))
            there: Any = tuple(slice(s.start + o, s.stop + o) for s, o in zip(part, offsets, strict=True))
            result[there] << self[part]
        return result

    def kronecker(self, other: Expr[Matrix], op: BinaryLike = "times") -> Kronecker:
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
        times = find_operator(op, binary, monoid)
        return Kronecker(operand(self, "left"), operand(other, "right"), getattr(times, "op", times))

    def reduce_rowwise(self, op: ReduceLike = "plus") -> Expr[Vector]:
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

    def reduce_columnwise(self, op: ReduceLike = "plus") -> Expr[Vector]:
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

    def reduce_scalar(self, op: ReduceLike = "plus") -> Expr[Scalar]:
        """Combine all entries; empty where there is none.

        Parameters
        ----------
        op : Monoid, Aggregator or str
            What combines the entries, such as ``"max"`` or `agg.mean`.

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
        return self._reduce_with(op, None)
