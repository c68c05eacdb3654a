"""The iteration of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001, in Python on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError


def verify(csr: Any, source: int, found: Any) -> None:
    """Assert that each vertex has its immediate dominator, and others have none."""
    expected = compute(csr, source)
    wrong = np.flatnonzero(found != expected)
    if wrong.size:
        v = wrong[0]
        raise VerificationError(
            f"dominators: vertex {v} has {show(found[v])} instead of {show(expected[v])} ({wrong.size:,} differ)"
        )


def show(vertex: Any) -> str:
    """A vertex, or that there is none."""
    return "none" if vertex < 0 else str(vertex)


def compute(csr: Any, source: int) -> Any:
    """The immediate dominators, -1 of what is not reached."""
    heads = np.split(csr.indices, csr.indptr[1:-1]) if csr.nrows else []
    order = list_postorder([row.tolist() for row in heads], source)
    number = {v: k for k, v in enumerate(order)}
    before: dict[int, list[int]] = {v: [] for v in order}
    for u in order:
        for v in heads[u].tolist():
            before[v].append(u)
    found, changed = {source: source}, True
    while changed:
        changed = False
        for v in reversed(order[:-1]):
            known = [u for u in before[v] if u in found]
            best = known[0]
            for u in known[1:]:
                best = meet(found, number, best, u)
            changed |= found.get(v) != best
            found[v] = best
    result = np.full(csr.nrows, -1, np.int32)
    result[list(found)] = list(found.values())
    return result


def meet(found: dict[int, int], number: dict[int, int], u: int, v: int) -> int:
    """The nearest vertex above both in the tree."""
    while u != v:
        while number[u] < number[v]:
            u = found[u]
        while number[v] < number[u]:
            v = found[v]
    return u


def list_postorder(heads: list[list[int]], source: int) -> list[int]:
    """The vertices that are reached, in the order in which a depth-first search leaves them."""
    order, seen, stack = list[int](), {source}, [(source, iter(heads[source]))]
    while stack:
        u, rest = stack[-1]
        v = next((v for v in rest if v not in seen), None)
        if v is None:
            order.append(u)
            stack.pop()
        else:
            seen.add(v)
            stack.append((v, iter(heads[v])))
    return order
