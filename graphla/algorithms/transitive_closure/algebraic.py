"""R<R or R any.pair R>: paths of up to 2ᵏ arcs, until a squaring finds none that is new. O(log V) products.

Over lor.land the closure is A⁺ = A ∨ A² ∨ A³ ∨ …; each squaring doubles the length of the paths.

Source: Kepner, Gilbert, "Graph Algorithms in the Language of Linear Algebra", 2011; Munro, "Efficient Determination of
the Transitive Closure of a Directed Graph", Information Processing Letters 1(2), 1971.
"""

from __future__ import annotations

from graphla.algorithms.transitive_closure import Settings
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method
from semirings import any_pair, binary


def run(G: Graph, s: Settings) -> tuple[Matrix]:
    """An entry True for each pair of which the first reaches the second."""
    R = G.A.apply("one").new("BOOL")
    if s.reflexive:
        ones = Vector.from_dense(G.engine.xp.ones(G.n, bool), engine=G.engine)
        R = binary.lor(R | ones.diag()).new("BOOL")
    found = -1
    while found < R.nvals:
        found = R.nvals
        R(binary.lor) << any_pair(R @ R)
    return (R,)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="R or= R any.pair R, until a squaring finds no new pair",
    source="Munro, Information Processing Letters 1971; Kepner, Gilbert, 2011",
)
