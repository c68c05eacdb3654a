"""Rows of bits of the strong components, each the union of those after it; see `words`."""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.components.tarjan_cpu import number_strong
from graphla.algorithms.transitive_closure._sizes import make_bits, make_pointers, wrap
from graphla.engine.cpu.jit import njit
from graphla.engine.cpu.popcount import popcount
from graphla.engine.cpu.threads import run_over_rows

ONE = np.uint64(1)


@njit()
def _close(indptr, indices, label, begin, members, bits, cyclic):  # type: ignore[no-untyped-def]
    """Fill in the rows: the members of a component, and what the components that it has arcs to reach.

    Arcs lead to components of smaller numbers, whose rows are complete. One whose bits are there already adds nothing.
    """
    for c in range(begin.size - 1):
        row = bits[c]
        cyclic[c] = begin[c + 1] - begin[c] > 1
        for i in range(begin[c], begin[c + 1]):
            row[members[i] >> 6] |= ONE << np.uint64(members[i] & 63)
        for i in range(begin[c], begin[c + 1]):
            u = members[i]
            for k in range(indptr[u], indptr[u + 1]):
                v = indices[k]
                if v == u:
                    cyclic[c] = True
                elif not (row[v >> 6] >> np.uint64(v & 63)) & ONE:
                    other = bits[label[v]]
                    for w in range(row.size):
                        row[w] |= other[w]


@njit()
def _count(bits, counts):  # type: ignore[no-untyped-def]
    """The number of bits of each row."""
    for c in range(bits.shape[0]):
        total = np.int64(0)
        for w in range(bits.shape[1]):
            total += np.int64(popcount(bits[c, w]))
        counts[c] = total


@njit()
def _write(first, last, label, bits, itself, indptr, indices):  # type: ignore[no-untyped-def]
    """Write the vertices that some rows reach; `itself` says whether a vertex reaches itself."""
    for u in range(first, last):
        place, row = indptr[u], bits[label[u]]
        for w in range(row.size):
            word = row[w]
            while word:
                lowest = word & (~word + ONE)
                v = w * 64 + np.int64(popcount(lowest - ONE))
                word ^= lowest
                if v != u or itself[u]:
                    indices[place] = v
                    place += 1


def close_by_words(G: Any, reflexive: bool) -> Any:
    """The closure of a graph on the host."""
    csr, n = G.csr, G.n
    label = np.empty(n, np.int32)
    count = number_strong(csr.indptr, csr.indices, label)
    bits, cyclic = make_bits(np, count, n), np.zeros(count, bool)
    begin = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(label, minlength=count), out=begin[1:])
    _close(csr.indptr, csr.indices, label, begin, np.argsort(label, kind="stable").astype(np.int32), bits, cyclic)
    counts = np.empty(count, np.int64)
    _count(bits, counts)
    itself = cyclic[label] | reflexive
    indptr, total = make_pointers(np, counts[label] - ~itself)
    indices = np.empty(total, np.int32)
    run_over_rows(_write, indptr, total, label, bits, itself, indptr, indices)
    return wrap(G, indptr, indices)
