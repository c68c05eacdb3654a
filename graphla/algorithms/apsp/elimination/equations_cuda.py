"""A symmetric matrix with its factor on a GPU: what `LinearFactor` asks of an engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.equations import require_finite, require_symmetric
from graphla.algorithms.apsp.elimination.ldl_cuda import DeviceDecomposition
from graphla.algorithms.apsp.elimination.solves_cuda import DeviceSolver
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.graphs.graph import Graph
from graphla.storage import Array
from semirings.dtypes import lookup

THREADS, BLOCKS = 256, 1024
LONG = 24
"""Entries of a row, on the average, from which a warp takes one."""
KERNELS = Path(__file__).with_suffix(".cuh")


class DeviceEquations:
    """A x = b on a GPU.

    Parameters
    ----------
    G : Graph
        The graph of A.
    structure : Structure
        Its fronts.
    dtype : dtype
        That of the factor, FP32 or FP64.
    """

    def __init__(self, G: Graph, structure: Structure, dtype: np.dtype[Any]) -> None:
        engine: Any = G.engine
        self.engine, self.n, self.csr = engine, G.n, G.csr
        self.values = engine.cast(self.csr.values, lookup("FP64"))
        self.scale, largest = self._measure_matrix()
        require_finite(G, bool(np.isfinite(self.scale)))
        require_symmetric(G)
        least = dtype.type(np.finfo(dtype).eps * largest)
        self.work = DeviceDecomposition(engine, structure, engine.cast(self.values, lookup(dtype)), least)
        self.apply = DeviceSolver(self.work).apply

    @property
    def nbytes(self) -> int:
        """The bytes of the factor."""
        return int(self.work.panels.cells.nbytes + self.work.d.nbytes)

    @property
    def pivots(self) -> Any:
        """The pivots by positions, on the host."""
        return self.engine.to_host(self.work.d)

    def owns(self, b: Any) -> bool:
        """Whether an array need not be sent."""
        return isinstance(b, self.engine.xp.ndarray)

    def send(self, b: Any) -> Array:
        """Return an array in FP64 where solutions are computed."""
        held = self.engine.xp.ascontiguousarray(b) if self.owns(b) else self.engine.asarray(np.ascontiguousarray(b))
        return self.engine.cast(held.reshape(-1), lookup("FP64")).reshape(held.shape)

    def fetch(self, x: Array) -> Any:
        """Return an array on the host."""
        return self.engine.to_host(x)

    def find_largest(self, x: Array) -> float:
        """Return the largest magnitude of some numbers of FP64."""
        return float(self._measure("find_largest", 1, (x, np.int64(x.size)), x.size)[0])

    def _measure_matrix(self) -> tuple[float, float]:
        """Return the largest sum of the magnitudes of a row, and the largest magnitude."""
        name = f"measure_matrix<{self.engine.c_type(self.csr.indptr)}>"
        rows, entries = self._measure(name, 2, (self.csr.indptr, self.values, np.int32(self.n)), self.n)
        return float(rows), float(entries)

    def find_residual(self, x: Array, b: Array) -> tuple[Array, Any]:
        """Return b − A x, and of each column the largest magnitudes of it, of x and of b, on the host."""
        r, columns = self.engine.xp.empty(x.shape, np.float64), 1 if x.ndim == 1 else x.shape[1]
        team = 32 if self.csr.indices.size >= LONG * self.n else 1
        name = f"find_residual<{self.engine.c_type(self.csr.indptr)}, {team}>"
        matrix = self.csr.indptr, self.csr.indices, self.values, np.int32(self.n), np.int32(columns)
        return r, self._measure(name, 3 * columns, (*matrix, x, b, r), self.n * team, columns).reshape(3, columns)

    def _measure(self, name: str, count: int, arguments: tuple[Any, ...], threads: int, columns: int = 1) -> Any:
        """Launch a kernel that finds the largest of some numbers, and read them."""
        largest = self.engine.xp.zeros(count, np.uint64)
        if threads and columns:
            blocks = min(BLOCKS, -(-threads // THREADS))
            self.engine.kernel(KERNELS, name)((blocks, columns), THREADS, (*arguments, largest))
        return self.engine.to_host(largest).view(np.float64)
