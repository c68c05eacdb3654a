"""Numba as the CPU engine uses it: compiled once, kept on disk, and announced when it takes time."""

from __future__ import annotations

import hashlib
import linecache
import pickle
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from graphla.engine.cpu import announce
from graphla.engine.cpu.cache import store

OURS = "graphla.engine.cpu.", "graphla.algorithms.", "graphla_compiled."
"""Modules whose functions may become a part of the machine code of another."""

prange = numba.prange
seconds_compiling = announce.seconds_compiling


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` with an on-disk cache, without the interpreter lock and with NumPy's division."""
    compile = numba.njit(nogil=True, error_model="numpy", **options)
    return lambda function: kept(compile(announce.ours(function)))


def operator(function: Callable[..., Any]) -> Any:
    """A rendered operator, written into what calls it: half the time to compile of a call where it stands once."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(announce.ours(function))


def repeated_operator(function: Callable[..., Any]) -> Any:
    """A rendered operator that its caller has in many places: compiled once, and called."""
    return numba.njit(nogil=True, error_model="numpy")(announce.ours(function))


def kept(compiled: Any) -> Any:
    """Let a function keep its machine code, if its source text is known (and Numba is not switched off)."""
    if isinstance(compiled, CPUDispatcher) and linecache.getlines(compiled.py_func.__code__.co_filename):
        compiled._cache = KernelCache(compiled.py_func)
    return compiled


class KernelCache(_Cache):
    """The machine code of one function, a file of the store for each signature.

    Numba's own cache unpickles what it finds without a look, fails for good on a damaged file, and loads its whole
    type system before it reads (half a second); machine code needs Numba's runtime alone.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self._prefix: str | None = None

    @property
    def cache_path(self) -> str:
        return str(store().folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature before, or None."""
        with announce.announcer().loading():
            name = self.name(sig, target_context.codegen())
            content = store().read(name)
            if content is None:
                return None
            rtsys.initialize(target_context)
            try:
                return CompileResult._rebuild(target_context, *pickle.loads(content))
            except Exception:  # whatever a pickle of another origin may raise
                store().damaged(name)
                return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for a signature."""
        if not data.library.has_dynamic_globals and all(part.can_cache for part in data.lifted):
            store().write(self.name(sig, data.codegen), dumps(data._reduce()))

    def name(self, sig: Any, codegen: Any) -> str:
        """The file for a signature: of this text, this Numba, this Python and this processor."""
        return f"{self.prefix}-{digest(str(sig), repr(codegen.magic_tuple()))}.kernel"

    @property
    def prefix(self) -> str:
        """What the files of this function have in common."""
        if self._prefix is None:
            function, closure = self.function, [cell.cell_contents for cell in self.function.__closure__ or ()]
            module = sys.modules.get(function.__module__)
            parts = texts(module) if module else linecache.getlines(function.__code__.co_filename)
            key = digest(numba.__version__, sys.version, function.__qualname__, *parts, repr(dumps(closure)))
            self._prefix = f"{function.__name__}-{function.__code__.co_firstlineno}-{key}"
        return self._prefix

    def flush(self) -> None:
        """Delete what is kept of this function."""
        for path in store().folder.glob(f"{self.prefix}-*"):
            path.unlink(missing_ok=True)

    def enable(self) -> None:
        """Numba's way to switch a cache on; this one is never off."""

    def disable(self) -> None:
        """Numba's way to switch a cache off; this one is never off."""


def texts(module: ModuleType, seen: set[str] | None = None) -> Iterator[str]:
    """All that the machine code of a module's functions depends on.

    Its text, its numbers (they may be imported), and the same of our modules whose functions it names.
    """
    seen = set() if seen is None else seen
    seen.add(module.__name__)
    yield "".join(linecache.getlines(module.__file__ or "", vars(module)))
    named = sorted((name, value) for name, value in vars(module).items() if isinstance(value, int | float))
    yield repr(named)
    homes = {home for value in vars(module).values() if isinstance(home := getattr(value, "__module__", None), str)}
    for home in sorted(homes - seen):
        if home.startswith(OURS) and home in sys.modules:
            yield from texts(sys.modules[home], seen)


def digest(*parts: str) -> str:
    """A short name for texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


announce.listen()
