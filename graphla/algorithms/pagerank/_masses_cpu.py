"""The right sums of ranks over components on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.engine.cpu.late import compile_late

LEAST = 1e-12
"""What every vertex has of the teleports to it at least, so that a component without ranks gets some."""


def place_masses(G: Any, labels: Any, s: Settings) -> Any:
    """Ranks with the right sums; `labels` are the smallest vertices of components."""
    ranks = s.begin(G.n).copy()
    _place(labels, G.degrees, s.share, s.teleport, s.damping, ranks, *np.zeros((4, G.n)))
    return ranks


@compile_late(0.4, lambda labels, *_: 2.5 * len(labels), views=True)
def _place(labels, degrees, share, teleport, d, ranks, mass, stuck, S, T):  # type: ignore[no-untyped-def]
    """Multiply ranks by the right sum of their component over the sum that they have; the last four are zeros."""
    here, there = min(1, teleport.shape[0] - 1), min(1, share.shape[0] - 1)
    for v in range(labels.shape[0]):
        c = labels[v]
        ranks[v] += LEAST * (share[v * there] + teleport[v * here])
        mass[c] += ranks[v]
        stuck[c] += ranks[v] if degrees[v] == 0 else 0.0
        S[c] += share[v * there]
        T[c] += teleport[v * here]
    from_share, from_teleport = 0.0, 0.0
    for c in range(labels.shape[0]):
        if mass[c] > 0:
            stuck[c] /= mass[c]
            settled = 1 / (1 - d + d * stuck[c])
            from_share += stuck[c] * settled * S[c]
            from_teleport += stuck[c] * settled * T[c]
    lost = (1 - d) * from_teleport / (1 - d * from_share)
    for v in range(labels.shape[0]):
        c = labels[v]
        if mass[c] > 0:
            ranks[v] *= (d * lost * S[c] + (1 - d) * T[c]) / (1 - d + d * stuck[c]) / mass[c]
