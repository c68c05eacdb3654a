"""`LinearFactor`: a symmetric matrix after elimination over plus and times, which solves linear equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.structure import Structure, measure_stacks
from graphla.common.arguments import show, to_bool
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, NotSupported, SingularMatrix
from graphla.common.interrupts import show_interrupts
from graphla.common.memory import require
from graphla.common.typing import ArrayLike
from graphla.containers import display
from graphla.containers.vector import Vector
from graphla.engine.cpu.threads import run_for_each
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from semirings.dtypes import lookup

TILE = 16
"""Right-hand sides that pass over the factor together: a row of them is two cache lines."""
STEPS = 5
"""Steps of refinement at most; two are enough unless the matrix is nearly singular."""
ROUNDINGS = 16
"""Backward error, in roundings of FP64, up to which a solution is not refined."""
MARGIN = 32
"""How many roundings from singular a matrix must be, by an estimate from below of the norm of its inverse."""


class LinearFactor:
    """A symmetric matrix A = L D Lᵀ: make it by ``factorize(G, semiring="plus_times")``.

    Parameters
    ----------
    G : Graph
        The graph whose adjacency matrix it is, on the CPU.
    structure : Structure
        The fronts.
    dtype : dtype
        FP32 or FP64.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1, 1], [0, 1, 0, 1], [2.0, 1.0, 1.0, 3.0]), engine="cpu")
    >>> F = gl.factorize(G, semiring="plus_times")
    >>> F.solve([4.0, 7.0]).round(12).tolist()
    [1.0, 2.0]
    >>> F.inertia
    (2, 0)
    """

    semiring = "plus_times"
    """The name of the semiring."""

    def __init__(self, G: Graph, structure: Structure, dtype: np.dtype[Any]) -> None:
        from graphla.algorithms.apsp.elimination.ldl import Decomposition  # here, because Numba takes a second

        self._matrix, self._graph, self._structure = read_symmetric(G), G, structure
        self._scale = float(abs(self._matrix).sum(axis=1).max(initial=0.0))
        values = self._matrix.data.astype(dtype)
        self._work = Decomposition(structure, values, np.finfo(dtype).eps * float(np.abs(values).max(initial=0)))
        self._refuse_pivot(self._work.run())
        self._refuse_singular()

    def _refuse_pivot(self, position: int) -> None:
        """Raise if the elimination stopped at a pivot."""
        if position >= 0:
            vertex = int(self._structure.order[position])
            raise SingularMatrix(
                f"G={show(self._graph)}: nothing is left of the diagonal at vertex {vertex} when it is eliminated: the "
                "matrix is singular, as a Laplacian is, or needs pivots off the diagonal, which are not taken here: "
                "add to the diagonal, or take scipy.sparse.linalg.splu(G.A.to_scipy_sparse('csc'))"
            )

    def _refuse_singular(self) -> None:
        """Raise if two steps of inverse iteration show that the matrix is singular to rounding."""
        x = np.random.default_rng(0).choice([-1.0, 1.0], self.n)
        growth = 0.0
        for _ in range(2 * (self.n > 0)):
            x = self._apply(x / np.linalg.norm(x))
            growth = float(np.linalg.norm(x))
        if not growth * self._scale * np.finfo(self._work.dtype).eps * MARGIN < 1:
            wide = "" if self._work.dtype.itemsize == 8 else ", or ask for dtype='FP64'"
            raise SingularMatrix(
                f"G={show(self._graph)}: singular to rounding in {self.dtype}: its condition number is at least "
                f"{growth * self._scale:.1e}: add to the diagonal{wide}"
            )

    def _repr_html_(self) -> str:
        return display.format_facts(self, rows=f"{self.n:,}", bytes=f"{self.nbytes:,}", graph=self._graph)

    def __repr__(self) -> str:
        return f"LinearFactor of {self.n:,} rows over {self.semiring}: {self.nbytes:,} bytes of {self.dtype}"

    @property
    def n(self) -> int:
        """The number of rows."""
        return self._structure.n

    @property
    def dtype(self) -> str:
        """The name of the dtype of the factor."""
        return lookup(self._work.dtype).name

    @property
    def nbytes(self) -> int:
        """The bytes of L and D."""
        return int(self._work.panels.nbytes + self._work.d.nbytes)

    @property
    def inertia(self) -> tuple[int, int]:
        """The numbers of positive and of negative eigenvalues of A, which are those of D (Sylvester)."""
        return int((self._work.d > 0).sum()), int((self._work.d < 0).sum())

    @show_interrupts
    def solve(self, b: Vector | ArrayLike, *, refine: bool = True) -> Any:
        """Solve A x = b, refined to the accuracy of FP64.

        Parameters
        ----------
        b : Vector or array
            A full Vector, or an array of shape (n,) for one right-hand side or (n, k) for k.
        refine : bool
            Whether the residual is looked at, and made small. Without it a solution costs one pass over the factor, and
            is as near as the dtype of the factor and the condition of A allow.

        Returns
        -------
        Vector or ndarray
            What `b` was, of FP64.

        Raises
        ------
        DimensionMismatch
            If `b` has other shapes, or is a Vector with gaps.
        DomainMismatch
            If `b` holds a NaN, an infinite or a complex number.
        SingularMatrix
            If the refinement ends with an error that single precision would have: the matrix is nearly singular.

        Notes
        -----
        Two passes over the factor, O(n log n) for a planar graph, and two more for each step of refinement:
        x ← x + F⁻¹(b − A x) with the residual in FP64, until it is that of a matrix whose entries are off by a
        rounding. N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, chapter 12.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 0], [2.0, 2.0]), engine="cpu")
        >>> G.A[0, 0] = 1.0
        >>> gl.factorize(G, semiring="plus_times").solve([5, 2]).tolist()
        [1.0, 2.0]
        """
        values, wrap = read_sides(b, self.n)
        x = self._apply(values)
        return wrap(self._refine(x, values) if to_bool(refine, "refine") else x)

    def _refine(self, x: Any, values: Any) -> Any:
        """Return x after steps of refinement."""
        error, before = self._measure_error(x, values), np.inf
        for _ in range(STEPS):
            if not ROUNDINGS * np.finfo(np.float64).eps < error < before / 2:
                break
            before = error
            better = x + self._apply(values - self._matrix @ x)
            error = self._measure_error(better, values)
            x = better if error < before else x
        if not min(error, before) < np.sqrt(np.finfo(np.float64).eps):
            raise SingularMatrix(
                f"G={show(self._graph)}: nearly singular: A x differs from b by {error:.1e} of their size"
            )
        return x

    def _measure_error(self, x: Any, b: Any) -> float:
        """Return the largest backward error of the columns: |b − A x| / (|A| |x| + |b|)."""
        if not x.size:
            return 0.0
        size = self._scale * abs(x).max(axis=0) + abs(b).max(axis=0)
        return float(np.max(abs(b - self._matrix @ x).max(axis=0) / np.where(size > 0, size, 1)))

    def _apply(self, b: Any) -> Any:
        """Return the solution without refinement, in FP64."""
        from graphla.algorithms.apsp.elimination.ldl import solve_one, solve_tile

        work, order = self._work, self._structure.order
        X = np.ascontiguousarray(b[order], work.dtype)
        if X.ndim == 1 or X.shape[1] == 1:
            solve_one(X.reshape(-1), work.tables, work.panels, work.d)
        else:
            tiles = [np.ascontiguousarray(X[:, low : low + TILE]) for low in range(0, max(1, X.shape[1]), TILE)]
            run_for_each(lambda tile: solve_tile(tile, work.tables, work.panels, work.d), tiles)
            X = np.concatenate(tiles, axis=1)
        x = np.empty(X.shape)
        x[order] = X
        return x

    def refactor(self, G: Graph) -> LinearFactor:
        """Factorize a matrix with the same places and other values, without a new symbolic phase.

        Parameters
        ----------
        G : Graph
            The graph of the matrix.

        Returns
        -------
        LinearFactor
            A new factor.

        Raises
        ------
        InvalidGraph
            If its entries are at other places, or it is not symmetric.
        DomainMismatch
            If an entry is infinite.
        SingularMatrix
            As of `factorize`.

        Examples
        --------
        >>> import graphla as gl
        >>> F = gl.factorize(gl.Graph(([0, 1], [0, 1], [1.0, 2.0]), engine="cpu"), semiring="plus_times")
        >>> F.refactor(gl.Graph(([0, 1], [0, 1], [4.0, 2.0]), engine="cpu")).solve([4, 2]).tolist()
        [1.0, 1.0]
        """
        require_graph(G)
        require_host(G)
        old = self._graph.csr
        if not (np.array_equal(old.indptr, G.csr.indptr) and np.array_equal(old.indices, G.csr.indices)):
            raise InvalidGraph(
                f"G={show(G)}: its entries are not where those of this factor are: gl.factorize(G, "
                "semiring='plus_times') makes another"
            )
        return LinearFactor(G, self._structure, self._work.dtype)


def factorize_matrix(G: Graph, structure: Structure, dtype: Any) -> LinearFactor:
    """Factorize the adjacency matrix of a graph; `dtype` is what was asked for."""
    require_host(G)
    if dtype is not None and lookup(dtype).name not in ("FP32", "FP64"):
        raise NotSupported(f"dtype={show(dtype)}: plus_times is eliminated in FP32 or FP64")
    cells = np.dtype(np.float64 if dtype is None else lookup(dtype).numpy)
    panels = int((structure.widths * (structure.widths + structure.boundaries)).sum())
    fronts = int(measure_stacks(structure)[structure.parent < 0].max(initial=0))
    require(
        (panels + fronts) * cells.itemsize, f"the factor of {G.n:,} rows", np, "method of SciPy: cg needs no factor"
    )
    return LinearFactor(Graph(G.A.dup(), name=G.name), structure, cells)


def require_host(G: Graph) -> None:
    """Refuse a graph that is not on the CPU."""
    if G.engine.name != "cpu":
        raise NotSupported(f"G={show(G)}: plus_times is factorized on the CPU alone so far: give G.to('cpu')")


def read_symmetric(G: Graph) -> Any:
    """Return the adjacency matrix as a CSR array of FP64; refuse one that is not symmetric or finite."""
    from scipy.sparse import csr_array

    part = G.csr
    values = np.broadcast_to(part.values, part.indices.shape).astype(np.float64)
    if values.size and not np.isfinite(values).all():
        raise DomainMismatch(f"G={show(G)}: an entry is infinite or too large for FP64: equations need finite numbers")
    if not G.symmetric:
        raise InvalidGraph(
            f"G={show(G)}: the matrix is not symmetric, and only symmetric ones are factorized over plus_times: "
            "gl.Graph(binary.max(G.A | G.A.T).new()) makes it so"
        )
    return csr_array((values, part.indices, part.indptr), shape=(G.n, G.n))


def read_sides(b: Any, n: int) -> tuple[Any, Any]:
    """Return right-hand sides as an array of FP64, and what wraps the solution as they were given."""
    if isinstance(b, Vector):
        if b.size != n or b.nvals != n:
            raise DimensionMismatch(f"b={show(b)}: give an entry for each of {n:,} rows: b.to_dense(0) fills gaps")
        engine = b.engine
        return np.asarray(engine.to_host(b.to_dense()), np.float64), lambda x: Vector.from_dense(x, engine=engine)
    try:
        values = np.asarray(b)
        if values.dtype.kind not in "biuf":
            raise TypeError
    except (TypeError, ValueError):
        raise DomainMismatch(f"b={show(b)}: give a Vector or an array of real numbers") from None
    if values.ndim not in (1, 2) or values.shape[0] != n:
        raise DimensionMismatch(f"b: an array of shape {values.shape}; it must be ({n},) or ({n}, k)")
    if not np.isfinite(values).all():
        raise DomainMismatch("b: a number is NaN or infinite")
    return values.astype(np.float64), lambda x: x
