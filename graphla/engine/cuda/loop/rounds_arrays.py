"""The arrays of a loop over arrays of fixed size on a GPU: filled by copies and one kernel a list, counted at once."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np

from graphla.engine.arrays.rounds_arrays import Arrays
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.loops.slots import MOST_SLOTS, has_few_rows
from graphla.planning.loops.terms import Layout
from graphla.storage import Array, CompressedMatrix, SparseVector
from graphla.storage.convert import copy_array
from graphla.storage.deferred import FewEntries

FILE = "loop/rounds_edges.cuh"
EDGE_THREADS = 256
COUNTED_AT_ONCE = 16
MOST_PLACED = 8  # entries of the host that come with a launch
BLOCKS_EACH = 4  # of a count, on a multiprocessor
WORDS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}
UNSIGNED = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}


RoundEnterParameters = read_struct("loop/rounds_edges.cuh", "RoundEnterParameters")
RoundPlaceParameters = read_struct("loop/rounds_edges.cuh", "RoundPlaceParameters")
RoundCountParameters = read_struct("loop/rounds_edges.cuh", "RoundCountParameters")


class DeviceArrays(Arrays):
    """Values and flags of each slot, on a GPU."""

    def __init__(self, engine: KernelEngine, plan: RoundsPlan, owned: Set[int] = frozenset()) -> None:
        self.engine = engine
        super().__init__(engine.xp, plan, owned)

    def open(self, storage: Any, layout: Layout) -> tuple[Array, Array | None]:
        """Return the values of the cells, on the device: an array of positions may come from the host."""
        values, flags = super().open(storage, layout)
        return self.engine.asarray(values), flags

    def put(self, slot: int, storage: Any) -> None:
        """Put entries into the arrays of a slot; those of a list one by one, once its flags are clear."""
        if isinstance(storage, FewEntries) and storage.nvals <= MOST_PLACED:
            self.clear(slot)
            self.place_few(slot, storage)
            return
        storage = storage.resolve() if isinstance(storage, FewEntries) else storage
        if isinstance(storage, SparseVector | CompressedMatrix):
            self.clear(slot)
            self.enter_list(slot, storage)
        else:
            super().put(slot, storage)

    def clear(self, slot: int) -> None:
        """Clear the flags of a slot that has some."""
        flags = self.present[slot]
        if flags is not None:
            self.engine.device.clear(flags, flags.nbytes)

    def place_few(self, slot: int, storage: FewEntries) -> None:
        """Put entries of the host into cells; they come with the launch."""
        if not storage.nvals:
            return
        engine, values, flags, count = self.engine, self.values[slot], self.present[slot], storage.nvals
        size, rest = values.dtype.itemsize, (0,) * (MOST_PLACED - count)
        words = np.ascontiguousarray(storage.values, values.dtype).view(UNSIGNED[size])
        given = RoundPlaceParameters(
            values=values.view(UNSIGNED[size]),
            flags=engine.get_unread("bool") if flags is None else flags,
            cell=(*storage.indices.tolist(), *rest),
            bits=(*words.tolist(), *rest),
            count=count,
            flagged=flags is not None,
        )
        engine.get_own_kernel(FILE, f"round_place<{WORDS[size]}>", RoundPlaceParameters)(1, MOST_PLACED, given)

    def enter_list(self, slot: int, storage: SparseVector | CompressedMatrix) -> None:
        """Put the entries of a list into cells."""
        if not storage.nvals:
            return
        engine, stride, matrix = self.engine, self.plan.layouts[slot].stride, isinstance(storage, CompressedMatrix)
        indptr = storage.indptr if isinstance(storage, CompressedMatrix) else engine.get_unread("int32")
        values, flags = self.values[slot], self.present[slot]
        unsigned = UNSIGNED[values.dtype.itemsize]
        few_rows = matrix and has_few_rows(self.plan.shapes[slot])
        given = RoundEnterParameters(
            indptr=indptr, indices=storage.indices, given=storage.values.view(unsigned), values=values.view(unsigned),
            flags=engine.get_unread("bool") if flags is None else flags, count=storage.nvals,
            rows=storage.nrows if isinstance(storage, CompressedMatrix) else 1, row_stride=1 if few_rows else stride,
            column_stride=stride if few_rows or not matrix else 1, flagged=flags is not None,
        )  # fmt: skip
        types = engine.c_type(indptr), engine.c_type(storage.indices), WORDS[values.dtype.itemsize]
        kernel = engine.get_own_kernel(FILE, f"round_enter<{', '.join(types)}>", RoundEnterParameters)
        kernel(-(-storage.nvals // EDGE_THREADS), EDGE_THREADS, given)

    def copy(self, target: Array, source: Array) -> None:
        """Copy an array into another one."""
        self.engine.device.copy_into(target, source)

    def duplicate(self, array: Array) -> Array:
        """Return a copy of an array."""
        return copy_array(array)

    def list_counted(self) -> list[int]:
        """The slots whose flags are counted after the loop."""
        return [slot for slot, p in self.plan.written if p == ("slot", slot) and self.present[slot] is not None]

    def count_entries(self, counts: Array) -> None:
        """Add the entries of the slots of `list_counted` to numbers on the device."""
        slots, layouts = self.list_counted(), self.plan.layouts
        if not slots:
            return
        none = self.engine.get_unread("bool")
        rest = MOST_SLOTS - len(slots)
        given = RoundCountParameters(
            flags=(*(self.present[slot] for slot in slots), *[none] * rest),
            cells=(*(layouts[slot].cells for slot in slots), *[0] * rest),
            width=(*(layouts[slot].width for slot in slots), *[1] * rest),
            stride=(*(layouts[slot].stride for slot in slots), *[1] * rest),
            counts=counts,
            slots=len(slots),
        )
        most = max(layouts[slot].cells for slot in slots)
        blocks = min(BLOCKS_EACH * self.engine.device.processors(), -(-most // (EDGE_THREADS * COUNTED_AT_ONCE)))
        self.engine.get_own_kernel(FILE, "round_count", RoundCountParameters)(max(1, blocks), EDGE_THREADS, given)
