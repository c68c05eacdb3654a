"""Lanczos with thick restarts: eigenvectors of the eigenvalues of largest magnitude of a symmetric operator A.

The rows of V are orthonormal, each new one A v less its parts along all before (twice, so that rounding leaves none):

    V A Vᵀ = T,    tridiagonal:  T[j, j] = αⱼ,  T[j, j + 1] = βⱼ

When there are m, those combinations V ← Yᵀ V are kept whose eigenvalues θ of T are largest, and the last row; then T
has θ on its diagonal and β Y[m − 1] in the row below. A pair's error is β |Y[m − 1, i]|. The rows stay where the
operator is: the host reads α and β of all of them together.

Where an eigenvalue is there twice, one vector to begin with leads to one of its eigenvectors, and to another by
rounding alone. So what has been found counts once a further random vector, less its parts along it, leads to none that
is better.

K. Wu, H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J. Matrix Anal. Appl.
22(2), 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from graphla.common.errors import NotConverged

TOLERANCE = 1e-10
"""Error of a pair, of its eigenvalue of the operator, at which Lanczos ends; that of the eigenvalue is its square."""
ROWS = 20
"""Rows of V at least: fewer need more restarts."""
RESTARTS = 300
ROUNDINGS = 64
"""A new row less its parts along the others that is so many roundings long is none: the rows span what A leaves."""


class Basis(Protocol):
    """The rows of V, where the operator is."""

    n: int

    def reserve(self, rows: int) -> None:
        """Make room for rows."""
        ...

    def draw(self, j: int, start: Any) -> None:
        """Make row j of a vector of the host: its part within the operator's range, less those along rows before."""
        ...

    def step(self, j: int) -> None:
        """Make row j + 1 from row j."""
        ...

    def read(self) -> tuple[Any, Any]:
        """Return α and β of all steps on the host."""
        ...

    def rotate(self, Y: Any) -> None:
        """Replace the first rows by the combinations that the columns of Y say."""
        ...

    def move(self, source: int, target: int) -> None:
        """Copy a row."""
        ...

    def lay_out(self, first: Any, k: int) -> Any:
        """Return some vectors of the host and the first k rows as columns, the largest entry of each positive."""
        ...

    def measure_errors(self, A: Any, values: Any, vectors: Any) -> float:
        """Return the largest ‖A v − λ v‖ over the norm of A, for a matrix where the vectors are."""
        ...

    def send(self, values: Any) -> Any:
        """Return numbers of the host where the vectors are."""
        ...


def run_lanczos(basis: Basis, k: int, rank: int, value: Callable[[Any], Any]) -> Any:
    """Find the k eigenvalues μ of largest magnitude.

    Parameters
    ----------
    basis : Basis
        The operator; its first k rows become the eigenvectors.
    k, rank : int
        How many, and how many are not zero, at least as many.
    value : callable
        What is wanted of μ: the pairs are sorted by it.

    Returns
    -------
    ndarray
        float64[k]: what is wanted, in ascending order.

    Raises
    ------
    NotConverged
        If the restarts do not end.
    """
    rows, random = min(basis.n, max(ROWS, 2 * k + 2)), np.random.default_rng(0)
    basis.reserve(rows + 1)
    basis.draw(0, random.standard_normal(basis.n))
    theta = links = np.zeros(0)
    good, sure = 0, False
    for _ in range(RESTARTS):
        for j in range(theta.size, rows):
            basis.step(j)
        mu, Y, beta = solve_small(theta, links, *basis.read(), rows)
        errors = abs(beta * Y[-1])
        good = int((errors <= TOLERANCE * abs(mu))[:k].sum())
        if good == k and (sure or mu.size == rank):
            order = np.argsort(value(mu[:k]), kind="stable")
            basis.rotate(Y[:, order])
            return value(mu[order])
        sure = good == k
        beta = 0.0 if sure else beta
        kept = k if sure else min(k + max(5, (rows - k) // 3), mu.size - (beta > 0))
        basis.rotate(Y[:, :kept])
        if beta > 0:
            basis.move(mu.size, kept)
        else:
            basis.draw(kept, random.standard_normal(basis.n))
        theta, links = mu[:kept], beta * Y[-1, :kept]
    raise NotConverged(f"k={k}: Lanczos has found {good} of them only: ask for fewer")


def solve_small(theta: Any, links: Any, alpha: Any, beta: Any, rows: int) -> tuple[Any, Any, float]:
    """Return the eigenvalues of T by falling magnitude, its eigenvectors, and the last β, 0 if the rows span all.

    `theta` and `links` are the diagonal and the row below of what was kept; `alpha` and `beta` those of all steps.
    """
    kept = theta.size
    alpha, beta = np.append(theta, alpha[kept:rows]), beta[:rows].copy()
    beta[:kept] = 0
    least = ROUNDINGS * np.finfo(np.float64).eps * max(abs(alpha).max(), beta.max())
    size = kept + int(np.argmax(np.append(beta[kept:] <= least, True))) + 1
    size, last = (size, 0.0) if size <= rows else (rows, float(beta[rows - 1]))
    T = np.diag(alpha[:size]) + np.diag(beta[: size - 1], 1) + np.diag(beta[: size - 1], -1)
    T[kept : kept + 1, :kept] = links
    mu, Y = np.linalg.eigh(T)
    order = np.argsort(-abs(mu), kind="stable")
    return mu[order], Y[:, order], last


class HostBasis:
    """The rows of V on the host.

    Parameters
    ----------
    n : int
        Their length.
    apply : callable
        The operator, up to what `project` takes away.
    project : callable
        What takes from a vector its part outside of the operator's range: after the first pass, because what a later
        one leaves there is multiplied by α / β in each step.
    """

    def __init__(self, n: int, apply: Callable[[Any], Any], project: Callable[[Any], Any]) -> None:
        self.n, self.apply, self.project = n, apply, project

    def reserve(self, rows: int) -> None:
        self.V, self.alpha, self.beta = np.zeros((rows, self.n)), np.zeros(rows), np.zeros(rows)

    def draw(self, j: int, start: Any) -> None:
        w, _ = self._leave(j, start)
        self.V[j] = w / np.linalg.norm(w)

    def step(self, j: int) -> None:
        w, along = self._leave(j + 1, self.apply(self.V[j]))
        self.alpha[j], self.beta[j] = along[j], np.linalg.norm(w)
        self.V[j + 1] = w / (self.beta[j] or 1)

    def _leave(self, j: int, w: Any) -> tuple[Any, Any]:
        """Take from w its parts along the first j rows, twice, and outside of the range; return it and the former."""
        V, first = self.V[:j], self.V[:j] @ w
        w = self.project(w - first @ V)
        second = V @ w
        return w - second @ V, first + second

    def read(self) -> tuple[Any, Any]:
        return self.alpha, self.beta

    def rotate(self, Y: Any) -> None:
        self.V[: Y.shape[1]] = Y.T @ self.V[: Y.shape[0]]

    def move(self, source: int, target: int) -> None:
        self.V[target] = self.V[source]

    def lay_out(self, first: Any, k: int) -> Any:
        return choose_signs(np.concatenate([first, self.V[:k].T], axis=1))

    def measure_errors(self, A: Any, values: Any, vectors: Any) -> float:
        return measure_errors(A, values, vectors)

    def send(self, values: Any) -> Any:
        return values


def choose_signs(vectors: Any) -> Any:
    """Make the largest entry of each column positive."""
    largest = np.argmax(abs(vectors), axis=0) if vectors.size else np.zeros(0, int)
    return vectors * np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def measure_errors(A: Any, values: Any, vectors: Any) -> float:
    """Return the largest ‖A v − λ v‖ over the norm of A, for arrays of the host."""
    size = float(abs(A).sum(axis=1).max(initial=0)) or 1.0
    return float(np.linalg.norm(A @ vectors - vectors * values, axis=0).max(initial=0)) / size
