"""The definition, edge by edge, on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError

Array = Any


def verify(csr: Any, colors: Array) -> None:
    """Assert that neighbours differ, and that each vertex has a neighbour of every smaller color."""
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    negative = np.flatnonzero(colors < 0)
    if negative.size:
        raise VerificationError(f"coloring: vertex {negative[0]} has the color {colors[negative[0]]}")
    clash = np.flatnonzero(colors[tails] == colors[csr.indices])
    if clash.size:
        u, v = tails[clash[0]], csr.indices[clash[0]]
        raise VerificationError(f"coloring: {u} and {v} are neighbours, and both have the color {colors[u]}")
    check_least(tails, colors, colors[csr.indices])


def check_least(tails: Array, colors: Array, beside: Array) -> None:
    """Assert that no vertex could take a smaller color."""
    smaller = beside < colors[tails]
    pairs = np.unique(tails[smaller].astype(np.int64) << 32 | beside[smaller])
    different = np.bincount(pairs >> 32, minlength=colors.size)
    wrong = np.flatnonzero(different < colors)
    if wrong.size:
        v = wrong[0]
        raise VerificationError(
            f"coloring: vertex {v} has the color {colors[v]}, and its neighbours have only {different[v]} smaller ones"
        )
