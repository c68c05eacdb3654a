"""Verify all-pairs shortest paths: distances are a fixed point and justified by arcs, and next hops follow them.

Floats may differ by the rounding of sums in another order; integers must be exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from graphla.algorithms.shared.weights import add_saturating, infinity
from graphla.common.errors import VerificationError

Array = np.ndarray[Any, Any]
ROUNDING = {"float32": 2e-5, "float64": 1e-12}
"""The difference that two orders of summation may have, relative to the largest distance of a row."""


def verify(
    n: int, indptr: Array, indices: Array, values: Array, distances: Array, next_hops: Array | None = None
) -> None:
    """Assert that these are the shortest distances, and that the next hops walk shortest paths.

    Asserted for each row i: d[i, i] = 0; no arc k → j has d[i, k] + w < d[i, j]; each finite d[i, j], i ≠ j, has an arc
    with d[i, k] + w = d[i, j], and such arcs lead from i to j; where d[i, j] is infinite and d[i, k] is not, no arc
    k → j of finite weight is there, whatever the dtype makes of the sum. Of the hops: H[i, i] = i; H[i, j] = −1 where
    no path is; else an arc i → H[i, j] with w + d[H[i, j], j] = d[i, j]; and the walk to j ends. O(n m) time.

    Raises
    ------
    VerificationError
        Naming the first pair that breaks a property, and the property.
    """
    if distances.shape != (n, n):
        raise VerificationError(f"apsp: distances of shape {distances.shape} for {n} vertices")
    weights, none = saturate(values, distances.dtype), infinity(distances.dtype)
    rows = np.repeat(np.arange(n), np.diff(indptr))
    order = np.argsort(indices, kind="stable")
    arcs = rows[order], np.asarray(indices)[order], weights[order]
    for i in range(n):
        check_row(i, distances[i], arcs, none)
    if next_hops is not None:
        check_hops(distances, next_hops, indptr, indices, weights, none)


def saturate(values: Array, dtype: np.dtype[Any]) -> Array:
    """Convert weights to the dtype of the distances, saturated."""
    if dtype.kind == "f" or values.dtype.kind in "bf":
        return values.astype(dtype)
    given, wanted = np.iinfo(values.dtype), np.iinfo(dtype)
    return values.clip(max(given.min, wanted.min), min(given.max, wanted.max)).astype(dtype)


def fail(i: int, j: Any, what: str) -> None:
    raise VerificationError(f"apsp: from {i} to {int(j)}: {what}")


def find_slack(d: Array, none: Any) -> float:
    """Return the rounding error that a row may have."""
    known = np.abs(d[d != none])
    return ROUNDING.get(d.dtype.name, 0) * float(known.max(initial=0))


def find_first(wrong: Array) -> Any:
    """Return the first true position, or None."""
    return wrong.argmax() if wrong.any() else None


def check_row(i: int, d: Array, arcs: tuple[Array, Array, Array], none: Any) -> None:
    """Check the distances from i; `arcs` are sorted by their heads."""
    tails, heads, weights = arcs
    if d[i] != 0:
        fail(i, i, f"a vertex is 0 from itself, not {d[i]}")
    sums, room = add_saturating(d[tails], weights, none), find_slack(d, none)
    with np.errstate(invalid="ignore"):
        shorter = find_first((sums < d[heads]) & (np.abs(d[heads] - sums) > room) if room else sums < d[heads])
        tight = (sums != none) & (np.abs(sums - d[heads]) <= room if room else sums == d[heads])
    if shorter is not None:
        k, j = tails[shorter], heads[shorter]
        fail(i, j, f"{d[j]}, but the arc {k} → {j} of weight {weights[shorter]} makes it {sums[shorter]}")
    lost = find_first((d[tails] != none) & (d[heads] == none) & ((weights != none) | (d.dtype.kind != "f")))
    if lost is not None:
        k, j = tails[lost], heads[lost]
        fail(i, j, f"no distance, but the arc {k} → {j} of weight {weights[lost]} leads there: it is beyond {d.dtype}")
    borne = np.zeros(d.size, bool)
    borne[heads[tight]] = True
    borne[i] = True
    if weights.size and weights.min() <= 0:
        borne = find_reached(i, d.size, tails[tight], heads[tight])
    lonely = find_first((d != none) & ~borne)
    if lonely is not None:
        fail(i, lonely, f"{d[lonely]}, but no path is that short")


def find_reached(i: int, n: int, tails: Array, heads: Array) -> Array:
    """Return flags of the vertices that the arcs reach from i."""
    graph = csr_array((np.ones(tails.size, np.int8), (tails, heads)), shape=(n, n))
    flags = np.zeros(n, bool)
    flags[breadth_first_order(graph, i, return_predecessors=False)] = True
    return flags


def check_hops(d: Array, hops: Array, indptr: Array, indices: Array, weights: Array, none: Any) -> None:
    """Check that each hop is an arc of a shortest path, and that the walks end."""
    everyone = np.arange(d.shape[0])
    for i in everyone:
        away = (d[i] != none) & (everyone != i)
        if hops[i, i] != i:
            fail(i, i, f"the next hop from a vertex to itself is itself, not {hops[i, i]}")
        stray = find_first(~away & (everyone != i) & (hops[i] != -1))
        if stray is not None:
            fail(i, stray, f"there is no path, but a next hop {hops[i, stray]}")
        check_pair_hops(
            i, d, hops[i], away, indices[indptr[i] : indptr[i + 1]], weights[indptr[i] : indptr[i + 1]], none
        )
    for j in everyone:
        check_walks(j, hops[:, j])


def check_pair_hops(i: int, d: Array, hops: Array, away: Array, heads: Array, weights: Array, none: Any) -> None:
    """Check that the hops from i are arcs of the graph, and that the remaining distance is right."""
    targets = np.flatnonzero(away)
    out, there = np.full(d.shape[0], none, d.dtype), np.zeros(d.shape[0], bool)
    out[heads], there[heads] = weights, True
    via = hops[targets]
    wrong = find_first((via < 0) | ~there[via])
    if wrong is not None:
        fail(i, targets[wrong], f"the next hop {via[wrong]} is no arc of {i}")
    sums, room = add_saturating(d[via, targets], out[via], none), find_slack(d[i], none)
    far = np.abs(sums - d[i, targets]) > room if room else sums != d[i, targets]
    wrong = find_first(far)
    if wrong is not None:
        fail(i, targets[wrong], f"{d[i, targets[wrong]]}, but over the next hop {via[wrong]} it is {sums[wrong]}")


def check_walks(j: int, hops: Array) -> None:
    """Check by pointer doubling that every walk to j ends at j."""
    at = np.where(hops < 0, j, hops)
    for _ in range(max(1, at.size.bit_length())):
        at = at[at]
    lost = find_first(at != j)
    if lost is not None:
        fail(int(lost), j, "the next hops go round in a circle")
