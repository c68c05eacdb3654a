"""The engine that the operands of an expression share, and the dtype of the result."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from graphla.common.errors import DomainMismatch, NotSupported
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import DType

Operator = UnaryOp | BinaryOp | IndexUnaryOp | Monoid | Semiring


@lru_cache(maxsize=4096)
def infer_dtype(op: Operator, *dtypes: DType) -> DType:
    """The dtype of what `op` returns for operands of these dtypes; `DomainMismatch` if it is not defined on them."""
    try:
        return op.result_type(*dtypes)
    except TypeError as error:
        raise DomainMismatch(str(error)) from None


def find_common_engine(one: Any, other: Any) -> Any:
    """The engine on which both live; None if neither lives on one."""
    if one is other or one is None or other is None:
        return one or other
    names = sorted((one.name, other.name))
    raise NotSupported(f"the operands live on {' and '.join(names)}: move one with .to({names[0]!r})")
