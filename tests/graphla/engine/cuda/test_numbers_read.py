"""A few numbers that a device holds are read and written as they are: bytes between its memory and the host's."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda.device import LANDING_BYTES, Device


class Pointer:
    """A place in memory, as CuPy has it."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __add__(self, nbytes: int) -> Pointer:
        return Pointer(self.address + nbytes)

    def copy_to_host_async(self, host: int, nbytes: int, stream: Any) -> None:
        ctypes.memmove(host, self.address, nbytes)

    def copy_from_host_async(self, host: int, nbytes: int, stream: Any) -> None:
        ctypes.memmove(self.address, host, nbytes)


class Lent:
    """An array of a device, which only its pointer reaches."""

    def __init__(self, held: Any) -> None:
        self.held, self.data = held, Pointer(held.ctypes.data)
        self.dtype, self.size, self.shape, self.flags = held.dtype, held.size, held.shape, held.flags
        self.itemsize, self.nbytes = held.itemsize, held.nbytes

    def get(self) -> Any:
        return self.held.copy()


class Pinned(np.ndarray):
    """Memory of the host where numbers land."""

    @property
    def ptr(self) -> int:
        return self.ctypes.data


@pytest.fixture
def device() -> Device:
    stream = SimpleNamespace(synchronize=lambda: None, ptr=0)
    cuda = SimpleNamespace(
        alloc_pinned_memory=lambda nbytes: np.zeros(nbytes, "uint8").view(Pinned),
        get_current_stream=lambda: stream,
        runtime=SimpleNamespace(getDeviceCount=lambda: 1),
    )
    return Device(SimpleNamespace(cuda=cuda))


KINDS = ["bool", "int8", "int32", "int64", "uint8", "uint64", "float32", "float64", "complex64", "complex128"]


def draw(kind: str, count: int) -> Any:
    """Numbers of a dtype, negative ones and great ones among them."""
    most = 2 if kind == "bool" else 256
    return np.random.default_rng().integers(0, most, count * np.dtype(kind).itemsize, "uint8").view(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_an_element_of_each_array(device: Device, kind: str) -> None:
    held, flags = draw(kind, 9), draw("bool", 9)
    for place in (0, 4, 8):
        flag, value = device.read_places(place, Lent(flags), Lent(held))
        assert (flag, value.tobytes(), value.dtype) == (flags[place], held[place].tobytes(), held.dtype)


@pytest.mark.parametrize("last", [-3, 0, 5, 2**40])
def test_the_last_number_may_be_negative(device: Device, last: int) -> None:
    assert device.last_number(Lent(np.array([7, last], "int64"))) == last
    if abs(last) < 2**31:
        assert device.last_number(Lent(np.array([last], "int32"))) == last


@pytest.mark.parametrize("count", [0, 1, 3, LANDING_BYTES // 8, LANDING_BYTES // 8 + 1])
def test_arrays_of_few_bytes_and_of_many(device: Device, count: int) -> None:
    held = draw("int64", count)
    found = device.to_host(Lent(held))
    assert (found.tobytes(), found.dtype, found.shape) == (held.tobytes(), held.dtype, held.shape)


def test_what_has_gaps_or_two_dimensions(device: Device) -> None:
    held = np.arange(12).reshape(3, 4)
    assert (device.to_host(Lent(held)) == held).all()
    assert (device.to_host(Lent(held[:, ::2])) == held[:, ::2]).all()


@pytest.mark.parametrize(("kind", "value"), [("bool", True), ("int8", -4), ("float64", 2.5), ("complex64", 1 - 2j)])
def test_one_element_is_written_and_no_other(device: Device, kind: str, value: Any) -> None:
    held = np.zeros(5, kind)
    device.write_place(Lent(held), 3, value)
    assert held.tolist() == [0, 0, 0, value, 0]


def test_the_first_number_is_of_64_bits(device: Device) -> None:
    assert device.first_number(Lent(np.array([2**63 + 1, 5], "uint64")), device.queue()) == 2**63 + 1
