"""The communicator of all ranks of the program."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

from graphla.engine.mpi.alone import Alone
from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.host import HostTransfers
from graphla.errors import NotSupported

SIZES = ("PMI_SIZE", "PMIX_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "MPI_LOCALNRANKS")
"""What launchers set to the number of ranks."""


@cache
def get_world() -> Communicator:
    """Return the communicator of all ranks; one rank alone where mpi4py is not installed.

    Raises
    ------
    NotSupported
        If several ranks were started and mpi4py is not installed.
    """
    if find_spec("mpi4py") is None:
        ranks = count_started()
        if ranks > 1:
            raise NotSupported(f"{ranks} ranks were started, and mpi4py is not installed: pip install 'graphla[mpi]'")
        return Communicator(Alone())
    from mpi4py import MPI

    return Communicator(HostTransfers(MPI.COMM_WORLD.Dup()) if MPI.COMM_WORLD.Get_size() > 1 else Alone())


def count_started() -> int:
    """Return how many ranks a launcher says it has started; 1 without a launcher."""
    counts = [os.environ.get(name, "") for name in SIZES]
    return max([int(count) for count in counts if count.isdigit()], default=1)
