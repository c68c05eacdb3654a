"""Trace next hops from the distances, with Numba; `_trace.cuh` explains the method and why no walk has a cycle."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from graphla.algorithms.apsp._levels import ROUNDING_FP32, ROUNDING_FP64, compute_heights, replace_lost
from graphla.algorithms.apsp.blocked_cpu import add, choose_arithmetic, list_other_rows
from graphla.algorithms.apsp.initial import cast, is_non_negative
from graphla.algorithms.shared.weights import infinity
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.threads import count_workers

ROUNDING = {"float32": ROUNDING_FP32, "float64": ROUNDING_FP64}
"""The relative difference that two orders of summation may have."""


@njit()
def choose_hops(first, last, D, H, start, target, weight, far, limits, scale, share, height):  # type: ignore[no-untyped-def]
    """Choose hops over arcs that lead down; return how many pairs of these rows have none."""
    T, n, missing = D.dtype.type, D.shape[0], 0
    waiting, hop, best = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, D.dtype)
    for i in range(first, last):
        own, count = D[i], 0
        for j in range(n):
            if own[j] != far and H[i, j] < 0:
                waiting[count], hop[count], best[count] = j, -1, far
                count += 1
        for a in range(start[i], start[i + 1]):
            v, k = target[a], 0
            while k < count:
                j = waiting[k]
                after = D[v, j]
                length = T(add(weight[a], after, limits))
                if length < best[k] and after + height[v] < own[j] + height[i]:
                    best[k], hop[k] = length, v
                    if length == own[j]:
                        H[i, j] = v
                        count -= 1
                        waiting[k], hop[k], best[k] = waiting[count], hop[count], best[count]
                        continue
                k += 1
        for k in range(count):
            j = waiting[k]
            if hop[k] >= 0 and is_near(best[k], own[j], scale, share):
                H[i, j] = hop[k]
            else:
                missing += 1
    return missing


@njit()
def is_near(length, distance, scale, share):  # type: ignore[no-untyped-def]
    """Whether a length equals a distance up to rounding."""
    return length == distance or abs(float(length) - float(distance)) <= (abs(float(distance)) + scale) * share


@njit()
def arrives(H, v, j):  # type: ignore[no-untyped-def]
    """Whether the hops found so far lead from v to j."""
    while v >= 0 and v != j:
        v = H[v, j]
    return v == j


@njit()
def choose_level_hops(first, last, D, H, start, target, weight, far, limits, scale, share, height):  # type: ignore[no-untyped-def]
    """Choose hops for pairs without one, to vertices that have a hop; return how many were found."""
    T, found = D.dtype.type, 0
    for i in range(first, last):
        for j in range(D.shape[0]):
            if H[i, j] >= 0 or D[i, j] == far:
                continue
            for a in range(start[i], start[i + 1]):
                v = target[a]
                if H[v, j] < 0 or not is_near(T(add(weight[a], D[v, j], limits)), D[i, j], scale, share):
                    continue
                if D[v, j] + height[v] <= D[i, j] + height[i] or arrives(H, v, j):
                    H[i, j] = v
                    found += 1
                    break
    return found


def trace_hops(G: Any, D: Any) -> Any:
    """Trace the next hops H of the closed matrix D."""
    n = G.n
    H = np.full((n, n), -1, np.int32)
    if not n:
        return H
    np.fill_diagonal(H, np.arange(n))
    start, target, weight = find_essential_arcs(G, D, H)
    work, far, limits = choose_arithmetic(D, is_non_negative(G))
    height, scale = compute_heights(G, D)
    rounding = ROUNDING.get(D.dtype.name, 0.0)
    shared = work, H, start, target, weight.view(work.dtype), far, limits, scale, rounding, height
    with ThreadPoolExecutor(count_workers()) as pool:
        left = found = sum_over_rows(pool, choose_hops, n, shared)
        while left and found:
            found = sum_over_rows(pool, choose_level_hops, n, shared)
            left -= found
    if left:
        replace_lost(G, D, H)
    return H


def sum_over_rows(pool: ThreadPoolExecutor, kernel: Any, n: int, shared: tuple[Any, ...]) -> int:
    """Call a kernel for ranges of rows; return the sum of its results."""
    return sum(task.result() for task in [pool.submit(kernel, *part, *shared) for part in list_other_rows(n, n, n)])


def find_essential_arcs(G: Any, D: Any, H: Any) -> tuple[Any, Any, Any]:
    """Return the arcs that are shortest paths themselves, by rows, and write their hops into H."""
    start, target, weight = G.csr.indptr, G.csr.indices, cast(G.csr.values, D.dtype)
    rows = np.repeat(np.arange(G.n), np.diff(start))
    essential = np.flatnonzero((rows != target) & (weight != infinity(D.dtype)) & ~(D[rows, target] < weight))
    H[rows[essential], target[essential]] = target[essential]
    return np.searchsorted(essential, start), target[essential], weight[essential]
