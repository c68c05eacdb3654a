"""An Euler tour of any spanning forest, and the components of the graph without the fences of the forest, on a GPU.

Union-find makes the forest, without levels; its tour makes each subtree a range. The tour is ranked by runs that
threads walk along, and by doubling over runs, so that a path of a million vertices takes as many launches as a star:
two. An edge of the forest is a fence if no edge leads from below it out of its parent's subtree, which a tree of ranges
tells. Union-find along all other edges, but those from a vertex to one above it, gives the components.

Source: Dong, Wang, Gu, Sun, "Provably Fast and Space-Efficient Parallel Biconnectivity", PPoPP 2023 (FAST-BCC); Tarjan,
Vishkin, SIAM J. Comput. 14(4), 1985; runs as in Helman, JáJá, "Designing Practical Efficient Algorithms for Symmetric
Multiprocessors", ALENEX 1999; Polak, Siwiec, Stobierski, "Euler Meets GPU", IPDPS 2021.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.biconnected_components._number import number_by_first
from graphla.algorithms.shared.undirected import get_simple
from graphla.engine.cuda.records import read_struct
from graphla.problem import Method
from graphla.storage.convert import gather

Array = Any
HERE = Path(__file__).parent
THREADS = 512
RUN = 32
"""Arcs of the tour from which one is drawn to begin a run. A thread walks RUN steps on average, and with a million runs
some 14 times as many at worst."""
MOST_VERTICES = 1 << 29


RootParameters = read_struct(HERE / "root.cuh", "RootParameters")
SkeletonParameters = read_struct(HERE / "skeleton.cuh", "SkeletonParameters")


def run(G: Any) -> tuple[Array]:
    """The number of each arc but loops; nothing comes back to the host."""
    G, xp = get_simple(G), G.engine.xp
    if not G.nvals:
        return (xp.zeros(0, np.int32),)
    for name in ("count_up<int>", "scatter<int, long long>", "gather<int, int>"):
        G.engine.lists.begin_one(name)
    work = xp.empty(8 * G.n, np.int32)
    span, above = root_forest(G, work)
    numbers, first = join_skeleton(G, span, above, work)
    return (gather(number_by_first(xp, first), numbers),)


def root_forest(G: Any, work: Array) -> tuple[Array, Array]:
    """The places at which the tour comes to each vertex and leaves it, and the vertex above it, n above a root."""
    xp, n = G.engine.xp, G.n
    runs = -(-2 * n // RUN) + 1
    parent, first = xp.empty(n, np.int32), xp.empty(n + 1, np.int32)
    span, above = xp.empty(2 * n, np.int32), xp.empty(n, np.int32)
    launch(
        G,
        "root_forest",
        RootParameters,
        RootParameters(
            n=n,
            indptr=G.csr.indptr,
            indices=G.csr.indices,
            parent=parent,
            tails=work[: 2 * n],
            first=first,
            next=work[2 * n : 4 * n],
            place=work[4 * n :],
            ahead=xp.empty(2 * runs, np.int32),
            left=xp.empty(2 * runs, np.int32),
            span=span,
            above=above,
            barrier=G.engine.get_barrier(),
        ),
        "root",
    )
    return span, above


def join_skeleton(G: Any, span: Array, above: Array, work: Array) -> tuple[Array, Array]:
    """The label of each arc, and the first arc of each label; the number of arcs where it has none."""
    xp, offset = G.engine.xp, G.csr.indptr.dtype
    numbers, first = xp.empty(G.nvals, np.int32), xp.empty(G.n, offset)
    launch(
        G,
        "join_skeleton",
        SkeletonParameters,
        SkeletonParameters(
            n=G.n,
            arcs=offset.type(G.nvals),
            indptr=G.csr.indptr,
            indices=G.csr.indices,
            span=span,
            above=above,
            nodes=work,
            label=xp.empty(G.n, np.int32),
            numbers=numbers,
            first=first,
            barrier=G.engine.get_barrier(),
        ),
        "skeleton",
    )
    return numbers, first


def launch(G: Any, name: str, takes: Any, parameters: Any, file: str) -> None:
    """Launch a kernel on all blocks that the device holds at once."""
    of = f"{name}<{G.engine.c_type(G.csr.indptr)}>"
    kernel = G.engine.kernel(HERE / f"{file}.cuh", of, cooperative=True, takes=takes)
    blocks = G.cached(f"biconnected_components.{name}.grid", lambda _: kernel.resident_blocks(THREADS))
    kernel(blocks, THREADS, parameters)


def _refuses(G: Any, request: Any) -> str | None:
    if G.n > MOST_VERTICES:
        return f"it numbers the arcs of a tour by 32 bits: {G.n:,} vertices are too many; method='algebraic' has none"
    return None


method = Method(
    runs={"cuda": run},
    idea="an Euler tour of any spanning forest; components without its fences, by union-find; two launches",
    source="Dong, Wang, Gu, Sun, PPoPP 2023; Helman, JáJá, ALENEX 1999; Polak, Siwiec, Stobierski, IPDPS 2021",
    refuses=_refuses,
    rank=100,
)
