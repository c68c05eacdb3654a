"""The memory in which a checked launch notes who touched its arrays: a cell for each element or four bytes of it."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass


class Memory:
    """Zeros at an address, shared by all kernels of the process and grown when a launch needs more."""

    def __init__(self) -> None:
        self.memory: mmap.mmap | None = None

    def reserve(self, size: int) -> int:
        """The address of at least `size` bytes; what earlier launches left there stays, unless it grows."""
        if self.memory is None or len(self.memory) < size:
            self.memory = mmap.mmap(-1, max(size, mmap.PAGESIZE), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return ctypes.addressof(ctypes.c_char.from_buffer(self.memory))


@dataclass(frozen=True)
class Extent:
    """Where an array lies and how many bytes an element has."""

    begin: int
    end: int
    element: int


@dataclass(frozen=True)
class Watched:
    """Bytes that a cell watches, and the number of the cell that watches those from address `base` on."""

    granule: int
    first: int
    base: int


def find_granule(element: int) -> int:
    """How many bytes a cell watches: an element, but no more than four of its bytes."""
    return next(size for size in (4, 2, 1) if element % size == 0)


def group_overlapping(extents: list[Extent]) -> list[list[int]]:
    """The positions of arrays in groups that have bytes in common."""
    groups: list[list[int]] = []
    end = 0
    for i in sorted(range(len(extents)), key=lambda i: extents[i].begin):
        if groups and extents[i].begin < end:
            groups[-1].append(i)
        else:
            groups.append([i])
        end = max(end, extents[i].end)
    return groups


def lay_out(extents: list[Extent]) -> tuple[list[Watched], int]:
    """Where the cells of each array are, and how many all arrays have: what overlaps has the same cells."""
    watched, count = [Watched(1, 0, 0)] * len(extents), 0
    for group in group_overlapping(extents):
        width = min(find_granule(extents[i].element) for i in group)
        base, end = extents[group[0]].begin, max(extents[i].end for i in group)
        for i in group:
            watched[i] = Watched(width, count, base)
        count += -(-(end - base) // width)
    return watched, count
