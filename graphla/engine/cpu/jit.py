"""Numba as the CPU engine uses it: functions are compiled once, cached on disk, and announced when they compile."""

from __future__ import annotations

import hashlib
import linecache
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any, cast

import numba
from numba.core import types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from graphla.common.forks import hold_during_fork
from graphla.engine.cpu import announce
from graphla.engine.cpu.cache import get_store
from graphla.engine.cpu.compiling import KernelCompiler, PackedCompiler

OURS = "graphla.engine.cpu.", "graphla.algorithms.", "graphla.doors.networkx.", "graphla_compiled."
"""Modules whose functions can be inlined into the machine code of others."""

seconds_compiling = announce.seconds_compiling


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` with an on-disk cache, without the interpreter lock and with NumPy's division."""
    return lambda function: cache_code(make_compiled(function, **options))


def inner() -> Callable[[Callable[..., Any]], Any]:
    """`njit` for functions that only other kernels call: no wrapper for Python is compiled, a tenth of the time."""
    return njit(no_cpython_wrapper=True)


def compile_packed() -> Callable[[Callable[..., Any]], Any]:
    """`njit` for kernels that make no array and compute several numbers side by side, which become vectors.

    Not for all: LLVM's pass for it (SLP) takes time, and packs what is faster one by one.
    """
    return njit(pipeline_class=PackedCompiler)


def operator(function: Callable[..., Any]) -> Any:
    """Compile a rendered operator that is inlined into its caller, which halves the compile time for one call site."""
    return make_compiled(function, inline="always")


def share_operator(function: Callable[..., Any]) -> Any:
    """Compile a rendered operator that is called from many places: it is compiled once and not inlined."""
    return make_compiled(function)


def make_compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return a function that Numba compiles when it is called: by the compiler of kernels, and without the lock."""
    options = {"pipeline_class": KernelCompiler, **options}
    compile = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)
    compiled = compile(announce.mark_as_ours(function))
    if isinstance(compiled, CPUDispatcher):
        cast("Any", compiled).get_call_template = partial(type_call, compiled)
    return compiled


def type_call(compiled: CPUDispatcher, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """Type a call from another kernel: a constant has the type of its kind, so that it is no other function."""
    kinds = {name: types.unliteral(kind) for name, kind in kws.items()}
    return CPUDispatcher.get_call_template(compiled, [types.unliteral(kind) for kind in args], kinds)


def cache_code(compiled: Any) -> Any:
    """Cache the machine code of a function on disk, if its source text is known and Numba is enabled."""
    if isinstance(compiled, CPUDispatcher) and linecache.getlines(compiled.py_func.__code__.co_filename):
        cast("Any", compiled)._cache = KernelCache(compiled.py_func)
    return compiled


class KernelCache(_Cache):
    """The cache of one function: one file of the store per signature.

    Numba's own cache unpickles files without checking them, fails on a damaged file each time, and loads its whole type
    system before it reads (half a second). Machine code needs only Numba's runtime.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self._prefix: str | None = None

    @property
    def cache_path(self) -> str:
        return str(get_store().folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the machine code for a signature, or return None."""
        with announce.get_announcer().count_loading():
            name = self.name(sig, target_context.codegen())
            content = get_store().read(name)
            if content is None:
                return None
            rtsys.initialize(target_context)
            try:
                return CompileResult._rebuild(target_context, *pickle.loads(content))
            except Exception:  # unpickling unknown content can raise anything
                get_store().report_damage(name)
                return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the machine code for a signature."""
        if not data.library.has_dynamic_globals and all(part.can_cache for part in data.lifted):
            get_store().write(self.name(sig, data.codegen), dumps(data._reduce()))

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Whether there is a file for a signature."""
        return (get_store().folder / self.name(sig, target_context.codegen())).is_file()

    def name(self, sig: Any, codegen: Any) -> str:
        """Return the file name for a signature, this source text, Numba, Python and processor."""
        return f"{self.prefix}-{digest(str(sig), repr(codegen.magic_tuple()))}.kernel"

    @property
    def prefix(self) -> str:
        """The common prefix of the files of this function."""
        if self._prefix is None:
            function, closure = self.function, [cell.cell_contents for cell in self.function.__closure__ or ()]
            module = sys.modules.get(function.__module__)
            parts = collect_texts(module) if module else linecache.getlines(function.__code__.co_filename)
            built = numba.__version__, sys.version, str(numba.config.BOUNDSCHECK)
            key = digest(*built, function.__qualname__, *parts, repr(dumps(closure)))
            self._prefix = f"{function.__name__}-{function.__code__.co_firstlineno}-{key}"
        return self._prefix

    def flush(self) -> None:
        """Delete the cached machine code of this function."""
        for path in get_store().folder.glob(f"{self.prefix}-*"):
            path.unlink(missing_ok=True)

    def enable(self) -> None:
        """Do nothing: Numba calls this to enable a cache, and this one is always enabled."""

    def disable(self) -> None:
        """Do nothing: Numba calls this to disable a cache, and this one is always enabled."""


def collect_texts(module: ModuleType, seen: set[str] | None = None) -> Iterator[str]:
    """Collect everything that the machine code of a module's functions depends on.

    That is its name (what is stored names the module), its text, its numbers (which may be imported), and the same
    of those modules of graphla whose functions it uses.
    """
    seen = set() if seen is None else seen
    seen.add(module.__name__)
    yield module.__name__
    yield "".join(linecache.getlines(module.__file__ or "", vars(module)))
    named = sorted((name, value) for name, value in vars(module).items() if isinstance(value, int | float))
    yield repr(named)
    homes = {home for value in vars(module).values() if isinstance(home := getattr(value, "__module__", None), str)}
    for home in sorted(homes - seen):
        if home.startswith(OURS) and home in sys.modules:
            yield from collect_texts(sys.modules[home], seen)


def digest(*parts: str) -> str:
    """Return a short digest of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


announce.listen()
hold_during_fork(global_compiler_lock)
