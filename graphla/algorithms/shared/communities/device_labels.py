"""What is done with labels of vertices on a GPU, by kernels of one module: a first call waits for none of CuPy's."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.blocks import make_launch
from graphla.storage import CompressedMatrix
from graphla.storage.convert import choose_index_dtype, expand_rows, make_full, make_pointers, make_row_pointers
from graphla.storage.list_kernels import find_list_kernels

Array = Any
KERNELS = Path(__file__).with_name("labels.cuh")
TOGETHER = (
    "mark", "number", "find_least", "pick", "lift", "count", "number_sizes", "rank", "add_to", "multiply", "flag_ends",
    "add_apart", "round_scaled", "pack<int>", "pack<long long>",
    "flag_between", "flag_first", "fold", "count_up", "scale_twice", "count_long<int>",
    "count_long<long long>",
)  # fmt: skip
"""All are compiled as one module: a climb asks for most of them."""
launch = make_launch(KERNELS, TOGETHER)


class DeviceLabels:
    """Labels are int32, from 0 to n − 1 for n vertices.

    Attributes
    ----------
    engine : CudaEngine
        The engine.
    """

    def __init__(self, engine: Any) -> None:
        self.engine, self.xp, self.launch = engine, engine.xp, partial(launch, engine)

    def begin(self) -> None:
        """Begin to compile the kernels."""
        self.engine.begin(KERNELS, *TOGETHER)

    def count_up(self, labels: Array) -> Array:
        """Make labels 0 … n − 1, and return them."""
        self.launch("count_up", labels.size, np.int32(labels.size), labels)
        return labels

    def renumber(self, labels: Array) -> tuple[Array, int]:
        """Numbers 0, 1, … for labels, in their order, and how many there are."""
        n = int(labels.size)
        used, numbers = self.xp.zeros(n, np.int64), self.xp.empty(n, np.int32)
        self.launch("mark", n, labels, np.int32(n), used)
        upto = make_pointers(self.xp, used)
        self.launch("number", n, labels, upto, np.int32(n), numbers)
        return numbers, self.engine.device.last_number(upto)

    def name_by_smallest(self, labels: Array, count: int) -> Array:
        """The smallest vertex with the label of each vertex, of labels below `count`."""
        least = make_full(self.xp, count, np.iinfo(np.int32).max, "int32")
        self.launch("find_least", labels.size, labels, np.int32(labels.size), least)
        return self.pick(labels, least)

    def pick(self, labels: Array, held: Array) -> Array:
        """Return ``held[labels]``."""
        out = self.xp.empty(labels.size, np.int32)
        self.launch("pick", labels.size, labels, held, np.int32(labels.size), out)
        return out

    def lift(self, labels: Array, owners: Array, count: int) -> Array:
        """For each label, below `count`, the label of the owners of its vertices, which have one in common."""
        out = self.xp.empty(count, np.int32)
        self.launch("lift", labels.size, labels, owners, np.int32(labels.size), out)
        return out

    def rank_by_size(self, labels: Array, count: int) -> Array:
        """The labels below `count` by falling size, equal ones as they are."""
        n, many = np.int32(labels.size), np.int32(count)
        sizes, keys = self.xp.zeros(count, np.int32), self.xp.empty(count, np.int64)
        ranks = self.xp.empty(count, np.int32)
        self.launch("count", labels.size, labels, n, sizes)
        self.launch("number_sizes", count, sizes, many, n, keys)
        self.launch("rank", count, self.engine.device.sort(keys), many, ranks)
        return self.pick(labels, ranks)

    def add_to(self, sums: Array, places: Array, values: Array, side: int = 0) -> None:
        """Add values, of one or two columns, to the rows of `sums` at these places, from a column on."""
        width = 1 if values.ndim == 1 else values.shape[1]
        given = np.int64(places.size), np.int32(width), sums, np.int32(sums.shape[1]), np.int32(side)
        self.launch("add_to", places.size, places, values, *given)

    def add_strengths(self, numbers: Array, count: int, strengths: Array) -> Array:
        """The strengths of groups: of shape (count, sides)."""
        sums = self.xp.zeros((count, strengths.shape[1]))
        self.add_to(sums, numbers, strengths)
        return sums

    def multiply_strengths(self, sums: Array, total: float) -> float:
        """The sum over groups of the product of their strengths, over the weight of all arcs."""
        out = self.xp.empty(sums.shape[0])
        numbers = np.int32(sums.shape[0]), np.int32(sums.shape[1]), np.float64(total)
        self.launch("multiply", sums.shape[0], sums, *numbers, out)
        return float(out.sum())

    def flag_ends(self, rows: CompressedMatrix, labels: Array, same: bool) -> Array:
        """Flag the entries whose row and column have the same label, or others."""
        flags = self.xp.empty(rows.nvals, bool)
        given = expand_rows(rows), rows.indices, labels, np.int64(rows.nvals), np.bool_(same)
        self.launch("flag_ends", rows.nvals, *given, flags)
        return flags

    def add_apart(self, rows: CompressedMatrix, labels: Array) -> float:
        """The weight of entries whose row and column have different labels."""
        total = self.xp.zeros(1)
        given = expand_rows(rows), rows.indices, rows.values, labels, np.int64(rows.nvals)
        self.launch("add_apart", rows.nvals, *given, total)
        return float(total[0])

    def count_long(self, indptr: Array, bound: int) -> int:
        """Count the entries of rows that are longer than a bound; the host waits."""
        counter, n = self.engine.device.take_counter(), int(indptr.size) - 1
        name = f"count_long<{self.engine.c_type(indptr)}>"
        self.launch(name, n, indptr, np.int32(n), np.int64(bound), counter.array)
        return self.engine.device.read_counters(counter)[0]

    def scale_by_power(self, values: Array, power: int) -> Array:
        """Return ``2**power * values``, by two factors, for one may be out of range."""
        out, half = self.xp.empty(values.size), power // 2
        factors = np.float64(2.0**half), np.float64(2.0 ** (power - half))
        self.launch("scale_twice", values.size, values, *factors, np.int64(values.size), out)
        return out

    def round_scaled(self, values: Array, factor: float) -> Array:
        """The nearest whole numbers of ``factor * values``, which are less than 2**52."""
        out = self.xp.empty(values.size)
        self.launch("round_scaled", values.size, values, np.float64(factor), np.int64(values.size), out)
        return out

    def merge(self, rows: CompressedMatrix, numbers: Array, count: int) -> CompressedMatrix:
        """S' W S without its diagonal, where S[v, numbers[v]] = 1."""
        (arcs,) = self.list_between(rows, numbers, [0, count])
        return self.fold(*arcs, count)

    def list_between(self, rows: CompressedMatrix, numbers: Array, bounds: list[int]) -> list[tuple[Array, Array]]:
        """The entries between different groups, by the range of bounds of their rows' groups: pairs, and weights."""
        tails, n = expand_rows(rows), np.int64(rows.nvals)
        flags, found = self.xp.empty(rows.nvals, bool), list[tuple[Array, Array]]()
        for first, last in pairwise(bounds):
            ends = np.int32(first), np.int32(last), flags
            self.launch("flag_between", rows.nvals, tails, rows.indices, numbers, n, *ends)
            chosen = self.engine.lists.list_true(flags, choose_index_dtype(rows.nvals))
            many = int(chosen.size)
            pairs, weights = self.xp.empty(many, np.int64), self.xp.empty(many)
            arcs = tails, rows.indices, rows.values, numbers, np.int64(many)
            self.launch(f"pack<{self.engine.c_type(chosen)}>", many, chosen, *arcs, pairs, weights)
            found.append((pairs, weights))
        return found

    def fold(self, pairs: Array, weights: Array, count: int) -> CompressedMatrix:
        """A matrix of entries, those of one pair of groups added up."""
        xp, many = self.xp, int(pairs.size)
        first = xp.empty(many, np.int64)
        order = self.engine.device.order(pairs)
        self.launch("flag_first", many, pairs, order, np.int64(many), first)
        upto = make_pointers(xp, first)
        left = self.engine.device.last_number(upto)
        tails, heads, sums = xp.empty(left, np.int32), xp.empty(left, np.int32), xp.zeros(left)
        self.launch("fold", many, pairs, order, weights, upto, np.int64(many), tails, heads, sums)
        return CompressedMatrix(count, count, make_row_pointers(xp, tails, count), heads, sums)


def find_device_labels(labels: Array) -> DeviceLabels | None:
    """The kernels for labels on a GPU; None for those on the host."""
    lists: Any = find_list_kernels(labels)
    return None if lists is None else DeviceLabels(lists.engine)
