"""Plans that run, and containers that are made, within the memory that there is."""

from __future__ import annotations

from functools import wraps
from typing import Any

from graphla.config import config
from graphla.engine import engine_named
from graphla.errors import OutOfMemory
from graphla.memory import SMALLER, refused
from graphla.planning.steps import MatMat, Plan, Step
from graphla.tracing import observed


def run(engine: Any, plan: Plan) -> Any:
    """Let the engine answer, within the memory limit, seen by whoever traces."""
    if config.memory_limit is not None:
        require_limit(config.memory_limit, engine, plan)
    try:
        return observed(engine, plan)
    except MemoryError as error:
        what = f"this needs about {nbytes_of(engine, plan):,} bytes beyond its operands"
        raise refused(error, engine, what) from None


def require_limit(limit: int, engine: Any, plan: Plan) -> None:
    """Refuse a plan that is predicted to need more bytes than the limit."""
    nbytes = nbytes_of(engine, plan)
    if nbytes > limit and not (isinstance(plan, Plan) and counts_itself(plan.step)):
        raise OutOfMemory(
            f"this needs about {nbytes:,} bytes and config.memory_limit is {limit:,}; raise the limit, {SMALLER}"
        )


def way_in(make: Any) -> Any:
    """A way to make a container whose arrays may not fit: then `OutOfMemory` says so, and the process goes on."""

    @wraps(make)
    def made(*args: Any, **how: Any) -> Any:
        try:
            return make(*args, **how)
        except MemoryError as error:
            raise refused(error, engine_named(how.get("engine")), make.__qualname__.removesuffix(".__init__")) from None

    return made


def nbytes_of(engine: Any, plan: Plan) -> int:
    """Predicted bytes of the result and of the work space that the engine takes."""
    return plan.nbytes + (engine.work_bytes(plan.step) if isinstance(plan, Plan) else 0)


def counts_itself(step: Step) -> bool:
    """Whether the engine counts the entries of the result before it takes their memory, so that no guess may refuse."""
    return isinstance(step, MatMat) and step.how == "rows"
