"""Rows of bits of the strong components, level by level from the last ones, in one launch.

The level of a component is the longest path of components after it: those of one level do not depend on each other. A
block takes a component, and its threads take words of the row.

Source: Purdom, "A Transitive Closure Algorithm", BIT 10, 1970; levels as in triangular solves: Naumov, "Parallel
Solution of Sparse Triangular Linear Systems in the Preconditioned Iterative Methods on the GPU", 2011.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.components import components
from graphla.algorithms.topological_order.frontiers import find_levels
from graphla.algorithms.transitive_closure import Settings
from graphla.algorithms.transitive_closure._sizes import count_words, make_bits, make_pointers, wrap
from graphla.engine.cuda.records import read_struct
from graphla.graphs.graph import Graph
from graphla.problem import Method
from graphla.storage.convert import count_true, tally

Array = Any
THREADS = 256
KERNELS = Path(__file__).with_suffix(".cuh")
CloseParameters = read_struct(KERNELS, "CloseParameters")
WriteParameters = read_struct(KERNELS, "WriteParameters")


def run(G: Any, s: Settings) -> tuple[Any]:
    """An entry True for each pair of which the first reaches the second."""
    xp = G.engine.xp
    if not G.n:
        return (wrap(G, xp.zeros(1, np.int32), xp.zeros(0, np.int32)),)
    label = components(G, kind="strong").to_dense()
    own = label == xp.arange(G.n, dtype=label.dtype)
    row = (xp.cumsum(own) - 1).astype(np.int32)
    bits = make_bits(xp, count_true(own), G.n)
    counts = close(G, label, own, row, bits)
    itself = find_cyclic(G, label) | s.reflexive
    indptr, total = make_pointers(xp, counts[row[label]] - ~itself)
    indices = xp.empty(total, np.int32)
    kernel = G.engine.kernel(KERNELS, f"write_entries<{G.engine.c_type(indptr)}>", takes=WriteParameters)
    parameters = WriteParameters(
        n=G.n,
        words=count_words(G.n),
        label=label,
        row=row,
        itself=itself,
        bits=bits,
        indptr=indptr,
        indices=indices,
    )
    kernel(-(-G.n * 32 // THREADS), THREADS, parameters)
    return (wrap(G, indptr, indices),)


def find_cyclic(G: Any, label: Array) -> Array:
    """Which vertices are on a cycle: those of larger components, and those with a loop."""
    tails, heads, _ = G.A.to_coo()
    cyclic = tally(label, G.n)[label] > 1
    cyclic[tails[tails == heads]] = True
    return cyclic


def close(G: Any, label: Array, own: Array, row: Array, bits: Array) -> Array:
    """Fill in the rows of bits; return the number of bits of each."""
    xp, (tails, heads, _) = G.engine.xp, G.A.to_coo()
    tails, heads = label[tails], label[heads]
    between = tails != heads
    C = Graph((tails[between], heads[between]), n=G.n, dup="first", engine=G.engine)
    levels = find_levels(Graph((heads[between], tails[between]), n=G.n, dup="first", engine=G.engine))
    vertices = xp.flatnonzero(own)
    order = vertices[xp.argsort(levels[vertices], kind="stable")].astype(np.int32)
    last = levels[vertices]
    sizes = tally(last, int(last.max()) + 1)
    begin = xp.zeros(sizes.size + 1, np.int32)
    begin[1:] = xp.cumsum(sizes)
    name = f"close_rows<{G.engine.c_type(C.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=CloseParameters)
    parameters = CloseParameters(
        n=G.n,
        words=count_words(G.n),
        levels=int(sizes.size),
        label=label,
        row=row,
        order=order,
        begin=begin,
        indptr=C.csr.indptr,
        indices=C.csr.indices,
        bits=bits,
        counts=xp.zeros(order.size, np.int64),
        barrier=G.cached("transitive_closure.barrier", lambda _: xp.zeros(1, np.uint32)),
    )
    kernel(G.cached("transitive_closure.grid", lambda _: kernel.resident_blocks(THREADS)), THREADS, parameters)
    return parameters.counts


method = Method(
    runs={"cuda": run},
    idea="rows of bits of the strong components, level by level from the last ones, in one launch",
    source="Purdom, BIT 1970; Naumov, 2011",
    rank=100,
)
