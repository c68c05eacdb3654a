"""``with gl.trace() as t:`` records each operation, the facts that decided its plan, and its time and memory."""

from graphla.measuring.watching.operation import Operation
from graphla.measuring.watching.watch import Trace, trace

__all__ = ["Operation", "Trace", "trace"]
