"""Random walks: from vertex to vertex along arcs that are drawn at random, the same for a seed on both engines."""

from __future__ import annotations

from typing import Unpack

from graphla.algorithms.random_walks import _verify
from graphla.algorithms.random_walks.settings import Settings
from graphla.common.typing import NoOptions, Vertices
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from graphla.problem import Problem
from graphla.problem.answer import Rows


class RandomWalks(Problem):
    """Random walks; call it, or ask it for its `methods`."""

    def __call__(
        self,
        G: Graph,
        length: int,
        starts: Vertices | None = None,
        *,
        walks: int = 1,
        weights: bool = False,
        p: float = 1.0,
        q: float = 1.0,
        seed: int = 0,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Matrix:
        """Random walks: each step goes along an arc that is drawn at random.

        With p and q a step is drawn as in node2vec [1]_: after a step from t to v, the arc from v to x counts 1 / p
        times if x is t, once if t has an arc to x, and 1 / q times otherwise.

        Parameters
        ----------
        G : Graph
            The graph. Of a directed one walks go along the arcs.
        length : int
            The number of steps, from 0 on.
        starts : sequence of int, optional
            The vertices at which walks begin; by default all.
        walks : int
            The number of walks from each start.
        weights : bool
            Whether an arc is drawn in proportion to its weight; none may be negative or infinite then. By default all
            arcs of a vertex are drawn alike.
        p, q : float
            The parameters of node2vec, above 0: a large p avoids steps back, a large q stays near.
        seed : int
            Which walks. They are the same by every method and on both engines, and a walk does not depend on others.
        method : str, optional
            A name of `random_walks.methods`; by default the best one.
        **options
            Options of the method; see the notes.

        Returns
        -------
        Matrix
            INT32 of shape (k, length + 1): a row per walk, the first walk of each start before the second of any. A
            walk that comes to a vertex without an arc to draw ends there, and has no entries after it.

        Raises
        ------
        InvalidGraph
            If a start is no vertex of G, or weights count and one is negative or infinite.
        InvalidOption
            If an argument is out of range.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the walks do not fit in memory.

        See Also
        --------
        pagerank : The share of an endless walk at each vertex, with teleports.

        Notes
        -----
        O(1) work per step, O(log deg) with weights or with p and q, and about as many draws as the largest factor of
        node2vec has of the mean one. Weights are rounded to multiples of 2⁻³¹ of the largest of their row or less.

        References
        ----------
        .. [1] A. Grover, J. Leskovec, "node2vec: Scalable Feature Learning for Networks", KDD 2016.

        Examples
        --------
        >>> import graphla as gl
        >>> gl.random_walks(gl.Graph(([0, 1, 2], [1, 2, 0]), n=4), 4, [0, 3]).to_dicts()
        {0: {0: 0, 1: 1, 2: 2, 3: 0, 4: 1}, 1: {0: 3}}
        """
        return self.solve(locals())


random_walks = RandomWalks(
    "random_walks",
    __name__,
    lambda G, s, walks: _verify.verify(G.csr, walks, s.starts, s.weighted),
    settings=Settings,
    gives=(
        Rows(
            "vertices",
            argument="found",
            column="vertex",
            index=("walk", "step"),
            of_vertices=True,
            shape=lambda G, s: (s.starts.size, s.length + 1),
        ),
    ),
    defining=("length", "starts", "walks", "weights"),
)
