"""Maximum flows and minimum cuts between two vertices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from graphla.algorithms.max_flow import _verify
from graphla.algorithms.max_flow._answer import MaxFlow
from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, InvalidOption
from graphla.common.typing import NoOptions, Vertex
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Answer, Problem, Request
from graphla.problem.answer import pack_records

__all__ = ["MaxFlow", "max_flow"]


class MaximumFlow(Problem):
    """The maximum flow and minimum cut between two vertices; call it, or ask it for its `methods`."""

    def __call__(
        self, G: Graph, source: Vertex, sink: Vertex, *, method: str | None = None, **options: Unpack[NoOptions]
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
        Overflow
            If the flow is beyond FP64.
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
        to the sink [1]_. Whole capacities are exact. Floats are rounded to about 60 bits of their sum, or of a thousand
        times the flow on each arc if that is less, and flows are exact for these.

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
        return self.solve(locals())

    def _read_takes(self, G: Graph, arguments: Mapping[str, Any]) -> tuple[int, ...]:
        """The source and the sink, which differ."""
        source, sink = super()._read_takes(G, arguments)
        if source == sink:
            raise InvalidOption(
                f"sink={show(sink)}: it is the source, too; what flows from a vertex to itself has no bound"
            )
        return source, sink


def describe_difference(found: Any, reference: Any, request: Request) -> str | None:
    """How the value of a flow differs from that of a right one."""
    mine, right = (float(each["value"][-1]) for each in (found, reference))
    return None if abs(mine - right) <= _verify.ROUNDING * abs(right) else f"the value {mine:g} instead of {right:g}"


class Flow(Answer):
    """A flow and a cut; as an array records: the arcs, then the vertices of the cut with head -1, then the value."""

    def to_array(self, answer: MaxFlow) -> Any:
        """The records on the host."""
        tails, heads, flows = (answer.flow.engine.to_host(part) for part in answer.flow.to_coo())
        cut = np.flatnonzero(answer.cut.to_numpy(False))
        ends = np.concatenate([tails, cut, [-1]]), np.concatenate([heads, np.full(cut.size + 1, -1)])
        return pack_records(*ends, np.concatenate([flows, np.full(cut.size, -1), [answer.value]]).astype(flows.dtype))

    def from_array(self, G: Any, array: Any) -> MaxFlow:
        """The answer again."""
        if isinstance(array, MaxFlow):
            return array
        arcs, cut = array[array["head"] >= 0], array["tail"][(array["head"] < 0) & (array["tail"] >= 0)]
        side = np.zeros(G.n, bool)
        side[cut] = True
        shape = {"nrows": G.n, "ncols": G.n, "engine": G.engine}
        flow = Matrix.from_coo(arcs["tail"].astype(int), arcs["head"].astype(int), arcs["value"].copy(), **shape)
        return MaxFlow(array["value"][-1].item(), flow, Vector.from_dense(G.engine.xp.asarray(side), engine=G.engine))

    def call(self, G: Any, answer: MaxFlow, problem: str, sources: Any = None) -> MaxFlow:
        """The answer, whose parts know the labels of the vertices."""
        Answer("flow").call(G, answer.flow, problem)
        Answer("cut").call(G, answer.cut, problem)
        return answer

    def read(self, G: Any, value: Any, settings: Any) -> MaxFlow:
        """The answer itself, refused if it is none of this graph."""
        if not isinstance(value, MaxFlow) or value.flow.shape != (G.n, G.n) or value.cut.shape != (G.n,):
            raise DimensionMismatch(f"answer={show(value)}: give what max_flow returns for a graph of {G.n:,} vertices")
        return value


max_flow = MaximumFlow(
    "max_flow",
    __name__,
    lambda G, _, source, sink, answer: _verify.verify(G.csr, answer, source, sink),
    takes=("source", "sink"),
    gives=(Flow("flow", argument="answer"),),
    difference=describe_difference,
)
