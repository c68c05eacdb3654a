"""The communicator: what the ranks of a program exchange, as arrays of the CPU or of GPUs."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_int
from graphla.common.errors import DimensionMismatch, DomainMismatch, GraphlaError
from graphla.engine.mpi.calls import collective
from graphla.engine.mpi.combine import combine, prepare
from graphla.engine.mpi.device import open_device
from graphla.engine.mpi.pieces import split_evenly, split_parts
from semirings import Monoid

SMALL = 1 << 14
"""Bytes up to which all ranks gather all arrays and combine them, where neither MPI nor NCCL can: one transfer."""
KINDS = "biufc"


class Communicator:
    """The ranks that run one program, and their transfers. All ranks call each method at the same time.

    Arrays of NumPy travel by MPI, those of CuPy by NCCL, or over the host where there is no NCCL. They may be larger
    than 2^31 bytes. The results are new arrays where nothing else is said.

    Attributes
    ----------
    rank : int
        The number of this process, from 0 on.
    size : int
        The number of ranks.
    """

    def __init__(self, host: Any) -> None:
        self.host = host
        self.rank: int = host.rank
        self.size: int = host.size

    def __repr__(self) -> str:
        return f"<Communicator: rank {self.rank} of {self.size}>"

    @cached_property
    def device(self) -> Any:
        """The transfers of CuPy arrays; the first call of every rank opens them together."""
        return self.host if self.size == 1 else open_device(self.host)

    def explain(self) -> str:
        """Say by what the ranks communicate."""
        device = f"; {self.device.explain()}" if "device" in self.__dict__ and self.size > 1 else ""
        return self.host.explain() + device

    @collective
    def broadcast(self, array: Any, root: int = 0) -> Any:
        """Return the array of rank `root` on every rank; the others may give None.

        On `root` it is the array itself.
        """
        root = self.to_rank(root)
        shape, dtype, on_device = self.host.share_object(describe(array) if self.rank == root else None, root)
        xp = find_module(on_device)
        line = xp.ascontiguousarray(array).reshape(-1) if self.rank == root else xp.empty(math.prod(shape), dtype)
        (self.device if on_device else self.host).broadcast(line, root)
        return array if self.rank == root else line.reshape(shape)

    @collective
    def start_broadcast(self, array: Any, root: int = 0) -> Any:
        """Begin to send a contiguous array of `root` into those of the others, of the same shape and dtype.

        Returns
        -------
        transfer
            ``transfer.wait()`` ends it. Nobody may touch the array before.
        """
        root = self.to_rank(root)
        if not array.flags.c_contiguous:
            raise DimensionMismatch(f"array of shape {array.shape}: a broadcast in place needs a contiguous array")
        return self.find_transfers(array).start_broadcast(array.reshape(-1), root)

    @collective
    def all_gather(self, array: Any) -> Any:
        """Return the one-dimensional arrays of all ranks, of any lengths and one dtype, one after the other."""
        return self._all_gather(array)[0]

    @collective
    def all_gather_parts(self, array: Any) -> list[Any]:
        """Return the one-dimensional arrays of all ranks, by rank; they are views of one array."""
        return split_parts(*self._all_gather(array))

    def _all_gather(self, array: Any) -> tuple[Any, Any]:
        part = to_line(array)
        sizes = self.host.gather_numbers(np.array([part.size]))[:, 0]
        if not sizes.any():
            return part, sizes
        return self.find_transfers(part).all_gather(part, sizes), sizes

    @collective
    def all_gather_several(self, *arrays: Any) -> list[list[Any]]:
        """Return for each array its parts by rank, as `all_gather_parts` does, with one exchange of their sizes."""
        parts = [to_line(array) for array in arrays]
        sizes = self.host.gather_numbers(np.array([part.size for part in parts])).T
        return [
            split_parts(self.find_transfers(part).all_gather(part, its), its) if its.any() else [part] * self.size
            for part, its in zip(parts, np.ascontiguousarray(sizes), strict=True)
        ]

    @collective
    def all_to_all_several(self, *several: list[Any]) -> list[list[Any]]:
        """Do `all_to_all` for several lists of arrays, with one exchange of their sizes."""
        lists = [[to_line(array) for array in arrays] for arrays in several]
        numbers = np.array([[part.size for part in parts] for parts in lists]).T
        sizes = self.host.exchange_numbers(np.ascontiguousarray(numbers)).T
        return [
            self.find_transfers(parts[0]).all_to_all(parts, its)
            for parts, its in zip(lists, np.ascontiguousarray(sizes), strict=True)
        ]

    @collective
    def all_to_all(self, arrays: list[Any]) -> list[Any]:
        """Send array i to rank i, and return what the ranks have sent to this one, by rank.

        Arrays have one dimension, any lengths and one dtype.
        """
        if len(arrays) != self.size:
            raise DimensionMismatch(f"{len(arrays)} arrays for {self.size} ranks: give one for each rank")
        parts = [to_line(array) for array in arrays]
        if len({part.dtype for part in parts}) > 1:
            raise DomainMismatch(f"arrays of {sorted({part.dtype.name for part in parts})}: give one dtype")
        sizes = self.host.exchange_numbers(np.array([part.size for part in parts]))
        return self.find_transfers(parts[0]).all_to_all(parts, sizes)

    @collective
    def exchange(self, sent: list[Any], arrived: list[Any]) -> None:
        """Send array i to rank i, and receive what rank i sends into ``arrived[i]``, of the same length and dtype.

        All are contiguous. The own array may be the same in both lists; others may not overlap.
        """
        own = self.rank
        if arrived[own] is not sent[own]:
            arrived[own][:] = sent[own]
        self.find_transfers(sent[own]).exchange(sent, arrived)

    @collective
    def fill_slots(self, array: Any) -> None:
        """Fill the equal slots of a contiguous array, of which each rank has written that of its number."""
        if array.size % self.size or not array.flags.c_contiguous:
            raise DimensionMismatch(
                f"array of shape {array.shape}: {self.size} slots need a contiguous array of as many"
            )
        self.find_transfers(array).fill_slots(array.reshape(-1))

    @collective
    def can_share(self, nbytes: int) -> bool:
        """Whether `share_memory` gives so many bytes."""
        return self.host.can_share(to_int(nbytes, "nbytes", 0))

    @collective
    def share_memory(self, nbytes: int) -> Any:
        """Return memory of the host that all ranks read and write, or None if they do not run on one machine.

        Parameters
        ----------
        nbytes : int
            The same on all ranks.

        Returns
        -------
        SharedMemory or None
            At least so many bytes, of any content. The next call may give them back: nobody may keep a view.
        """
        return self.host.share_memory(to_int(nbytes, "nbytes", 0))

    @collective
    def all_reduce(self, array: Any, monoid: Monoid) -> Any:
        """Combine the values of all ranks by a monoid, element by element; every rank gets the result.

        Parameters
        ----------
        array : array of any shape, or number
            The same shape and dtype on all ranks. The result has the dtype of ``monoid.result_type``. A number gives
            a number. The monoid `any` gives the values of the last rank.
        monoid : Monoid
        """
        if not hasattr(array, "shape") or isinstance(array, np.generic):
            return self._reduce_number(array, monoid)
        values = prepare(array, monoid)
        shape = values.shape
        if not values.flags.c_contiguous:
            values = find_module(is_on_device(values)).ascontiguousarray(values)
        if len(shape) == 1:
            return self._all_reduce(values, monoid)
        return self._all_reduce(values.reshape(-1), monoid).reshape(shape)

    def _reduce_number(self, number: Any, monoid: Monoid) -> Any:
        combined = self._all_reduce(prepare(np.array([number]), monoid), monoid)[0]
        return combined if isinstance(number, np.generic) else combined.item()

    def _all_reduce(self, values: Any, monoid: Monoid) -> Any:
        transfers = self.find_transfers(values)
        if self.can_reduce(transfers, monoid, values.dtype):
            return transfers.all_reduce(values, monoid.name)
        if values.nbytes <= SMALL:
            sizes = np.full(self.size, values.size)
            return combine(split_parts(transfers.all_gather(values, sizes), sizes), monoid)
        return self._all_gather(self.reduce_scatter(values, monoid, split_evenly(values.size, self.size)))[0]

    @collective
    def reduce_scatter(self, array: Any, monoid: Monoid, bounds: Any) -> Any:
        """Combine the arrays of all ranks by a monoid; rank r gets elements ``bounds[r]`` to ``bounds[r + 1] - 1``.

        Parameters
        ----------
        array : array of one dimension
            The same length and dtype on all ranks.
        monoid : Monoid
        bounds : sequence of int
            ``size + 1`` bounds from 0 to the length, the same on all ranks.
        """
        values = prepare(to_line(array), monoid)
        held = self.to_bounds(bounds, values.size)
        transfers = self.find_transfers(values)
        if self.can_reduce(transfers, monoid, values.dtype):
            return transfers.reduce_scatter(values, monoid.name, held)
        sizes = np.full(self.size, held[self.rank + 1] - held[self.rank])
        return combine(transfers.all_to_all(split_parts(values, np.diff(held)), sizes), monoid)

    def can_reduce(self, transfers: Any, monoid: Monoid, dtype: Any) -> bool:
        """Whether MPI or NCCL combines by this monoid; operators of users are combined by us."""
        return monoid.name == monoid.op.name and transfers.can_reduce(monoid.name, dtype)

    @collective
    def share_object(self, value: Any, root: int = 0) -> Any:
        """Return the object of rank `root` on every rank; it is pickled on the way."""
        return self.host.share_object(value, self.to_rank(root))

    @collective
    def split(self, color: int, key: int | None = None) -> Communicator:
        """Return a communicator of the ranks that give the same `color`, ordered by `key`, then by rank."""
        color = to_int(color, "color", 0, 2**31 - 1)
        return Communicator(self.host.split(color, self.rank if key is None else to_int(key, "key")))

    @collective
    def barrier(self) -> None:
        """Wait until every rank has come here; what a GPU still computes is not waited for."""
        self.host.barrier()

    def abort(self, error: BaseException | str) -> None:
        """End all ranks of the program, with the error as message on this rank. Does not return."""
        text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        self.host.end(f"rank {self.rank} ends the program: {text}")

    def find_transfers(self, array: Any) -> Any:
        """Return the transfers for an array of this module."""
        return self.device if is_on_device(array) else self.host

    def to_rank(self, root: Any) -> int:
        return to_int(root, "root", 0, self.size - 1)

    def to_bounds(self, bounds: Any, length: int) -> list[int]:
        held = [int(bound) for bound in bounds]
        if len(held) != self.size + 1 or held[0] != 0 or held[-1] != length or held != sorted(held):
            raise DimensionMismatch(f"bounds={show(bounds)}: give {self.size + 1} rising bounds from 0 to {length}")
        return held


def describe(array: Any) -> tuple[tuple[int, ...], str, bool] | None:
    """Shape, dtype and device of an array."""
    if array is None:
        raise GraphlaError("array=None: the root of a broadcast gives the array")
    return array.shape, array.dtype.str, is_on_device(array)


def to_line(array: Any) -> Any:
    """Return a contiguous array of one dimension; refuse others."""
    if getattr(array, "ndim", None) != 1 or array.dtype.kind not in KINDS:
        raise DimensionMismatch(f"array={show(array)}: give an array of numbers with one dimension")
    return array if array.flags.c_contiguous else array.copy()


def is_on_device(array: Any) -> bool:
    """Whether this is an array of CuPy; its class is asked, because the attribute of an array is made at each look."""
    return not isinstance(array, np.ndarray) and hasattr(type(array), "__cuda_array_interface__")


def find_module(on_device: bool) -> Any:
    """NumPy, or CuPy."""
    if not on_device:
        return np
    import cupy

    return cupy
