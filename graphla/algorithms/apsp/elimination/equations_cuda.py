"""A symmetric matrix on a GPU, and with its factor: what `LinearFactor` asks of an engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination import ldl_cuda, solves_cuda
from graphla.algorithms.apsp.elimination.equations import draw_probe, require_finite
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.tables import keep_with
from graphla.graphs.graph import Graph
from graphla.storage import Array
from semirings.dtypes import lookup

THREADS, BLOCKS = 256, 1024
LONG = 24
"""Entries of a row, on the average, from which a warp takes one."""
KERNELS = Path(__file__).with_suffix(".cuh")


class DeviceMatrix:
    """A matrix on a GPU, in FP64.

    Parameters
    ----------
    G : Graph
        Its graph.

    Attributes
    ----------
    scale, largest : float
        The largest sum of the magnitudes of a row, and the largest magnitude.
    """

    def __init__(self, G: Graph) -> None:
        engine: Any = G.engine
        self.engine, self.n, self.csr = engine, G.n, G.csr
        self.values = engine.cast(self.csr.values, lookup("FP64"))
        arguments = self.csr.indptr, self.values, np.int32(self.n)
        self.team = 32 if self.csr.indices.size >= LONG * self.n else 1
        found = self._measure("measure_matrix", 2, arguments, self.n)
        self.scale, self.largest = map(float, found)

    def find_residual(self, x: Array, b: Array, factors: Array | None = None) -> tuple[Array, Any]:
        """Return b − A x, and of each column the largest magnitudes of it, of x and of b, on the host.

        The columns of b are multiplied by `factors` if these are given.
        """
        r, columns = self.engine.xp.empty(x.shape, np.float64), 1 if x.ndim == 1 else x.shape[1]
        matrix = self.csr.indptr, self.csr.indices, self.values, np.int32(self.n)
        factor = (b, np.int32(0)) if factors is None else (factors, np.int32(1))
        arguments = *matrix, x, b, *factor, r
        found = self._measure("find_residual", 3 * columns, arguments, self.n * self.team, columns)
        return r, found.reshape(3, columns)

    def find_largest(self, x: Array) -> float:
        """Return the largest magnitude of some numbers of FP64."""
        return float(self._measure("find_largest", 1, (x, np.int64(x.size)), x.size)[0])

    def _measure(self, name: str, count: int, arguments: tuple[Any, ...], threads: int, columns: int = 1) -> Any:
        """Launch a kernel that finds the largest of some numbers, and read them."""
        largest = self.engine.xp.zeros(count, np.uint64)
        if threads and columns:
            blocks = min(BLOCKS, -(-threads // THREADS))
            offset = self.engine.c_type(self.csr.indptr)
            measure, residual = f"measure_matrix<{offset}>", f"find_residual<{offset}, {self.team}>"
            names = {"find_largest": "find_largest", "measure_matrix": measure, "find_residual": residual}
            kernel = self.engine.kernel(KERNELS, names[name], beside=tuple(names.values()))
            kernel((blocks, columns), THREADS, (*arguments, largest))
        return self.engine.to_host(largest).view(np.float64)


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
        self.engine: Any = G.engine
        ldl_cuda.begin(self.engine, structure, dtype)
        self.engine.begin(solves_cuda.KERNELS, solves_cuda.name_kernel(dtype), cooperative=True)
        self.matrix, self.structure = DeviceMatrix(G), structure
        self.scale, self.find_residual = self.matrix.scale, self.matrix.find_residual
        self.find_largest = self.matrix.find_largest
        require_finite(G, bool(np.isfinite(self.scale)))
        least = dtype.type(np.finfo(dtype).eps * self.matrix.largest)
        values = self.engine.cast(self.matrix.values, lookup(dtype))
        self.work = ldl_cuda.DeviceDecomposition(self.engine, structure, values, least)
        self.apply = solves_cuda.DeviceSolver(self.work).apply

    @property
    def nbytes(self) -> int:
        """The bytes of the factor."""
        return int(self.work.panels.cells.nbytes + self.work.d.nbytes)

    @property
    def pivots(self) -> Any:
        """The pivots by positions, on the host."""
        return self.engine.to_host(self.work.d)

    @property
    def probe(self) -> Array:
        """A vector of 1 and −1, copied once."""
        key = "probe", self.engine, self.engine.device.number()
        return keep_with(self.structure, key, lambda: self.engine.asarray(draw_probe(self.structure.n)))

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
