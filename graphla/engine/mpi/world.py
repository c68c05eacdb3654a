"""The communicator of all ranks of the program."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

from graphla.common.errors import NotSupported
from graphla.common.extras import advise
from graphla.engine.local import has_gpu
from graphla.engine.mpi.alone import Alone
from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.host import HostTransfers
from graphla.engine.mpi.watch import start_watch

SIZES = ("PMI_SIZE", "PMIX_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "MPI_LOCALNRANKS")
"""What launchers set to the number of ranks."""


@cache
def get_world() -> Communicator:
    """Return the communicator of all ranks of the program; one rank alone where mpi4py is not installed.

    Where there are GPUs, each rank of a machine uses one of them, in turn.

    Returns
    -------
    Communicator
        The same at each call. Every rank makes the first call together with the others.

    Raises
    ------
    NotSupported
        If several ranks were started and mpi4py is not installed.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.get_world()
    <Communicator: rank 0 of 1>
    """
    if find_spec("mpi4py") is None:
        ranks = count_started()
        if ranks > 1:
            raise NotSupported(f"{ranks} ranks were started, and mpi4py is not installed: {advise('mpi')}")
        return Communicator(Alone())
    from mpi4py import MPI

    if MPI.COMM_WORLD.Get_size() == 1:
        return Communicator(Alone())
    neighbours = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_SHARED)
    choose_gpu(neighbours.Get_rank())
    neighbours.Free()
    host = HostTransfers(MPI.COMM_WORLD.Dup())
    host.watch = start_watch(host)
    return Communicator(host)


def count_started() -> int:
    """Return how many ranks a launcher says it has started; 1 without a launcher."""
    counts = [os.environ.get(name, "") for name in SIZES]
    return max([int(count) for count in counts if count.isdigit()], default=1)


def choose_gpu(number: int) -> None:
    """Make the GPUs of a machine the current devices of its ranks, in turn; this one is the rank of that number."""
    if not has_gpu():
        return
    import cupy

    cupy.cuda.Device(number % cupy.cuda.runtime.getDeviceCount()).use()
