"""Transitive closure: an arc for each pair of vertices of which the first reaches the second."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.transitive_closure import _verify
from graphla.common.arguments import show, to_bool
from graphla.common.errors import DimensionMismatch
from graphla.common.typing import OptionValue
from graphla.containers.container import move_storage
from graphla.containers.matrix import Matrix
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph


class TransitiveClosure(Problem):
    """The transitive closure; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, *, reflexive: bool = False, method: str | None = None, **options: OptionValue
    ) -> Matrix:
        """Transitive closure: which vertices each vertex reaches.

        Parameters
        ----------
        G : Graph
            The graph. Weights do not matter; an explicit zero is an arc.
        reflexive : bool
            Whether each vertex reaches itself by the path without arcs. By default it reaches itself only if it is on a
            cycle.
        method : str, optional
            A name of `transitive_closure.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Matrix
            BOOL of shape (n, n): an entry True at (u, v) if a path of one arc or more leads from u to v.

        Raises
        ------
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the closure does not fit in memory; the message gives the bytes. Nothing was allocated then.

        See Also
        --------
        components : Of kind "strong", the vertices that reach each other.
        bfs : What one vertex reaches; ``gl.bfs(G, sources=…)`` what some reach.

        Notes
        -----
        A bit for each pair of a strong component and a vertex is held: O(V · E / 64) work, and V² / 8 bytes at most.
        The closure itself has up to V² entries of 5 bytes each [1]_.

        References
        ----------
        .. [1] P. Purdom, "A Transitive Closure Algorithm", BIT 10, 1970.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.transitive_closure(gl.Graph(([0, 1, 3], [1, 2, 3]))).to_dicts()
        {0: {1: True, 2: True}, 1: {2: True}, 3: {3: True}}
        """
        require_graph(G)
        reflexive = to_bool(reflexive, "reflexive")
        chosen = self.choose(G, method, {"reflexive": reflexive, **options})
        return chosen.run(G, reflexive=reflexive, **options)


def verify(G: Graph, closure: Matrix, *, reflexive: bool = False) -> None:
    """Check a closure against SciPy's searches from every vertex.

    Parameters
    ----------
    G : Graph
        The graph.
    closure : Matrix
        What `transitive_closure` returned.
    reflexive : bool
        What was asked of it.

    Raises
    ------
    VerificationError
        If a pair is missing or wrong; the message names it.
    DimensionMismatch
        If `closure` is no matrix of shape (n, n).

    Notes
    -----
    O(V (V + E)), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 3], [1, 2, 3]))
    >>> gl.transitive_closure.verify(G, gl.transitive_closure(G, method="algebraic"))
    """
    require_graph(G)
    reflexive = to_bool(reflexive, "reflexive")
    if not isinstance(closure, Matrix) or closure.shape != (G.n, G.n):
        raise DimensionMismatch(f"closure={show(closure)}: give a matrix of shape ({G.n:,}, {G.n:,})")
    cpu = get_engine("cpu")
    csr = G.csr if G.engine is cpu else move_storage(G.csr, G.engine, cpu)
    _verify.verify(csr, Graph(closure.to("cpu")).csr, reflexive)


def pack(closure: Matrix) -> Any:
    """What a comparison stores: each pair (u, v) as the number u n + v, sorted, on the host."""
    rows, cols, _ = (closure.engine.to_host(part) for part in closure.to_coo())
    return np.sort(rows.astype(np.int64) * closure.ncols + cols)


def unpack(G: Graph, pairs: Any) -> Matrix:
    """The matrix of such numbers."""
    n = max(1, G.n)
    return Matrix.from_coo(pairs // n, pairs % n, True, nrows=G.n, ncols=G.n, engine=G.engine)


transitive_closure = TransitiveClosure(
    "transitive_closure",
    __name__,
    verify,
    common=("reflexive",),
    gives=(Answer("pairs", pack=pack, unpack=unpack),),
    defining=("reflexive",),
)
