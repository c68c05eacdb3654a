"""Run kernels on row ranges on all cores. Kernels release the interpreter lock, so plain threads suffice."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from graphla.common.environment import read_count
from graphla.common.forks import forget_after_fork
from graphla.common.system import count_cores

NAME = "graphla-worker"
WORTH_A_THREAD = 100_000
"""Entries below which a second thread costs more than it saves, if each takes some nanoseconds."""
WORTH_A_PASS = 1 << 20
"""Entries below which a second thread costs more than it saves, if each is read once, in a nanosecond or less.

With two threads 200,000 entries take 0.1 to 0.9 ms longer than with one, and two million about as long (two cores)."""


@cache
def count_workers() -> int:
    """Return the number of threads: GRAPHLA_THREADS, or the cores that this process may use."""
    return read_count("GRAPHLA_THREADS") or count_cores()


@forget_after_fork
@cache
def get_pool(name: str = NAME) -> ThreadPoolExecutor:
    """The threads of this process that go by a name; a child of fork has none of its parent's, and makes its own."""
    return ThreadPoolExecutor(count_workers(), thread_name_prefix=name)


def split_rows(indptr: Any, parts: int) -> list[tuple[int, int]]:
    """Split the rows into ranges with about equally many entries."""
    rows = indptr.shape[0] - 1
    goals = np.linspace(0, int(indptr[-1]) + rows, parts + 1)[1:-1]
    cuts = [bisect_left(range(rows), goal, key=lambda row: int(indptr[row]) + row) for goal in goals]
    edges = [0, *cuts, rows]
    return list(pairwise(edges))


def is_worker() -> bool:
    """Whether this is a thread of the pool: one that waited for others of the pool could wait forever."""
    return threading.current_thread().name.startswith(NAME)


def run_together(threads: int, kernel: Callable[..., Any], *args: Any) -> None:
    """Call ``kernel(*args)`` in several threads, of which this one is the first; the kernel shares out the work."""
    if is_worker():
        threads = 1
    others = [get_pool().submit(kernel, *args) for _ in range(threads - 1)]
    kernel(*args)
    for other in others:
        other.result()


def run_aside(work: int, kernel: Callable[..., Any], *args: Any) -> Any:
    """Call one long kernel in a thread of the pool while this one waits, which heeds Ctrl-C at any time.

    A kernel that is left so ends by itself. `work` is the number of entries that it reads: few are not worth a thread.
    """
    if work < WORTH_A_PASS or threading.current_thread() is not threading.main_thread():
        return kernel(*args)
    return get_pool().submit(kernel, *args).result()


def run_for_each(kernel: Callable[..., Any], items: Sequence[Any]) -> list[Any]:
    """Call ``kernel(item)`` for each item, on all cores; return the results in order."""
    if len(items) == 1 or count_workers() == 1 or is_worker():
        return [kernel(item) for item in items]
    return list(get_pool().map(kernel, items))


def run_in_order(kernel: Callable[[Any], Any], items: Sequence[Any], threads: int) -> Iterator[Any]:
    """Call ``kernel(item)`` for each item in at most so many threads; yield the results in order, few at a time."""
    if threads == 1 or count_workers() == 1 or is_worker():
        yield from map(kernel, items)
        return
    running: deque[Future[Any]] = deque()
    try:
        for item in items:
            if len(running) == threads + 1:
                yield running.popleft().result()
            running.append(get_pool().submit(kernel, item))
        while running:
            yield running.popleft().result()
    finally:
        for each in running:
            each.cancel()


def cut_rows(weights: tuple[Any, ...], cost: float) -> list[tuple[int, int]]:
    """Return ranges that cover all rows, one if threads do not pay.

    The sum of the pointers `weights` weighs rows, and `cost` is how many passes over an entry take as long.
    """
    if cost * sum([each.item(-1) for each in weights]) < WORTH_A_PASS or count_workers() == 1:
        return [(0, weights[0].shape[0] - 1)]
    split = weights[0] if len(weights) == 1 else np.add(*weights, dtype="int64")
    return split_rows(split, 4 * count_workers())


def run_over_rows(kernel: Callable[..., Any], split: Any, entries: int, *args: Any) -> list[Any]:
    """Call ``kernel(first, last, *args)`` for row ranges that cover all rows; return the results in order.

    `split` are pointers whose differences weigh the rows, and `entries` is the weight of all: ranges weigh the same.
    """
    parts = 1 if entries < WORTH_A_PASS else count_workers()
    if parts == 1:
        return [kernel(0, split.shape[0] - 1, *args)]
    return run_for_each(lambda piece: kernel(*piece, *args), split_rows(split, 4 * parts))


def cut_for_sums(indptr: Any) -> list[tuple[int, int]]:
    """Row ranges for sums that are added up in their order: the same on any number of threads."""
    entries = int(indptr[-1])
    return split_rows(indptr, 1 if entries < WORTH_A_PASS else 16 if entries < 16 * WORTH_A_PASS else 64)


def run_over_range(kernel: Callable[..., Any], size: int, *args: Any) -> list[Any]:
    """Call ``kernel(first, last, *args)`` for equal ranges that cover all of `size`; return the results in order."""
    if size < WORTH_A_PASS or (workers := count_workers()) == 1:
        return [kernel(0, size, *args)]
    edges = [size * part // workers for part in range(workers + 1)]
    return run_for_each(lambda piece: kernel(*piece, *args), list(pairwise(edges)))
