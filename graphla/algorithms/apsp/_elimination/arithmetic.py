"""The numbers of an elimination: how weights become cells of a front, and cells become distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.apsp._start import cast, is_non_negative
from graphla.algorithms.sssp._weights import infinity


@dataclass(frozen=True)
class Arithmetic:
    """How the kernels add and compare.

    Parameters
    ----------
    dtype : dtype
        That of the distances.
    view : dtype
        That of the cells: non-negative integers are viewed as unsigned, where twice the largest signed number fits.
    infinity : scalar
        The cell that means no path.
    limits : tuple or None
        (lowest, infinity) where sums saturate, None where they never leave the type.
    last : scalar
        The largest cell that is a distance.
    """

    dtype: np.dtype[Any]
    view: np.dtype[Any]
    infinity: Any
    limits: Any
    last: Any

    @property
    def far(self) -> Any:
        """What is returned where there is no path, as a cell."""
        return self.view.type(infinity(self.dtype))

    def convert(self, values: Any) -> Any:
        """Convert the weights of a graph to cells."""
        cells = np.ascontiguousarray(cast(values, self.dtype)).view(self.view)
        return np.where(cells == self.far, self.infinity, cells)


def choose_arithmetic(G: Any, dtype: np.dtype[Any]) -> Arithmetic:
    """Choose the fastest arithmetic that is exact for the weights of a graph."""
    from graphla.algorithms.apsp._tiles import choose_narrow_numbers

    small, far = choose_narrow_numbers(G, dtype), infinity(dtype)
    if small is not None:
        return Arithmetic(dtype, dtype, dtype.type(small.far), None, dtype.type(small.last))
    if dtype.kind == "i" and is_non_negative(G):
        view = np.dtype(f"u{dtype.itemsize}")
        return Arithmetic(dtype, view, view.type(far), None, view.type(far))
    limits = None if dtype.kind == "f" else (dtype.type(np.iinfo(dtype).min), far)
    return Arithmetic(dtype, dtype, far, limits, far)
