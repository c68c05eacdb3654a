"""Numba as the CPU engine uses it: compiled once, kept on disk, and said aloud when it takes time."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba

from graphla.engine.cpu import announce

prange = numba.prange
seconds_compiling = announce.seconds_compiling


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` with an on-disk cache, without the interpreter lock and with NumPy's division."""
    compile = numba.njit(cache=True, nogil=True, error_model="numpy", **options)
    return lambda function: filed_in_turn(compile(announce.ours(function)))


def filed_in_turn(compiled: Any) -> Any:
    """Let one process at a time file machine code, and count the time to load it.

    Numba gives two processes that file machine code for two types at once the same number.
    """
    cache = compiled._cache
    file, load = cache.save_overload, cache.load_overload

    def in_turn(signature: Any, code: Any) -> None:
        with locked(Path(cache.cache_path)):
            file(signature, code)

    def counted(signature: Any, context: Any) -> Any:
        with announce.announcer().loading():
            return load(signature, context)

    cache.save_overload, cache.load_overload = in_turn, counted
    return compiled


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder against other processes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def operator(function: Callable[..., Any]) -> Any:
    """A rendered operator, written into what calls it: half the time to compile of a call where it stands once."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(announce.ours(function))


def repeated_operator(function: Callable[..., Any]) -> Any:
    """A rendered operator that its caller has in many places: compiled once, and called."""
    return numba.njit(nogil=True, error_model="numpy")(announce.ours(function))


announce.listen()
