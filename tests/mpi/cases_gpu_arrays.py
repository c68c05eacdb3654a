"""Transfers of CuPy arrays, where each rank has a GPU: the cases of NumPy arrays, moved to the GPU and back."""

import numpy as np

from tests.mpi import ON_GPUS
from tests.mpi.cases_communicator import move_arrays, reduce_arrays, small_pieces


def convert(value, kind, change):
    """The same with each array of a kind changed, in lists too."""
    if isinstance(value, list | tuple):
        return type(value)(convert(one, kind, change) for one in value)
    return change(value) if isinstance(value, kind) else value


class GpuWorld:
    """A communicator that sends NumPy arrays as CuPy arrays, and returns what arrives as NumPy arrays."""

    def __init__(self, world):
        import cupy

        self.world, self.xp, self.rank, self.size = world, cupy, world.rank, world.size

    def __getattr__(self, name):
        method = getattr(self.world, name)

        def run(*args):
            found = method(*convert(args, np.ndarray, self.xp.asarray))
            return convert(found, self.xp.ndarray, self.xp.asnumpy)

        return run

    def start_broadcast(self, array, root):
        there = self.xp.asarray(array)
        self.world.start_broadcast(there, root).wait()
        array[:] = there.get()
        return self

    def wait(self):
        """What was begun has ended."""


def case_arrays_of_gpus_move(world):
    if ON_GPUS:
        move_arrays(GpuWorld(world))
        with small_pieces():
            move_arrays(GpuWorld(world))


def case_arrays_of_gpus_reduce(world):
    if ON_GPUS:
        reduce_arrays(GpuWorld(world), ("bool", "int32", "float64", "complex64"), (1, 50))
        with small_pieces():
            reduce_arrays(GpuWorld(world), ("int32", "float32"), (50, 200))
