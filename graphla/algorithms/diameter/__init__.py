"""Diameter: the largest distance between two vertices, or bounds of it."""

from __future__ import annotations

from typing import Any, Unpack, overload

from graphla.algorithms.diameter import _verify
from graphla.algorithms.eccentricity.bounding import narrow
from graphla.algorithms.eccentricity.settings import Settings, check_weights
from graphla.common.arguments import show, to_int
from graphla.common.errors import NotSupported
from graphla.common.typing import NoOptions
from graphla.graphs.graph import Graph
from graphla.problem import Problem, require_graph
from graphla.problem.answer import Number

Length = int | float


class Diameter(Problem):
    """The diameter; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        weights: bool = False,
        sweeps: None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Length: ...

    @overload
    def __call__(
        self, G: Graph, *, weights: bool = False, sweeps: int, method: None = None, **options: Unpack[NoOptions]
    ) -> tuple[Length, Length]: ...

    def __call__(
        self,
        G: Graph,
        *,
        weights: bool = False,
        sweeps: int | None = None,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
        """Diameter: the largest distance between two vertices that a path connects.

        Parameters
        ----------
        G : Graph
            The graph, directed or not. Pairs of vertices without a path do not count.
        weights : bool
            Whether weights are the lengths of arcs; none may be negative then. By default each arc is one long.
        sweeps : int, optional
            The largest number of searches; then bounds are returned, which may have met. By default as many as it
            takes.
        method : str, optional
            A name of `diameter.methods`; by default the best one for the engine. Bounds have one method.
        **options
            Options of the method; see the notes.

        Returns
        -------
        int or float
            The diameter; 0 of a graph without arcs. A float only for weights that are floats.
        tuple of two numbers
            With `sweeps`, a lower and an upper bound of it. The lower one is the distance of two vertices.

        Raises
        ------
        InvalidGraph
            If weights count and one is negative.
        Overflow
            If weights count and a distance does not fit 64 bits.
        InvalidOption
            If `sweeps` is no whole number of 1 or more.
        NotSupported
            If the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.

        See Also
        --------
        eccentricity : The largest distance from each vertex.
        radius : The smallest of these.

        Notes
        -----
        O(V · E) work at most. By bounds [1]_ a few searches are enough in most graphs: 20 for the 264,346 crossings of
        New York's roads.

        References
        ----------
        .. [1] F. Takes, W. Kosters, "Determining the Diameter of Small World Networks", CIKM 2011.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.generate.grid2d(10, 7)
        >>> gl.diameter(G), gl.diameter(G, sweeps=2)
        (15, (15, 21))
        """
        if sweeps is None:
            return self.solve(locals())
        require_graph(G)
        if method is not None or options:
            raise NotSupported(f"sweeps={show(sweeps)}: bounds have one method, and no options; leave out the others")
        settings = Settings(None, check_weights(G, weights))
        return self._within_memory(G, find_bounds, settings, to_int(sweeps, "sweeps", 1))


def find_bounds(G: Graph, settings: Settings, sweeps: int) -> tuple[Length, Length]:
    """The bounds after so many searches; distances along arcs are fewer than vertices."""
    if not G.nvals:
        return 0, 0
    bounds = narrow(G, settings, largest=True, most=sweeps)
    low, high = bounds.low.max().item(), bounds.high.max().item()
    return low, high if settings.weighted else min(high, G.n - 1)


diameter = Diameter(
    "diameter",
    __name__,
    lambda G, s, value: _verify.verify(G, value, s),
    settings=Settings,
    apart=("sweeps",),
    gives=(Number("diameter", argument="value"),),
    defining=("weights",),
)
