"""Push and relabel as matrices: residual capacities R, excess e, and distances d to the sink along entries of R.

A round takes the active vertices, those with excess that have a distance. With H = R any.second d, the distances of
the heads of their arcs, each looks for its lowest head, min over its row of H. If it is lower, the vertex pushes what
it has or the arc takes, a matrix P with one entry per row,

    R = R - P + P'        e = e - P 1 + P' 1

and else it rises to one above. Every n rounds, or when none is active, distances are searched anew, q = R any.pair q
from the sink. Excess that cannot reach the sink then returns to the source in the same way.

O(V² E) pushes at most.

Source: Goldberg, Tarjan, "A new approach to the maximum-flow problem", J. ACM 35(4), 1988, as in LAGraph
(LAGr_MaxFlow.c, HPEC 2025).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graphla.algorithms.max_flow._answer import MaxFlow, solve_network
from graphla.algorithms.max_flow._network import Network
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import any_first, any_pair, any_second, binary, indexunary, monoid

Array = Any


def run(G: Graph, source: int, sink: int) -> tuple[MaxFlow]:
    """The flow and the cut."""
    return solve_network(G, partial(find_flow, G.engine), source, sink)


def find_flow(engine: Any, network: Network, source: int, sink: int) -> tuple[Array, int, Array]:
    """The residual capacities, the value of the flow, and the vertices from which the sink can still be reached."""
    preflow = Preflow(Matrix._from_storage(network.capacity, engine).dup())
    preflow.leave(source)
    reaches = preflow.drain(sink, source).to_dense(-1) >= 0
    value = int(preflow.e.get(sink, 0))
    preflow.drain(source, sink)
    return Graph(preflow.R).csr.values, value, reaches


class Preflow:
    """Residual capacities R, of which zeros stay entries, and the excess e of the vertices that have some.

    Parameters
    ----------
    R : Matrix
        The capacities.
    """

    def __init__(self, R: Matrix) -> None:
        self.R: Any = R
        self.n, self.engine = R.nrows, R.engine
        self.e: Any = Vector("INT64", self.n, engine=R.engine)

    def leave(self, source: int) -> None:
        """Fill all arcs of the source."""
        _, heads, amounts = self.R[[source], :].new().to_coo()
        self.push(heads * 0 + source, heads, amounts)
        self.e(~Vector.from_coo([source], True, size=self.n, engine=self.engine).S, replace) << self.e

    def drain(self, target: int, barred: int) -> Vector:
        """Move all excess that can reach the target there, past a vertex that takes none; return the last distances."""
        while True:
            d = self.find_distances(target, barred)
            done = 0
            while done <= self.n:
                active = self.e.select("valuegt", 0).new().dup(mask=d.S)
                active(~Vector.from_coo([target], True, size=self.n, engine=self.engine).S, replace) << active
                if not active.nvals:
                    break
                self.move(d, *active.to_coo())
                done += 1
            if not done:
                return d

    def find_distances(self, target: int, barred: int) -> Vector:
        """The number of arcs with room on the way to the target, of vertices that have one past the other vertex."""
        there: Any = self.R.select("valuegt", 0).new()
        d: Any = Vector("INT64", self.n, engine=self.engine)
        q: Any = Vector.from_coo([target], True, size=self.n, engine=self.engine)
        past = ~Vector.from_coo([barred], True, size=self.n, engine=self.engine).S
        depth = 0
        while q.nvals:
            d(q.S) << depth
            q(~d.S, replace) << any_pair(there @ q)
            q(past, replace) << q
            depth += 1
        return d

    def move(self, d: Any, i: Array, amounts: Array) -> None:
        """One round of these active vertices: each pushes along one arc, or rises."""
        xp, engine = self.engine.xp, self.engine
        rows: Any = self.R[i, :].new().select("valuegt", 0).new()
        H = any_second(rows @ d.diag()).new()
        m = H.reduce_rowwise(monoid.min).new()
        lowest = binary.eq(H & any_first(m.diag() @ H)).new()
        heads = lowest.dup(mask=lowest.V).apply(indexunary.colindex).reduce_rowwise(monoid.min).new().to_dense(0)
        beside, own = m.to_dense(self.n), d.to_dense(self.n)[i]
        low = beside < own
        rises = Vector.from_coo(i[~low], xp.minimum(beside + 1, self.n)[~low], size=self.n, engine=engine)
        d << binary.second(d | rises)
        d << d.select("valuelt", self.n)
        j = xp.flatnonzero(low)
        W = Matrix.from_coo(j, heads[j], True, nrows=i.size, ncols=self.n, engine=engine)
        room = rows.dup(mask=W.S).reduce_rowwise(monoid.max).new().to_dense(0)
        self.push(i[j], heads[j], xp.minimum(room, amounts)[j])

    def push(self, tails: Array, heads: Array, amounts: Array) -> None:
        """R = R - P + P', e = e - P 1 + P' 1."""
        P: Any = Matrix.from_coo(tails, heads, amounts, "INT64", nrows=self.n, ncols=self.n, engine=self.engine)
        self.R(binary.minus) << P
        self.R(binary.plus) << P.T
        out: Any = Vector("INT64", self.n, engine=self.engine)
        out << P.reduce_rowwise(monoid.plus)
        self.e(binary.plus) << out.apply("ainv")
        self.e(binary.plus) << P.reduce_columnwise(monoid.plus)


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="R = R - P + P': active vertices push what they have to their lowest heads, or rise above them",
    source="Goldberg, Tarjan, J. ACM 1988; LAGraph",
)
