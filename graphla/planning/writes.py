"""Plan what is written into a container: by words where they pay, else from the storages of all that takes part."""

from __future__ import annotations

from typing import Any

from graphla.language.expr import Expr
from graphla.language.masks import MaskView
from graphla.planning.plan import make_plan
from graphla.planning.steps import Direction, Plan, ScalarStep
from graphla.planning.word_plans import Statement, may_pack, plan_matrix, plan_value
from graphla.storage import Deferred
from graphla.storage.cast import cast_number
from semirings import BinaryOp
from semirings.dtypes import DType


def plan_expression(
    value: Expr[Any],
    out: Any,
    dtype: DType,
    engine: Any,
    mask: MaskView | None = None,
    accum: BinaryOp | None = None,
    replace: bool = False,
    direction: Direction | None = None,
) -> Plan:
    """Plan to write an expression into a container, or into a new one (None); its shape fits, and that of the mask."""
    shape = value.shape if out is None else out.shape
    if len(shape) == 2 and may_pack(engine, shape):
        by_words = plan_matrix(Statement(out, shape, dtype, engine, mask, accum, replace, direction), value)
        if by_words is not None:
            return by_words
    record = None if mask is None else mask.to_record()
    unread = len(shape) == 1 and accum is None and (mask is None or replace)  # then entries may be deferred
    target: Any = None if out is None else out._held if unread or not isinstance(out._held, Deferred) else out._storage
    return make_plan(value, target, dtype, record, accum, replace, direction, engine.schedules_products)


def plan_number(
    number: Any, out: Any, index: tuple[Any, ...] | None, mask: MaskView | None, accum: BinaryOp | None, replace: bool
) -> Plan:
    """Plan to write a number wherever the mask and the index allow."""
    if index is None and may_pack(out.engine, out.shape):
        by_words = plan_value(Statement(out, out.shape, out.dtype, out.engine, mask, accum, replace, None), number)
        if by_words is not None:
            return by_words
    record = None if mask is None else mask.to_record()
    step = ScalarStep(cast_number(number, out.dtype).item(), index)
    return Plan(step, out._storage, out.dtype, record, accum, replace)
