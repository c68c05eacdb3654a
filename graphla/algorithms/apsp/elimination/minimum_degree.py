"""An order by minimum degree: next goes a vertex of the fewest neighbours left, of several the one that waits longest.

A vertex that has gone is an element: it stands for the arcs between all its neighbours. A degree is a bound from above,
by the sizes of the elements; an element that another one covers is dropped, and vertices with the same neighbours go
together. Vertices of the rim are counted, and do not go.

P. R. Amestoy, T. A. Davis, I. S. Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl.
17(4), 1996; F. Pellegrini, J. Roman, P. Amestoy, "Hybridizing nested dissection and halo approximate minimum degree for
efficient sparse matrix ordering", Concurrency 12, 2000 (the rim).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.elimination.levels import copy
from graphla.engine.cpu.jit import inner

GONE, VERTEX, ELEMENT = 0, 1, 2
LISTS = 15
"""Numbers by vertex that are kept of a graph."""


class Quotient(NamedTuple):
    """What is left of a graph, by vertex.

    ``pool[begin : begin + length]`` are its elements, `elements` many, and then its neighbours; of an element its
    vertices. A vertex stands for `weight` many, which `chain` lists up to `last`. The lists of the vertices of equal
    degree have their ends in `ends`. `mark` and `seen` hold the number of the step that set them, `beside` the weight
    that an element has beside the new one, `bucket` and `following` lists of vertices that may be the same.
    """

    begin: Any
    length: Any
    elements: Any
    degree: Any
    weight: Any
    state: Any
    ends: Any
    after: Any
    before: Any
    chain: Any
    last: Any
    mark: Any
    seen: Any
    beside: Any
    code: Any
    bucket: Any
    following: Any


@inner()
def make_lists(n):  # type: ignore[no-untyped-def]
    """Room for numbers by vertex."""
    return np.empty((LISTS, n), np.int64)


def make_each_list(n: int) -> Any:
    """The same in Python, where a part of a view is no view."""
    lists = list[Any]()
    for _ in range(LISTS):
        lists.append(np.empty(n, np.int64))
    return lists


make_lists.in_python = make_each_list  # type: ignore[attr-defined]


@inner()
def make_quotient(start, owned):  # type: ignore[no-untyped-def]
    """Begin with a graph of which nothing has gone."""
    n = len(start) - 1
    T, ends, state = make_lists(n), np.empty((n + 1, 2), np.int64), np.empty(n, np.int8)
    Q = Quotient(
        T[0], T[1], T[2], T[3], T[4], state, ends, T[5], T[6], T[7], T[8], T[9], T[10], T[11], T[12], T[13], T[14]
    )
    for v in range(n):
        Q.begin[v], Q.length[v], Q.degree[v] = start[v], start[v + 1] - start[v], start[v + 1] - start[v]
        Q.elements[v], Q.weight[v], Q.state[v], Q.chain[v], Q.last[v] = 0, 1, VERTEX, -1, v
        Q.mark[v], Q.seen[v], Q.bucket[v], ends[v, 0], ends[v, 1] = 0, 0, -1, -1, -1
    for v in range(owned):
        link(v, Q)
    return Q


@inner()
def link(v, Q):  # type: ignore[no-untyped-def]
    """Put a vertex at the end of the list of its degree."""
    d = Q.degree[v]
    u = Q.ends[d, 1]
    Q.before[v], Q.after[v], Q.ends[d, 1] = u, -1, v
    if u >= 0:
        Q.after[u] = v
    else:
        Q.ends[d, 0] = v


@inner()
def unlink(v, Q):  # type: ignore[no-untyped-def]
    """Take a vertex out of the list of its degree."""
    d, a, b = Q.degree[v], Q.after[v], Q.before[v]
    if a >= 0:
        Q.before[a] = b
    else:
        Q.ends[d, 1] = b
    if b >= 0:
        Q.after[b] = a
    else:
        Q.ends[d, 0] = a


@inner()
def collect(begin, end, pool, used, step, Q):  # type: ignore[no-untyped-def]
    """Append those vertices of a list that are not marked yet; returns how long the pool is."""
    for x in range(begin, end):
        i = pool[x]
        if Q.state[i] == VERTEX and Q.mark[i] != step:
            Q.mark[i], pool[used] = step, i
            used += 1
    return used


@inner()
def make_element(p, pool, used, step, Q):  # type: ignore[no-untyped-def]
    """Let a vertex become an element, which takes in its elements; returns how long the pool is."""
    low, first, Q.mark[p], Q.degree[p] = used, Q.begin[p], step, 0
    for x in range(first, first + Q.elements[p]):
        e = pool[x]
        if Q.state[e] == ELEMENT:
            used = collect(Q.begin[e], Q.begin[e] + Q.length[e], pool, used, step, Q)
            Q.state[e] = GONE
    used = collect(first + Q.elements[p], first + Q.length[p], pool, used, step, Q)
    for x in range(low, used):
        Q.degree[p] += Q.weight[pool[x]]
    Q.state[p], Q.begin[p], Q.length[p] = ELEMENT, low, used - low
    return used


@inner()
def measure_elements(low, high, pool, step, Q):  # type: ignore[no-untyped-def]
    """Compute the weight that each element has beside the new one."""
    for x in range(low, high):
        i = pool[x]
        for y in range(Q.begin[i], Q.begin[i] + Q.elements[i]):
            e = pool[y]
            if Q.seen[e] != step:
                Q.seen[e], Q.beside[e] = step, Q.degree[e]
            Q.beside[e] -= Q.weight[i]


@inner()
def renew(i, p, left, pool, step, Q):  # type: ignore[no-untyped-def]
    """Renew the lists and the degree of a vertex of the new element p."""
    begin, to, outside, code = Q.begin[i], Q.begin[i], np.int64(0), np.int64(p)
    for y in range(begin, begin + Q.elements[i]):
        e = pool[y]
        if Q.state[e] == ELEMENT and Q.beside[e] > 0:
            pool[to] = e
            to, outside, code = to + 1, outside + Q.beside[e], code + e
        elif Q.state[e] == ELEMENT:
            Q.state[e] = GONE  # covered by p
    kept = to
    for y in range(begin + Q.elements[i], begin + Q.length[i]):
        j = pool[y]
        if Q.state[j] == VERTEX and Q.mark[j] != step:
            pool[to] = j
            to, outside, code = to + 1, outside + Q.weight[j], code + j
    # p comes first, for which what it has replaced left a place; one number of each kind goes to the end of its kind
    pool[to], pool[kept], pool[begin] = pool[kept], pool[begin], p
    Q.elements[i], Q.length[i] = kept - begin + 1, to - begin + 1
    inside = Q.degree[p] - Q.weight[i]
    Q.degree[i] = min(left - Q.weight[i], Q.degree[i] + inside, outside + inside)
    Q.code[i] = code % len(Q.code)
    Q.following[i], Q.bucket[Q.code[i]] = Q.bucket[Q.code[i]], i


@inner()
def have_same(i, j, pool, step, Q):  # type: ignore[no-untyped-def]
    """Whether two vertices have the same lists; those of i are marked."""
    if Q.length[i] != Q.length[j] or Q.elements[i] != Q.elements[j]:
        return False
    for y in range(Q.begin[j], Q.begin[j] + Q.length[j]):  # noqa: SIM110 (Numba compiles no generators)
        if Q.mark[pool[y]] != step:
            return False
    return True


@inner()
def join_same(i, owned, pool, step, Q):  # type: ignore[no-untyped-def]
    """Join to a vertex those behind it in its bucket that have the same lists."""
    for y in range(Q.begin[i], Q.begin[i] + Q.length[i]):
        Q.mark[pool[y]] = step
    j = Q.following[i]
    while j >= 0:
        if Q.state[j] == VERTEX and (j < owned) == (i < owned) and have_same(i, j, pool, step, Q):
            Q.degree[i] -= Q.weight[j]
            absorb(j, i, Q)
        j = Q.following[j]


@inner()
def absorb(j, i, Q):  # type: ignore[no-untyped-def]
    """Let a vertex go with another one."""
    Q.weight[i] += Q.weight[j]
    Q.state[j] = GONE
    Q.chain[Q.last[i]], Q.last[i] = j, Q.last[j]


@inner()
def join_all(low, high, owned, pool, step, Q):  # type: ignore[no-untyped-def]
    """Join the vertices of an element that have the same lists; returns the number of the last step."""
    for x in range(low, high):
        code = Q.code[pool[x]]
        i, Q.bucket[code] = Q.bucket[code], -1
        while i >= 0:
            if Q.state[i] == VERTEX and Q.following[i] >= 0:
                step += 1
                join_same(i, owned, pool, step, Q)
            i = Q.following[i]
    return step


@inner()
def settle(p, low, high, owned, pool, Q):  # type: ignore[no-untyped-def]
    """Let those that have no other neighbours go with p, and list the others again; returns how long the pool is."""
    to = low
    for x in range(low, high):
        i = pool[x]
        if Q.state[i] != VERTEX:
            continue
        if i < owned and Q.length[i] == 1:
            Q.degree[p] -= Q.weight[i]
            absorb(i, p, Q)
            continue
        pool[to] = i
        to += 1
        if i < owned:
            link(i, Q)
    Q.length[p] = to - low
    return to


@inner()
def order_by_degree(start, heads, owned, out):  # type: ignore[no-untyped-def]
    """Order the first `owned` vertices of a symmetric pattern; those behind are the rim."""
    used, Q, step, done, least = np.int64(len(heads)), make_quotient(start, owned), 0, 0, 0
    pool, left = np.empty(2 * used + 8, np.int32), len(start) - 1
    copy(heads, pool)
    while done < owned:
        while Q.ends[least, 0] < 0:
            least += 1
        p = Q.ends[least, 0]
        unlink(p, Q)
        if used + least >= len(pool):
            larger = np.empty(2 * len(pool) + least, np.int32)
            copy(pool, larger)
            pool = larger
        low, step = used, step + 1
        high = make_element(p, pool, low, step, Q)
        left -= Q.weight[p]
        measure_elements(low, high, pool, step, Q)
        for x in range(low, high):
            if pool[x] < owned:
                unlink(pool[x], Q)
            renew(pool[x], p, left, pool, step, Q)
        step = join_all(low, high, owned, pool, step, Q)
        before = Q.weight[p]
        used = settle(p, low, high, owned, pool, Q)
        left -= Q.weight[p] - before
        least = max(0, least - before)
        for x in range(low, used):
            least = min(least, Q.degree[pool[x]]) if pool[x] < owned else least
        v = p
        while v >= 0:
            out[done] = v
            done, v = done + 1, Q.chain[v]
