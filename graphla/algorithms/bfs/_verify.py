"""What a correct breadth-first search looks like: the checks of GAP and of Graph500, on host arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.shared.limits import WHOLE, Limits
from graphla.common.errors import VerificationError

Array = Any


def _list_tails(csr: Any) -> Array:
    """The tail of each stored arc."""
    return np.repeat(np.arange(csr.nrows, dtype=np.int32), np.diff(csr.indptr))


def _refuse_first(wrong: Array, what: str) -> None:
    """Raise for the first vertex (or arc) where `wrong` holds."""
    at = np.flatnonzero(wrong)
    if at.size:
        raise VerificationError(f"{what} (first at {int(at[0])}, {at.size} in all)")


def verify_levels(csr: Any, source: int, levels: Array, s: Limits = WHOLE) -> None:
    """Assert that `levels` are the distances in arcs from `source`.

    The source alone has level 0; no arc u → v from a reached u leads further than one level down;
    and every other reached vertex has an arc into it from the level above. The last level is that of the limits.

    Raises
    ------
    VerificationError
        Naming the property and the first vertex that breaks it.
    """
    levels = np.asarray(levels)
    if levels.shape != (csr.nrows,):
        raise VerificationError(f"levels has shape {levels.shape}, the graph has {csr.nrows} vertices")
    if levels[source] != 0:
        raise VerificationError(f"the source {source} has level {levels[source]}, not 0")
    roots = levels == 0
    roots[source] = False
    _refuse_first(roots, "a vertex other than the source has level 0")
    last = s.find_bound(levels[list(s.targets or ())], -1, levels.dtype)
    _refuse_first(levels > last, f"it is beyond level {last}, with which the search ends")
    tails, heads = _list_tails(csr), csr.indices
    reached = (levels[tails] >= 0) & (levels[tails] < last)
    tails, heads = tails[reached], heads[reached]
    _refuse_first(_mark(csr.nrows, heads[levels[heads] < 0]), "a reached vertex has an arc to it, it no level")
    deeper = levels[heads] > levels[tails] + 1
    _refuse_first(_mark(csr.nrows, heads[deeper]), "an arc to it spans more than one level")
    found = _mark(csr.nrows, heads[levels[heads] == levels[tails] + 1])
    found[source] = True
    _refuse_first((levels >= 0) & ~found, "no arc comes to it from the level above")


def _mark(n: int, vertices: Array) -> Array:
    marked = np.zeros(n, bool)
    marked[vertices] = True
    return marked


def verify_parents(csr: Any, source: int, levels: Array, parents: Array) -> None:
    """Assert that `parents` is a tree rooted at `source` whose arcs span exactly one level each.

    Raises
    ------
    VerificationError
        Naming the property and the first vertex that breaks it.
    """
    levels, parents = np.asarray(levels), np.asarray(parents)
    if parents[source] != source:
        raise VerificationError(f"the parent of the source {source} is {parents[source]}, not itself")
    _refuse_first((parents >= 0) != (levels >= 0), "it has a level or a parent, but not both")
    children = np.flatnonzero(parents >= 0)
    children = children[children != source]
    above = parents[children]
    _refuse_first(_mark(csr.nrows, children[above >= csr.nrows]), "its parent is not a vertex")
    wrong = levels[children] != levels[above] + 1
    _refuse_first(_mark(csr.nrows, children[wrong]), "its parent is not one level above")
    stored = has_arcs(csr, above, children)
    _refuse_first(_mark(csr.nrows, children[~stored]), "no arc leads to it from its parent")


def has_arcs(csr: Any, tails: Array, heads: Array) -> Array:
    """For each pair, is the arc stored? Rows are sorted, so arcs are sorted pairs."""
    if not csr.indices.size:
        return np.zeros(len(tails), bool)
    keys = _list_tails(csr).astype(np.int64) * csr.ncols + csr.indices
    wanted = np.asarray(tails, np.int64) * csr.ncols + heads
    return keys[np.minimum(np.searchsorted(keys, wanted), keys.size - 1)] == wanted


def verify(csr: Any, source: int, levels: Array, parents: Array | None = None, s: Limits = WHOLE) -> None:
    """Assert levels and, where given, parents of a breadth-first search; see the two checks above."""
    verify_levels(csr, source, levels, s)
    if parents is not None:
        verify_parents(csr, source, levels, parents)
