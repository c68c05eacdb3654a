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
from graphla.algorithms.topological_order.frontiers import KERNELS as ORDER
from graphla.algorithms.topological_order.frontiers import find_levels
from graphla.algorithms.transitive_closure import Settings
from graphla.algorithms.transitive_closure._sets import KERNELS as SETS
from graphla.algorithms.transitive_closure._sets import (
    TOGETHER,
    find_between,
    find_names,
    make_graph,
    measure_entries,
    place_rows,
)
from graphla.algorithms.transitive_closure._sizes import count_words, make_bits, make_pointers, wrap
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method
from graphla.storage.convert import gather, make_row_pointers, order_stably

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
    begin(G)
    label = components(G, kind="strong").to_dense()
    names, several = find_names(G, label)
    bits = make_bits(xp, names.size, G.n)
    row, counts, looped = close(G, label, names, bits)
    itself, lengths = measure_entries(G, label, row, counts, several, looped, s.reflexive)
    indptr, total = make_pointers(xp, lengths)
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


def begin(G: Any) -> None:
    """Begin to compile what is needed once the components are known."""
    pointer = G.engine.c_type(G.csr.indptr)
    G.engine.lists.begin("flags", "transpose", "scan")
    G.engine.lists.begin_one("fill_all<unsigned char>")
    G.engine.begin(SETS, *TOGETHER)
    G.engine.begin(ORDER, f"find_levels<{pointer}>", cooperative=True)
    G.engine.begin(KERNELS, f"close_rows<{pointer}>", cooperative=True)
    G.engine.begin(KERNELS, "write_entries<int>")


def close(G: Any, label: Array, names: Array, bits: Array) -> tuple[Array, Array, Array]:
    """Fill in the rows of bits; return the row of each component, the bits of each row, and who has a loop."""
    xp, (keys, turned, looped) = G.engine.xp, find_between(G, label)
    C, levels = make_graph(G, keys), find_levels(make_graph(G, turned))
    row, last = place_rows(G, names, levels)
    order = order_stably(last)
    begins = make_row_pointers(xp, gather(last, order), int(last.max()) + 1)
    name = f"close_rows<{G.engine.c_type(C.csr.indptr)}>"
    kernel = G.engine.kernel(KERNELS, name, cooperative=True, takes=CloseParameters)
    parameters = CloseParameters(
        n=G.n,
        words=count_words(G.n),
        levels=int(begins.size) - 1,
        label=label,
        row=row,
        order=gather(names, order),
        begin=begins,
        indptr=C.csr.indptr,
        indices=C.csr.indices,
        bits=bits,
        counts=xp.zeros(names.size, np.int64),
        barrier=G.engine.get_barrier(),
    )
    kernel(G.cached("transitive_closure.grid", lambda _: kernel.resident_blocks(THREADS)), THREADS, parameters)
    return row, parameters.counts, looped


method = Method(
    runs={"cuda": run},
    idea="rows of bits of the strong components, level by level from the last ones, in one launch",
    source="Purdom, BIT 1970; Naumov, 2011",
    rank=100,
)
