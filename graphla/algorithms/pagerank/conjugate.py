"""(I − d P) x = b by conjugate gradients, for undirected graphs: each round takes what error it can out of all rounds'.

P = Aᵀ / out says what an arc hands on. A vertex without arcs has the rank b = (1 − d) p + d lost q at once, and so what
is lost is known: lost = ∑ b over these = (1 − d) ∑ p / (1 − d ∑ q). All others solve (I − d P) x = b. Where A = Aᵀ,

    ⟨x, y⟩ = ∑ x y / out

makes I − d P symmetric, with eigenvalues from 1 − d to 1 + d, and conjugate gradients apply. Per round the error falls
at worst by (√k − 1) / (√k + 1), k = (1 + d) / (1 − d): by 0.56 instead of 0.85, and faster where few eigenvalues are
far from 1, as those of components (1 − d) and of two sides that swing (1 + d). The residual b + d P x − x is what a
round of `fused` would change. It is kept by a recurrence, in the form of Chronopoulos and Gear: a product and two sums
per round. Once it is within the tolerance, ranks below 0 are raised to 0, and rounds of `fused` go on from there:
mostly one, which checks it.

From nothing ranks begin in proportion to `out`, which P keeps, so that no product is needed; or at 0 if teleports go to
some vertices, so that others, which these do not reach, stay there.

Source: Hestenes, Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems", 1952; Chronopoulos, Gear,
"s-step iterative methods for symmetric linear systems", J. Comput. Appl. Math. 25, 1989; Del Corso, Gullì, Romani,
"Fast PageRank Computation via a Sparse Linear System", Internet Math. 2(3), 2005.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphla.algorithms.pagerank.fused import inverse_sums, weigh_entering, weights_of_entering
from graphla.algorithms.pagerank.settings import Settings, refuse_epsilon
from graphla.algorithms.shared.weight_range import is_within
from graphla.problem import Method, Request
from semirings.dtypes import FP32

SWEPT = 1 << 20
"""Graphs of fewer arcs are swept on the CPU, in as much time."""
GOAL = 0.9
"""The part of the tolerance at which the residual of the recurrence ends: rounding hides the rest."""
COARSE = 1e-5
"""Rounds settle to a larger tolerance as soon."""
LEAST_DAMPING = 0.5
"""With a smaller one they settle as soon, too."""
DENSE = 16
"""From nothing, rounds on the CPU settle as soon where vertices have so many arcs on average: sparse parts are slow."""


def run_on_cpu(G: Any, s: Settings) -> tuple[Any, int, float]:
    """Ranks, the rounds that ran, and how much the last one changed."""
    from graphla.algorithms.pagerank._conjugate_cpu import descend
    from graphla.algorithms.pagerank._fused_cpu import Contributions, iterate

    arcs = G.csc, weights_of_entering(G, s), inverse_sums(G, s)
    start, used = descend(*arcs, s, GOAL)
    found, rounds, change = iterate(*arcs, from_there(s, start, used), G.n, Contributions(arcs[2]))
    return found, used + rounds, change


def run_on_cuda(G: Any, s: Settings) -> tuple[Any, int, float]:
    """The same; the ranks stay on the device."""
    from graphla.algorithms.pagerank._conjugate_cuda import begin, descend
    from graphla.algorithms.pagerank._fused_cuda import iterate

    G.cached(f"pagerank.begun.conjugate.{s.weighted}.{s.dtype}", lambda g: begin(g, s))
    arcs = weigh_entering(G, s), inverse_sums(G, s)
    start, used = descend(G.engine, *arcs, s, GOAL)
    found, rounds, change = iterate(G.engine, *arcs, from_there(s, start, used), look=1)
    return found, used + rounds, change


def from_there(s: Settings, start: Any, used: int) -> Settings:
    """The settings of the rounds that are left."""
    return replace(s, start=start, rounds=s.rounds - used)


def refuse(G: Any, request: Request) -> str | None:
    """Refuse directed graphs, rounds that are counted, and a damping that leaves the equations singular."""
    if request.get("rounds") is not None or request.get("convention") == "networkx":
        return "it finds ranks that a round does not change, not those of rounds; method 'fused' runs rounds"
    if request.get("damping") == 1:
        return "with damping=1 its equations have no one solution; method 'fused' runs rounds"
    if request.get("weights") and G.nvals and not is_within(G, FP32):
        return "it takes no weights whose sums or inverses leave the range of FP32; method 'fused' does"
    if not G.symmetric:
        return "the graph is directed, or its weights are; method 'fused' takes any"
    return refuse_epsilon(G, request)


def prefer(G: Any, request: Request) -> tuple[str, str] | None:
    """Prefer it where rounds take longer: seldom on dense graphs."""
    tolerance = request.get("tolerance") or (1e-4 if request.get("convention") == "gap" else 1e-6)
    if tolerance > COARSE or request.get("damping", 1.0) < LEAST_DAMPING:
        return None
    if G.engine.name == "cpu" and request.get("start") is None and G.nvals >= DENSE * G.n:
        return None
    if G.engine.name == "cuda":  # begin to compile what compares the graph with its transpose
        G.cached("pagerank.begun.symmetry", lambda g: g.engine.lists.begin("transpose", "rows"))
    return None if refuse(G, request) else ("conjugate", "the graph is undirected")


method = Method(
    runs={"cpu": run_on_cpu, "cuda": run_on_cuda},
    idea="conjugate gradients for (I − d P) x = b in ⟨x, y⟩ = ∑ x y / out, of undirected graphs",
    source="Hestenes, Stiefel, 1952; Chronopoulos, Gear, 1989; Del Corso, Gullì, Romani, 2005",
    refuses=refuse,
    rank=50,
)
