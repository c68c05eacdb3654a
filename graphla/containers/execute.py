"""Plan an expression and run the plan on its engine, within the memory limit."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from graphla.common.config import blocks, config, process
from graphla.common.errors import OutOfMemory
from graphla.common.interrupts import find_interrupt
from graphla.common.memory import SMALLER, convert_memory_error, is_memory_error
from graphla.common.typing import DTypeLike
from graphla.engine import get_engine
from graphla.engine.protocol import Engine
from graphla.engine.tracing import run_plan, watchers
from graphla.language.expr import Expr
from graphla.language.infix import Infix
from graphla.language.masks import require_mask, to_mask
from graphla.language.operands import find_common_engine
from graphla.planning import writes
from graphla.planning.steps import Plan
from semirings.dtypes import lookup

P = ParamSpec("P")
T = TypeVar("T")


def plan_expression(expression: Expr[Any], dtype: DTypeLike | None, mask: Any, engine: Engine) -> Plan:
    """The plan of ``expression.new(dtype, mask=mask)`` for the engine of its operands."""
    expression = expression.resolved if isinstance(expression, Infix) else expression
    out = expression.dtype if dtype is None else lookup(dtype)
    if mask is None:
        return writes.plan_expression(expression, None, out, engine)
    require_mask(mask, expression.shape)
    return writes.plan_expression(expression, None, out, engine, to_mask(mask))


def find_engine(expression: Expr[Any], *others: Expr[Any]) -> Engine:
    """The one engine on which all operands live; the engine for new containers if all are numbers."""
    found: Any = expression.engine
    for other in others:
        found = found if found is other.engine else find_common_engine(found, other.engine)
    return get_engine() if found is None else found


def run(engine: Engine, plan: Plan) -> Any:
    """Run `plan` on `engine`; `OutOfMemory` if it needs more than the memory limit or than there is."""
    limited = blocks.anywhere or process["memory_limit"]  # both are looked at without a call
    if limited and config.memory_limit is not None:
        require_limit(config.memory_limit, engine, plan)
    try:
        return run_plan(engine, plan) if watchers.anywhere else engine.run(plan)
    except SystemError as error:
        raise find_interrupt(error) from None
    except (MemoryError, ValueError) as error:
        if not is_memory_error(error):
            raise
        what = f"this needs about {estimate_bytes(engine, plan):,} bytes beyond its operands"
        raise convert_memory_error(error, engine, what) from None


def require_limit(limit: int, engine: Engine, plan: Plan) -> None:
    """Refuse a plan that is predicted to need more bytes than the limit."""
    nbytes = engine.find_largest(estimate_bytes(engine, plan))  # so that all ranks refuse, or none
    if nbytes > limit and not (isinstance(plan, Plan) and plan.counts_entries):
        raise OutOfMemory(
            f"this needs about {nbytes:,} bytes and config.memory_limit is {limit:,}; raise the limit, {SMALLER}"
        )


def report_out_of_memory(make: Callable[P, T]) -> Callable[P, T]:
    """Decorator for constructors, and for methods that make arrays: what does not fit in memory is an OutOfMemory."""

    @wraps(make)
    def make_or_refuse(*args: P.args, **how: P.kwargs) -> T:
        try:
            return make(*args, **how)
        except SystemError as error:
            raise find_interrupt(error) from None
        except (MemoryError, ValueError) as error:
            if not is_memory_error(error):
                raise
            made: Any = args[0]  # the class, or an instance of it
            kind = made if isinstance(made, type) else type(made)
            engine: Any = how.get("engine") or (None if kind is made else getattr(made, "engine", None))
            what = f"{kind.__name__}.{make.__name__}".removesuffix(".__init__")
            raise convert_memory_error(error, get_engine(engine), what) from None

    return make_or_refuse


def estimate_bytes(engine: Engine, plan: Plan) -> int:
    """Predicted bytes of the result and of the work space that the engine takes."""
    return plan.nbytes + (engine.work_bytes(plan.step) if isinstance(plan, Plan) else 0)
