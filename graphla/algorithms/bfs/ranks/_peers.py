"""A search by one launch on each GPU of a box, which store into each other's memory: the launches of peers.cuh."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.algorithms.bfs._device import RESIDENT_THREADS, get_path
from graphla.algorithms.bfs.fused import BETA, GAMMA, PUSH_COST
from graphla.engine.cuda.records import read_struct

MOST_PEERS = 8
MAILS = 4  # meetings whose mail is kept: a rank is at most one ahead of another
LISTED_SHARE = 32  # heads are listed while a frontier has at most n / LISTED_SHARE arcs, else bitmaps are gathered
MOST_TIMES = 1000  # phases of a search whose times are noted
PATIENCE = 60_000_000_000  # clock cycles, half a minute, that a rank waits for the others before its launch fails

Array = Any
Open = Callable[[Any, int], tuple[Array, list[int]]]
PeerParameters = read_struct(get_path("peers"), "PeerParameters")


def count_entries(rows: Any) -> int:
    """Return the entries of the inbox of each rank: together they take as many words as a slot has vertices."""
    return int(rows.slot // (2 * rows.ranks) // 2 * 2)


def count_block_words(rows: Any) -> int:
    """Return the words of a block of memory that the peers write: bitmaps, inboxes, mail, and parents."""
    inboxes, mail = 2 * rows.ranks * count_entries(rows), 4 * MAILS * MOST_PEERS
    return int(2 * rows.ranks * (rows.slot // 32) + inboxes + mail + rows.slot)


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
        self.rows, self.engine, xp = rows, rows.engine, rows.engine.xp
        self.block, found = open_blocks(rows.world, count_block_words(rows))
        self.times = xp.zeros(1 + 2 * MOST_TIMES, np.uint64)
        self.parameters = PeerParameters(
            n=rows.own,
            slot=rows.slot,
            ranks=rows.ranks,
            rank=rows.world.rank,
            source=0,
            most=count_entries(rows),
            out_indptr=rows.out_indptr,
            out_indices=rows.out_indices,
            in_indptr=rows.in_indptr,
            in_indices=rows.in_indices,
            strongest=rows.strongest,
            blank=rows.blank,
            levels=self.times,
            parents=self.times,
            vertices=xp.empty(2 * rows.own, np.int32),
            offsets=xp.empty(4 * rows.own, rows.out_indptr.dtype),
            state=xp.zeros(16, np.uint64),
            barrier=xp.zeros(16, np.uint32),
            times=self.times,
            everywhere=rows.n,
            arcs_everywhere=rows.nvals,
            open_everywhere=rows.open_everywhere,
            push_cost=PUSH_COST,
            beta=BETA,
            gamma=GAMMA,
            timed=False,
            patience=PATIENCE,
            peers=tuple(found) + (0,) * (MOST_PEERS - len(found)),
        )
        self.blocks: dict[Any, int] = {}

    def search(self, place: int, parents: bool, timed: bool = False) -> tuple[Array, Array]:
        """Return levels and parents of the own vertices, -1 where there is none; nothing comes back to the host.

        With `timed` the phases of this search are noted in `times`.
        """
        rows, xp = self.rows, self.engine.xp
        levels, above = xp.empty(rows.own, np.int32), xp.empty(rows.own if parents else 0, np.int32)
        types = f"{self.engine.c_type(rows.in_indptr)}, {'WithVertices' if parents else 'LevelsOnly'}"
        kernel = self.engine.kernel(get_path("peers"), f"peers<{types}>", cooperative=True, takes=PeerParameters)
        parameters = self.parameters._replace(source=place, levels=levels, parents=above, timed=timed)
        kernel(self.count_blocks(kernel), RESIDENT_THREADS, parameters)
        return levels, above

    def count_blocks(self, kernel: Any) -> int:
        """Return the blocks of a launch: as many as the smallest of the GPUs holds at once."""
        if kernel not in self.blocks:
            self.blocks[kernel] = min(self.rows.world.host.share_all(self.rows.grid(kernel, RESIDENT_THREADS)))
        return self.blocks[kernel]

    def read_times(self) -> list[tuple[int, int]]:
        """Return the clock at which each phase of the timed search began, and its step in `_direction.cuh`."""
        count = int(self.times[0])
        noted = self.times[1 : 1 + 2 * count].reshape(-1, 2).tolist()
        self.times[0] = 0
        return [(int(clock), int(np.int64(np.uint64(step)))) for clock, step in noted]
