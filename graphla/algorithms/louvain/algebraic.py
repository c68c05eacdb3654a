"""K = W S: the weight between each vertex and each community around it, where S[u, c] = 1 if u belongs to c.

With the strengths k of the vertices and t = S' k of the communities, a move of v to c gains in proportion to

    K[v, c] - γ / m  k[v] (t[c] - [v in c] k[v])

and v moves to the smallest column of the largest entry of its row, half of the vertices and an eighth of the hubs at a
time. Then each community becomes a vertex, W <- S' W S. Of a directed graph W is A + A', and out- and in-strengths are
paired.

O(E) work per round, and memory for an entry per vertex and community around it.

Source: Blondel, Guillaume, Lambiotte, Lefebvre, "Fast unfolding of communities in large networks", J. Stat. Mech. 2008,
with moves at once as in Lu, Halappanavar, Kalyanaraman, "Parallel heuristics for scalable community detection",
Parallel Computing 47, 2015, and as algebra in LAGraph (LAGr_Louvain).
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.communities.climb import Climb, Rules, Steps
from graphla.algorithms.shared.communities.level import LEAST_GAIN, Level
from graphla.algorithms.shared.communities.rounds import Rounds, find_room, pick_sizes
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import any_first, any_second, any_times, binary, indexunary, monoid, plus_first

Array = Any


def run(G: Graph, rules: Rules) -> tuple[Any, Any]:
    """The community of each vertex, and of each level."""
    rounds = Rounds(G.engine, Algebra(G.engine).propose)
    return Climb(rules, Steps(rounds.move, rounds.merge, move_apart=rounds.move_apart)).run(G)


class Algebra:
    """Proposals as matrix expressions on an engine.

    Attributes
    ----------
    engine : Engine
        The engine.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def propose(self, level: Level, community: Array, totals: Array, movers: Array, open: Array, scale: float) -> Array:
        """The community that gains most for each vertex that may move, its own for the others."""
        i = self.engine.xp.flatnonzero(movers)
        W: Any = Matrix._from_storage(level.rows, self.engine)[i, :].new()
        k = level.strengths[i]
        own, K = self.mark(community[i], 0.0, level.n), Matrix("FP64", i.size, level.n, engine=self.engine)
        K << plus_first(W @ self.mark(community))
        K(binary.plus) << own
        gain = binary.minus(K & self.expect(K, community[i], k, totals, scale)).new()
        stay = gain.dup(mask=own.S).reduce_rowwise(monoid.max).new()
        others = any_first(gain.dup(mask=~own.S) @ self.vector(open, True).diag()).new()
        if level.most:
            others = self.keep_room(others, pick_sizes(level, i), find_room(level, community))
        least = self.vector(LEAST_GAIN * (k[:, 0] + k[:, -1]))
        found = self.choose(others, binary.plus(stay & least).new())
        at, columns = found.to_coo()
        wanted = community.copy()
        wanted[i[at]] = columns
        return wanted

    def keep_room(self, others: Matrix, sizes: Array, room: Array) -> Matrix:
        """The entries of communities that have room for the vertices of their rows."""
        there = any_second(others @ self.vector(room).diag()).new()
        fits = binary.ge(there & any_first(self.vector(sizes).diag() @ others).new()).new()
        return others.dup(mask=fits.V)

    def expect(self, K: Matrix, community: Array, k: Array, totals: Array, scale: float) -> Matrix:
        """The weight that chance would put between each vertex and each community of K, itself left out."""
        parts = []
        for side in range(k.shape[1]):
            t = any_second(K @ self.vector(totals[:, -1 - side]).diag()).new()
            T = binary.plus(t | self.mark(community, -k[:, -1 - side], K.ncols)).new()
            parts.append(any_times(self.vector(scale * k[:, side]).diag() @ T).new())
        return parts[0] if len(parts) == 1 else binary.plus(parts[0] & parts[1]).new()

    def choose(self, others: Matrix, least: Vector) -> Vector:
        """The smallest column of the largest entry of each row, where that is larger than `least`."""
        best = others.reduce_rowwise(monoid.max).new()
        better = binary.gt(best & least).new()
        top = any_first(best.dup(mask=better.V).diag() @ others).new()
        equal = binary.eq(others & top).new()
        return equal.dup(mask=equal.V).apply(indexunary.colindex).reduce_rowwise(monoid.min).new()

    def mark(self, columns: Array, values: Any = True, ncols: int | None = None) -> Matrix:
        """A matrix with one entry per row."""
        n = columns.size
        dtype = "BOOL" if values is True else "FP64"
        pointers = self.engine.xp.arange(n + 1)
        return Matrix.from_csr(pointers, columns, values, dtype, ncols=ncols or n, engine=self.engine)

    def vector(self, values: Array, only: bool = False) -> Vector:
        """A vector of all values, or of the true ones."""
        made = Vector.from_dense(self.engine.xp.ascontiguousarray(values), engine=self.engine)
        return made.dup(mask=made.V) if only else made


method = Method(
    runs={"cpu": run, "cuda": run},
    also=("levels",),
    idea="K = W S: the weights to communities; half of the vertices, an eighth of the hubs move at a time; W <- S' W S",
    source="Blondel et al., J. Stat. Mech. 2008; Lu, Halappanavar, Kalyanaraman, Parallel Computing 2015; LAGraph",
)
