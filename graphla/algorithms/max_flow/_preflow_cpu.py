"""Push and relabel on one core: of the active vertices a highest one pushes, until no excess can reach the target.

A vertex pushes along the arcs to vertices one below it, from the arc where it stopped before; if some excess is left it
rises to one above its lowest head. Once no vertex has a height, those above it cannot reach the target any more. After
some work a search renews all heights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.max_flow._network import Network
from graphla.engine.cpu.jit import inner, njit

Array = Any
PERIOD = 4
"""Looks at arcs and vertices between two searches, as a multiple of all of them."""
RISE = 12
"""What a rise costs beside the looks at its arcs, as Cherkassky and Goldberg weigh it."""


@inner()
def find_heights(indptr, indices, reverse, residual, height, queue, target, barred):  # type: ignore[no-untyped-def]
    """The distance of each vertex to the target, past the barred one, or n; return how many have a way."""
    n = height.size
    height[:] = n
    height[target] = 0
    queue[0] = target
    head, tail = 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if height[u] == n and u != barred and residual[reverse[k]] > 0:
                height[u] = height[v] + 1
                queue[tail] = u
                tail += 1
    return tail


@inner()
def list_by_height(queue, reached, indptr, height, excess, target, first, following, current, count):  # type: ignore[no-untyped-def]
    """Lists of the active vertices by height, and the vertices of each height; return the greatest active height."""
    first[:] = -1
    count[:] = 0
    top = -1
    for i in range(reached):
        v = queue[i]
        h = height[v]
        current[v] = indptr[v]
        count[h] += 1
        if excess[v] > 0 and v != target:
            following[v] = first[h]
            first[h] = v
            top = max(top, h)
    return top


@inner()
def lift_above(height, count, before):  # type: ignore[no-untyped-def]
    """No vertex has this height: those above it cannot reach the target."""
    for u in range(height.size):
        if before < height[u] < height.size:
            count[height[u]] -= 1
            height[u] = height.size


@inner()
def discharge(indptr, indices, reverse, residual, excess, height, first, following, current, count, top, ends):  # type: ignore[no-untyped-def]
    """Push and raise highest active vertices for a period. It is one function, for a call per push takes longer."""
    n, (target, barred), work = height.size, ends, 0
    while top >= 0 and work < PERIOD * (n + indices.size):
        v = first[top]
        if v < 0:
            top -= 1
            continue
        first[top] = following[v]
        while height[v] == top:
            left, k, stop = excess[v], current[v], indptr[v + 1]
            work += RISE
            while k < stop:
                w = indices[k]
                if residual[k] > 0 and height[w] == top - 1 and w != barred:
                    amount = min(left, residual[k])
                    residual[k] -= amount
                    residual[reverse[k]] += amount
                    left -= amount
                    if excess[w] == 0 and w != target:
                        following[w] = first[top - 1]
                        first[top - 1] = w
                    excess[w] += amount
                    if left == 0:
                        break
                k += 1
            current[v], excess[v] = k, left
            if left == 0:
                break
            lowest = n
            for k in range(indptr[v], stop):
                if residual[k] > 0 and indices[k] != barred:
                    lowest = min(lowest, height[indices[k]])
            work += stop - indptr[v]
            height[v] = n
            count[top] -= 1
            if count[top] == 0:
                lift_above(height, count, top)
            elif lowest + 1 < n:
                top = lowest + 1
                height[v], current[v] = top, indptr[v]
                count[top] += 1


@njit()
def drain(indptr, indices, reverse, residual, excess, target, barred):  # type: ignore[no-untyped-def]
    """Move all excess that can reach the target there; return the heights of the last search."""
    n, ends = excess.size, (target, barred)
    height, queue, current = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, indptr.dtype)
    first, following, count = np.empty(n + 1, np.int32), np.empty(n, np.int32), np.empty(n + 1, np.int32)
    while True:
        reached = find_heights(indptr, indices, reverse, residual, height, queue, target, barred)
        top = list_by_height(queue, reached, indptr, height, excess, target, first, following, current, count)
        if top < 0:
            return height
        discharge(indptr, indices, reverse, residual, excess, height, first, following, current, count, top, ends)


def find_flow(network: Network, source: int, sink: int) -> tuple[Array, int, Array]:
    """The residual capacities, the value of the flow, and the vertices from which the sink can still be reached."""
    return finish(network, network.capacity.values.copy(), source, sink)


def finish(network: Network, residual: Array, source: int, sink: int) -> tuple[Array, int, Array]:
    """More flow along residual capacities: what is left of them, how much it is, and who can still reach the sink."""
    rows, excess = network.capacity, np.zeros(network.n, np.int64)
    begin, end = rows.indptr[source], rows.indptr[source + 1]
    amounts = residual[begin:end].copy()
    excess[rows.indices[begin:end]] = amounts
    residual[network.reverse[begin:end]] += amounts
    residual[begin:end] = 0
    arrays = rows.indptr, rows.indices, network.reverse, residual, excess
    reaches = drain(*arrays, sink, source) < network.n
    value = int(excess[sink])
    drain(*arrays, source, sink)
    return residual, value, reaches
