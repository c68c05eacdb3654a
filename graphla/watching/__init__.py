"""``with gl.trace() as t:`` keeps what each operation was, why it was done so, and what it took."""

from graphla.watching.operation import Operation
from graphla.watching.watch import Trace, trace

__all__ = ["Operation", "Trace", "trace"]
