"""C<N> = N plus.pair A: for each neighbour of a vertex, the arcs that lead there from other neighbours.

N has both arcs of each pair of neighbours, A the arcs as they are, both without loops. The row sums of C are the arcs
between the neighbours of each vertex: at most d (d - 1) of d neighbours. O(sum of d²) work.

Source: LAGraph (LAGraph_lcc.c); Iosup et al., "The LDBC Graphalytics Benchmark", arXiv:2011.15028.
"""

from __future__ import annotations

from graphla.algorithms.clustering import Settings
from graphla.algorithms.shared.undirected import find_neighbours, is_undirected
from graphla.algorithms.triangles.algebraic import multiply, sum_rows
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method


def run(G: Graph, s: Settings) -> tuple[Vector]:
    """The arcs between the neighbours of each vertex."""
    N = find_neighbours(G)
    A = N if is_undirected(G) else G.A.select("offdiag").new()
    return (sum_rows(multiply(N, N, A)),)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="row sums of C<N> = N plus.pair A: the arcs between the neighbours of each vertex",
    source="LAGraph; Iosup et al., arXiv:2011.15028",
)
