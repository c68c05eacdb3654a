"""``with gl.trace() as t:`` keeps what each operation was, why it was done so, and what it took."""

from graphla.trace.operation import Operation
from graphla.trace.watching import Trace, trace

__all__ = ["Operation", "Trace", "trace"]
