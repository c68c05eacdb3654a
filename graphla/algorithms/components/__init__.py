"""Components: the vertices that paths connect, each named by its smallest vertex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack, overload

from graphla.algorithms.components import _verify
from graphla.common.typing import NoOptions
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Problem, choice, flag
from graphla.problem import Settings as Checked
from graphla.problem.answer import PerVertex
from graphla.storage.convert import tally

Kind = Literal["weak", "strong"]


@dataclass(frozen=True)
class Settings(Checked):
    """What is asked of components; their sizes are counted for all methods."""

    kind: Kind = choice("weak", "strong")
    sizes: bool = flag()


class Components(Problem):
    """Weak and strong components; call it, or ask it for its `methods`."""

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        kind: Kind = "weak",
        sizes: Literal[False] = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        kind: Kind = "weak",
        sizes: Literal[True],
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self, G: Graph, *, kind: Kind = "weak", sizes: bool, method: str | None = None, **options: Unpack[NoOptions]
    ) -> Vector | tuple[Vector, Vector]: ...

    def __call__(
        self,
        G: Graph,
        *,
        kind: Kind = "weak",
        sizes: bool = False,
        method: str | None = None,
        **options: Unpack[NoOptions],
    ) -> Any:
        """Components: which vertices are connected, weakly or strongly.

        Two vertices are in one weak component if a path joins them along arcs taken in either direction, and in one
        strong component if a path of arcs leads from each to the other. A component is named by its smallest vertex.

        Parameters
        ----------
        G : Graph
            The graph, directed or not. Its weights do not matter; an explicit zero is an arc.
        kind : {"weak", "strong"}
            Which components. Those of an undirected graph are the same.
        sizes : bool
            Whether to return the sizes of the components, too.
        method : str, optional
            A name of `components.methods`; by default the best one for the engine and the kind.
        **options
            Options of the method; see the notes.

        Returns
        -------
        labels : Vector
            INT32 of size n: the smallest vertex of the component of each vertex. A vertex without arcs is a component.
        sizes : Vector
            INT64 of size n, only if `sizes` is true. Its entries are the components: at the smallest vertex of each,
            its number of vertices; ``sizes.nvals`` is the number of components.

        Raises
        ------
        InvalidOption
            If `kind` is neither.
        NotSupported
            If the method does not find this kind; the message says which does.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        bfs : The vertices that one vertex reaches, and how far they are.

        Notes
        -----
        O(V + E) work by one search, O(E) per round by the methods that run in rounds. Union-find reads each arc at most
        once and climbs short paths.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1, 3], [1, 2, 4]), n=6)
        >>> labels, sizes = gl.components(G, sizes=True)
        >>> labels.to_dense().tolist(), sizes.to_dict()
        ([0, 0, 0, 3, 3, 5], {0: 3, 3: 2, 5: 1})
        >>> gl.components(G, kind="strong").to_dense().tolist()
        [0, 1, 2, 3, 4, 5]
        """
        return self.solve(locals())

    def _finish(self, G: Graph, takes: Any, settings: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """Count the vertices of each component, if that is asked for."""
        return (*found, count_vertices(G, found[0]) if settings.sizes else None)


def count_vertices(G: Graph, labels: Any) -> Any:
    """The number of vertices of each component, at its label."""
    return tally(labels.to_dense() if isinstance(labels, Vector) else labels, G.n)


components = Components(
    "components",
    __name__,
    lambda G, s, labels, sizes: _verify.verify(G.csr, labels, sizes, s.kind),
    settings=Settings,
    gives=(PerVertex("labels", None, of_vertices=True), PerVertex("sizes", 0, "sizes")),
    defining=("kind",),
)
