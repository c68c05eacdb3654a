"""Numba as the CPU engine uses it: compiled once, kept on disk, and said aloud when it takes time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from graphla.engine.cpu import announce

prange = numba.prange
seconds_compiling = announce.seconds_compiling


def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` with an on-disk cache, without the interpreter lock and with NumPy's division."""
    compile = numba.njit(cache=True, nogil=True, error_model="numpy", **options)
    return lambda function: compile(announce.ours(function))


def operator(function: Callable[..., Any]) -> Any:
    """A rendered operator, written into what calls it: half the time to compile of a call where it stands once."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(announce.ours(function))


def repeated_operator(function: Callable[..., Any]) -> Any:
    """A rendered operator that its caller has in many places: compiled once, and called."""
    return numba.njit(nogil=True, error_model="numpy")(announce.ours(function))


announce.listen()
