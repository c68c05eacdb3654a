"""A factor of a graph: the panels of all fronts, from which the sweeps make rows of distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import semirings
from graphla.algorithms.apsp._elimination.arithmetic import Arithmetic, choose_arithmetic
from graphla.algorithms.apsp._elimination.structure import Structure, analyze, measure_stacks
from graphla.algorithms.apsp._start import is_non_negative, refuse_cycle
from graphla.errors import NotSupported
from graphla.memory import require
from semirings.cuda import render_semiring
from semirings.dtypes import lookup


@dataclass(frozen=True, eq=False)
class Panels:
    """The result of an elimination."""

    structure: Structure
    arithmetic: Arithmetic
    up: Any
    down: Any


def get_structure(G: Any) -> Structure:
    """Return the result of the symbolic phase; cached with the graph."""
    return G.cached(
        "apsp.elimination", lambda G: analyze(*(G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices)))
    )


def eliminate(G: Any, dtype: np.dtype[Any], structure: Structure, semiring: str = "min_plus") -> Panels:
    """Eliminate all vertices.

    Raises
    ------
    NegativeCycle
        If there is a cycle of negative weight.
    NotSupported
        If a cycle betters the empty path in another semiring.
    OutOfMemory
        If the factor does not fit; nothing is computed then.
    """
    from graphla.algorithms.apsp._elimination.fronts import Elimination

    require_room(G, dtype, structure)
    arithmetic = choose_arithmetic(G, dtype, semiring)
    weights = arithmetic.convert(G.engine.to_host(G.csr.values))
    work = Elimination(structure, weights, arithmetic)
    position = work.run()
    vertex = int(structure.order[position]) if position >= 0 else -1
    if vertex >= 0 and semiring != "min_plus":
        raise NotSupported(
            f"{semiring}: a cycle through vertex {vertex} has a product of more than 1: no way is the best"
        )
    refuse_cycle(G, vertex)
    return Panels(structure, arithmetic, work.up, work.down)


def require_room(G: Any, dtype: np.dtype[Any], structure: Structure) -> None:
    """Raise `OutOfMemory` if the panels and fronts do not fit in memory."""
    fronts = int(measure_stacks(structure)[structure.parent < 0].max(initial=0))
    other = "sssp_sweep" if is_non_negative(G) else "johnson"
    require(
        (structure.cells + fronts) * dtype.itemsize,
        f"elimination of {G.n:,} vertices ({structure.updates:.2g} updates, fronts of up to "
        f"{int((structure.widths + structure.boundaries).max(initial=0)):,} vertices)",
        np,
        f"method {other!r} of apsp needs no factor",
    )


def make_sweeps(G: Any, panels: Panels) -> Any:
    """Prepare the computation of rows on the engine of a graph: ``compute(sources, targets, out)``."""
    facts = panels.structure, panels.up, panels.down, panels.arithmetic
    if G.engine.name == "cpu":
        from graphla.algorithms.apsp._elimination.sweeps import Sweeps

        return Sweeps(*facts)
    from graphla.algorithms.apsp._elimination.sweeps_cuda import DeviceSweeps

    return DeviceSweeps(G.engine, *facts, choose_numbers(G, panels.arithmetic))


def choose_numbers(G: Any, arithmetic: Arithmetic) -> Any:
    """Choose the arithmetic of the kernels on a GPU."""
    from graphla.algorithms.apsp._tiles import Numbers, choose_exact_numbers

    if arithmetic.semiring == "min_plus":
        return choose_exact_numbers(G, arithmetic.dtype)
    kind = lookup(arithmetic.dtype)
    return Numbers("Saturating<S>", render_semiring(getattr(semirings.semiring, arithmetic.semiring), kind, kind, kind))
