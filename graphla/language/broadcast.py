"""A vector beside a matrix: spread over its rows (on the right) or its columns (on the left)."""

from __future__ import annotations

from typing import Any, cast

from graphla.language.products import MatMul
from semirings import semiring


def align(left: Any, right: Any, union: bool) -> tuple[Any, Any]:
    """Two operands of one shape: a vector beside a matrix becomes a matrix.

    In an intersection ``diag(v) ⊗ pattern(A)`` has the entries of v where A has entries, in O(entries of A). A union
    has an entry in each row (or column) where v has one, so v is spread over all of them.
    """
    if left.rank == right.rank:
        return left, right
    if left.rank == 1:
        return (spread(left, right.shape, 0) if union else spread_over_rows(left, right)), right
    return left, (spread(right, left.shape, 1) if union else spread_over_columns(right, left))


def spread_over_rows(v: Any, A: Any) -> Any:
    """C[i, j] = v[i] where A[i, j] is."""
    product: MatMul[Any] = MatMul(v._value.diag(), A, semiring.any_first)
    return product.new()


def spread_over_columns(v: Any, A: Any) -> Any:
    """C[i, j] = v[j] where A[i, j] is."""
    product: MatMul[Any] = MatMul(A, v._value.diag(), semiring.any_second)
    return product.new()


def spread(v: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The matrix with C[i, j] = v[i] (axis 0) or v[j] (axis 1)."""
    ones = cast("Any", type(v._value)).from_scalar(True, shape[1 - axis], engine=v.engine)
    return v.outer(ones, "first").new() if axis == 0 else ones.outer(v, "second").new()
