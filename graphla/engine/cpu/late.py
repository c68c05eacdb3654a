"""Kernels that Python interprets as long as that takes less time than to compile them: the same text, the same bits.

A kernel that runs once per graph, as one of the symbolic phase of an elimination, takes a second to compile, and of a
small graph it has milliseconds to do even if it is interpreted. Once the calls that were interpreted, in all processes
that share a cache, would have paid for the machine code, it is compiled: so nobody waits for more than twice as long as
with the better of both. What is on disk is taken at once.

A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator, "Competitive snoopy caching", Algorithmica 3, 1988 (when to buy
what can be rented); J. Aycock, "A brief history of just-in-time", ACM Comput. Surv. 35(2), 2003.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from types import FunctionType
from typing import Any, cast

import numpy as np
from numba.core import types
from numba.core.registry import CPUDispatcher

from graphla.engine.cpu.cache import get_store
from graphla.engine.cpu.jit import njit

PART = 0.05
"""Part of what compiling takes after which a file says how much was interpreted."""
SLOWER = 3
"""What NumPy's numbers take beside Python's."""
VIEWED = "?bBhHiIlLqQd"
"""Types of elements that Python computes with as machine code does, as long as no whole number wraps around."""


def compile_late(
    seconds: float,
    estimate: Callable[..., float],
    views: bool = False,
    took: Callable[[Any], float] | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """`njit` for kernels that Python may interpret: those that compute the same bits, and change only their arguments.

    Parameters
    ----------
    seconds : float
        What it takes to compile the kernel, about.
    estimate : callable
        The microseconds, about, that a call takes if it is interpreted, from the arguments of the call.
    views : bool
        Whether the kernel asks its arrays for elements and `shape` alone, and neither divides by zero nor counts on
        whole numbers that wrap around: then Python interprets it over its own numbers, in a third of the time.
    took : callable, optional
        The microseconds, about, that a call has taken, from what it returned: for kernels of which nobody knows before,
        as searches. The estimate is then what a call takes at most.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = njit()(function)
        return LateKernel(compiled, seconds, estimate, views, took) if isinstance(compiled, CPUDispatcher) else compiled

    return decorate


class LateKernel:
    """A kernel that is interpreted at first.

    Parameters
    ----------
    compiled : CPUDispatcher
        The kernel.
    seconds, estimate, views, took
        As in `compile_late`.
    """

    hurry = 0
    """How many ask that every kernel is compiled when it is called."""

    def __init__(
        self,
        compiled: Any,
        seconds: float,
        estimate: Callable[..., float],
        views: bool = False,
        took: Callable[[Any], float] | None = None,
    ) -> None:
        self.compiled, self.worth, self.estimate, self.views = compiled, 1e6 * seconds, estimate, views
        self.took = took
        self.unwritten = self.ahead = 0.0
        update_wrapper(cast("Any", self), compiled.py_func)

    def __call__(self, *args: Any) -> Any:
        if self.spent < self.worth and not LateKernel.hurry:
            slower = 1 if self.sees(args) else SLOWER
            work = float(self.estimate(*args)) * slower
            if self.spent + work <= self.worth and not self.finds_code(args, work):
                if self.took is None:
                    self.spend(work)
                found = self.interpret(*args)
                if self.took is not None:
                    self.spend(self.took(found) * slower)
                return found
            self.spent = self.worth  # nobody need ask again
        return self.compiled(*args)

    @cached_property
    def spent(self) -> float:
        """The microseconds, about, that calls have taken which were interpreted, in all processes."""
        return float(get_store().read(self.record) or 0)

    @property
    def record(self) -> str:
        """The file that keeps `spent`."""
        return f"{self.compiled._cache.prefix}-spent.kernel"

    def spend(self, work: float) -> None:
        """Add up what is interpreted, and keep it for other processes once it is worth a file."""
        self.spent += work
        self.unwritten += work
        if self.unwritten > PART * self.worth:
            get_store().write(self.record, repr(self.spent).encode())
            self.unwritten = 0.0

    @property
    def _numba_type_(self) -> types.Dispatcher:
        """What it is in another kernel: the compiled one."""
        return types.Dispatcher(self.compiled)

    def finds_code(self, args: tuple[Any, ...], work: float) -> bool:
        """Whether there is machine code: asked at first, and then seldom, for the answer takes 0.3 ms."""
        self.ahead -= work
        if self.ahead > 0:
            return False
        self.ahead = PART * self.worth
        return self.is_compiled(args)

    def is_compiled(self, args: tuple[Any, ...]) -> bool:
        """Whether the machine code for some arguments is in memory or on disk."""
        kinds = tuple(map(self.compiled.typeof_pyval, args))
        return kinds in self.compiled.overloads or self.compiled._cache.holds(kinds, self.compiled.targetctx)

    def interpret(self, *args: Any) -> Any:
        """Call the kernel without compiling anything; as in machine code, no number warns."""
        with np.errstate(all="ignore"):
            if self.views and self.sees(args):
                return self.plain_over_views(*map(view, args))
            return self.plain(*args)

    def sees(self, args: tuple[Any, ...]) -> bool:
        """Whether what `views` says holds for some arguments."""
        return not (self.views and any(map(is_narrow, args)))

    @property
    def text(self) -> Any:
        """What Python interprets: the kernel, or its twin `in_python`, which is faster there."""
        return getattr(self, "in_python", self.compiled.py_func)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The kernel as a function of Python."""
        return strip(self.text, {}, False)

    @cached_property
    def plain_over_views(self) -> Callable[..., Any]:
        """The same for views."""
        return strip(self.text, {}, True)


def foresee(kernel: Any, work: float) -> None:
    """Compile a kernel at once if so many microseconds of interpreting are to come that they would not pay."""
    if isinstance(kernel, LateKernel) and kernel.spent + work > kernel.worth:
        kernel.spent = kernel.worth


def is_narrow(value: Any) -> bool:
    """Whether a value is of float32, or holds some: a sum with a number of Python's would not have its bits."""
    if isinstance(value, tuple):
        return any(map(is_narrow, cast("tuple[Any, ...]", value)))
    return getattr(value, "dtype", None) in (np.float32, np.float16)


def view(value: Any) -> Any:
    """A view of an array whose elements are Python's numbers, or such a number for one of NumPy's."""
    if isinstance(value, tuple):
        parts = map(view, cast("tuple[Any, ...]", value))
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, np.ndarray):
        return memoryview(cast("Any", value)) if value.dtype.char in VIEWED else value
    return value.item() if isinstance(value, np.generic) and value.dtype.char in VIEWED else value


MAKES = "empty", "full", "zeros"


class PlainNumPy:
    """NumPy for kernels over views: its whole numbers are Python's, and arrays that it makes are views."""

    bool_, float64 = bool, float
    int8 = int16 = int32 = int64 = uint8 = uint16 = uint32 = uint64 = int

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        return (lambda *args: view(found(*args))) if name in MAKES else found


PLAIN_NUMPY = PlainNumPy()


def strip(function: Any, done: dict[Any, Any], views: bool) -> Callable[..., Any]:
    """Return a function that calls what its kernels were before they were compiled, and so do these."""
    if function not in done:
        code, names = function.__code__, {"__builtins__": builtins, "__name__": function.__module__}
        done[function] = FunctionType(code, names, code.co_name, function.__defaults__, function.__closure__)
        for name in set(code.co_names) & function.__globals__.keys():
            value = function.__globals__[name]
            value = getattr(value, "in_python", value)
            inner = getattr(value, "__wrapped__", getattr(value, "py_func", value))
            ours = isinstance(inner, FunctionType) and inner.__module__.startswith("graphla.")
            plain = PLAIN_NUMPY if value is np else view(value)
            names[name] = strip(inner, done, views) if ours else plain if views else value
    return done[function]


@contextmanager
def compile_at_once() -> Iterator[None]:
    """Compile every kernel that is called meanwhile, however little it has to do."""
    LateKernel.hurry += 1
    try:
        yield
    finally:
        LateKernel.hurry -= 1
