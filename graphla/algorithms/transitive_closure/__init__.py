"""Transitive closure: an arc for each pair of vertices of which the first reaches the second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from graphla.algorithms.transitive_closure import _verify
from graphla.common.typing import NoOptions
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem, flag
from graphla.problem import Settings as Checked
from graphla.problem.answer import Entries


@dataclass(frozen=True)
class Settings(Checked):
    """Whether each vertex reaches itself."""

    reflexive: bool = flag()


class TransitiveClosure(Problem):
    """The transitive closure; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, *, reflexive: bool = False, method: str | None = None, **options: Unpack[NoOptions]
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
        return self.solve(locals())


transitive_closure = TransitiveClosure(
    "transitive_closure",
    __name__,
    lambda G, s, pairs: _verify.verify(G.csr, pairs, s.reflexive),
    settings=Settings,
    gives=(Entries("pairs", argument="closure"),),
    defining=("reflexive",),
)
