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


def compile_late(seconds: float, estimate: Callable[..., float]) -> Callable[[Callable[..., Any]], Any]:
    """`njit` for kernels that Python may interpret: those that compute the same bits, and change only their arguments.

    Parameters
    ----------
    seconds : float
        What it takes to compile the kernel, about.
    estimate : callable
        The microseconds, about, that a call takes if it is interpreted, from the arguments of the call.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = njit()(function)
        return LateKernel(compiled, seconds, estimate) if isinstance(compiled, CPUDispatcher) else compiled

    return decorate


class LateKernel:
    """A kernel that is interpreted at first.

    Parameters
    ----------
    compiled : CPUDispatcher
        The kernel.
    seconds, estimate
        As in `compile_late`.
    """

    hurry = 0
    """How many ask that every kernel is compiled when it is called."""

    def __init__(self, compiled: Any, seconds: float, estimate: Callable[..., float]) -> None:
        self.compiled, self.worth, self.estimate = compiled, 1e6 * seconds, estimate
        self.unwritten = 0.0
        update_wrapper(cast("Any", self), compiled.py_func)

    def __call__(self, *args: Any) -> Any:
        if self.spent < self.worth and not LateKernel.hurry:
            work = float(self.estimate(*args))
            if self.spent + work <= self.worth:
                if not self.is_compiled(args):
                    self.spend(work)
                    return self.interpret(*args)
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

    def is_compiled(self, args: tuple[Any, ...]) -> bool:
        """Whether the machine code for some arguments is in memory or on disk."""
        kinds = tuple(map(self.compiled.typeof_pyval, args))
        return kinds in self.compiled.overloads or self.compiled._cache.holds(kinds, self.compiled.targetctx)

    def interpret(self, *args: Any) -> Any:
        """Call the kernel without compiling anything; as in machine code, no number warns."""
        with np.errstate(all="ignore"):
            return self.plain(*args)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The kernel as a function of Python."""
        return strip(self.compiled.py_func, {})


def strip(function: Any, done: dict[Any, Any]) -> Callable[..., Any]:
    """Return a function that calls what its kernels were before they were compiled, and so do these."""
    if function not in done:
        code, names = function.__code__, {"__builtins__": builtins, "__name__": function.__module__}
        done[function] = FunctionType(code, names, code.co_name, function.__defaults__, function.__closure__)
        for name in set(code.co_names) & function.__globals__.keys():
            value = function.__globals__[name]
            inner = getattr(value, "__wrapped__", getattr(value, "py_func", value))
            ours = isinstance(inner, FunctionType) and inner.__module__.startswith("graphla.")
            names[name] = strip(inner, done) if ours else value
    return done[function]


@contextmanager
def compile_at_once() -> Iterator[None]:
    """Compile every kernel that is called meanwhile, however little it has to do."""
    LateKernel.hurry += 1
    try:
        yield
    finally:
        LateKernel.hurry -= 1
