"""Blocked Floyd–Warshall on many ranks: each rank holds a panel of rows of D.

For each pivot block K its owner closes D[K, K] and multiplies the rows D[K, :] by it, and broadcasts them as R, which
holds the closed square. Each rank multiplies its own D[:, K] by the square and relaxes its rows. The owner of the next
block relaxes that block's rows first and begins to broadcast it; the others receive it while they relax theirs.
n² values travel to each rank, n³ / P sums are computed there.

Source: Solomonik, Buluç, Demmel, "Minimizing communication in all-pairs shortest paths", IPDPS 2013; Sao et al.,
"Scalable all-pairs shortest paths for huge graphs on multi-GPU clusters", HPDC 2021, for the look-ahead.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from graphla.algorithms.apsp import tiles
from graphla.algorithms.apsp.initial import cast, refuse_cycle
from graphla.algorithms.shared.weights import infinity
from graphla.common.memory import require as require_memory
from graphla.engine.mpi.communicator import Communicator
from semirings import monoid

Array = Any
HOST_SIDE = 64
"""Vertices of a pivot block on the CPU, as on one process."""


def solve(world: Communicator, G: Any, dtype: np.dtype[Any]) -> tuple[Array, tuple[int, ...]]:
    """Return this rank's rows of the distances, and the bounds of the rows of all ranks.

    Raises
    ------
    NegativeCycle
        On every rank, if there is a cycle of negative weight.
    """
    per_word, on_host = tiles.choose_exact_numbers(G, dtype).per_word, G.engine.name == "cpu"
    stride = G.n if on_host else tiles.pad_size(G.n, per_word)
    side = HOST_SIDE if on_host else tiles.choose_side(G.n, per_word)
    bounds = split_blocks(stride, side, world.size)
    first, last = bounds[world.rank : world.rank + 2]
    work = 4 * side * stride * max(4, dtype.itemsize)
    require_memory((last - first) * stride * dtype.itemsize + work, f"the rows of rank {world.rank}", G.engine.xp)
    rows = fill_rows(G, dtype, (first, last), stride)
    panel = make_panel(G, rows, first, side)
    close_blocks(world, panel, bounds, side, stride)
    refuse_cycle(G, world.all_reduce(int(panel.finish()), monoid.max))
    ends = tuple(min(bound, G.n) for bound in bounds)
    return rows[: ends[world.rank + 1] - ends[world.rank], : G.n], ends


def make_panel(G: Any, rows: Array, first: int, side: int) -> Any:
    """Return the rows of this rank with what relaxes them on its engine."""
    if G.engine.name == "cpu":
        from graphla.mpi._panel_cpu import HostPanel  # which loads Numba

        return HostPanel(G, rows, first, side)
    from graphla.mpi._panel_cuda import DevicePanel

    return DevicePanel(G, rows, first, side)


def split_blocks(n: int, side: int, ranks: int) -> list[int]:
    """Return the bounds of the rows of the ranks: whole pivot blocks, so that each block has one owner."""
    blocks = -(-n // side)
    return [min(n, blocks * rank // ranks * side) for rank in range(ranks + 1)]


def fill_rows(G: Any, dtype: np.dtype[Any], rows: tuple[int, int], stride: int) -> Array:
    """Return rows of weights, infinity where there is no arc, at most 0 on the diagonal."""
    xp, first, last = G.engine.xp, rows[0], min(rows[1], G.n)
    D = xp.full((rows[1] - rows[0], stride), infinity(dtype), dtype)
    if last <= first:
        return D
    pointers = G.csr.indptr[first : last + 1]
    begin, end = int(pointers[0]), int(pointers[-1])
    numbers = xp.searchsorted(pointers, xp.arange(begin, end), side="right") - 1
    D[numbers, G.csr.indices[begin:end]] = cast(G.csr.values[begin:end], dtype)
    own = xp.arange(last - first)
    D[own, own + first] = xp.minimum(D[own, own + first], dtype.type(0))
    return D


def close_blocks(world: Communicator, panel: Any, bounds: list[int], side: int, stride: int) -> None:
    """Relax the rows of this rank by paths through each pivot block; the next block is on its way meanwhile."""
    blocks = [(first, min(side, stride - first)) for first in range(0, stride, side)]
    owners = [bisect_right(bounds, first) - 1 for first, _ in blocks]
    if not blocks:
        return
    if owners[0] == world.rank:
        panel.pivot(*blocks[0], 0)
    world.start_broadcast(panel.get_pivot_rows(blocks[0][1], 0), owners[0]).wait()
    for step, block in enumerate(blocks[:-1]):
        following, owner, turn = blocks[step + 1], owners[step + 1], (step + 1) % 2
        panel.enter(*block, step % 2)
        with panel.beside():
            if owner == world.rank:
                panel.relax_rows(*following)
                panel.pivot(*following, turn)
            transfer = world.start_broadcast(panel.get_pivot_rows(following[1], turn), owner)
        panel.relax_all(following if owner == world.rank else None)
        panel.join()
        transfer.wait()
    panel.enter(*blocks[-1], (len(blocks) - 1) % 2)
    panel.relax_all(None)
