"""Maximum flows and minimum cuts between two vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.max_flow import _verify
from graphla.algorithms.max_flow._network import MaxFlow
from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, InvalidOption
from graphla.common.typing import OptionValue
from graphla.containers.container import move_storage
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.engine import get_engine
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, require_graph
from graphla.problem.method import Request

__all__ = ["MaxFlow", "max_flow"]


class MaximumFlow(Problem):
    """The maximum flow and minimum cut between two vertices; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, source: int, sink: int, *, method: str | None = None, **options: OptionValue
    ) -> MaxFlow:
        """Maximum flow: how much can flow from one vertex to another, and the cut that lets no more through.

        What flows along an arc is no more than its weight, its capacity, and what enters a vertex leaves it again, but
        for the source and the sink. The value of the largest flow is that of the smallest cut: arcs that separate the
        two vertices.

        Parameters
        ----------
        G : Graph
            The graph, directed or not. Weights are capacities of zero or more, whole numbers or floats; an infinite one
            is no limit. Loops carry nothing.
        source : int
            The vertex from which it flows.
        sink : int
            The vertex to which it flows.
        method : str, optional
            A name of `max_flow.methods`; by default the best one for the engine.
        **options
            Options of the method; see the notes.

        Returns
        -------
        MaxFlow
            `value`, an int or a float; `flow`, a matrix of what flows along each arc, where that is more than nothing;
            `cut`, a vector of truths: whether a vertex is on the side of the source. Of two arcs u → v and v → u at
            most one has a flow.

        Raises
        ------
        InvalidGraph
            If a capacity is negative, `source` or `sink` is no vertex, or the flow has no bound.
        InvalidOption
            If `source` and `sink` are one vertex.
        NotSupported
            If whole capacities add up to 2**61 or more, or the method cannot answer; the message says why.
        GraphlaError
            If the method has no such option.
        OutOfMemory
            If the arrays of the method do not fit in memory.

        See Also
        --------
        components : Which vertices are connected at all.

        Notes
        -----
        The flow may differ between methods; the value and the cut do not: of all smallest cuts it is the one nearest
        to the sink [1]_. Whole capacities are exact. Floats are rounded to about 60 bits of their sum, and flows are
        exact for these.

        References
        ----------
        .. [1] L. Ford, D. Fulkerson, "Maximal flow through a network", Canadian Journal of Mathematics 8, 1956.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [3, 2, 2, 3, 1]))
        >>> found = gl.max_flow(G, 0, 3)
        >>> found.value, found.cut.to_dense().tolist(), found.flow.to_dense(0).tolist()[1]
        (5, [True, True, True, False], [0, 0, 1, 2])
        """
        require_graph(G)
        ends = to_ends(G, source, sink)
        return self.choose(G, method, {"sink": sink, **options}).run(G, ends[0], sink=ends[1], **options)


def to_ends(G: Graph, source: Any, sink: Any) -> tuple[int, int]:
    """The source and the sink, two vertices."""
    ends = G.vertex(source, "source"), G.vertex(sink, "sink")
    if ends[0] == ends[1]:
        raise InvalidOption(
            f"sink={show(sink)}: it is the source, too; what flows from a vertex to itself has no bound"
        )
    return ends


FIELDS = [("tail", np.int32), ("head", np.int32), ("flow", np.float64)]


def pack(answer: MaxFlow) -> Any:
    """Records on the host: the arcs with their flows, then the vertices of the cut with head -1, then the value."""
    tails, heads, flows = (answer.flow.engine.to_host(part) for part in answer.flow.to_coo())
    cut = np.flatnonzero(answer.cut.to_numpy(False))
    packed = np.full(tails.size + cut.size + 1, -1, [*FIELDS[:2], ("flow", flows.dtype)])
    packed["tail"][: tails.size], packed["head"][: tails.size], packed["flow"][: tails.size] = tails, heads, flows
    packed["tail"][tails.size : -1] = cut
    packed["flow"][-1] = answer.value
    return packed


def unpack(G: Graph, packed: Any) -> MaxFlow:
    """The answer again."""
    arcs, cut = packed[packed["head"] >= 0], packed["tail"][(packed["head"] < 0) & (packed["tail"] >= 0)]
    side = np.zeros(G.n, bool)
    side[cut] = True
    shape = {"nrows": G.n, "ncols": G.n, "engine": G.engine}
    flow = Matrix.from_coo(arcs["tail"].astype(int), arcs["head"].astype(int), arcs["flow"], **shape)
    return MaxFlow(packed["flow"][-1].item(), flow, Vector.from_dense(G.engine.xp.asarray(side), engine=G.engine))


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """How the value of a flow differs from that of a right one."""
    mine, right = (float(each["flow"][-1]) for each in (found, reference))
    return None if abs(mine - right) <= _verify.ROUNDING * abs(right) else f"the value {mine:g} instead of {right:g}"


def verify(G: Graph, source: int, answer: MaxFlow, *, sink: int) -> None:
    """Check that a flow obeys the capacities and is conserved, and that it is as large as the cut.

    A flow that is as large as some cut is the largest one, and the cut the smallest: so no flow is computed.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int
        The source that was asked for.
    answer : MaxFlow
        What `max_flow` returned.
    sink : int
        The sink that was asked for.

    Raises
    ------
    VerificationError
        If more flows along an arc than it takes, a vertex does not pass on what it gets, or the cut takes more than
        flows; the message names the arc or the vertex.
    DimensionMismatch
        If `answer` is none for a graph of this size.

    Notes
    -----
    O(V + E), on the host. Sums of floats may differ by 1e-12 of the sum of the capacities.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 0, 1, 2, 1], [1, 2, 3, 3, 2], [3, 2, 2, 3, 1]))
    >>> gl.max_flow.verify(G, 0, gl.max_flow(G, 0, 3, method="algebraic"), sink=3)
    """
    require_graph(G)
    ends = to_ends(G, source, sink)
    if not isinstance(answer, MaxFlow) or answer.flow.shape != (G.n, G.n) or answer.cut.shape != (G.n,):
        raise DimensionMismatch(f"answer={show(answer)}: give what max_flow returns for a graph of {G.n:,} vertices")
    csr = G.csr if G.engine.name == "cpu" else move_storage(G.csr, G.engine, get_engine("cpu"))
    _verify.verify(csr, answer, *ends)


max_flow = MaximumFlow(
    "max_flow",
    __name__,
    verify,
    common=("sink",),
    takes=(
        "source",
        "sink",
    ),
    gives=(Answer("flow", pack=pack, unpack=unpack),),
    defining=("sink",),
    difference=describe_difference,
)
