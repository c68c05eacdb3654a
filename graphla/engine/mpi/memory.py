"""Memory that the ranks of one machine share, by a window of MPI."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.environment import read_switch

FOLDER = "/dev/shm"
"""Where Linux keeps shared memory; a file system of a limited size, where a page too many ends a process."""
ALIGNMENT = 4096


class SharedMemory:
    """Bytes that all ranks of a communicator read and write.

    Attributes
    ----------
    array : array of uint8
        The same bytes on each rank. The pages of each rank's share lie near it.
    """

    def __init__(self, MPI: Any, comm: Any, nbytes: int) -> None:
        share = -(-nbytes // comm.Get_size())
        share += -share % ALIGNMENT
        self.comm, self.window = comm, MPI.Win.Allocate_shared(share, 1, comm=comm)
        start, _ = self.window.Shared_query(0)
        whole = MPI.memory.fromaddress(start.address, share * comm.Get_size())
        self.array = np.frombuffer(whole, np.uint8)
        self.window.Lock_all(MPI.MODE_NOCHECK)

    def meet(self) -> None:
        """Wait for all ranks; what each has written before, all read after."""
        self.window.Sync()
        self.comm.Barrier()
        self.window.Sync()

    def close(self) -> None:
        """Give the memory back; every rank calls it."""
        del self.array
        self.window.Unlock_all()
        self.window.Free()


def can_open(MPI: Any, comm: Any, nbytes: int) -> bool:
    """Whether all ranks of a communicator on one machine have room; GRAPHLA_MPI_SHARED=0 says no. Every rank asks."""
    can = np.array([read_switch("GRAPHLA_MPI_SHARED", True) and has_room(nbytes)], np.uint8)
    comm.Allreduce(MPI.IN_PLACE, can, MPI.MIN)
    return bool(can[0])


def has_room(nbytes: int) -> bool:
    """Whether shared memory takes so many bytes more."""
    if not Path(FOLDER).is_dir():
        return True
    state = os.statvfs(FOLDER)
    return state.f_bavail * state.f_frsize > nbytes + (nbytes >> 2)
