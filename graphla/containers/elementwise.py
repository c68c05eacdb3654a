"""Operations entry by entry, by name: of scalars, vectors and matrices."""

from __future__ import annotations

from typing import Any, cast

from graphla.common.errors import DomainMismatch
from graphla.common.typing import ApplyLike, BinaryLike, IndexFunction
from graphla.containers.select import SelectFunction, select_scalar
from graphla.language.apply import Select
from graphla.language.expr import Expr, ScalarLike, to_operand
from graphla.language.kinds import R
from graphla.language.lookup import SIGNS, find_operator
from graphla.language.masks import MaskView
from graphla.language.scalars import to_thunk
from semirings import BinaryOp, IndexUnaryOp, UnaryOp, binary, indexunary, monoid, unary
from semirings.dtypes import BOOL
from semirings.properties import TypedOperator

OPERATORS = (UnaryOp, BinaryOp, IndexUnaryOp)
COMPARISONS = {
    sign: indexunary[f"value{name}"]
    for sign, name in {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}.items()
}
"""The comparison signs that `select` takes beside the names of index-unary operators."""


class Elementwise(Expr[R]):
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
        return find_operator(op, binary, monoid)(compute_operand(self) | compute_operand(other))

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
        return find_operator(op, binary, monoid)(compute_operand(self) & compute_operand(other))

    def ewise_union(
        self, other: Expr[R], op: BinaryLike, left_default: ScalarLike, right_default: ScalarLike
    ) -> Expr[R]:
        """The union of two structures; a default replaces an entry that one side lacks.

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
        chosen = find_operator(op, binary, monoid)
        return chosen(
            compute_operand(self) | compute_operand(other), left_default=left_default, right_default=right_default
        )

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
        DomainMismatch
            If the operator is of another kind, or its other operand is missing, no number or one too many.

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
        chosen = find_rule(op)
        if chosen.sort == "unary":
            return chosen(self, *(bound for bound in (right, left) if bound is not None))
        if chosen.sort == "indexunary":
            if left is not None:
                raise DomainMismatch(f"apply: `left` does not apply to {chosen!r}: give its thunk as right=")
            return chosen(self, 0 if right is None else right)
        if (left is None) == (right is None):
            both = "Cannot provide both left= and right=. " if left is not None else ""
            raise DomainMismatch(f"apply {chosen.name}: {both}Give exactly one of left= and right=")
        return chosen(self, right) if left is None else chosen(left, self)

    def select(
        self, op: IndexUnaryOp | str | IndexFunction | Expr[R] | MaskView, thunk: ScalarLike | None = None
    ) -> Expr[R]:
        """Keep the entries that satisfy a condition.

        Parameters
        ----------
        op : IndexUnaryOp, str, function or expression
            The rule ``op(value, row, column, thunk)``, its name, a sign such as ``">"``, or a function that is traced
            as a rule; or an expression of BOOL entries, which keeps the entries where that is true.
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
        if isinstance(op, (MaskView, Expr)) and thunk is not None:
            raise DomainMismatch(f"select: thunk={thunk!r} has no meaning beside a mask or BOOL entries")
        if isinstance(op, MaskView):
            return cast("Expr[R]", self.new(mask=op))
        if isinstance(op, Expr):
            if op.dtype != BOOL:
                raise DomainMismatch(f"select by {op.dtype} entries: give BOOL entries, such as v > 3, or an operator")
            return binary.first(
                compute_operand(self) & compute_operand(Select(to_operand(op, "select"), indexunary.valuene, False))
            )
        if isinstance(op, str) and op.strip() in COMPARISONS:
            op = COMPARISONS[op.strip()]
        rule = find_operator(op.op if isinstance(op, SelectFunction) else find_alias(op), indexunary)
        thunk = 0 if thunk is None else thunk
        if isinstance(rule, TypedOperator):
            return SelectFunction(rule)(self, thunk)
        if not self.rank:
            return cast("Expr[R]", select_scalar(self, rule, thunk))
        return Select(to_operand(self, "select"), rule, to_thunk(thunk, rule))


def find_rule(op: Any) -> Any:
    """The operator that `apply` is given."""
    if isinstance(op, OPERATORS):
        return op
    if isinstance(op, SelectFunction):
        return op.op
    if getattr(op, "sort", None) in ("semiring", "agg"):
        raise DomainMismatch(f"apply only accepts UnaryOp with no scalars or BinaryOp with one, and no {op!r}")
    if isinstance(op, str) and op.strip() in COMPARISONS:
        return COMPARISONS[op.strip()]
    return find_operator(op, unary, binary, indexunary, monoid)


def find_alias(op: Any) -> Any:
    """The name of a rule without its sign: ``"index<="`` is ``"indexle"``, and so ``"rowle"`` of a vector."""
    if not isinstance(op, str):
        return op
    stem = op.strip().rstrip("=<>!")
    sign = op.strip()[len(stem) :]
    return (stem or "value") + SIGNS[sign] if sign in SIGNS else op


def compute_operand(of: Any) -> Any:
    """A container, a transposed matrix or a number; an expression is computed first."""
    return to_operand(of, "element-wise") if isinstance(of, Expr) else of
