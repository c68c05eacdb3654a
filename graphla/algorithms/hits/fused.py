"""The same with each of the two sums of a round in one pass over the arcs, as of `pagerank`.

Source: Kleinberg, "Authoritative Sources in a Hyperlinked Environment", J. ACM 46(5), 1999.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.shared.fixed_point import Power, change_of_arrays, gatherer, iterate, start
from graphla.algorithms.shared.weight_range import scale_all
from graphla.problem import Method


def run(G: Any, s: Power) -> tuple[Any, Any, float]:
    """Hub values, authorities, and how much the last round changed the hub values."""
    G = scale_all(G, s.dtype) if s.weighted else G
    xp, of_tails, of_heads = G.engine.xp, gatherer(G, G.csc, s), gatherer(G, G.csr, s)

    def over_sum(y: Any) -> Any:
        total = y.sum(dtype="float64")
        return (y / xp.where(total > 0, total, 1)).astype(y.dtype)

    h = start(G, s, 1 / max(1, G.n) if G.nvals else 0)
    h, residual = iterate(lambda h: over_sum(of_heads(over_sum(of_tails(h)))), h, s, change_of_arrays)
    return h, over_sum(of_tails(h)), residual


method = Method(
    runs={"cpu": run, "cuda": run},
    idea="two passes per round, over the entering and over the leaving arcs",
    source="Kleinberg, J. ACM 1999",
    rank=100,
)
