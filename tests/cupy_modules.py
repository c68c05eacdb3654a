"""Which modules CuPy would compile for what the CUDA engine asks of its array module, found without a GPU.

`trace_modules(prepare, call)` runs the engine on the emulator over arrays that record what is done. CuPy compiles a
kernel for each ufunc, cast, fill, gather, scatter and reduction, and for each combination of dtypes, some 0.1 s each;
reductions by CUB's block primitives take 0.8 to 1.5 s. Copies, `zeros`, sorts, sums and scans of wide numbers come
compiled (CUB and Thrust), and so do products of two matrices (cuBLAS). What is recorded is the name of the operation
with the dtypes that it reads; the rules follow CuPy 14.2.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.cuda.device import HostDevice
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage import convert
from graphla.storage.list_kernels import register_list_kernels
from tests.emulator import load

FREE = {"lexsort", "shares_memory", "ravel", "reshape", "transpose", "atleast_1d", "shape",
        "result_type", "can_cast", "squeeze", "broadcast_to", "expand_dims", "ndim", "size", "empty_like", "zeros_like",
        "min_scalar_type"}  # fmt: skip
"""Functions for which CuPy launches nothing, copies memory, or runs a kernel that it ships."""
COPYING = "cumsum", "sort", "argsort", "copy"
"""Functions that CuPy ships, but for the kernel that copies or casts their operand first."""
SHIPPED_SUMS = "int64", "uint64", "float32", "float64"
FILLING = "ones", "full", "arange"
SEVERAL = {"flatnonzero": 3, "nonzero": 3, "count_nonzero": 1, "unique": 8, "bincount": 4, "repeat": 2, "tile": 1,
           "isclose": 2, "array_equal": 2, "diff": 1, "searchsorted": 1, "where": 1, "concatenate": 1}  # fmt: skip
"""Modules of functions that are no ufunc, about."""

_compiled: list[str] = []


def describe(*operands: Any) -> str:
    """The dtypes of arrays, and `1` for a number."""
    return ", ".join(str(one.dtype) if isinstance(one, Recorded) and one.ndim else "1" for one in operands)


def record(name: str, *operands: Any) -> None:
    """Note a module, once."""
    text = f"{name}({describe(*operands)})"
    if text not in _compiled:
        _compiled.append(text)


def strip(value: Any) -> Any:
    """The same as plain arrays of NumPy."""
    if isinstance(value, Recorded):
        return value.view(np.ndarray)
    if isinstance(value, list | tuple):
        return type(value)(map(strip, value))
    return value


def wrap(value: Any) -> Any:
    """The same as recording arrays."""
    if isinstance(value, tuple):
        return tuple(map(wrap, value))
    return value.view(Recorded) if isinstance(value, np.ndarray) else value


class Recorded(np.ndarray):
    """An array of the host that records which kernels CuPy would compile for it."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        if method == "__call__" and ufunc is np.matmul and all(one.ndim == 2 for one in inputs):
            pass  # cuBLAS
        elif method == "__call__":
            record(ufunc.__name__, *inputs)
        elif method == "reduce":
            record_reduction(ufunc.__name__, inputs[0], options)
        else:
            record(f"{ufunc.__name__}.{method}", *inputs)
        if out is not None:
            options["out"] = tuple(map(strip, out))
        done = getattr(ufunc, method)(*map(strip, inputs), **options)
        return out[0] if out is not None else wrap(done)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        name = function.__name__
        if name in COPYING:
            record("copy", args[0], np.empty(1, kwargs.get("dtype") or args[0].dtype).view(Recorded))
        elif name not in FREE:
            for part in range(SEVERAL.get(name, 1)):
                record(f"{name}{part or ''}", *(one for one in args if isinstance(one, np.ndarray)))
        if name == "copyto":
            return function(*map(strip, args), **{key: strip(value) for key, value in kwargs.items()})
        done = wrap(function(*map(strip, args), **{key: strip(value) for key, value in kwargs.items()}))
        return kwargs["out"] if kwargs.get("out") is not None else done

    def __getitem__(self, key: Any) -> Any:
        kind = find_key_kind(key)
        if kind:
            record("take" if kind in "iu" else "take_flagged", self, np.empty(1, kind).view(Recorded))
        return super().__getitem__(strip(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        kind = find_key_kind(key)
        if kind:
            record("scatter" if kind in "iu" else "put_flagged", self, value)
        elif not isinstance(value, np.ndarray):
            record("fill", self)
        elif value.dtype != self.dtype:
            record("copy", value, self)
        super().__setitem__(strip(key), strip(value))

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Any:
        if np.dtype(dtype) != self.dtype or options.get("copy", True):
            record("copy", self, np.empty(1, dtype).view(Recorded))
        return super().astype(dtype, *args, **options)

    def copy(self, *args: Any, **options: Any) -> Any:
        record("copy", self, self)
        return super().copy(*args, **options)

    def fill(self, value: Any) -> None:
        record("fill", self)
        super().fill(value)

    def cumsum(self, *args: Any, **options: Any) -> Any:
        return np.cumsum(self, *args, **options)


def find_key_kind(key: Any) -> str:
    """The kind of the array in an index: `b`, `i` or `u`; empty for slices and numbers."""
    parts = key if isinstance(key, tuple) else (key,)
    return next((part.dtype.kind for part in parts if isinstance(part, np.ndarray) and part.ndim), "")


def record_reduction(name: str, array: Any, options: dict[str, Any]) -> None:
    """Least, greatest and sum of a whole array of wide numbers, or of its rows, come compiled."""
    axis = options.get("axis")
    whole = axis in (None, 0) if array.ndim == 1 else axis == array.ndim - 1 and array.flags.c_contiguous
    shipped = name in ("minimum", "maximum") and array.dtype != bool
    if not (whole and (shipped or (name == "add" and str(array.dtype) in SHIPPED_SUMS))):
        record(f"reduce {name}", array)


class RecordedModule(ModuleType):
    """NumPy with recording arrays, in the place of CuPy."""

    ndarray = Recorded

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if isinstance(found, type) or not callable(found):
            return found

        def call(*args: Any, **options: Any) -> Any:
            if name in FILLING:
                record(name, wrap(np.empty(1, get_dtype(name, args, options))))
            return wrap(found(*args, **options))

        return call


def get_dtype(name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The dtype that a function makes an array of."""
    place = {"ones": 1, "full": 2, "arange": 3}[name]
    usual = "int64" if name == "arange" else "float64"
    return options.get("dtype") or (args[place] if len(args) > place else usual)


class RecordedDevice(HostDevice):
    """The host, whose clearing of memory is no kernel."""

    def clear(self, array: Any, nbytes: int) -> None:
        super().clear(strip(array), nbytes)

    def copy(self, array: Any) -> Any:
        return wrap(strip(array).copy())

    def order(self, keys: Any) -> Any:
        return wrap(super().order(strip(keys)))


XP = RecordedModule("recorded")


@dataclass
class Modules:
    """Modules of a first call, each by its first kernel: those of CuPy's, and those of ours."""

    cupy: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    awaited: list[str] = field(default_factory=list)
    """Those of ours that nobody began to compile before they were needed: the call waits for one after the other."""
    begun: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """Those that were begun, with their texts and kernels."""
    used: set[tuple[str, str]] = field(default_factory=set)
    """Texts and kernels that were launched."""

    @property
    def in_vain(self) -> list[str]:
        """Modules that were begun, and of which no kernel was launched."""
        return [
            name
            for name, (text, kernels) in self.begun.items()
            if not any((text, kernel) in self.used for kernel in kernels)
        ]

    def clear(self) -> None:
        for noted in (self.cupy, self.own, self.awaited, self.begun, self.used):
            noted.clear()


def make_recorded_engine() -> tuple[CudaEngine, Modules]:
    """Return the CUDA engine over recording arrays, and its own modules."""
    noted, known = Modules(), set[tuple[str, str]]()

    def load_noted(text: str, expression: str, beside: tuple[str, ...] = (), **how: Any) -> Any:
        noted.used.add((text, expression))
        if (text, expression) not in known:
            noted.awaited.append(expression)
            note(text, (expression, *beside))
        return load(text, expression, **how)

    def begin_noted(text: str, expressions: tuple[str, ...], **_: Any) -> None:
        if not {(text, one) for one in expressions} <= known:
            noted.begun[expressions[0]] = text, expressions
            note(text, expressions)

    def note(text: str, expressions: tuple[str, ...]) -> None:
        noted.own.append(expressions[0])
        known.update((text, one) for one in expressions)

    engine = CudaEngine(np, load_noted, begin_noted)
    engine.xp, engine.device = XP, RecordedDevice(np)
    return engine, noted


@contextmanager
def record_modules() -> Iterator[list[str]]:
    """List what CuPy would compile meanwhile; arrays know the recording module as theirs."""
    plain = convert.get_array_module

    def find(array: Any) -> Any:
        return XP if isinstance(array, Recorded) else plain(array)

    changed = [m for m in list(sys.modules.values()) if getattr(m, "get_array_module", None) is plain]
    _compiled.clear()
    for module in changed:
        module.get_array_module = find  # type: ignore[attr-defined]
    try:
        yield _compiled
    finally:
        for module in changed:
            module.get_array_module = plain  # type: ignore[attr-defined]


def trace_modules(prepare: Callable[[Any], Any], call: Callable[[Any], Any]) -> Modules:
    """Return the modules that CuPy and that graphla would compile in a first call, its operands made before."""
    engine, noted = make_recorded_engine()
    register_list_kernels(Recorded, engine.lists)
    with record_modules() as compiled:
        operands = prepare(engine)
        compiled.clear()
        noted.clear()
        call(operands)
        noted.cupy = list(compiled)
        return noted
