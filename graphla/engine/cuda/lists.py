"""Small operations on lists by kernels of our own: a first call waits for none of CuPy's to be compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import DeviceBlocks, launch_over
from graphla.storage import Array
from graphla.storage.convert import choose_index_dtype

FILE = "lists.cuh"
LIST_THREADS, LIST_EACH = 256, 16
"""Threads of a block, and neighbouring flags that a thread lists."""
LIST_TILE = LIST_THREADS * LIST_EACH
LISTED_AT_ONCE = 1 << 15
"""One block lists the entries of so many places: some 10 us, where four launches and five arrays take the host 90."""
SCAN_THREADS, SCAN_CHUNK, SCAN_BLOCKS = 512, 4096, 1024
"""Threads of a block that adds up lengths, how many of them it has at least, and the most blocks."""
BY_BYTES = {
    1: ("unsigned char", "uint8"),
    2: ("unsigned short", "uint16"),
    4: ("int", "int32"),
    8: ("long long", "int64"),
    16: ("Wide", "complex128"),
}
"""The type as which values of so many bytes are moved."""


TOGETHER = {
    "transpose": ("gather<int, long long>", "point_rows<int, int>", "number_rows<int, int>", "count_differing<int>"),
    "rows": ("measure_rows<int>", "flag_other<int>", "count_filled<int>", "count_above<int>", "count_arcs<int, int>"),
    "scan": (
        "scan_chunks<int>", "convert<long long, int>", "convert<int, long long>", "fill_all<int>",
        "sum_chunks<long long>", "scan_chunks<long long>",
    ),
    "flags": ("count_tiles<bool>", "list_tiles<int>"),
    "labels": ("count_true<bool>", "count_places<int>", "add_places<int>"),
    "masks": ("both_true", "choose_flagged<unsigned char>", "choose_flagged<int>", "choose_flagged<long long>"),
    "push": ("find_spans<int, int>",),
    "indices": ("count_falls<long long>", "count_up<long long>", "find_spans<int, long long>",
                "scatter<int, long long>"),
}  # fmt: skip
"""Kernels that are compiled as one module, by what needs them.

That is a transpose, a look at the lengths of rows, a count and fill, a list of flags, counts of labels, a write of a
vector under a mask, a push, and a caller's indices.
"""
FOLLOWING = {"transpose": ("rows",), "flags": ("scan",)}
"""Modules that are compiled while a call waits for another one.

Who looks at a graph both ways looks at degrees, and who counts flags in tiles adds the counts up.
"""


@cache
def find_group(name: str) -> str:
    """Return the name of the module that holds a kernel, empty for a kernel by itself."""
    return next((group for group, names in TOGETHER.items() if name in names), "")


@cache
def find_companions(name: str) -> tuple[str, ...]:
    """Return the kernels of the module that holds a kernel."""
    return TOGETHER.get(find_group(name), ())


class DeviceLists:
    """The `ListKernels` of a CUDA engine.

    Parameters
    ----------
    engine : KernelEngine
        Compiles and launches.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.blocks = DeviceBlocks(engine)
        self._begun = set[str]()
        self._found = dict[tuple[str, int], Any]()

    def begin(self, *groups: str) -> None:
        """Begin to compile groups of `TOGETHER` that an operation will need, each once."""
        if not self._begun.issuperset(groups):
            for group in groups:
                self.engine.begin(FILE, *TOGETHER[group])
            self._begun.update(groups)

    def begin_one(self, name: str) -> None:
        """Begin to compile a kernel that is in no group."""
        self.engine.begin(FILE, name)

    def get_kernel(self, name: str) -> Any:
        """Return a kernel of lists.cuh."""
        key = name, self.engine.device.number()
        found = self._found.get(key)
        if found is None:
            self.begin(*FOLLOWING.get(find_group(name), ()))
            found = self._found[key] = self.engine.get_own_kernel(FILE, name, beside=find_companions(name))
        return found

    def cast(self, array: Array, dtype: str, every: int = 1) -> Array:
        """Return every k-th number in another dtype; the array itself if it is asked for as it is."""
        if array.dtype == dtype and every == 1:
            return array
        count = -(-int(array.shape[0]) // every)
        out = self.engine.xp.empty(count, dtype)
        name = f"convert<{self.engine.c_type(array)}, {self.engine.c_type(out)}>"
        self.launch(name, count, (array, np.int64(every), np.int64(count), out))
        return out

    def gather(self, values: Array, positions: Array) -> Array:
        """Return ``values[positions]``."""
        out, count = self.engine.xp.empty(positions.shape[0], values.dtype), int(positions.shape[0])
        c, kind = BY_BYTES[values.dtype.itemsize]
        name = f"gather<{c}, {self.engine.c_type(positions)}>"
        self.launch(name, count, (values.view(kind), positions, np.int64(count), out.view(kind)))
        return out

    def scale(self, values: Array, factor: float, dtype: str) -> Array:
        """Return ``factor * values`` of float64 numbers in a dtype of floats."""
        count = int(values.shape[0])
        out = self.engine.xp.empty(count, dtype)
        name = f"scale<{self.engine.c_type(out)}>"
        self.launch(name, count, (values, np.float64(factor), np.int64(count), out))
        return out

    def divide(self, values: Array, divisor: float) -> Array:
        """Return ``values / divisor`` of floats, in their dtype."""
        count, out = int(values.shape[0]), self.engine.xp.empty(values.shape[0], values.dtype)
        name = f"divide<{self.engine.c_type(values)}>"
        self.launch(name, count, (values, np.float64(divisor), np.int64(count), out))
        return out

    def begin_check(self, places: Array, size: int) -> tuple[Array, Any]:
        """Return positions in int64, those out of bounds as 0, and what `end_check` takes; negative ones count back."""
        count, counter = int(places.shape[0]), self.engine.device.take_counter()
        out = self.engine.xp.empty(count, "int64")
        name = f"check_positions<{self.engine.c_type(places)}>"
        self.launch(name, count, (places, np.int64(size), np.int64(count), out, counter.array, counter.array[2:]))
        return out, counter

    def note_repeats(self, places: Array, size: int, counter: Any) -> None:
        """Count the positions that stand in the list before, beside those out of bounds."""
        seen, count = self.engine.xp.zeros(-(-size // 32), "uint32"), int(places.shape[0])
        self.launch("count_repeats<long long>", count, (places, seen, np.int64(count), counter.array[1:]))

    def end_check(self, counter: Any) -> tuple[int, int, int]:
        """Return how many positions are out of bounds, are repeated, and are not greater than the one before."""
        outside, repeats, falls = self.engine.device.read_counters(counter)[:3]
        return outside, repeats, falls

    def scatter_checked(self, target: Array, places: Array, values: Array, counter: Any) -> None:
        """Write ``target[places] = values`` if nothing was counted; the counter is None if that is known."""
        if counter is None:
            self.scatter(target, places, values)
            return
        c, kind = BY_BYTES[values.dtype.itemsize]
        count = int(places.shape[0])
        name = f"scatter_checked<{c}, {self.engine.c_type(places)}>"
        self.launch(name, count, (values.view(kind), places, np.int64(count), counter.array, target.view(kind)))

    def count_repeats(self, places: Array, size: int) -> int:
        """Count the positions that stand in the list before; they are int64, from 0 to size - 1."""
        seen = self.engine.xp.zeros(-(-size // 32), "uint32")
        return self.count("count_repeats<long long>", int(places.shape[0]), places, before=(seen,))

    def scatter(self, target: Array, places: Array, values: Array) -> None:
        """Write ``target[places] = values``."""
        c, kind = BY_BYTES[values.dtype.itemsize]
        count = int(places.shape[0])
        name = f"scatter<{c}, {self.engine.c_type(places)}>"
        self.launch(name, count, (values.view(kind), places, np.int64(count), target.view(kind)))

    def flag_true(self, values: Array, present: Array | None) -> Array:
        """Flag the values that are not 0, of those that are there."""
        count, out = int(values.shape[0]), self.engine.xp.empty(values.shape[0], bool)
        held = values.view("uint8") if values.dtype == bool else values
        there = self.engine.get_unread("bool") if present is None else present
        name = f"flag_true<{self.engine.c_type(held)}>"
        self.launch(name, count, (held, there, np.bool_(present is None), np.int64(count), out))
        return out

    def both_true(self, flags: Array, others: Array, complement: bool) -> tuple[Array, int]:
        """Flag where both are true, or with `complement` the first alone, and count these."""
        count, out = int(flags.shape[0]), self.engine.xp.empty(flags.shape[0], bool)
        return out, self.count("both_true", count, flags, np.bool_(complement), out, before=(others,))

    def choose_flagged(self, flags: Array, yes: Array, no: Array) -> Array:
        """Return the values of `yes` at flags, of `no` elsewhere; both have one dtype."""
        count, out = int(flags.shape[0]), self.engine.xp.empty(flags.shape[0], yes.dtype)
        c, kind = BY_BYTES[yes.dtype.itemsize]
        arguments = flags, yes.view(kind), no.view(kind), np.int64(count), out.view(kind)
        self.launch(f"choose_flagged<{c}>", count, arguments)
        return out

    def copy_flagged(self, target: Array, flags: Array, values: Array) -> None:
        """Write ``target[flags] = values[flags]``."""
        c, kind = BY_BYTES[values.dtype.itemsize]
        size = int(flags.shape[0])
        self.launch(f"copy_flagged<{c}>", size, (values.view(kind), flags, np.int64(size), target.view(kind)))

    def tally(self, places: Array, size: int, values: Array | None) -> Array:
        """Count each place, or add up the values that belong to it in FP64, in no fixed order."""
        sums = self.engine.xp.zeros(size, "int64" if values is None else "float64")
        count, index = int(places.shape[0]), self.engine.c_type(places)
        if values is None:
            self.launch(f"count_places<{index}>", count, (places, np.int64(count), sums.view("uint64")))
        else:
            given = places, values.astype("float64", copy=False)
            self.launch(f"add_places<{index}>", count, (*given, np.int64(count), sums))
        return sums

    def compare_entries(self, rows: Array, columns: Array) -> tuple[int, int]:
        """Count the entries that stand before the one before them, and those that repeat it."""
        size = int(rows.shape[0])
        if size < 2:
            return 0, 0
        counter = self.engine.device.take_counter()
        name = f"compare_entries<{self.engine.c_type(rows)}>"
        self.launch(name, size, (rows, columns, np.int64(size), counter.array))
        falls, repeats = self.engine.device.read_counters(counter)[:2]
        return falls, repeats

    def number_cells(self, rows: Array, columns: Array, width: int) -> Array:
        """Return row times width plus column, in int64."""
        size = int(rows.shape[0])
        cells = self.engine.xp.empty(size, "int64")
        name = f"number_cells<{self.engine.c_type(rows)}>"
        self.launch(name, size, (rows, columns, np.int64(width), np.int64(size), cells))
        return cells

    def split_cells(self, cells: Array, width: int, dtype: str) -> tuple[Array, Array]:
        """Return the rows and the columns of cells in a dtype of integers."""
        size = int(cells.shape[0])
        rows, columns = self.engine.xp.empty((2, size), dtype)
        arguments = cells, np.int64(width), np.int64(size), rows, columns
        self.launch(f"split_cells<{self.engine.c_type(rows)}>", size, arguments)
        return rows, columns

    def find_ends(self, numbers: Array) -> tuple[int, int]:
        """The least and the largest of integers of int32 or int64, of which there is one at least."""
        counter = self.engine.device.take_counter()
        name, size = f"find_ends<{self.engine.c_type(numbers)}>", int(numbers.shape[0])
        self.launch(name, size, (numbers, np.int64(size), counter.array))
        most, least = self.engine.device.read_counters(counter)[:2]
        return ((1 << 64) - 1 - least) - (1 << 63), most - (1 << 63)

    def flag_first(self, keys: Array) -> tuple[Array, int]:
        """Flag the sorted keys that differ from the one before, and count them."""
        size = int(keys.shape[0])
        first = self.engine.xp.empty(size, bool)
        return first, self.count(f"flag_first<{self.engine.c_type(keys)}>", size, keys, first)

    def copy(self, array: Array) -> Array:
        """Return a copy."""
        return self.engine.device.copy(array)

    def raise_flags(self, flags: Array, places: Array) -> None:
        """Set the flags at some positions."""
        count = int(places.shape[0])
        if count:
            kernel = self.engine.get_own_kernel("spread.cuh", f"raise_flags<{self.engine.c_type(places)}>")
            kernel(-(-count // LIST_THREADS), LIST_THREADS, (places, np.int32(count), flags))

    def fill(self, array: Array, value: Any) -> None:
        """Write one value to every element."""
        c, kind = BY_BYTES[array.dtype.itemsize]
        held = np.asarray(value, array.dtype).reshape(1).view(kind)[0]
        self.launch(f"fill_all<{c}>", int(array.shape[0]), (array.view(kind), np.int64(array.shape[0]), held))

    def count_up(self, array: Array, first: int, step: int) -> None:
        """Write ``first + step * i`` to element i, for every i."""
        count = int(array.shape[0])
        name = f"count_up<{self.engine.c_type(array)}>"
        self.launch(name, count, (array, np.int64(count), np.int64(first), np.int64(step)))

    def measure_rows(self, indptr: Array) -> Array:
        """Return the number of entries of each row."""
        rows = int(indptr.shape[0]) - 1
        lengths = self.engine.xp.empty(rows, indptr.dtype)
        self.launch(f"measure_rows<{self.engine.c_type(indptr)}>", rows, (indptr, np.int64(rows), lengths))
        return lengths

    def find_spans(self, indptr: Array, rows: Array) -> tuple[Array, Array]:
        """Return where the chosen rows begin, and their lengths in int64."""
        xp, count = self.engine.xp, int(rows.shape[0])
        begins, lengths = xp.empty(count, indptr.dtype), xp.empty(count, "int64")
        name = f"find_spans<{self.engine.c_type(indptr)}, {self.engine.c_type(rows)}>"
        self.launch(name, count, (indptr, rows, np.int64(count), begins, lengths))
        return begins, lengths

    def number_rows(self, indptr: Array, entries: int, dtype: str) -> Array:
        """Return the row of each entry."""
        out = self.engine.xp.empty(entries, dtype)
        if entries:
            name = f"number_rows<{self.engine.c_type(indptr)}, {self.engine.c_type(out)}>"
            rows = np.int32(indptr.shape[0] - 1)
            kernel = self.get_kernel(name)
            kernel(-(-entries // LIST_TILE), LIST_THREADS, (indptr, rows, np.int64(entries), out))
        return out

    def order(self, keys: Array) -> Array:
        """Return the positions of the keys in rising order, equal ones as they stand."""
        return self.engine.device.order(keys)

    def make_pointers(self, lengths: Array) -> Array:
        """Return 0 and the running sum of lengths, in int64."""
        xp, count = self.engine.xp, int(lengths.shape[0])
        upto = xp.empty(count + 1, "int64")
        if not count:
            self.engine.device.clear(upto.view("uint8"), 8)
            return upto
        blocks = min(SCAN_BLOCKS, -(-count // SCAN_CHUNK))
        sums = xp.empty(blocks, "int64") if blocks > 1 else self.engine.get_unread("int64")
        numbers = np.int64(count), np.int64(-(-count // blocks))
        kind = self.engine.c_type(lengths)
        if blocks > 1:
            summing = self.get_kernel(f"sum_chunks<{kind}>")
            summing(blocks, SCAN_THREADS, (lengths, *numbers, sums))
        self.get_kernel(f"scan_chunks<{kind}>")(blocks, SCAN_THREADS, (lengths, *numbers, sums, upto))
        return upto

    def point_rows(self, rows: Array, count: int) -> Array:
        """Return the row pointers of sorted row numbers, in int32 if they fit."""
        entries = int(rows.shape[0])
        indptr = self.engine.xp.empty(count + 1, choose_index_dtype(entries))
        name = f"point_rows<{self.engine.c_type(rows)}, {self.engine.c_type(indptr)}>"
        self.launch(name, count + 1, (rows, np.int64(entries), np.int64(count), indptr))
        return indptr

    def count_true(self, flags: Array) -> int:
        """Count the flags that are true."""
        return self.count("count_true<bool>", int(flags.shape[0]), flags)

    def count_above(self, values: Array, bound: int) -> int:
        """Count the numbers of int32 or int64 that are greater than a bound."""
        name = f"count_above<{self.engine.c_type(values)}>"
        return self.count(name, int(values.shape[0]), values, values.dtype.type(bound))

    def count_infinite(self, values: Array) -> int:
        """Count the floats that are NaN or infinite, of an array of any shape."""
        return self.count(f"count_infinite<{self.engine.c_type(values)}>", int(values.size), values)

    def list_true(self, flags: Array, dtype: str, many: int | None = None) -> Array:
        """List the positions of the flags that are true; nobody waits if it is known how many these are."""
        xp, size = self.engine.xp, int(flags.shape[0])
        tiles = -(-size // LIST_TILE)
        counts = xp.empty(tiles, "int32")
        if tiles:
            counting = self.get_kernel("count_tiles<bool>")
            counting(tiles, LIST_THREADS, (flags, np.int64(size), counts))
        begins = self.make_pointers(counts)
        out = xp.empty(self.engine.device.last_number(begins) if many is None else many, dtype)
        if out.shape[0]:
            listing = self.get_kernel(f"list_tiles<{self.engine.c_type(out)}>")
            listing(tiles, LIST_THREADS, (flags, np.int64(size), begins, out))
        return out

    def list_entries(self, flags: Array, values: Array, dtype: str, many: int) -> tuple[Array, Array]:
        """List the positions of the flags that are true, of which there are `many`, and the values there."""
        size = int(flags.shape[0])
        if size > LISTED_AT_ONCE:
            places = self.list_true(flags, dtype, many)
            return places, self.gather(values, places)
        places, out = self.engine.xp.empty(many, dtype), self.engine.xp.empty(many, values.dtype)
        if many:
            c, kind = BY_BYTES[values.dtype.itemsize]
            kernel = self.get_kernel(f"list_at_once<{c}, {self.engine.c_type(places)}>")
            kernel(1, LIST_THREADS, (flags, values.view(kind), np.int64(size), places, out.view(kind)))
        return places, out

    def spread(self, positions: Array, values: Array, size: int, zeros: bool = True) -> tuple[Array, Array]:
        """Return one flag and one value per index, of entries at some; the other values are zero, or not written."""
        xp = self.engine.xp
        present, held = xp.zeros(size, bool), (xp.zeros if zeros else xp.empty)(size, values.dtype)
        c, kind = BY_BYTES[values.dtype.itemsize]
        kernel = self.engine.get_own_kernel("spread.cuh", f"spread<{c}, {self.engine.c_type(positions)}>")
        count = int(positions.shape[0])
        if count:
            arguments = positions, values.view(kind), np.int32(count), present, held.view(kind)
            kernel(-(-count // LIST_THREADS), LIST_THREADS, arguments)
        return present, held

    def flag_other(self, values: Array, absent: Any) -> tuple[Array, int]:
        """Flag the values that differ from `absent`, and count them."""
        size = int(values.shape[0])
        present = self.engine.xp.empty(size, bool)
        held = np.asarray(absent, values.dtype)[()]
        return present, self.count(f"flag_other<{self.engine.c_type(values)}>", size, values, held, present)

    def count_filled_rows(self, indptr: Array) -> int:
        """Count the rows that have entries."""
        return self.count(f"count_filled<{self.engine.c_type(indptr)}>", int(indptr.shape[0]) - 1, indptr)

    def count_arcs(self, indptr: Array, rows: Array) -> int:
        """Count the entries of the chosen rows."""
        name = f"count_arcs<{self.engine.c_type(indptr)}, {self.engine.c_type(rows)}>"
        return self.count(name, int(rows.shape[0]), indptr, before=(rows,))

    def is_rising(self, positions: Array) -> bool:
        """Whether each position is greater than the one before."""
        size = int(positions.shape[0])
        return size < 2 or not self.count(f"count_falls<{self.engine.c_type(positions)}>", size, positions)

    def is_same(self, left: Array, right: Array) -> bool:
        """Whether two arrays of one dtype are equal everywhere; NaN equals nothing."""
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        if left.dtype.kind == "c":  # by parts
            left, right = (one.view(f"float{4 * one.dtype.itemsize}") for one in (left, right))
        name = f"count_differing<{self.engine.c_type(left)}>"
        return not self.count(name, int(left.shape[0]), left, before=(right,))

    def count(self, name: str, size: int, array: Array, *after: Any, before: tuple[Any, ...] = ()) -> int:
        """Launch a kernel that counts over `size` elements, and read the count."""
        if not size:
            return 0
        counter = self.engine.device.take_counter()
        self.launch(name, size, (array, *before, np.int64(size), *after, counter.array))
        return self.engine.device.read_counters(counter)[0]

    def launch(self, name: str, size: int, arguments: tuple[Any, ...]) -> None:
        """Launch a kernel over `size` elements, if there are any."""
        if size:
            launch_over(self.get_kernel(name), size, arguments)
