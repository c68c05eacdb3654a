"""The transfers of NumPy arrays between ranks: buffers of mpi4py, in pieces where they are large.

Arrays are contiguous and have one dimension. Their elements travel as bytes, except where MPI combines them.
"""

from __future__ import annotations

import os
import sys
import time
from functools import cached_property
from typing import Any

import numpy as np

from graphla.common.environment import read_switch
from graphla.engine.mpi import pieces
from graphla.engine.mpi.memory import SharedMemory, can_open
from graphla.engine.mpi.pieces import iterate_pieces, split_parts, view_bytes

OPERATIONS = {"plus": "SUM", "times": "PROD", "min": "MIN", "max": "MAX", "bor": "BOR", "band": "BAND", "bxor": "BXOR"}
ON_TRUTHS = {"lor": "BOR", "land": "BAND", "lxor": "BXOR", "times": "BAND", "min": "BAND", "max": "BOR"}


SHORTEST, LONGEST = 1e-5, 1e-3
"""Seconds that a rank sleeps before it looks again whether all have come: twice as many each time."""


class HostTransfers:
    """A communicator of mpi4py, for NumPy arrays."""

    def __init__(self, comm: Any) -> None:
        from mpi4py import MPI

        self.MPI, self.comm = MPI, comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        self.members = tuple(comm.allgather(MPI.COMM_WORLD.Get_rank()))
        self.watch: Any = None
        self.memory: SharedMemory | None = None
        self.sleeps = read_switch("GRAPHLA_MPI_SLEEP", False)

    def explain(self) -> str:
        library = self.MPI.Get_library_version().split("\n")[0].rstrip("\x00")
        return f"{self.size} rank{'s' * (self.size > 1)} of MPI ({' '.join(library.split())})"

    def broadcast(self, array: Any, root: int) -> None:
        """Send the array of `root` into the arrays of the others."""
        for piece in iterate_pieces(view_bytes(array)):
            self.comm.Bcast(piece, root)

    def start_broadcast(self, array: Any, root: int) -> Transfer:
        """Begin a broadcast; neither side may touch the array before it has ended."""
        flat = list(iterate_pieces(view_bytes(array)))
        return Transfer(self.MPI, [self.comm.Ibcast(piece, root) for piece in flat])

    def exchange_numbers(self, numbers: Any) -> Any:
        """Send number i of this rank to rank i; return what arrived, by rank."""
        arrived = np.empty_like(numbers)
        self.comm.Alltoall(numbers, arrived)
        return arrived

    def gather_numbers(self, numbers: Any) -> Any:
        """Return the numbers of each rank, a row per rank."""
        rows = np.empty((self.size, numbers.size), numbers.dtype)
        self.comm.Allgather(numbers, rows)
        return rows

    def all_gather(self, part: Any, sizes: Any) -> Any:
        """Return the parts of all ranks, of these sizes, one after the other."""
        joined = np.empty(int(sizes.sum()), part.dtype)
        if joined.nbytes > pieces.PIECE:
            return self.gather_large(part, sizes, joined)
        counts = sizes * part.itemsize
        self.comm.Allgatherv(view_bytes(part), [view_bytes(joined), counts])
        return joined

    def gather_large(self, part: Any, sizes: Any, joined: Any) -> Any:
        for root, segment in enumerate(split_parts(joined, sizes)):
            if root == self.rank:
                segment[:] = part
            self.broadcast(segment, root)
        return joined

    def all_to_all(self, parts: list[Any], sizes: Any) -> list[Any]:
        """Send part i to rank i; return what arrived, of these sizes, by rank."""
        sent, arrived = np.array([part.size for part in parts]), np.empty(int(sizes.sum()), parts[0].dtype)
        largest = np.array(max(int(sent.sum()) * arrived.itemsize, arrived.nbytes))
        self.comm.Allreduce(self.MPI.IN_PLACE, largest, self.MPI.MAX)
        out = split_parts(arrived, sizes)
        if largest > pieces.PIECE:
            out[self.rank][:] = parts[self.rank]
            self.exchange(parts, out)
            return out
        width = arrived.itemsize
        joined = np.concatenate(parts)
        self.comm.Alltoallv([view_bytes(joined), sent * width], [view_bytes(arrived), sizes * width])
        return out

    def exchange(self, parts: list[Any], out: list[Any]) -> None:
        """Send part i to rank i, and receive from rank i into ``out[i]``; nothing moves within this rank."""
        requests = []
        for shift in range(1, self.size):
            sender, receiver = (self.rank - shift) % self.size, (self.rank + shift) % self.size
            requests += [self.comm.Irecv(piece, sender) for piece in iterate_pieces(view_bytes(out[sender]))]
            requests += [self.comm.Isend(piece, receiver) for piece in iterate_pieces(view_bytes(parts[receiver]))]
        self.MPI.Request.Waitall(requests)

    def fill_slots(self, array: Any) -> None:
        """Receive into the equal slots of an array those of the other ranks."""
        if array.nbytes <= pieces.PIECE:
            self.comm.Allgather(self.MPI.IN_PLACE, view_bytes(array))
            return
        for root, slot in enumerate(array.reshape(self.size, -1)):
            self.broadcast(slot, root)

    def share_memory(self, nbytes: int) -> SharedMemory | None:
        """Return memory of all ranks, that of the last call if it is large enough; None if there can be none."""
        if not self.can_share(nbytes):
            return None
        memory = self.memory
        if memory is None or memory.array.size < nbytes:
            if memory is not None:
                memory.close()
            memory = self.memory = SharedMemory(self.MPI, self.comm, nbytes)
        memory.meet()  # nobody reads any more what the last user has left
        return memory

    def can_share(self, nbytes: int) -> bool:
        """Whether all ranks run on one machine that has room; every rank asks."""
        return self.on_one_machine and (self.has_memory(nbytes) or can_open(self.MPI, self.comm, nbytes))

    def has_memory(self, nbytes: int) -> bool:
        """Whether so many bytes are shared already."""
        return self.memory is not None and self.memory.array.size >= nbytes

    @cached_property
    def on_one_machine(self) -> bool:
        """Whether all ranks run on one machine; every rank asks first when the others do."""
        neighbours = self.comm.Split_type(self.MPI.COMM_TYPE_SHARED)
        together = neighbours.Get_size() == self.size
        neighbours.Free()
        return together

    def can_reduce(self, operation: str, dtype: Any) -> bool:
        """Whether MPI combines values of this dtype by the monoid of this name, with the same result as we do."""
        if dtype.kind == "c":
            return operation == "plus"
        return operation in (ON_TRUTHS if dtype.kind == "b" else OPERATIONS)

    def all_reduce(self, array: Any, operation: str) -> Any:
        """Combine the arrays of all ranks, element by element."""
        combined = array.copy()
        op = self.find_operation(operation, array.dtype)
        for piece in iterate_pieces(view_numbers(combined)):
            self.comm.Allreduce(self.MPI.IN_PLACE, piece, op)
        return combined

    def reduce_scatter(self, array: Any, operation: str, bounds: list[int]) -> Any:
        """Combine the arrays of all ranks, and return the elements between the two bounds of this rank."""
        sizes, op = np.diff(bounds), self.find_operation(operation, array.dtype)
        own = np.empty(int(sizes[self.rank]), array.dtype)
        if array.nbytes <= pieces.PIECE:
            self.comm.Reduce_scatter(view_numbers(array), view_numbers(own), [int(size) for size in sizes], op)
            return own
        for root, segment in enumerate(split_parts(array, sizes)):
            into = list(iterate_pieces(view_numbers(own if root == self.rank else segment)))
            for piece, out in zip(iterate_pieces(view_numbers(segment)), into, strict=True):
                self.comm.Reduce(piece, out if root == self.rank else None, op, root)
        return own

    def find_operation(self, operation: str, dtype: Any) -> Any:
        return getattr(self.MPI, (ON_TRUTHS if dtype.kind == "b" else OPERATIONS)[operation])

    def share_object(self, value: Any, root: int) -> Any:
        """Return the object of `root`, pickled on the way."""
        return self.comm.bcast(value, root)

    def share_all(self, value: Any) -> list[Any]:
        """Return the objects of all ranks, pickled on the way."""
        return self.comm.allgather(value)

    def barrier(self) -> None:
        self.comm.Barrier()

    def wait_for_all(self) -> None:
        """Sleep until all ranks have come, if GRAPHLA_MPI_SLEEP=1 asks for it: MPI waits by computing, on a core."""
        if not self.sleeps:
            return
        request, pause = self.comm.Ibarrier(), SHORTEST
        while not request.Test():
            time.sleep(pause)
            pause = min(2 * pause, LONGEST)

    def split(self, color: int, key: int) -> HostTransfers:
        part = HostTransfers(self.comm.Split(color, key))
        part.watch = self.watch
        return part

    def end(self, text: str) -> None:
        """Show a text and end all ranks."""
        if self.watch is not None:
            self.watch.report(text)
        print(f"graphla: {text}", file=sys.stderr, flush=True)
        self.abort(1)

    def abort(self, code: int) -> None:
        self.MPI.COMM_WORLD.Abort(code)
        os._exit(code)  # some launchers return before they end this process


def view_numbers(array: Any) -> Any:
    """Return an array that MPI can combine: truths are bytes there."""
    return array.view(np.uint8) if array.dtype.kind == "b" else array


class Transfer:
    """Transfers under way."""

    def __init__(self, MPI: Any, requests: list[Any]) -> None:
        self.MPI, self.requests = MPI, requests

    def wait(self) -> None:
        """Wait until they have ended."""
        self.MPI.Request.Waitall(self.requests)
