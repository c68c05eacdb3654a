"""The rows of V of Lanczos on a GPU, and the null vectors of a Laplacian there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.equations_cuda import DeviceMatrix
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array
from graphla.storage.convert import make_pointers

BASIS_THREADS, BASIS_BLOCKS = 256, 264  # two blocks a multiprocessor, whose sums the next kernel adds up
NULL_THREADS, ROTATED = 256, 32
PIECE = 2048
"""Vertices of a part of a graph that a block takes."""
KERNELS = Path(__file__).with_suffix(".cuh")
BasisParameters = read_struct(KERNELS, "BasisParameters")
NullParameters = read_struct(KERNELS, "NullParameters")


TOGETHER = (
    "multiply_rows", "leave_rows", "take_row", "rotate_rows", "sum_null", "leave_null", "find_peaks", "sum_squares",
    "lay_out",
)  # fmt: skip
"""Kernels that are compiled as one module."""


def get_kernel(engine: KernelEngine, name: str, takes: Any = None) -> Any:
    """Return a kernel, which is compiled with those beside it."""
    return engine.kernel(KERNELS, name, takes=takes, beside=TOGETHER if name in TOGETHER else ())


class DeviceBasis:
    """The rows of V on a device; see `Basis`.

    Parameters
    ----------
    engine : KernelEngine
        Where they are.
    n : int
        Their length.
    apply : callable
        The operator; what it returns is overwritten.
    project : callable
        What takes from a vector, in place, its part outside of the operator's range.
    """

    def __init__(
        self,
        engine: KernelEngine,
        n: int,
        apply: Callable[[Array], Array],
        project: Callable[[Array], Array],
    ) -> None:
        self.engine, self.n, self.apply, self.project = engine, n, apply, project
        engine.begin(KERNELS, *TOGETHER)

    def reserve(self, rows: int) -> None:
        """Make room for rows."""
        xp, blocks = self.engine.xp, count_blocks(self.n)
        self.V, self.sums = xp.empty((rows, self.n), np.float64), xp.empty(rows * blocks, np.float64)
        self.squares, self.diagonals = xp.empty(blocks, np.float64), xp.zeros((2, rows), np.float64)

    def draw(self, j: int, start: Any) -> None:
        """Make row j of a vector of the host."""
        self._add_row(j, self.engine.asarray(start))

    def step(self, j: int) -> None:
        """Make row j + 1 from row j."""
        self._add_row(j + 1, self.apply(self.V[j]))

    def _add_row(self, rows: int, w: Array) -> None:
        """Make a row of w less its parts along the rows before, and outside of the range."""
        alpha, beta = self.diagonals
        parameters = BasisParameters(
            V=self.V, w=w, n=self.n, rows=rows, sums=self.sums, squares=self.squares, alpha=alpha, beta=beta, again=0
        )
        for again in range(2):
            now = parameters._replace(again=again)
            self._launch("multiply_rows", now)
            self._launch("leave_rows", now, 8 * rows)
            if not again:
                self.project(w)
        self._launch("take_row", parameters)

    def _launch(self, name: str, parameters: Any, shared: int = 0) -> None:
        """Launch a kernel over all parts of the vectors."""
        kernel = get_kernel(self.engine, name, BasisParameters)
        kernel(count_blocks(self.n), BASIS_THREADS, parameters, shared)

    def read(self) -> tuple[Any, Any]:
        """Return α and β of all steps on the host."""
        alpha, beta = self.engine.to_host(self.diagonals)
        return alpha, beta

    def rotate(self, Y: Any) -> None:
        """Replace the first rows by the combinations that the columns of Y say."""
        rows, kept = Y.shape
        arguments = (
            self.V,
            np.int64(self.n),
            np.int32(rows),
            np.int32(kept),
            self.engine.asarray(np.ascontiguousarray(Y)),
        )
        get_kernel(self.engine, "rotate_rows")(-(-self.n // ROTATED), ROTATED, arguments, 8 * rows * ROTATED)

    def move(self, source: int, target: int) -> None:
        """Copy a row."""
        self.engine.device.copy_into(self.V[target], self.V[source])

    def lay_out(self, first: Any, k: int) -> Array:
        """Return some vectors of the host and the first k rows as columns, the largest entry of each positive."""
        xp, columns, blocks = self.engine.xp, first.shape[1] + k, count_blocks(self.n)
        rows = self.V[:k]
        if first.shape[1]:
            rows = xp.empty((columns, self.n), np.float64)
            self.engine.device.copy_into(rows[: first.shape[1]], self.engine.asarray(np.ascontiguousarray(first.T)))
            self.engine.device.copy_into(rows[first.shape[1] :], self.V[:k])
        peaks = xp.empty((columns, blocks), np.float64)
        n = np.int64(self.n)
        get_kernel(self.engine, "find_peaks")((blocks, columns), BASIS_THREADS, (rows, n, peaks))
        found = self.engine.to_host(peaks)
        largest = found[np.arange(columns), np.argmax(abs(found), axis=1)]
        signs = self.engine.asarray(np.where(largest < 0, -1.0, 1.0))
        out = xp.empty((self.n, columns), np.float64)
        launch = get_kernel(self.engine, "lay_out")
        launch(-(-out.size // BASIS_THREADS), BASIS_THREADS, (rows, n, np.int32(columns), signs, out))
        return out

    def measure_errors(self, A: DeviceMatrix, values: Any, vectors: Array) -> float:
        """Return the largest ‖A v − λ v‖ over the norm of A."""
        residual, _ = A.find_residual(vectors, vectors, self.send(values))
        return float(measure_columns(self.engine, residual).max(initial=0)) / (A.scale or 1.0)

    def send(self, values: Any) -> Array:
        """Return numbers of the host on the device."""
        return self.engine.asarray(values)


def count_blocks(n: int) -> int:
    """Return how many blocks share out vectors of n numbers."""
    return max(1, min(BASIS_BLOCKS, -(-n // (4 * BASIS_THREADS))))


def measure_columns(engine: KernelEngine, x: Array) -> Any:
    """Return the lengths of the columns of a matrix on the device, on the host."""
    n, columns = x.shape
    sums = engine.xp.empty((columns, count_blocks(n)), np.float64)
    arguments = x, np.int64(n), np.int32(columns), sums
    get_kernel(engine, "sum_squares")((count_blocks(n), columns), BASIS_THREADS, arguments)
    return np.sqrt(engine.to_host(sums).sum(axis=1))


def divide_rows(engine: KernelEngine, x: Array, first: int, length: Any) -> Array:
    """Return the columns of x from `first` on, row e divided by ``length[e]``, which is on the host."""
    n, columns = x.shape
    out = engine.xp.empty((n, columns - first), np.float64)
    arguments = x, np.int64(n), np.int32(columns), np.int32(first), engine.asarray(length), out
    if out.size:
        get_kernel(engine, "divide_rows")(-(-out.size // BASIS_THREADS), BASIS_THREADS, arguments)
    return out


class DeviceNull:
    """The null vectors of a Laplacian on a device, one for each component.

    Parameters
    ----------
    engine : KernelEngine
        Where they are.
    labels, null : ndarray
        The component of each vertex, and its value there.
    """

    def __init__(self, engine: KernelEngine, labels: Any, null: Any) -> None:
        sizes = np.bincount(labels)
        counts = -(-sizes // PIECE)
        of = np.repeat(np.arange(sizes.size), counts)
        inside = PIECE * (np.arange(of.size) - np.repeat(np.cumsum(counts) - counts, counts))
        bounds = np.append((np.cumsum(sizes) - sizes)[of] + inside, labels.size)
        given = np.argsort(labels, kind="stable"), bounds, of, make_pointers(np, counts)
        self.engine, self.count, self.null = engine, of.size, engine.asarray(null)
        self.tables = [engine.asarray(part.astype(np.int32)) for part in given]

    def project(self, x: Array) -> Array:
        """Take from x its parts along the null vectors, in place; it has shape (n,) or (n, k)."""
        columns = 1 if x.ndim == 1 else x.shape[1]
        vertices, bounds, of, pieces = self.tables
        parameters = NullParameters(
            x=x, columns=columns, null=self.null, vertices=vertices, bounds=bounds, of=of, pieces=pieces,
            count=self.count, sums=self.engine.xp.empty(self.count * columns, np.float64),
        )  # fmt: skip
        for name in ("sum_null", "leave_null") if x.size else ():
            kernel = get_kernel(self.engine, name, NullParameters)
            kernel((self.count, columns), NULL_THREADS, parameters)
        return x
