"""A compiled kernel, launched as one on a GPU would be: grid, block, arguments, dynamic shared memory."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.device import HostParameter
from tests.emulator.build import LINES, find_source_line
from tests.emulator.shadow import Extent, Memory, lay_out

STACK_BYTES = 64 * 1024
RESIDENT = 4  # blocks that a cooperative launch may have unless the loader says otherwise


class EmulatorError(Exception):
    """The kernel broke a rule of the machine; the message names kernel, block, thread and line."""


class Array(ctypes.Structure):
    _fields_ = [
        ("begin", ctypes.c_ulonglong),
        ("end", ctypes.c_ulonglong),
        ("argument", ctypes.c_uint),
        ("granule", ctypes.c_uint),
        ("shadow", ctypes.c_ulonglong),
        ("base", ctypes.c_ulonglong),
    ]


class Parameter(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_int),
        ("pointee_size", ctypes.c_int),
        ("kind", ctypes.c_char),
        ("is_const", ctypes.c_char),
    ]


class Launch(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("cooperative", ctypes.c_uint),
        ("resident", ctypes.c_uint),
        ("seed", ctypes.c_uint),
        ("arguments", ctypes.c_void_p),
        ("arrays", ctypes.c_void_p),
        ("array_count", ctypes.c_uint),
        ("stack_bytes", ctypes.c_uint),
        ("stacks", ctypes.c_void_p),
        ("stacks_end", ctypes.c_void_p),
        ("time_limit", ctypes.c_double),
        ("message", ctypes.c_void_p),
        ("address", ctypes.c_ulonglong),
        ("other_address", ctypes.c_ulonglong),
        ("cells", ctypes.c_void_p),
        ("epochs", ctypes.c_uint),
    ]


STACKS, CELLS = Memory(), Memory()
EPOCHS = [0]  # barriers that all launches of the process have passed: what a cell holds is of one of them


def to_triple(size: int | tuple[int, ...]) -> tuple[int, int, int]:
    sizes = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
    if not 1 <= len(sizes) <= 3 or any(s < 1 for s in sizes):
        raise EmulatorError(f"grid and block are one to three positive sizes, not {size}")
    return (*map(int, sizes), 1, 1)[:3]  # type: ignore[return-value]


def name_member(message: str, arguments: tuple[Any, ...]) -> str:
    """A message that names a member of the kernel's struct instead of its number."""
    members = [name for one in arguments if isinstance(one, HostParameter) for name in one.arrays]
    return re.sub(r"\(argument (\d+)\)", lambda m: f"({members[int(m[1])]})", message) if members else message


def find_extent(array: np.ndarray) -> tuple[int, int]:
    begin, end = np.lib.array_utils.byte_bounds(array) if array.size else (array.ctypes.data,) * 2
    return int(begin), int(end)


class Kernel:
    """`kernel(grid, block, arguments, shared)`; see `tests.emulator.load`."""

    def __init__(
        self, build_library: Callable[..., Path], expression: str, cooperative: bool, seed: int, resident: int
    ) -> None:
        self.library, self._build_library, self.expression = build_library(), build_library, expression
        self.cooperative, self.seed, self.resident = cooperative, seed, resident
        self.time_limit = float(os.environ.get("GRAPHLA_EMULATOR_TIME_LIMIT", "60"))
        loaded = ctypes.CDLL(str(self.library))
        table = ctypes.POINTER(Parameter)()
        count = loaded.emulator_parameters(ctypes.byref(table))
        self.parameters = [table[i] for i in range(count)]
        self._run = loaded.emulator_run
        self._cell_bytes = ctypes.c_uint.in_dll(loaded, "emulator_cell_bytes").value
        self._loaded = loaded

    def resident_blocks(self, block: int, shared: int = 0) -> int:
        """Blocks of a cooperative launch that are resident at once."""
        return self.resident if block <= 1024 and shared <= 227 * 1024 else 0

    def __call__(
        self, grid: int | tuple[int, ...], block: int | tuple[int, ...], arguments: tuple[Any, ...], shared: int = 0
    ) -> None:
        grid, block = to_triple(grid), to_triple(block)
        self._check_sizes(grid, block, shared)
        cells, arrays = self._convert(arguments)
        pointers = (ctypes.c_void_p * (len(cells) + 1))(*[c.ctypes.data for c in cells], None)
        table, cells_in_all = self._list_arrays(arrays)
        message = ctypes.create_string_buffer(1024)
        window = math.prod(grid) if self.cooperative else RESIDENT
        size = math.prod(block) * window * STACK_BYTES
        stacks = STACKS.reserve(size)
        launch = Launch(
            grid=grid,
            block=block,
            shared_bytes=shared,
            cooperative=self.cooperative,
            resident=RESIDENT,
            seed=self.seed,
            arguments=ctypes.addressof(pointers),
            arrays=ctypes.addressof(table),
            array_count=len(arrays),
            stack_bytes=STACK_BYTES,
            stacks=stacks,
            stacks_end=stacks + size,
            time_limit=self.time_limit,
            message=ctypes.addressof(message),
            cells=CELLS.reserve(cells_in_all * self._cell_bytes),
            epochs=EPOCHS[0],
        )
        failed = self._run(ctypes.byref(launch))
        EPOCHS[0] = launch.epochs
        if failed:
            told = name_member(message.value.decode(), arguments)
            raise EmulatorError(self._explain(told, launch.address, launch.other_address))

    def _list_arrays(self, arrays: list[tuple[int, np.ndarray]]) -> tuple[Any, int]:
        """The arrays by argument, with their places in the shadow memory, and its size in cells."""
        extents = [Extent(*find_extent(a), a.dtype.itemsize) for _, a in arrays]
        watched, count = lay_out(extents)
        rows = [
            Array(e.begin, e.end, i, w.granule, w.first, w.base)
            for (i, _), e, w in zip(arrays, extents, watched, strict=True)
        ]
        return (Array * (len(arrays) + 1))(*sorted(rows, key=lambda row: row.begin)), count

    def _check_sizes(self, grid: tuple[int, int, int], block: tuple[int, int, int], shared: int) -> None:
        if math.prod(block) > 1024:
            raise EmulatorError(f"{self.expression}: a block of {math.prod(block)} threads; 1024 is the most")
        if max(grid[1:]) > 65_535 or grid[0] >= 1 << 31:
            raise EmulatorError(f"{self.expression}: a grid of {grid} blocks; 65535 is the most along y and z")
        if shared > 227 * 1024:
            raise EmulatorError(f"{self.expression}: {shared} bytes of shared memory; 232448 is the most")
        if self.cooperative and math.prod(grid) > self.resident_blocks(math.prod(block), shared):
            raise EmulatorError(
                f"{self.expression}: a cooperative grid of {math.prod(grid)} blocks, "
                f"where {self.resident_blocks(math.prod(block), shared)} are resident at once (resident_blocks)"
            )

    def _convert(self, arguments: tuple[Any, ...]) -> tuple[list[np.ndarray], list[tuple[int, np.ndarray]]]:
        """Cells that hold the arguments' bytes, and the arrays among them by position."""
        if len(arguments) != len(self.parameters):
            raise EmulatorError(f"{self.expression} takes {len(self.parameters)} arguments, not {len(arguments)}")
        cells, arrays = [], []
        for i, (argument, parameter) in enumerate(zip(arguments, self.parameters, strict=True)):
            if isinstance(argument, HostParameter):
                self._check_struct(i, argument, parameter)
                cells.append(argument.memory)
                arrays += enumerate(argument.arrays.values())
                continue
            self._check_type(i, argument, parameter)
            if isinstance(argument, np.ndarray):
                cells.append(np.array([argument.ctypes.data], np.uint64))
                arrays.append((i, argument))
            else:
                cells.append(np.array([0], np.uint64) if argument is None else np.array([argument]))
        return cells, arrays

    def _check_type(self, position: int, argument: Any, parameter: Parameter) -> None:
        pointer = parameter.pointee_size != 0
        given = f"{type(argument).__name__} {getattr(argument, 'dtype', '')}".strip()
        wanted = f"{parameter.kind.decode()}{abs(parameter.pointee_size if pointer else parameter.size) * 8}"
        if isinstance(argument, np.ndarray) and not argument.flags.c_contiguous:
            raise EmulatorError(f"{self.expression}: argument {position} is an array that is not contiguous")
        fits = pointer and argument is None
        if isinstance(argument, np.ndarray if pointer else np.generic):
            size = parameter.pointee_size if pointer else parameter.size
            kind = argument.dtype.kind.replace("u", "i")
            kinds = {"f": "f", "i": "ib", "b": "bi", "o": "fcibV"}[parameter.kind.decode()]
            fits = size == -1 or (kind in kinds and (argument.dtype.itemsize == size or parameter.kind == b"o"))
        if not fits:
            shape = f"a pointer to {wanted}" if pointer else f"a value {wanted}"
            raise EmulatorError(f"{self.expression}: argument {position} must be {shape}, not {given}")

    def _check_struct(self, position: int, argument: HostParameter, parameter: Parameter) -> None:
        if parameter.kind != b"o" or parameter.pointee_size or parameter.size != argument.memory.nbytes:
            raise EmulatorError(
                f"{self.expression}: argument {position} is a struct of {argument.memory.nbytes} bytes, "
                f"where the kernel takes {parameter.size} bytes"
            )
        for name, array in argument.arrays.items():
            if not array.flags.c_contiguous:
                raise EmulatorError(f"{self.expression}: {name} is an array that is not contiguous")

    def _explain(self, message: str, address: int, other: int) -> str:
        lines = self._build_library(LINES) if address or other else self.library
        places = [find_source_line(lines, self._find_offset(a)) if a else "" for a in (address, other)]
        shown = [f"\n  {word} {place}" for word, place in zip(("at", "and at"), places, strict=True) if place]
        return f"{self.expression}: {message}" + "".join(shown)

    def _find_offset(self, address: int) -> int:
        """A code address less where the library was loaded; the call before a return address."""
        return address - self._load_address - 1

    @functools.cached_property
    def _load_address(self) -> int:
        with Path("/proc/self/maps").open() as maps:
            starts = [int(line.split("-")[0], 16) for line in maps if str(self.library) in line]
        return min(starts)
