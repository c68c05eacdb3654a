"""Resistances and currents from the factor of a grounded Laplacian."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.ldl import measure_tile, solve_tile
from graphla.algorithms.spectrum.laplacian import Laplacian
from graphla.engine.cpu.jit import inner
from graphla.engine.cpu.late import compile_late, foresee
from graphla.engine.cpu.threads import count_workers, run_for_each

TILE = 32
"""Edges whose currents are held together."""
APART = -2
"""The sink of a pair whose ends are in two components."""


@inner()
def visit(s, x, t, panels, d):  # type: ignore[no-untyped-def]
    """Take one supernode of L⁻¹ x, clear its places, and return Σ x² / d over them."""
    f, w, b, end = t.first[s], t.first[s + 1] - t.first[s], t.start[s], t.panel[s]
    y = x[f : f + w]
    for i in range(w + t.start[s + 1] - b):
        total, row = 0.0, panels[end : end + w]
        for k in range(i if i < w else w):
            total += row[k] * y[k]
        x[f + i if i < w else t.rows[b + i - w]] -= total
        end += w
    found = 0.0
    for k in range(f, f + w):
        found += x[k] * x[k] / d[k]
        x[k] = 0
    return found


@compile_late(0.5, lambda sources, sinks, of, parent, t, panels, *_: 0.1 * len(sources) * len(panels), views=True)
def measure(sources, sinks, of, parent, t, panels, d, x, out):  # type: ignore[no-untyped-def]
    """Compute bᵀ A⁻¹ b for b = e_source − e_sink by positions; a sink of −1 is none. x is zero before and after."""
    for r in range(len(sources)):
        u, v = sources[r], sinks[r]
        if u == v:
            continue
        x[u], a, b = 1, of[u], -1
        if v >= 0:
            x[v], b = -1, of[v]
        found = 0.0
        while a >= 0 or b >= 0:
            s = a if b < 0 or (0 <= a <= b) else b
            found += visit(s, x, t, panels, d)
            if a == s:
                a = parent[s]
            if b == s:
                b = parent[s]
        out[r] = found


def run_measure(L: Laplacian, sources: Any, sinks: Any) -> Any:
    """Compute bᵀ A⁻¹ b for pairs of vertices on the engine; sinks of −1 are none, and of −2 give infinity."""
    rank = L.factor._structure.rank.astype(np.int64)
    ends = rank[sources], np.where(sinks >= 0, rank[sinks], sinks)
    if L.engine.name == "cpu":
        return run_on_host(L, *ends)
    from graphla.algorithms.spectrum import currents_cuda

    return currents_cuda.measure(L.factor._equations, *ends)


def run_on_host(L: Laplacian, sources: Any, sinks: Any) -> Any:
    """Compute it on all cores, for positions."""
    structure, work = L.factor._structure, L.factor._equations.work
    of = np.repeat(np.arange(structure.parent.size, dtype=np.int32), structure.widths)
    apart, out = sinks == APART, np.zeros(sources.size)
    sinks = np.where(apart, sources, sinks)
    order = np.argsort(sources, kind="stable")  # beside each other they share their ways up

    def run(part: Any) -> None:
        result = np.zeros(part.size)
        facts = of, structure.parent, work.tables, work.panels, work.d, np.zeros(L.n), result
        measure(sources[part], sinks[part], *facts)
        out[part] = result

    run_for_each(run, [part for part in np.array_split(order, count_workers()) if part.size])
    return np.where(apart, np.inf, out)


def measure_pairs(L: Laplacian, sources: Any, sinks: Any) -> Any:
    """Return the effective resistances of pairs, on the engine."""
    sources, sinks = sources.astype(np.int64), sinks.astype(np.int64)
    return run_measure(L, sources, np.where(L.labels[sources] == L.labels[sinks], sinks, APART))


def measure_diagonal(L: Laplacian) -> Any:
    """Return the diagonal of L⁺ of a connected graph.

    With the inverse A⁻¹ of the grounded Laplacian L⁺ = P A⁻¹ P, P = I − 1 1ᵀ / n.
    """
    every = np.arange(L.n)
    inverse: Any = L.engine.to_host(run_measure(L, every, np.full(L.n, -1)))
    sums = L.factor.solve(np.ones(L.n))
    return inverse - 2 / L.n * sums + sums.sum() / L.n**2


def list_edges(L: Laplacian) -> tuple[Any, Any, Any]:
    """Return the ends of each edge and its weight."""
    from scipy.sparse import triu

    upper: Any = triu(L.matrix, 1).tocoo()
    return upper.row, upper.col, -upper.data


def sum_currents(L: Laplacian, tails: Any, heads: Any, weights: Any) -> Any:
    """Return for each edge the sum over all pairs s < t of the current that a unit from s to t sends through it.

    The currents are |xₛ − xₜ| for the column x = w L⁺ (eᵢ − eⱼ), and Σ_{s < t} |xₛ − xₜ| = Σ_k (2 k − n + 1) x₍ₖ₎ over
    the entries in ascending order.
    """
    ramp, found = np.arange(1.0 - L.n, L.n, 2.0), np.zeros(tails.size)
    if L.engine.name == "cpu":
        work = L.factor._equations.work
        passes, tile = tails.size / TILE, np.broadcast_to(0.0, (L.n, TILE))
        foresee(solve_tile, passes * measure_tile(tile, work.tables, work.panels, work.d))
    for low in range(0, tails.size, TILE):
        part = slice(low, low + TILE)
        count = tails[part].size
        sides = np.zeros((L.n, count))
        sides[tails[part], np.arange(count)] = weights[part]
        sides[heads[part], np.arange(count)] = -weights[part]
        columns = L.factor.solve(sides, refine=False)
        columns.sort(axis=0)
        found[part] = ramp @ columns
    return found
