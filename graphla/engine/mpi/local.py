"""The engine on which a rank computes, and the threads that it takes."""

from __future__ import annotations

import os
import socket
from typing import Any
from zlib import crc32

import numpy as np

from graphla.common.environment import read_choice
from graphla.common.system import count_cores
from graphla.engine.local import create_local, has_gpu
from graphla.engine.mpi.communicator import Communicator
from semirings import monoid

LOCAL = "GRAPHLA_MPI_LOCAL"


def choose_local(world: Communicator) -> tuple[Any, str]:
    """Return the engine of this rank, and why: that of GRAPHLA_MPI_LOCAL, else a GPU for each rank, else the CPU.

    Every rank gets the same kind. The ranks of a machine share its GPUs in turn, or its cores.
    """
    count = count_neighbours(world)
    asked, devices = read_choice(LOCAL, ("cpu", "cuda")), count_devices()
    enough = bool(world.all_reduce(np.array([devices >= count]), monoid.land)[0])
    if asked == "cpu" or (asked is None and not enough):
        share_cores(count)
        return create_local("cpu"), f"{LOCAL}=cpu" if asked else f"{devices} GPUs for {count} ranks of a machine"
    return create_local("cuda"), f"{LOCAL}=cuda" if asked else f"{devices} GPUs for {count} ranks of a machine"


def count_neighbours(world: Communicator) -> int:
    """Return how many ranks run on this machine."""
    machines = world.all_gather(np.array([crc32(socket.gethostname().encode())], "int64"))
    return int((machines == machines[world.rank]).sum())


def count_devices() -> int:
    """Return how many GPUs CuPy sees."""
    if not has_gpu():
        return 0
    import cupy

    return cupy.cuda.runtime.getDeviceCount()


def share_cores(ranks: int) -> None:
    """Let the ranks of a machine share its cores, unless GRAPHLA_THREADS or the launcher has divided them."""
    cores, own = os.cpu_count() or 1, count_cores()
    os.environ.setdefault("GRAPHLA_THREADS", str(max(1, min(own, max(cores // ranks, 1)))))
