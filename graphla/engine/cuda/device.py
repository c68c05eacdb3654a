"""What the engine asks of a device beyond arrays and kernels: numbers that kernels count, streams, memory.

CuPy answers for a GPU; where the array module is NumPy, kernels run on the host and the answers are plain.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from graphla.engine.cuda import graphs

LANDING_BYTES = 1024
"""Bytes of pinned memory where a few numbers land: `cupy.ndarray.get` takes twice as long for them."""
NUMBERS = 8
"""How many numbers a counter holds: as many as a kernel counts at once."""


class Counter:
    """Numbers that kernels add to, and their one read-back; `HostCounter` without a GPU."""

    def __init__(self, xp: Any) -> None:
        self.array = xp.zeros(NUMBERS, "uint64")
        self._xp = xp
        self._landing = xp.cuda.alloc_pinned_memory(8 * NUMBERS)
        self._values = np.frombuffer(self._landing, "uint64", NUMBERS)

    def clear(self) -> None:
        """Zero, in the order of the current stream."""
        self.array.data.memset_async(0, 8 * NUMBERS)

    def read(self) -> list[int]:
        """Wait for the current stream and return the numbers."""
        stream = self._xp.cuda.get_current_stream()
        self.array.data.copy_to_host_async(self._landing.ptr, 8 * NUMBERS, stream)
        stream.synchronize()
        return self._values.tolist()


class HostCounter:
    """The same where kernels run on the host."""

    def __init__(self, xp: Any) -> None:
        self.array = xp.zeros(NUMBERS, "uint64")

    def clear(self) -> None:
        self.array[:] = 0

    def read(self) -> list[int]:
        return self.array.tolist()


class Words:
    """Numbers of eight bytes on the device that the host writes and reads as a whole, by way of pinned memory."""

    def __init__(self, xp: Any, count: int) -> None:
        self.array = xp.empty(count, "uint64")
        self._xp, self._nbytes = xp, 8 * count
        self._landing = xp.cuda.alloc_pinned_memory(8 * count)
        self._values = np.frombuffer(self._landing, "uint64", count)

    def write(self, values: Any) -> None:
        """Write all of them, in the order of the current stream."""
        self._values[:] = values
        self.array.data.copy_from_host_async(self._landing.ptr, self._nbytes, self._xp.cuda.get_current_stream())

    def read(self) -> list[int]:
        """Wait for the current stream and return them."""
        stream = self._xp.cuda.get_current_stream()
        self.array.data.copy_to_host_async(self._landing.ptr, self._nbytes, stream)
        stream.synchronize()
        return self._values.tolist()


class HostWords:
    """The same where kernels run on the host."""

    def __init__(self, xp: Any, count: int) -> None:
        self.array = xp.empty(count, "uint64")

    def write(self, values: Any) -> None:
        self.array[:] = values

    def read(self) -> list[int]:
        return self.array.tolist()


class Device:
    """The current GPU as CuPy sees it."""

    counter, words = Counter, Words
    address = "data.ptr"
    """Which attribute of an array is its address."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp
        self.several = self.count() > 1
        self._counters: dict[int, list[Any]] = {}
        self._landings: list[Any] = []

    def take_counter(self, *, clear: bool = True) -> Any:
        """Lend a counter for exclusive use, at zero unless its kernel clears it; `read_counters` takes it back."""
        free = self._counters.get(self.number())
        counter = free.pop() if free else self.counter(self.xp)
        if clear:
            counter.clear()
        return counter

    def read_counters(self, counter: Any) -> list[int]:
        """The numbers; the counter is free again."""
        values = counter.read()
        self._counters.setdefault(self.number(), []).append(counter)
        return values

    def first_number(self, array: Any, queue: Any) -> int:
        """The uint64 at the beginning of an array, once what `queue` was given so far is done."""
        return int.from_bytes(self._read_bytes(((array.data, 8),), queue), "little")

    def last_number(self, array: Any) -> int:
        """The last number of an array of integers, at least one."""
        return int(self.read_places(array.size - 1, array)[0])

    def read_places(self, place: int, *arrays: Any) -> list[Any]:
        """The element at a place of each array, of which there are a few, by one wait."""
        parts = [(array.data + place * array.itemsize, array.itemsize) for array in arrays]
        read, found = self._read_bytes(parts), []
        for array in arrays:
            found.append(np.frombuffer(read, array.dtype, 1)[0])
            read = read[array.itemsize :]
        return found

    def write_place(self, array: Any, place: int, value: Any) -> None:
        """Write one element, in the order of the current stream; what is written is read before this returns."""
        held = np.asarray(value, array.dtype)
        (array.data + place * array.itemsize).copy_from_host_async(held.ctypes.data, array.itemsize, self.queue())

    def to_host(self, array: Any) -> Any:
        """A NumPy array of the same values; few bytes land in memory that is pinned already."""
        if self.several or not 0 < array.nbytes <= LANDING_BYTES or not array.flags.c_contiguous:
            return array.get()
        return np.frombuffer(self._read_bytes(((array.data, array.nbytes),)), array.dtype).reshape(array.shape)

    def _read_bytes(self, parts: Any, queue: Any = None) -> bytearray:
        """Copy bytes to the host, one part after the other, and wait for what `queue` was given so far."""
        queue = self.queue() if queue is None else queue
        landing = self._landings.pop() if self._landings else self.xp.cuda.alloc_pinned_memory(LANDING_BYTES)
        end = 0
        for begin, nbytes in parts:
            begin.copy_to_host_async(landing.ptr + end, nbytes, queue)
            end += nbytes
        queue.synchronize()
        read = bytearray(memoryview(landing)[:end])
        self._landings.append(landing)
        return read

    def clear(self, array: Any, nbytes: int) -> None:
        """Zero the first bytes of an array."""
        array.data.memset_async(0, nbytes)

    def queue(self) -> Any:
        """The current stream."""
        return self.xp.cuda.get_current_stream()

    def stream(self) -> int:
        """The current stream, as a key."""
        return self.queue().ptr

    def number(self) -> int:
        """The current device; asked for only where there are several."""
        return self.xp.cuda.runtime.getDevice() if self.several else 0

    def count(self) -> int:
        """The number of devices."""
        return self.xp.cuda.runtime.getDeviceCount()

    def of(self, array: Any) -> int | None:
        """The device where an array lives; None for one of the host, as positions that a loop is given."""
        return getattr(array.data, "device_id", None)

    def copy(self, array: Any) -> Any:
        """A copy by the copy engine, which takes less than a kernel of CuPy."""
        copy = self.xp.empty(array.shape, array.dtype)
        copy.data.copy_from_device_async(array.data, array.nbytes)
        return copy

    def copy_into(self, target: Any, source: Any) -> None:
        """Copy an array into another one, by the copy engine if they are alike."""
        alike = target.dtype == source.dtype and target.nbytes == source.nbytes
        if alike and source._c_contiguous and target._c_contiguous:
            target.data.copy_from_device_async(source.data, target.nbytes)
        else:
            target[...] = source

    def order(self, keys: Any) -> Any:
        """The stable order of keys, by Thrust alone: `cupy.argsort` compiles a kernel that copies them first."""
        order, held = self.xp.empty(keys.shape[0], "int64"), self.copy(keys)
        if keys.shape[0]:
            self.xp.cuda.thrust.argsort(keys.dtype, order.data.ptr, held.data.ptr, 0, keys.shape)
        return order

    def sort(self, keys: Any) -> Any:
        """The keys in rising order."""
        held = self.copy(keys)
        held.sort()
        return held

    def wrap_arguments(self, *arguments: Any) -> tuple[Any, ...]:
        """Wrap arguments that stay the same at each launch: CuPy wraps others at each launch, and pointers never."""
        return tuple(make_pointer(argument, self.xp.cuda.function.CPointer) for argument in arguments)

    def parameter(self, memory: Any, size: int) -> Any:
        """What a launch takes for a struct of `size` bytes in host memory; it keeps the memory alive."""
        made = make_keeper(self.xp.cuda.function.CPointer)(memory.ctypes.data)
        made.held = memory
        return made

    def point_at(self, parameter: Any, record: Any, changing: Any = (), arrays: Any = ()) -> Any:
        """The same for one launch: a GPU need not know the arrays of a struct."""
        return parameter

    def repeat(
        self, run_round: Callable[[], None], goes_on: Any, rounds: int, conditional: bool
    ) -> tuple[str, Any | None]:
        """Run at most so many rounds while a word on the device is not zero; return how, and what can run again."""
        return graphs.repeat(self.xp, run_round, goes_on, rounds, conditional)

    def free_pool(self) -> None:
        """Give unused memory of the pool back."""
        self.xp.get_default_memory_pool().free_all_blocks()

    def processors(self) -> int:
        """Multiprocessors."""
        return self.xp.cuda.Device().attributes["MultiProcessorCount"]

    def most_shared(self) -> int:
        """Bytes of shared memory that a block may ask for."""
        return self.xp.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"] - 1024


class HostParameter:
    """A struct for a kernel that runs on the host: its bytes, and the arrays that it points to by name."""

    def __init__(self, memory: Any, size: int) -> None:
        self.memory = memory.view("uint8")[:size]
        self.arrays: dict[str, Any] = {}


class HostRounds:
    """Rounds that the host repeats, in the place of a graph."""

    how = "rounds on the host"

    def __init__(self, run_round: Callable[[], None], goes_on: Any) -> None:
        self.run_round, self.goes_on = run_round, goes_on

    def run(self) -> None:
        """Run rounds as long as the word says so."""
        while int(self.goes_on[0]):
            self.run_round()


class HostDevice(Device):
    """The host in the place of a GPU."""

    counter, words = HostCounter, HostWords
    address = "ctypes.data"

    def first_number(self, array: Any, queue: Any) -> int:
        return int(array[:8].view("uint64")[0])

    def last_number(self, array: Any) -> int:
        return int(array[-1])

    def read_places(self, place: int, *arrays: Any) -> list[Any]:
        return [array[place] for array in arrays]

    def write_place(self, array: Any, place: int, value: Any) -> None:
        array.view(np.ndarray)[place] = value

    def to_host(self, array: Any) -> Any:
        return np.asarray(array)

    def clear(self, array: Any, nbytes: int) -> None:
        array[:nbytes] = 0

    def queue(self) -> None:
        """The host does one thing after the other."""

    def stream(self) -> int:
        return 0

    def number(self) -> int:
        return 0

    def count(self) -> int:
        return 1

    def of(self, array: Any) -> int:
        return 0

    def copy(self, array: Any) -> Any:
        return array.copy()

    def copy_into(self, target: Any, source: Any) -> None:
        target[...] = source

    def order(self, keys: Any) -> Any:
        return np.argsort(keys, kind="stable")

    def wrap_arguments(self, *arguments: Any) -> tuple[Any, ...]:
        return arguments

    def parameter(self, memory: Any, size: int) -> HostParameter:
        return HostParameter(memory, size)

    def point_at(self, parameter: Any, record: Any, changing: Any = (), arrays: Any = ()) -> HostParameter:
        parameter.arrays = list_arrays(record) | dict(zip(changing, arrays, strict=True))
        return parameter

    def repeat(
        self, run_round: Callable[[], None], goes_on: Any, rounds: int, conditional: bool
    ) -> tuple[str, Any | None]:
        held = HostRounds(run_round, goes_on)
        graphs.ask_each_round(run_round, goes_on, rounds)
        return held.how, held

    def free_pool(self) -> None:
        """The host has no pool."""

    def processors(self) -> int:
        return 2

    def most_shared(self) -> int:
        return 227 * 1024


def list_arrays(record: Any) -> dict[str, Any]:
    """The arrays of a record by name, those of a tuple by name and number, those of a record in it by both names."""
    found = {}
    for name, value in record._asdict().items():
        if hasattr(value, "_asdict"):
            found |= {f"{name}.{inner}": one for inner, one in list_arrays(value).items()}
        elif isinstance(value, tuple):
            found |= {f"{name}[{i}]": one for i, one in enumerate(value) if isinstance(one, np.ndarray)}
        elif isinstance(value, np.ndarray):
            found[name] = value
    return found


@cache
def make_keeper(pointer: Any) -> Any:
    """The class of pointers of CuPy, with room for what they point to."""
    return type("Keeper", (pointer,), {})


def make_pointer(argument: Any, pointer: Any) -> Any:
    """Where an argument of a launch stands, as one of CuPy's pointers; it keeps the argument alive."""
    held = np.asarray(argument) if isinstance(argument, np.generic) else np.asarray(argument.data.ptr, "uint64")
    made = make_keeper(pointer)(held.ctypes.data)
    made.argument, made.held = argument, held
    return made


def make_device(xp: Any) -> Device:
    """The device on which the kernels of an array module run."""
    return HostDevice(xp) if xp is np else Device(xp)
