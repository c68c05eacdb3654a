"""m = A min.second g: each vertex learns the smallest parent among its neighbours, and its tree hooks there.

Weak components after FastSV: f holds the parents of a forest, g those of the last round. In each round the parent of u
is hooked to the smallest parent m[u] of u and its neighbours, f[g[u]] = min m[u], and paths are cut short: f[f] twice.
Parents only become smaller. So when a round changes none, f[f] = f, neighbours have one parent, and each root is the
smallest vertex of its component. O(E) work per round, O(log n) rounds in practice.

Strong components: h[v] becomes the smallest vertex that reaches v, t[v] the smallest that v reaches. Where both are the
same vertex r, v belongs to the component of r. Arcs between vertices that differ in h or t join no component and are
dropped, as are the components found, and the rest goes on.

Source: Zhang, Azad, Hu, "FastSV: A Distributed-Memory Connected Component Algorithm with Fast Convergence", PP 2020, as
in LAGraph (LG_CC_FastSV6.c); strong components after Orzan, "On Distributed Verification and Verified Distribution",
2004 (colouring), and Alabandi et al., "A High-Performance Parallel Strongly Connected Components Algorithm", SC 2023.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.components import Settings
from graphla.containers.loop import loop
from graphla.containers.matrix import Matrix
from graphla.containers.scalar import Scalar
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.language.masks import replace
from graphla.problem import Method
from semirings import binary, min_first, min_second, monoid


def run(G: Graph, s: Settings) -> tuple[Vector]:
    """The smallest vertex of each vertex's component."""
    return (find_strong(G) if s.kind == "strong" else find_weak(G),)


def find_weak(G: Graph) -> Vector:
    """FastSV."""
    A, symmetric = G.A, G.symmetric
    f = number_vertices(G)
    g, m, changes = f.dup(), f.dup(), Scalar("BOOL", True)

    def hook(_: Any) -> None:
        m << binary.min(min_second(A @ g) | g)
        if not symmetric:
            m(binary.min) << min_second(A.T @ g)
        f(binary.min)[g] << m
        m << f[f]
        f << m[m]
        changes << (f != g).reduce(monoid.lor)
        g << f

    loop(hook, while_true=changes, max_rounds=G.n + 2)
    return f


def find_strong(G: Graph) -> Vector:
    """Colouring forwards and backwards, on fewer arcs in each round."""
    label = Vector("INT32", G.n, engine=G.engine)
    left, A = number_vertices(G), G.A
    while left.nvals:
        h, t = left.dup(), left.dup()
        spread_smallest(A.T, h)
        spread_smallest(A, t)
        same = h.ewise_mult(t, binary.eq).new()
        label(same.V) << h
        left(~label.S, replace) << left
        A = keep_equal_ends(keep_equal_ends(A, h, left), t, left)
    return label


def spread_smallest(A: Any, x: Vector) -> None:
    """x[u] becomes the smallest x of the vertices that u has a path to in A."""
    q, t, falls = x.dup(), x.dup(), Vector("BOOL", x.size, engine=x.engine)

    def spread(_: Any) -> None:
        t << min_second(A @ q)
        falls(t.S, replace) << t.ewise_mult(x, binary.lt)
        q(falls.V, replace) << t
        x(q.S) << q

    loop(spread, while_entries=q)


def keep_equal_ends(A: Matrix, x: Vector, left: Vector) -> Matrix:
    """The entries whose row and column are left and have the same x."""
    D = x.dup(mask=left.S).diag()
    same = min_first(D @ A).new().ewise_mult(min_second(A @ D), binary.eq).new()
    return A.dup(mask=same.V)


def number_vertices(G: Graph) -> Vector:
    """Entry v is v."""
    return Vector.from_dense(G.engine.xp.arange(G.n, dtype="int32"), engine=G.engine)


method = Method(
    runs={"cpu": run, "cuda": run},
    on_ranks=run,
    idea="FastSV: parents hook to m = A min.second g, the smallest parents of neighbours; strong: colouring",
    source="Zhang, Azad, Hu, PP 2020; LAGraph; Orzan, 2004",
)
