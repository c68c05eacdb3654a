"""The numbers of an elimination: how values become cells of a front, how cells meet, and how they become results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.apsp.initial import cast, is_non_negative
from graphla.algorithms.shared.weights import infinity
from graphla.storage.convert import make_full
from graphla.storage.list_kernels import find_list_kernels


class MaxMin(NamedTuple):
    """The rule of max_min: a path is as wide as its narrowest arc, and the widest path counts."""

    zero: Any


class MaxTimes(NamedTuple):
    """The rule of max_times: a path is as likely as all its arcs together, and the likeliest counts.

    A cell below 0 is no path; 0 is the product of a path, whose factors may be too small for the dtype.
    """

    zero: Any


@dataclass(frozen=True)
class Arithmetic:
    """How the kernels add and multiply.

    Parameters
    ----------
    semiring : str
        ``"min_plus"``, ``"max_min"`` or ``"max_times"``.
    dtype : dtype
        That of the results.
    view : dtype
        That of the cells: non-negative integers are viewed as unsigned, where twice the largest signed number fits.
    zero, one : scalar
        The cells that mean no path, and the empty path.
    rule : tuple or None
        How the kernels of the CPU add and multiply: see `rules`.
    last : scalar
        The largest cell that is a result.
    absent : scalar
        What is returned where there is no path.
    """

    semiring: str
    dtype: np.dtype[Any]
    view: np.dtype[Any]
    zero: Any
    one: Any
    rule: Any
    last: Any
    absent: Any

    @property
    def far(self) -> Any:
        """What is returned where there is no path, as a cell."""
        return self.view.type(self.absent)

    def convert(self, values: Any, xp: Any = np) -> Any:
        """Convert the values of a graph to cells; both are arrays of `xp`."""
        cells = xp.ascontiguousarray(cast(values, self.dtype)).view(self.view)
        kernels = find_list_kernels(cells)
        if kernels is None:
            return xp.where(cells == self.far, self.zero, cells)
        there, _ = kernels.flag_other(cells, self.far)
        return kernels.choose_flagged(there, cells, make_full(xp, cells.size, self.zero, self.view.name))


def choose_arithmetic(G: Any, dtype: np.dtype[Any], semiring: str = "min_plus") -> Arithmetic:
    """Choose the fastest arithmetic that is exact for the weights of a graph."""
    if semiring == "min_plus":
        return choose_tropical(G, dtype)
    ends = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    low, high = (-np.inf, np.inf) if dtype.kind == "f" else (ends.min, ends.max)
    zero, one = dtype.type(low), dtype.type(high if semiring == "max_min" else 1)
    rule = MaxMin(zero) if semiring == "max_min" else MaxTimes(zero)
    return Arithmetic(semiring, dtype, dtype, zero, one, rule, dtype.type(high), zero)


def choose_tropical(G: Any, dtype: np.dtype[Any]) -> Arithmetic:
    """Choose the arithmetic of min_plus."""
    from graphla.algorithms.apsp.tiles import choose_narrow_numbers

    small, far, one = choose_narrow_numbers(G, dtype), infinity(dtype), dtype.type(0)
    if small is not None:
        zero, last = dtype.type(small.far), dtype.type(small.last)
        return Arithmetic("min_plus", dtype, dtype, zero, one, None, last, far)
    if dtype.kind == "i" and is_non_negative(G):
        view = np.dtype(f"u{dtype.itemsize}")
        return Arithmetic("min_plus", dtype, view, view.type(far), view.type(0), None, view.type(far), far)
    limits = None if dtype.kind == "f" else (dtype.type(np.iinfo(dtype).min), far)
    return Arithmetic("min_plus", dtype, dtype, far, one, limits, far, far)
