"""A flow and a cut that certify each other, on the host."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from graphla.algorithms.max_flow._answer import MaxFlow
from graphla.common.errors import VerificationError
from graphla.storage.convert import expand_rows

Array = Any
ROUNDING = 1e-12
"""What sums of floats may differ by, relative to the sum of the finite capacities."""

COUNTED = 2.0**-38
"""What the capacity of an arc may be rounded by, relative to the flow and for each arc of the graph."""


def verify(csr: Any, answer: MaxFlow, source: int, sink: int) -> None:
    """Assert capacities, conservation, and that as much flows as the arcs of the cut take."""
    tails, heads, flows = (answer.flow.engine.to_host(part) for part in answer.flow.to_coo())
    value, exact, given = answer.value, csr.values.dtype.kind != "f", csr
    sums, slack, unit = (np.int64 if exact else np.float64), 0.0, 1
    if not exact:
        unit = find_unit(csr.values)
        csr, flows, value = replace(csr, values=csr.values / unit), flows / unit, value / unit
        slack = ROUNDING * float(csr.values[np.isfinite(csr.values)].sum())
    arcs = expand_rows(csr).astype(np.int64) * csr.nrows + csr.indices
    verify_capacities(csr, arcs, tails, heads, flows.astype(sums), slack)
    balance = np.zeros(csr.nrows, sums)
    np.add.at(balance, tails, flows.astype(sums))
    np.subtract.at(balance, heads, flows.astype(sums))
    if not abs(balance[source] - value) <= slack:
        raise VerificationError(f"max_flow: {balance[source]} leaves the source, and the value is {value}")
    balance[[source, sink]] = 0
    wrong = np.flatnonzero(~(abs(balance) <= slack))
    if wrong.size:
        raise VerificationError(f"max_flow: {balance[wrong[0]]} more leaves vertex {wrong[0]} than enters it")
    verify_cut(given, np.asarray(answer.cut.to_numpy(False), bool), answer.value, (source, sink), slack * unit)


def find_unit(capacities: Array) -> float:
    """A power of two no larger than the largest finite capacity: sums of capacities over it do not overflow."""
    finite = capacities[np.isfinite(capacities)]
    return 2.0 ** (int(np.frexp(float(finite.max(initial=0)))[1]) - 1) if finite.size and finite.any() else 1.0


def verify_capacities(csr: Any, arcs: Array, tails: Array, heads: Array, flows: Array, slack: float) -> None:
    """Assert that each flow is one along an arc, of no more than it takes."""
    wanted = tails.astype(np.int64) * csr.nrows + heads
    places = np.minimum(np.searchsorted(arcs, wanted), max(0, arcs.size - 1))
    found = arcs[places] == wanted if arcs.size else np.zeros(wanted.size, bool)
    limits = np.where(found, csr.values[places], 0) if arcs.size else np.zeros(wanted.size)
    wrong = np.flatnonzero((flows < 0) | (flows > limits + slack))
    if wrong.size:
        k = wrong[0]
        raise VerificationError(f"max_flow: {flows[k]} flows along {tails[k]} → {heads[k]}, which takes {limits[k]}")


def verify_cut(csr: Any, cut: Array, value: float, ends: tuple[int, int], slack: float) -> None:
    """Assert that the cut separates source and sink, and severs arcs that take as much as flows."""
    if not cut[ends[0]] or cut[ends[1]]:
        raise VerificationError(f"max_flow: the cut does not separate {ends[0]} from {ends[1]}")
    severed = cut[expand_rows(csr)] & ~cut[csr.indices]
    exact, takes = csr.values.dtype.kind != "f", csr.values[severed]
    unit = 1 if exact else find_unit(takes)
    total = takes.sum(dtype=np.int64) if exact else (takes.astype(np.float64) / unit).sum()
    few = max(ROUNDING, takes.size * csr.nvals * COUNTED)
    if not abs(total - (value if exact else value / unit)) <= min(slack / unit, few * total):
        raise VerificationError(f"max_flow: the arcs of the cut take {total * unit}, and the value is {value}")
