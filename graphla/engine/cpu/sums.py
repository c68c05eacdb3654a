"""Sums of segments and of rows as NumPy adds them, number after number: the twins of kernels, for small matrices.

`np.add.at` adds in the order of its indices, as a kernel does along a row; so both give the same bits. Whole numbers
of one dtype wrap around as those of machine code.
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from graphla.engine.cpu.late import LateKernel
from semirings import Monoid, Semiring, binary, monoid
from semirings.dtypes import DType

Array = Any
LANES, LONG = 4, 8
"""The sums that a long segment has side by side, and the values from which on it is long: see `kernels/reduce.py`."""
MICROSECONDS = 60
"""What a call of NumPy's functions takes for few numbers."""


def has_plain_sums(add: Monoid, *dtypes: DType) -> bool:
    """Whether numbers of one dtype are added up."""
    return add is monoid.plus and len(set(dtypes)) == 1 and np.dtype(dtypes[0].numpy).kind in "iuf"


def has_plain_products(semiring: Semiring, a: DType, x: DType, out: DType) -> bool:
    """Whether such numbers are what stands in a full matrix, or that times what stands in the other."""
    if semiring.multiply is binary.second:
        return has_plain_sums(semiring.add, x, out)
    return semiring.multiply is binary.times and has_plain_sums(semiring.add, a, x, out)


def compile_sums_late(module: ModuleType) -> SimpleNamespace:
    """The functions of `kernels/reduce.py`, of which `reduce_segments` is interpreted at first."""
    late: Any = LateKernel(module.reduce_segments, 0.17, lambda *given: MICROSECONDS + 0.05 * given[3].shape[0])
    late.in_python = add_segments
    return SimpleNamespace(**{**vars(module), "reduce_segments": late})  # the module may be that of other dtypes, too


def measure_products(
    first: int, last: int, indptr: Array, indices: Array, values: Array, dense: Array, _: Array
) -> Any:
    """The microseconds, about, that NumPy takes."""
    return MICROSECONDS + 0.03 * values.shape[0] * dense.shape[1]


def compile_products_late(module: ModuleType, scaled: bool) -> SimpleNamespace:
    """The function of `kernels/few.py`, interpreted at first; `scaled` by the values of the matrix."""
    late: Any = LateKernel(module.multiply_rows, 0.17, measure_products)
    late.in_python = add_scaled_rows if scaled else add_rows
    return SimpleNamespace(multiply_rows=late)


def add_segments(first: int, last: int, indptr: Array, values: Array, out: Array) -> None:
    """Add up each segment: one of `LONG` values or more in four sums, and what is left over after these."""
    counts = np.diff(indptr[first : last + 1])
    segments = np.repeat(np.arange(last - first), counts)
    values = values[indptr[first] : indptr[last]]
    ranks = np.arange(values.size) - (indptr[first:last] - indptr[first])[segments]
    beside = ranks < np.where(counts >= LONG, counts - counts % LANES, 0)[segments]
    lanes = np.zeros((last - first, LANES), out.dtype)
    np.add.at(lanes, (segments[beside], ranks[beside] % LANES), values[beside])
    out[first:last] = (lanes[:, 0] + lanes[:, 1]) + (lanes[:, 2] + lanes[:, 3])
    np.add.at(out[first:last], segments[~beside], values[~beside])


def add_rows(first: int, last: int, indptr: Array, indices: Array, values: Array, dense: Array, out: Array) -> None:
    """Add up the rows of a full matrix that each row of the other names."""
    low, high = indptr[first], indptr[last]
    add_in_order(np.diff(indptr[first : last + 1]), dense[indices[low:high]], out[first:last])


def add_scaled_rows(
    first: int, last: int, indptr: Array, indices: Array, values: Array, dense: Array, out: Array
) -> None:
    """The same with each row times the value beside its number."""
    low, high = indptr[first], indptr[last]
    products = values[low:high, None] * dense[indices[low:high]]
    add_in_order(np.diff(indptr[first : last + 1]), products, out[first:last])


def add_in_order(counts: Array, rows: Array, out: Array) -> None:
    """Add up so many rows each; the sum of -0 alone is -0."""
    out[...] = -0.0
    np.add.at(out, np.repeat(np.arange(counts.size), counts), rows)
