"""`select.tril(A)`, `select.valuegt(v, 3)`, `select.value(A > 3)`: keep the entries that satisfy a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from graphla.common.arguments import show
from graphla.common.errors import DomainMismatch
from graphla.common.typing import DTypeLike
from graphla.language.apply import Apply, Select
from graphla.language.expr import Expr, ScalarLike, has_entries, is_expression, to_operand
from graphla.language.kinds import R
from graphla.language.scalars import to_thunk
from semirings import IndexUnaryOp, binary, indexunary, register_indexunary
from semirings.dtypes import BOOL, INT64, DType, lookup
from semirings.operators import TypedOperator
from semirings.registry import is_registered

MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""Comparisons, and those that say the same with the sides exchanged."""
POSITIONS = {"value": "value", "row": "row", "column": "col", "index": "row"}
"""What a comparison is about, and what the rules about it begin with."""


class SelectFunction:
    """An index-unary operator as a function of a matrix or a vector and of a thunk."""

    def __init__(self, op: IndexUnaryOp | TypedOperator) -> None:
        self.op = op

    def __getitem__(self, dtype: DTypeLike) -> SelectFunction:
        """The function of entries that are cast to a type first."""
        return bind_function(self.op, lookup(dtype))

    def __call__(self, of: Expr[R] | ScalarLike, thunk: Expr[R] | ScalarLike = 0) -> Expr[R]:
        """The entries for which the operator holds."""
        if not is_expression(of):
            of, thunk = thunk, of  # type: ignore[assignment]
        if not is_expression(of):
            raise DomainMismatch(f"select.{self.op.name}: {show(of)} is no matrix, vector, Scalar or expression")
        if isinstance(self.op, TypedOperator):
            return SelectFunction(self.op.op)(of._cast(self.op.type), thunk)  # type: ignore
        if not has_entries(of):
            return select_scalar(of, self.op, thunk)
        return Select(to_operand(of, f"select.{self.op.name}"), self.op, to_thunk(thunk, self.op))

    def __reduce__(self) -> Any:
        if isinstance(self.op, TypedOperator):
            return bind_function, (self.op.op, self.op.type)
        return (getattr, (select, self.op.name)) if is_registered(self.op) else (SelectFunction, (self.op,))

    def __repr__(self) -> str:
        return f"select.{self.op.name}"


@cache
def bind_function(op: IndexUnaryOp, dtype: DType) -> SelectFunction:
    """The function of an operator that is bound to a type: one record for each."""
    return SelectFunction(op[dtype])


class Selection:
    """Operators by name; each takes a matrix or a vector and a thunk.

    Examples
    --------
    >>> from graphla import Vector, select
    >>> select.valuegt(Vector.from_coo([0, 1], [3, 9]), 4).new().to_dict()
    {1: 9}
    """

    def value(self, comparison: Expr[R]) -> Expr[R]:
        """The entries whose value satisfies a comparison with a number: ``select.value(A > 3)``.

        Parameters
        ----------
        comparison : expression
            A matrix or a vector compared with a number.

        Returns
        -------
        expression
            The entries that satisfy it.

        Examples
        --------
        >>> from graphla import Matrix, select
        >>> A = Matrix.from_coo([0, 1], [1, 0], [5, 7])
        >>> select.value(A > 5).new().to_dicts()
        {1: {0: 7}}
        """
        return select_by("value", comparison)

    def row(self, comparison: Expr[R]) -> Expr[R]:
        """The entries whose row satisfies it: ``select.row(A <= 2)``.

        Parameters
        ----------
        comparison : expression
            A matrix or a vector compared with a number.

        Returns
        -------
        expression
            The entries that satisfy it.

        Examples
        --------
        >>> from graphla import Matrix, select
        >>> A = Matrix.from_coo([0, 1], [1, 0], [5, 7])
        >>> select.row(A < 1).new().to_dicts()
        {0: {1: 5}}
        """
        return select_by("row", comparison)

    def column(self, comparison: Expr[R]) -> Expr[R]:
        """The entries whose column satisfies it: ``select.column(A < 5)``.

        Parameters
        ----------
        comparison : expression
            A matrix or a vector compared with a number.

        Returns
        -------
        expression
            The entries that satisfy it.

        Examples
        --------
        >>> from graphla import Matrix, select
        >>> A = Matrix.from_coo([0, 1], [1, 0], [5, 7])
        >>> select.column(A < 1).new().to_dicts()
        {1: {0: 7}}
        """
        return select_by("column", comparison)

    def index(self, comparison: Expr[R]) -> Expr[R]:
        """The entries of a vector whose index satisfies it: ``select.index(v != 0)``.

        Parameters
        ----------
        comparison : expression
            A matrix or a vector compared with a number.

        Returns
        -------
        expression
            The entries that satisfy it.

        Examples
        --------
        >>> from graphla import Vector, select
        >>> v = Vector.from_coo([0, 2], [5, 7])
        >>> select.index(v >= 1).new().to_dict()
        {2: 7}
        """
        return select_by("index", comparison)

    def register_new(self, name: str, function: Callable[..., Any]) -> SelectFunction:
        """Enter a rule of one's own.

        Parameters
        ----------
        name : str
            A free identifier, of `indexunary` too.
        function : callable (x, i, j, thunk) -> expression
            Whether to keep an entry, given its value, its row, its column and a parameter.

        Returns
        -------
        function
            What selects by it; it is ``select.<name>`` as well.

        Examples
        --------
        >>> from graphla import Vector, select
        >>> below = select.register_new("doc_below", lambda x, i, j, thunk: x < i + thunk)
        >>> below(Vector.from_coo([0, 2], [5, 3]), 2).new().to_dict()
        {2: 3}
        """
        return SelectFunction(register_indexunary(name, function))

    def register_anonymous(self, function: Callable[..., Any], name: str | None = None) -> SelectFunction:
        """Make a rule without entering it.

        Parameters
        ----------
        function : callable (x, i, j, thunk) -> expression
            Whether to keep an entry, given its value, its row, its column and a parameter.
        name : str, optional
            What it is called where it is shown.

        Returns
        -------
        function
            What selects by it.

        Examples
        --------
        >>> from graphla import Vector, select
        >>> even = select.register_anonymous(lambda x, i, j, thunk: i % 2 == 0)
        >>> even(Vector.from_coo([1, 2], [5, 3])).new().to_dict()
        {2: 3}
        """
        return SelectFunction(indexunary.register_anonymous(function, name))

    def __getattr__(self, name: str) -> SelectFunction:
        function = self.__dict__[name] = SelectFunction(getattr(indexunary, name))
        return function

    def __iter__(self) -> Iterator[str]:
        return (name for name in indexunary if gives_truths(indexunary[name]))

    def __dir__(self) -> list[str]:
        return sorted([*self, *POSITIONS, "register_new", "register_anonymous"])

    def __reduce__(self) -> str:
        return "select"

    def __repr__(self) -> str:
        return f"<select: {', '.join(sorted(self))}>"


def gives_truths(op: IndexUnaryOp) -> bool:
    """Whether an operator is a rule: its results are truths, on a dtype that it is defined on."""
    dtype = INT64 if INT64 in op.domain else next(iter(op.domain), None)
    return dtype is not None and op.result_type(dtype, dtype) == BOOL


def select_scalar(of: Any, op: IndexUnaryOp, thunk: Any) -> Any:
    """The Scalar if its value satisfies the rule, else an empty one."""
    compare = op.name.removeprefix("value")
    if compare not in MIRRORED:
        raise DomainMismatch(f"select.{op.name} does not apply to a Scalar, which has a value and no position")
    return of._value.dup(clear=not binary[compare](of._value, thunk).value)


def select_by(what: str, comparison: Any) -> Any:
    """Take a comparison such as ``A > 3`` apart, and select by the value or the position of the entries."""
    if what == "value" and getattr(comparison, "_of", None) is not None:
        return comparison._of.dup(clear=not comparison.value)
    if not isinstance(comparison, Apply) or comparison.op.name not in MIRRORED:
        raise DomainMismatch(f"select.{what}: {comparison!r} is no comparison with a number, such as A > 3")
    name = MIRRORED[comparison.op.name] if comparison.bound_left else comparison.op.name
    if comparison.of.rank != (1 if what == "index" else 2) and what != "value":
        raise DomainMismatch(
            f"select.{what} does not apply to {comparison.of.shape}: a vector has an index, a matrix rows"
        )
    bound = comparison.bound
    if what != "value":
        name, bound = {"lt": ("le", bound - 1), "ge": ("gt", bound - 1)}.get(name, (name, bound))
    if POSITIONS[what] + name not in indexunary:
        raise DomainMismatch(f"select.{what}: give one of <, <=, > and >=, which rules about positions compare by")
    rule = indexunary[POSITIONS[what] + name]
    return Select(comparison.of, rule, to_thunk(bound, rule))


select = Selection()
