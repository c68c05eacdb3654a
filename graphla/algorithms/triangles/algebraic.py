"""Triangles are closed walks of three arcs: C<A> = A plus.pair A counts, for each arc, the paths of two arcs beside it.

Each triangle is six such walks; with L, the arcs to smaller numbers, and U, those to larger ones, it is one or two:

    burkhardt     sum (A² ∘ A) / 6        sandia_ll     sum (L² ∘ L)       sandia_lut    sum (L Uᵀ ∘ L)
    cohen         sum (L U ∘ A) / 2       sandia_uu     sum (U² ∘ U)       sandia_ult    sum (U Lᵀ ∘ U)
    rows          sum (L Lᵀ ∘ L)

The product is computed at the entries of the mask alone, each of which intersects two rows. A row is short if it has
the neighbours of higher degree, so the vertices are numbered by their degrees first: the smallest first for `cohen`,
`sandia_ll` and `sandia_lut`, the largest first for the others. With `rows` both rows are short; the others are those
of LAGraph. On a GPU the default is `rows`, for such a product compares rows of bits, and on the CPU `sandia_lut`.

The triangles of each vertex are half the row sums of A² ∘ A.

Source: Davis, "Graph algorithms via SuiteSparse:GraphBLAS: triangle counting and k-truss", HPEC 2018, as in LAGraph
(LAGr_TriangleCount.c); Burkhardt, "Graphing Trillions of Triangles", 2017; Cohen, "Graph Twiddling in a MapReduce
World", 2009; Wolf et al., "Fast Linear Algebra-Based Triangle Counting with KokkosKernels", HPEC 2017 (Sandia).
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.undirected import find_degrees, find_neighbours
from graphla.algorithms.triangles import Settings
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.problem import Method, Option
from semirings import binary, plus_pair

EXPRESSIONS = {
    "burkhardt": lambda A, L, U: (A, A, A, 6),
    "cohen": lambda A, L, U: (A, L, U, 2),
    "sandia_ll": lambda A, L, U: (L, L, L, 1),
    "sandia_uu": lambda A, L, U: (U, U, U, 1),
    "sandia_lut": lambda A, L, U: (L, L, U.T, 1),
    "sandia_ult": lambda A, L, U: (U, U, L.T, 1),
    "rows": lambda A, L, U: (L, L, L.T, 1),
}
"""The mask, the two operands, and how often a triangle is counted."""
LARGEST_FIRST = "sandia_uu", "sandia_ult", "rows"
DEFAULT = {"cpu": "sandia_lut", "cuda": "rows", "mpi": "sandia_lut"}


def run(G: Graph, s: Settings, *, expression: str | None = None, order: str = "degree") -> tuple[Any]:
    """The number of triangles, or those of each vertex."""
    if s.per_vertex:
        A = find_neighbours(G)
        return ((sum_rows(multiply(A, A, A)) // 2).new(),)
    expression = expression or DEFAULT[G.engine.name]
    descending = expression in LARGEST_FIRST
    A, L, U = G.cached(f"triangles.parts.{order}.{descending}", lambda G: split(G, order, descending))
    mask, left, right, times = EXPRESSIONS[expression](A, L, U)
    return (int(multiply(mask, left, right).reduce_scalar("plus").new().get(0)) // times,)


def multiply(mask: Matrix, left: Any, right: Any) -> Matrix:
    """C<mask> = left plus.pair right, in INT64."""
    C = Matrix("INT64", mask.nrows, mask.ncols, engine=mask.engine)
    C(mask.S) << plus_pair["INT64"](left @ right)
    return C


def sum_rows(C: Matrix) -> Vector:
    """The sum of each row, 0 without entries."""
    t = Vector.from_dense(C.engine.xp.zeros(C.nrows, "int64"), engine=C.engine)
    t(binary.plus) << C.reduce_rowwise("plus")
    return t


def split(G: Graph, order: str, descending: bool) -> tuple[Matrix, Matrix, Matrix]:
    """A, its part below and its part above the diagonal, perhaps with the vertices numbered by their degrees."""
    A: Any = find_neighbours(G)
    if order == "degree":
        degrees = find_degrees(G)
        p = G.engine.xp.argsort(-degrees if descending else degrees)
        A = A[p, p].new()
    return A, A.select("tril", -1).new(), A.select("triu", 1).new()


def _refuses(G: Any, request: Any) -> str | None:
    if not request.get("per_vertex"):
        return None
    chosen = request.get("expression") or "burkhardt"
    if chosen != "burkhardt":
        return f"expression={chosen!r} does not count a triangle at each of its vertices; 'burkhardt' does"
    if request.get("order") == "degree":
        return "order='degree' is for the number of triangles; the counts of the vertices take the order as it is given"
    return None


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="C<L> = L plus.pair Uᵀ: paths of two arcs beside each arc; LAGraph's six expressions and one more",
    source="Davis, HPEC 2018; LAGraph; Burkhardt, 2017; Cohen, 2009; Wolf et al., 2017",
    options={
        "expression": Option(
            None,
            choices=(None, *EXPRESSIONS),
            text=f"which product counts them; by default {DEFAULT['cpu']!r}, or {DEFAULT['cuda']!r} on a GPU",
        ),
        "order": Option("degree", choices=("degree", "given"), text="how the vertices are numbered first"),
    },
    refuses=_refuses,
)
