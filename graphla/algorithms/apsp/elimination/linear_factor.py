"""`LinearFactor`: a symmetric matrix after elimination over plus and times, which solves linear equations."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.equations import HostEquations, count_bytes, require_symmetric
from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.common.arguments import show, to_bool
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, NotSupported, SingularMatrix
from graphla.common.interrupts import show_interrupts
from graphla.common.memory import require
from graphla.common.typing import ArrayLike
from graphla.containers import display
from graphla.containers.vector import Vector
from graphla.graphs.aligning import align
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import are_equal
from semirings.dtypes import lookup

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
        The graph whose adjacency matrix it is.
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
        self._graph, self._structure, self._type = G, structure, dtype
        self._equations = make_equations(G, structure, dtype)
        self._refuse_pivot(self._equations.work.run())
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
        E = self._equations
        x, size, growth = E.probe, 1.0, 0.0
        for _ in range(2 * (self.n > 0)):
            x = E.apply(x, scale=1 / size)
            size = growth = E.find_largest(x)
        if not growth * E.scale * np.finfo(self._type).eps * MARGIN < 1:
            wide = "" if self._type.itemsize == 8 else ", or ask for dtype='FP64'"
            raise SingularMatrix(
                f"G={show(self._graph)}: singular to rounding in {self.dtype}: its condition number is at least "
                f"{growth * E.scale:.1e}: add to the diagonal{wide}"
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
        return lookup(self._type).name

    @property
    def nbytes(self) -> int:
        """The bytes of L and D."""
        return self._equations.nbytes

    @property
    def inertia(self) -> tuple[int, int]:
        """The numbers of positive and of negative eigenvalues of A, which are those of D (Sylvester)."""
        d = self._equations.pivots
        return int((d > 0).sum()), int((d < 0).sum())

    @show_interrupts
    def solve(self, b: Vector | ArrayLike, *, refine: bool = True) -> Any:
        """Solve A x = b, refined to the accuracy of FP64.

        Parameters
        ----------
        b : Vector or array
            A full Vector, or an array of shape (n,) for one right-hand side or (n, k) for k. Those of the GPU where the
            factor is are solved there; others are copied to it, and the solution back.
        refine : bool
            Whether the residual is looked at, and made small. Without it a solution costs one pass over the factor, and
            is as near as the dtype of the factor and the condition of A allow.

        Returns
        -------
        Vector or array
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
        values, wrap = self._read_sides(b)
        x = self._equations.apply(values)
        return wrap(self._refine(x, values) if to_bool(refine, "refine") else x)

    def _refine(self, x: Any, values: Any) -> Any:
        """Return x after steps of refinement."""
        E = self._equations
        residual, error, before = *self._measure_error(x, values), np.inf
        for _ in range(STEPS):
            if not ROUNDINGS * np.finfo(np.float64).eps < error < before / 2:
                break
            before = error
            better = E.apply(residual, onto=x)
            residual, error = self._measure_error(better, values)
            x = better if error < before else x
        if not min(error, before) < np.sqrt(np.finfo(np.float64).eps):
            raise SingularMatrix(
                f"G={show(self._graph)}: nearly singular: A x differs from b by {error:.1e} of their size"
            )
        return x

    def _measure_error(self, x: Any, b: Any) -> tuple[Any, float]:
        """Return b − A x and the largest backward error of the columns: |b − A x| / (|A| |x| + |b|)."""
        residual, (of_residual, of_x, of_b) = self._equations.find_residual(x, b)
        size = self._equations.scale * of_x + of_b
        return residual, float(np.max(of_residual / np.where(size > 0, size, 1), initial=0.0))

    def _read_sides(self, b: Any) -> tuple[Any, Any]:
        """Return right-hand sides where they are solved, and what wraps the solution as they were given."""
        E, wrap = self._equations, self._equations.fetch
        if isinstance(b, Vector):
            if b.size != self.n or b.nvals != self.n:
                every = f"give an entry for each of {self.n:,} rows: b.to_dense(0) fills gaps"
                raise DimensionMismatch(f"b={show(b)}: {every}")
            engine = b.engine
            wrap = partial(self._make_vector, engine)
            b = b.to_dense() if engine is self._graph.engine else engine.to_host(b.to_dense())
        elif E.owns(b):
            wrap = _leave
        return self._check_sides(b if E.owns(b) else read_array(b)), wrap

    def _make_vector(self, engine: Any, x: Any) -> Vector:
        """Return a solution as a Vector of an engine."""
        return Vector.from_dense(x if engine is self._graph.engine else self._equations.fetch(x), engine=engine)

    def _check_sides(self, b: Any) -> Any:
        """Return right-hand sides in FP64 where they are solved."""
        if b.dtype.kind not in "biuf":
            raise DomainMismatch(f"b={show(b)}: give a Vector or an array of real numbers")
        if b.ndim not in (1, 2) or b.shape[0] != self.n:
            raise DimensionMismatch(f"b: an array of shape {b.shape}; it must be ({self.n},) or ({self.n}, k)")
        values = self._equations.send(b)
        if not np.isfinite(self._equations.find_largest(values)):
            raise DomainMismatch("b: a number is NaN or infinite")
        return values

    @show_interrupts
    def refactor(self, G: Graph) -> LinearFactor:
        """Factorize a matrix with the same places and other values, without a new symbolic phase.

        Parameters
        ----------
        G : Graph
            The graph of the matrix. Labels say which row is which, if there are some, else numbers.

        Returns
        -------
        LinearFactor
            A new factor.

        Raises
        ------
        InvalidGraph
            If its entries are at other places, it is not symmetric, or one of both has labels and the other none.
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
        if G.engine is not self._graph.engine:
            raise InvalidGraph(f"G={show(G)}: it is on {G.engine.name}, and this factor on {self._graph.engine.name}")
        old, aligned = self._graph.csr, align(G, self._graph, "G")
        if not (are_equal(old.indptr, aligned.csr.indptr) and are_equal(old.indices, aligned.csr.indices)):
            raise InvalidGraph(
                f"G={show(G)}: its entries are not where those of this factor are: gl.factorize(G, "
                "semiring='plus_times') makes another"
            )
        require_symmetric(aligned)
        return LinearFactor(Graph(aligned.A.dup(), name=G.name), self._structure, self._type)


def factorize_matrix(G: Graph, structure: Structure, dtype: Any) -> LinearFactor:
    """Factorize the adjacency matrix of a graph; `dtype` is what was asked for."""
    if dtype is not None and lookup(dtype).name not in ("FP32", "FP64"):
        raise NotSupported(f"dtype={show(dtype)}: plus_times is eliminated in FP32 or FP64")
    cells = np.dtype(np.float64 if dtype is None else lookup(dtype).numpy)
    nbytes = find_counter(G)(structure, cells.itemsize)
    require(nbytes, f"the factor of {G.n:,} rows", G.engine.xp, "method of SciPy: cg needs no factor")
    require_symmetric(G)
    return LinearFactor(Graph(G.A.dup(), name=G.name), structure, cells)


def find_counter(G: Graph) -> Any:
    """Return what counts the bytes that a factor of a graph takes on its engine."""
    if G.engine.name == "cpu":
        return count_bytes
    from graphla.algorithms.apsp.elimination import ldl_cuda

    return ldl_cuda.count_bytes


def make_equations(G: Graph, structure: Structure, dtype: Any) -> Any:
    """Return a matrix on the engine of its graph, not yet factorized."""
    if G.engine.name == "cpu":
        return HostEquations(G, structure, dtype)
    from graphla.algorithms.apsp.elimination.equations_cuda import DeviceEquations

    return DeviceEquations(G, structure, dtype)


def _leave(x: Any) -> Any:
    """Return a solution as it is."""
    return x


def read_array(b: Any) -> Any:
    """Return what is given as right-hand sides as an array of the host."""
    try:
        return np.asarray(b)
    except (TypeError, ValueError):
        raise DomainMismatch(f"b={show(b)}: give a Vector or an array of real numbers") from None
