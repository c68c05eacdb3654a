"""Components: the vertices that paths connect, each named by its smallest vertex."""

from __future__ import annotations

from typing import Any, Literal, overload

from graphla.algorithms.components import _verify
from graphla.common.arguments import to_bool, to_choice
from graphla.common.typing import OptionValue
from graphla.containers.container import move_storage
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph, require_vectors

Kind = Literal["weak", "strong"]


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
        **options: OptionValue,
    ) -> Vector: ...

    @overload
    def __call__(
        self,
        G: Graph,
        *,
        kind: Kind = "weak",
        sizes: Literal[True],
        method: str | None = None,
        **options: OptionValue,
    ) -> tuple[Vector, Vector]: ...

    @overload
    def __call__(
        self, G: Graph, *, kind: Kind = "weak", sizes: bool, method: str | None = None, **options: OptionValue
    ) -> Vector | tuple[Vector, Vector]: ...

    def __call__(
        self,
        G: Graph,
        *,
        kind: Kind = "weak",
        sizes: bool = False,
        method: str | None = None,
        **options: OptionValue,
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
        require_graph(G)
        to_choice(kind, "kind", ("weak", "strong"))
        sizes = to_bool(sizes, "sizes")
        chosen = self.choose(G, method, {"kind": kind, **options})
        found = chosen.run(G, kind=kind, **options)
        labels = found if isinstance(found, Vector) else Vector.from_dense(found, engine=G.engine)
        return (labels, count_vertices(G, labels)) if sizes else labels


def count_vertices(G: Graph, labels: Vector) -> Vector:
    """The number of vertices of each component, at its label."""
    xp = G.engine.xp
    counts = xp.bincount(labels.to_dense(), minlength=G.n) if G.n else xp.zeros(0, "int64")
    return Vector._from_sentinel(counts.astype("int64"), 0, G.engine)


def verify(G: Graph, labels: Vector, sizes: Vector | None = None, *, kind: Kind = "weak") -> None:
    """Check that labels are the smallest vertices of components, and sizes their numbers of vertices.

    Each label is the smallest of the vertices that have it. For weak components no arc joins two labels, and there are
    as many as SciPy finds; strong components are compared with those of SciPy.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector
        The labels that `components` returned.
    sizes : Vector, optional
        The sizes that it returned.
    kind : {"weak", "strong"}
        Which components they are.

    Raises
    ------
    VerificationError
        If a property does not hold; the message names the first vertex that breaks it.

    Notes
    -----
    O(V + E), on the host.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 3], [1, 2, 4]), n=6)
    >>> gl.components.verify(G, *gl.components(G, sizes=True, method="algebraic"))
    """
    require_graph(G)
    to_choice(kind, "kind", ("weak", "strong"))
    require_vectors(G, "sizes", labels=labels, sizes=sizes)
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    _verify.verify(csr, labels.to_numpy(-1), None if sizes is None else sizes.to_numpy(0), kind)


components = Components(
    "components",
    __name__,
    verify,
    common=("kind", "sizes"),
    gives=(Answer("labels", None), Answer("sizes", 0, "sizes")),
    defining=("kind",),
)
