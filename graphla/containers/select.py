"""`select.tril(A)`, `select.valuegt(v, 3)`: the index-unary operators that keep or drop entries, as functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from graphla.language.apply import Select
from graphla.language.expr import Expr, ScalarLike, operand
from graphla.language.reading import R
from graphla.language.scalars import to_number
from semirings import indexunary
from semirings.dtypes import BOOL


class SelectFunction(Protocol):
    """An index-unary operator as a function of a matrix or a vector and of a thunk."""

    def __call__(self, of: Expr[R], thunk: ScalarLike = 0) -> Expr[R]: ...


class Selection:
    """Operators by name; each takes a matrix or a vector and a thunk.

    Examples
    --------
    >>> from graphla import Vector, select
    >>> select.valuegt(Vector.from_coo([0, 1], [3, 9]), 4).new().to_dict()
    {1: 9}
    """

    def __getattr__(self, name: str) -> SelectFunction:
        op = getattr(indexunary, name)
        return lambda of, thunk=0: Select(operand(of, f"select.{name}"), op, to_number(thunk, op))

    def __iter__(self) -> Iterator[str]:
        return (name for name in indexunary if indexunary[name].result_type("INT64", "INT64") == BOOL)

    def __dir__(self) -> list[str]:
        return sorted(self)

    def __repr__(self) -> str:
        return f"<select: {', '.join(sorted(self))}>"


select = Selection()
