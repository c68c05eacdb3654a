"""Ranks to begin with whose sum over each component is the one that settled ranks have.

No arc leaves a component, so that a wrong sum of its ranks is mended by teleports alone: by the factor d in each round,
which is slower than anything else settles. Of an answer for another graph the sums are wrong where components have met
or come apart. With λ the share of a component's ranks that lies at vertices without leaving arcs, and T and S the sums
of its teleports and of its shares of what is lost, its settled ranks sum to

    right = (d lost S + (1 − d) T) / (1 − d + d λ),    lost = ∑ λ right,

the sum over all components: one equation in one number. λ is taken from the ranks that are given, and is right once
these are. This is a step of aggregation over the components.

Source: Koury, McAllister, Stewart, "Iterative Methods for Computing Stationary Distributions of Nearly Completely
Decomposable Markov Chains", SIAM J. Alg. Disc. Meth. 5(2), 1984.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphla.algorithms.components import components
from graphla.algorithms.pagerank.settings import Settings


def settle_masses(G: Any, s: Settings) -> Settings:
    """Let rounds begin with the right sum of each component, where they end by their change."""
    if not s.takes_any or s.damping == 1 or not G.n or G.engine.name == "mpi":
        return s
    if G.engine.name == "cuda":
        from graphla.algorithms.pagerank._masses_cuda import place_masses
    else:
        from graphla.algorithms.pagerank._masses_cpu import place_masses
    return replace(s, start=place_masses(G, components(G).to_dense(), s))
