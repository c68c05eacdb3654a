"""The transfers of CuPy arrays between ranks: by NCCL, one GPU per rank, or through the host where NCCL cannot do it.

Arrays are contiguous and have one dimension. Calls are put on the current stream and return before they have ended.
NCCL sends and receives bytes; it combines numbers by plus, times, min and max, and truths by max and min of bytes.
"""

from __future__ import annotations

import ctypes
import socket
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from graphla.common.environment import read_switch
from graphla.engine.mpi.pieces import split_parts, view_bytes

TYPES = {
    "int8": "NCCL_INT8",
    "uint8": "NCCL_UINT8",
    "int32": "NCCL_INT32",
    "uint32": "NCCL_UINT32",
    "int64": "NCCL_INT64",
    "uint64": "NCCL_UINT64",
    "float32": "NCCL_FLOAT32",
    "float64": "NCCL_FLOAT64",
}
OPERATIONS = {"plus": "NCCL_SUM", "times": "NCCL_PROD", "min": "NCCL_MIN", "max": "NCCL_MAX"}
ON_TRUTHS = {"lor": "NCCL_MAX", "max": "NCCL_MAX", "land": "NCCL_MIN", "min": "NCCL_MIN", "times": "NCCL_MIN"}


def open_device(host: Any) -> DeviceTransfers | ThroughHost:
    """Return the transfers of CuPy arrays between the ranks of `host`; every rank calls this at once."""
    reason = find_obstacle(host)
    return ThroughHost(host, reason) if reason else DeviceTransfers(host)


def find_obstacle(host: Any) -> str | None:
    """Say why NCCL cannot connect the ranks: the first reason that a rank has."""
    here = (*list_device(), find_local_obstacle())
    rows = [host.share_object(here if host.rank == rank else None, rank) for rank in range(host.size)]
    reasons = [reason for _, _, reason in rows if reason]
    if reasons:
        return reasons[0]
    places = [(machine, device) for machine, device, _ in rows]
    return None if len(set(places)) == len(places) else "several ranks share a GPU"


def list_device() -> tuple[str, str]:
    """Return the names of this machine and of the GPU that the rank uses."""
    import cupy

    return socket.gethostname(), str(cupy.cuda.Device().pci_bus_id)


def find_local_obstacle() -> str | None:
    """Say why this rank cannot use NCCL."""
    if not read_switch("GRAPHLA_NCCL", True):
        return "GRAPHLA_NCCL=0"
    try:
        load_library()
        from cupy.cuda import nccl  # which `import cupy` does not import
    except (ImportError, OSError) as error:
        return f"CuPy finds no NCCL ({error})"
    return None if getattr(nccl, "available", True) else "CuPy finds no NCCL: pip install nvidia-nccl-cu13"


def load_library() -> None:
    """Load the library of the wheel of NCCL, if that is installed, so that CuPy finds it."""
    spec = find_spec("nvidia")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        library = Path(folder) / "nccl" / "lib" / "libnccl.so.2"
        if library.exists():
            ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
            return


@cache
def can_combine(operation: str, dtype: Any) -> bool:
    """Whether NCCL combines values of a dtype by the monoid of this name; cached, since names of dtypes take time."""
    if dtype.kind == "b":
        return operation in ON_TRUTHS
    return operation in OPERATIONS and dtype.name in TYPES


@cache
def name_operation(operation: str, dtype: Any) -> tuple[str, str]:
    """Return NCCL's names of a type and of an operation."""
    if dtype.kind == "b":
        return "NCCL_UINT8", ON_TRUTHS[operation]
    return TYPES[dtype.name], OPERATIONS[operation]


class DeviceTransfers:
    """A communicator of NCCL, for CuPy arrays."""

    def __init__(self, host: Any) -> None:
        import cupy
        from cupy.cuda import nccl

        self.xp, self.nccl = cupy, nccl
        self.rank, self.size = host.rank, host.size
        name = host.share_object(nccl.get_unique_id() if self.rank == 0 else None, 0)
        self.comm = nccl.NcclCommunicator(self.size, name, self.rank)
        self.aside: Any = None

    def explain(self) -> str:
        return f"arrays of GPUs by NCCL {self.nccl.get_version()}"

    @property
    def stream(self) -> int:
        return self.xp.cuda.get_current_stream().ptr

    def broadcast(self, array: Any, root: int) -> None:
        flat = view_bytes(array)
        self.comm.bcast(flat.data.ptr, flat.size, self.nccl.NCCL_UINT8, root, self.stream)

    def start_broadcast(self, array: Any, root: int) -> DeviceTransfer:
        """Begin a broadcast on a stream of its own, after what the current stream holds."""
        if self.aside is None:
            self.aside = self.xp.cuda.Stream(non_blocking=True, priority=-1)
        self.aside.wait_event(self.xp.cuda.get_current_stream().record())
        with self.aside:
            self.broadcast(array, root)
            return DeviceTransfer(self.xp, self.aside.record(), array)

    def all_gather(self, part: Any, sizes: Any) -> Any:
        joined = self.xp.empty(int(sizes.sum()), part.dtype)
        if (sizes == sizes[0]).all():
            flat, into = view_bytes(part), view_bytes(joined)
            self.comm.allGather(flat.data.ptr, into.data.ptr, flat.size, self.nccl.NCCL_UINT8, self.stream)
            return joined
        segments = split_parts(joined, sizes)
        segments[self.rank][:] = part
        self.exchange([part] * self.size, segments)
        return joined

    def all_to_all(self, parts: list[Any], sizes: Any) -> list[Any]:
        arrived = split_parts(self.xp.empty(int(sizes.sum()), parts[0].dtype), sizes)
        arrived[self.rank][:] = parts[self.rank]
        self.exchange(parts, arrived)
        return arrived

    def exchange(self, parts: list[Any], arrived: list[Any]) -> None:
        """Send part i to rank i, and receive from rank i into ``arrived[i]``; nothing moves within this rank."""
        self.nccl.groupStart()
        for peer in range(self.size):
            sent, taken = view_bytes(parts[peer]), view_bytes(arrived[peer])
            if peer != self.rank and sent.size:
                self.comm.send(sent.data.ptr, sent.size, self.nccl.NCCL_UINT8, peer, self.stream)
            if peer != self.rank and taken.size:
                self.comm.recv(taken.data.ptr, taken.size, self.nccl.NCCL_UINT8, peer, self.stream)
        self.nccl.groupEnd()

    def fill_slots(self, array: Any) -> None:
        """Receive into the equal slots of an array those of the other ranks."""
        flat = view_bytes(array)
        size = flat.size // self.size
        own = flat.data.ptr + self.rank * size
        self.comm.allGather(own, flat.data.ptr, size, self.nccl.NCCL_UINT8, self.stream)

    def can_reduce(self, operation: str, dtype: Any) -> bool:
        """Whether NCCL combines values of this dtype by the monoid of this name."""
        return can_combine(operation, dtype)

    def all_reduce(self, array: Any, operation: str) -> Any:
        combined = self.xp.empty(array.size, array.dtype)
        kind, op = self.find_operation(operation, array.dtype)
        self.comm.allReduce(array.data.ptr, combined.data.ptr, array.size, kind, op, self.stream)
        return combined

    def reduce_scatter(self, array: Any, operation: str, bounds: list[int]) -> Any:
        sizes = np.diff(bounds)
        own = self.xp.empty(int(sizes[self.rank]), array.dtype)
        kind, op = self.find_operation(operation, array.dtype)
        self.nccl.groupStart()
        for root, segment in enumerate(split_parts(array, sizes)):
            into = own if root == self.rank else segment
            if segment.size:
                self.comm.reduce(segment.data.ptr, into.data.ptr, segment.size, kind, op, root, self.stream)
        self.nccl.groupEnd()
        return own

    def find_operation(self, operation: str, dtype: Any) -> tuple[int, int]:
        kind, op = name_operation(operation, dtype)
        return getattr(self.nccl, kind), getattr(self.nccl, op)


class DeviceTransfer:
    """A transfer under way on a stream of its own; it holds the array until it has ended."""

    def __init__(self, xp: Any, event: Any, array: Any) -> None:
        self.xp, self.event, self.array = xp, event, array

    def wait(self) -> None:
        """Let the current stream wait for it."""
        self.xp.cuda.get_current_stream().wait_event(self.event)
        self.array = None


class ThroughHost:
    """Transfers of CuPy arrays over copies on the host."""

    def __init__(self, host: Any, reason: str) -> None:
        import cupy

        self.xp, self.host, self.reason = cupy, host, reason
        self.rank, self.size = host.rank, host.size

    def explain(self) -> str:
        return f"arrays of GPUs through the host: {self.reason}"

    def broadcast(self, array: Any, root: int) -> None:
        there = self.xp.asnumpy(array)
        self.host.broadcast(there, root)
        array.set(there)

    def start_broadcast(self, array: Any, root: int) -> HostTransfer:
        there = self.xp.asnumpy(array)
        return HostTransfer(self.host.start_broadcast(there, root), array, there)

    def all_gather(self, part: Any, sizes: Any) -> Any:
        return self.xp.asarray(self.host.all_gather(self.xp.asnumpy(part), sizes))

    def all_to_all(self, parts: list[Any], sizes: Any) -> list[Any]:
        arrived = self.host.all_to_all([self.xp.asnumpy(part) for part in parts], sizes)
        return [self.xp.asarray(part) for part in arrived]

    def exchange(self, parts: list[Any], arrived: list[Any]) -> None:
        there = [self.xp.asnumpy(part) for part in arrived]
        self.host.exchange([self.xp.asnumpy(part) for part in parts], there)
        for rank, part in enumerate(arrived):
            if rank != self.rank:
                part.set(there[rank])

    def fill_slots(self, array: Any) -> None:
        there = self.xp.asnumpy(array)
        self.host.fill_slots(there)
        array.set(there)

    def can_reduce(self, operation: str, dtype: Any) -> bool:
        return self.host.can_reduce(operation, dtype)

    def all_reduce(self, array: Any, operation: str) -> Any:
        return self.xp.asarray(self.host.all_reduce(self.xp.asnumpy(array), operation))

    def reduce_scatter(self, array: Any, operation: str, bounds: list[int]) -> Any:
        return self.xp.asarray(self.host.reduce_scatter(self.xp.asnumpy(array), operation, bounds))


class HostTransfer:
    """A transfer under way into a copy on the host."""

    def __init__(self, transfer: Any, array: Any, there: Any) -> None:
        self.transfer, self.array, self.there = transfer, array, there

    def wait(self) -> None:
        """Wait until it has ended, and copy what arrived to the device."""
        self.transfer.wait()
        self.array.set(self.there)
