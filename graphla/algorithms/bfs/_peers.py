"""A search by one launch on each GPU of a box, which store into each other's memory: the launches of peers.cuh."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.bfs._device import RESIDENT_THREADS, get_path, name_tree_type
from graphla.algorithms.bfs.fused import BETA, GAMMA, PUSH_COST

MOST_PEERS = 8
PARENTS_BEHIND = 128  # words of mail and flags, which the parents follow

Array = Any
Open = Callable[[Any, int], tuple[Array, list[int]]]


class PeerParameters(NamedTuple):
    """The struct of peers.cuh."""

    n: int
    slot: int
    ranks: int
    rank: int
    source: int
    out_indptr: Array
    out_indices: Array
    in_indptr: Array
    in_indices: Array
    strongest: Array
    blank: Array
    levels: Array
    parents: Array
    sent: Array
    vertices: Array
    offsets: Array
    state: Array
    barrier: Array
    everywhere: int
    arcs_everywhere: int
    open_everywhere: int
    open: int
    beta: int
    gamma: int
    push_cost: int
    peers: tuple[int, ...]


def count_block_words(rows: Any) -> int:
    """Return the words of a block of memory that the peers write: bitmaps, inboxes, mail and flags, and parents."""
    return 3 * rows.ranks * (rows.slot // 32) + PARENTS_BEHIND + rows.slot


def open_device_blocks(world: Any, words: int) -> tuple[Array, list[int]]:
    """Allocate a block on this GPU and open those of the others; return it, and the addresses of all by rank.

    A plain allocation, not one of a pool: only that can be opened by other processes as a whole.
    """
    import cupy
    from cupy.cuda import runtime

    own = cupy.cuda.Memory(4 * words)
    block = cupy.ndarray(words, np.uint32, cupy.cuda.MemoryPointer(own, 0))
    block.fill(0)
    runtime.deviceSynchronize()
    handles = world.host.share_all(bytes(runtime.ipcGetMemHandle(own.ptr)))
    opened = [own.ptr if rank == world.rank else runtime.ipcOpenMemHandle(h) for rank, h in enumerate(handles)]
    world.barrier()
    return block, opened


def can_store(rows: Any) -> bool:
    """Whether the GPUs of all ranks are different ones of one box, and store into each other's memory."""
    if rows.engine.xp.__name__ != "cupy" or not 1 <= rows.ranks <= MOST_PEERS:
        return False
    from cupy.cuda import Device, runtime

    own = int(Device().id)
    facts = rows.world.host.share_all((socket.gethostname(), own))
    devices = [device for _, device in facts]
    apart = len({machine for machine, _ in facts}) == 1 and len(set(devices)) == len(devices)
    reached = apart and all(runtime.deviceCanAccessPeer(own, other) for other in devices if other != own)
    return all(rows.world.host.share_all(bool(reached)))


class PeerLevels:
    """The arrays of a search on this rank, and the launch."""

    def __init__(self, rows: Any, open_blocks: Open = open_device_blocks) -> None:
        self.rows, self.engine = rows, rows.engine
        xp, words = rows.engine.xp, rows.slot // 32
        self.block, found = open_blocks(rows.world, count_block_words(rows))
        self.addresses = tuple(found) + (0,) * (MOST_PEERS - len(found))
        self.sent = xp.empty(words * rows.ranks, np.uint32)
        self.vertices = xp.empty(rows.own, np.int32)
        self.offsets = xp.empty(2 * rows.own, rows.out_indptr.dtype)
        self.state, self.barrier = xp.zeros(16, np.uint64), xp.zeros(16, np.uint32)

    def search(self, place: int, parents: bool) -> tuple[Array, Array]:
        """Return levels and parents (as places) of the own vertices; nothing comes back to the host."""
        rows, xp = self.rows, self.engine.xp
        levels, kept = xp.empty(rows.own, np.int32), self.block[-rows.slot :].view(np.int32)[: rows.own]
        parameters = PeerParameters(
            n=rows.own,
            slot=rows.slot,
            ranks=rows.ranks,
            rank=rows.world.rank,
            source=place,
            out_indptr=rows.out_indptr,
            out_indices=rows.out_indices,
            in_indptr=rows.in_indptr,
            in_indices=rows.in_indices,
            strongest=rows.strongest,
            blank=rows.blank,
            levels=levels,
            parents=kept,
            sent=self.sent,
            vertices=self.vertices,
            offsets=self.offsets,
            state=self.state,
            barrier=self.barrier,
            everywhere=rows.n,
            arcs_everywhere=rows.nvals,
            open_everywhere=rows.open_everywhere,
            open=rows.open,
            beta=BETA,
            gamma=GAMMA,
            push_cost=PUSH_COST,
            peers=self.addresses,
        )
        types = f"{self.engine.c_type(rows.in_indptr)}, {name_tree_type(parents)}"
        kernel = self.engine.kernel(get_path("peers"), f"peers<{types}>", cooperative=True, takes=PeerParameters)
        kernel(rows.grid(kernel, RESIDENT_THREADS), RESIDENT_THREADS, parameters)
        return levels, kept.copy() if parents else kept[:0].copy()
