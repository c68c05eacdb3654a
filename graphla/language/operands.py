"""What the operands of an expression have in common: an engine, and the dtype of what an operator makes of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from graphla.errors import DomainMismatch, NotSupported
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import DType

Operator = UnaryOp | BinaryOp | IndexUnaryOp | Monoid | Semiring


@lru_cache(maxsize=4096)
def typed(op: Operator, *dtypes: DType) -> DType:
    """The result type of `op`, or an error of this package that says where it has a meaning."""
    try:
        return op.result_type(*dtypes)
    except TypeError as error:
        raise DomainMismatch(str(error)) from None


def common_engine(one: Any, other: Any) -> Any:
    """The engine of both; None where neither has one."""
    if one is other or one is None or other is None:
        return one or other
    names = sorted((one.name, other.name))
    raise NotSupported(f"the operands live on {' and '.join(names)}: move one with .to({names[0]!r})")
