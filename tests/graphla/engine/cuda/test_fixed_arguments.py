"""Arguments that are the same at each launch stand where a pointer says, as long as the pointer lives."""

from __future__ import annotations

import ctypes
import gc
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.engine.cuda.device import Device


class CPointer:
    """CuPy's: an address, and no wrapper around it."""

    def __init__(self, address: int) -> None:
        self.address = address


class OnDevice:
    """An array of CuPy, as far as a launch looks."""

    def __init__(self, address: int) -> None:
        self.data = SimpleNamespace(ptr=address)


def make_device(count: int = 1, current: Any = None) -> Device:
    runtime = SimpleNamespace(getDeviceCount=lambda: count, getDevice=current)
    return Device(SimpleNamespace(cuda=SimpleNamespace(runtime=runtime, function=SimpleNamespace(CPointer=CPointer))))


@pytest.mark.parametrize("value", [np.int32(-7), np.int64(2**40), np.float32(0.1), np.float64(0.1), np.bool_(True)])
def test_a_number_stands_in_its_own_bytes(value: Any) -> None:
    (found,) = make_device().wrap_arguments(value)
    assert isinstance(found, CPointer)
    assert ctypes.string_at(found.address, value.itemsize) == value.tobytes()


def test_an_array_stands_as_its_address_and_stays() -> None:
    array = OnDevice(0x7F0012345678)
    seen = weakref.ref(array)
    first, second = make_device().wrap_arguments(array, np.int32(1))
    del array
    gc.collect()
    assert seen() is not None
    assert ctypes.c_uint64.from_address(first.address).value == 0x7F0012345678  # type: ignore[attr-defined]
    assert ctypes.c_int32.from_address(second.address).value == 1  # type: ignore[attr-defined]
    del first
    gc.collect()
    assert seen() is None


def test_the_current_device_is_asked_for_where_there_are_several() -> None:
    assert make_device(2, lambda: 1).number() == 1
    assert make_device(1, None).number() == 0
