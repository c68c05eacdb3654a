"""A symmetric matrix with its factor on the host: what `LinearFactor` asks of an engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.structure import Structure, measure_stacks
from graphla.common.arguments import show
from graphla.common.errors import DomainMismatch, InvalidGraph
from graphla.engine.cpu.threads import run_for_each
from graphla.graphs.graph import Graph

TILE = 16
"""Right-hand sides that pass over the factor together: a row of them is two cache lines."""


class HostEquations:
    """A x = b on the host.

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
        from graphla.algorithms.apsp.elimination.ldl import Decomposition  # here, because Numba takes a second

        self.matrix, self.order = read_finite(G), structure.order
        self.scale = float(abs(self.matrix).sum(axis=1).max(initial=0.0))
        values = self.matrix.data.astype(dtype)
        self.work = Decomposition(structure, values, np.finfo(dtype).eps * float(np.abs(values).max(initial=0)))

    @property
    def nbytes(self) -> int:
        """The bytes of the factor."""
        return int(self.work.panels.nbytes + self.work.d.nbytes)

    @property
    def probe(self) -> Any:
        """A vector of 1 and −1."""
        return draw_probe(self.order.size)

    @property
    def pivots(self) -> Any:
        """The pivots by positions, on the host."""
        return self.work.d

    def owns(self, b: Any) -> bool:
        """Whether an array need not be sent."""
        return isinstance(b, np.ndarray)

    def send(self, b: Any) -> Any:
        """Return an array in FP64 where solutions are computed."""
        return np.ascontiguousarray(b, np.float64)

    def fetch(self, x: Any) -> Any:
        """Return an array on the host."""
        return x

    def find_largest(self, x: Any) -> float:
        """Return the largest magnitude of some numbers."""
        return float(abs(x).max(initial=0.0))

    def apply(self, b: Any, onto: Any = None, scale: float = 1.0) -> Any:
        """Return A⁻¹ b · scale without refinement in FP64, added to `onto` if that is given."""
        from graphla.algorithms.apsp.elimination.ldl import solve_one, solve_tile

        work = self.work
        X = np.ascontiguousarray(b[self.order] if scale == 1 else b[self.order] * scale, work.dtype)
        if X.ndim == 1 or X.shape[1] == 1:
            solve_one(X.reshape(-1), work.tables, work.panels, work.d, work.dtype.type(0))
        else:
            tiles = [np.ascontiguousarray(X[:, low : low + TILE]) for low in range(0, max(1, X.shape[1]), TILE)]
            run_for_each(lambda tile: solve_tile(tile, work.tables, work.panels, work.d), tiles)
            X = np.concatenate(tiles, axis=1)
        x = np.empty(X.shape)
        x[self.order] = X
        return x if onto is None else onto + x

    def find_residual(self, x: Any, b: Any) -> tuple[Any, Any]:
        """Return b − A x, and of each column the largest magnitudes of it, of x and of b."""
        r = b - self.matrix @ x
        return r, np.stack([abs(part).max(axis=0, initial=0.0) for part in (r, x, b)])


def draw_probe(n: int) -> Any:
    """Draw 1 and −1, with which inverse iteration begins."""
    return np.random.default_rng(0).choice([-1.0, 1.0], n)


def read_matrix(G: Graph) -> Any:
    """Return the adjacency matrix as a CSR array of FP64 on the host."""
    from scipy.sparse import csr_array

    indptr, indices, values = map(G.engine.to_host, (G.csr.indptr, G.csr.indices, G.csr.values))
    return csr_array((np.asarray(values).astype(np.float64), indices, indptr), shape=(G.n, G.n))


def read_finite(G: Graph) -> Any:
    """Return the same; refuse one with numbers that are not finite."""
    A = read_matrix(G)
    require_finite(G, bool(np.isfinite(A.data).all()))
    return A


def require_finite(G: Graph, finite: bool) -> None:
    """Refuse a matrix with a number that is not finite."""
    if not finite:
        raise DomainMismatch(f"G={show(G)}: an entry is infinite or too large for FP64: equations need finite numbers")


def require_symmetric(G: Graph) -> None:
    """Refuse a matrix that is not symmetric."""
    if not G.symmetric:
        raise InvalidGraph(
            f"G={show(G)}: the matrix is not symmetric, and only symmetric ones are factorized over plus_times: "
            "scipy.sparse.linalg.splu(G.A.to_scipy_sparse('csc')) solves others, and "
            "where rounding alone tells A from Aᵀ, gl.Graph((S + S.T) / 2) of S = G.A.to_scipy_sparse() is symmetric"
        )


def count_bytes(structure: Structure, itemsize: int) -> int:
    """Count the bytes of the panels, and of the fronts that are held at once."""
    panels = int((structure.widths * (structure.widths + structure.boundaries)).sum())
    fronts = int(measure_stacks(structure)[structure.parent < 0].max(initial=0))
    return (panels + fronts) * itemsize
