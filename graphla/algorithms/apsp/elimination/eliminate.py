"""A factor of a graph: the panels of all fronts, from which the sweeps make rows of distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.arithmetic import Arithmetic, choose_arithmetic
from graphla.algorithms.apsp.elimination.structure import Structure, analyze, measure_stacks
from graphla.algorithms.apsp.initial import is_non_negative, refuse_cycle
from graphla.common.errors import NotSupported
from graphla.common.memory import require
from semirings import BinaryOp, Semiring, max_min, monoid
from semirings.cuda import render_semiring
from semirings.dtypes import lookup
from semirings.expression import inf, trace, where

CORES = {
    "max_min": max_min,
    "max_times": Semiring(
        "max_times_of_paths",
        monoid.max,
        BinaryOp("times_of_paths", trace(lambda a, x: where((a < 0) | (x < 0), -inf, a * x), ("x", "y"))),
    ),
}
"""The other semirings on a GPU: the product of a path and of none is none, the identity of the maximum."""


@dataclass(frozen=True, eq=False)
class Panels:
    """The result of an elimination, on the host.

    Parameters
    ----------
    structure : Structure
        The fronts.
    arithmetic : Arithmetic
        The cells.
    up, down : ndarray
        The panels; see `fronts`.
    """

    structure: Structure
    arithmetic: Arithmetic
    up: Any
    down: Any

    @property
    def nbytes(self) -> int:
        """The bytes of the panels."""
        return int(self.up.nbytes + self.down.nbytes)

    def fetch(self) -> Panels:
        """Return the same panels on the host."""
        return self


@dataclass(frozen=True, eq=False)
class DevicePanels:
    """The result of an elimination, on a device.

    Parameters
    ----------
    engine : Engine
        The engine.
    structure : Structure
        The fronts.
    arithmetic : Arithmetic
        The cells.
    up, down : Strips
        The panels; see `layout`.
    """

    engine: Any
    structure: Structure
    arithmetic: Arithmetic
    up: Any
    down: Any

    @property
    def nbytes(self) -> int:
        """The bytes of the panels."""
        return int(self.up.cells.nbytes + self.down.cells.nbytes)

    def fetch(self) -> Panels:
        """Return the same panels on the host."""
        from graphla.algorithms.apsp.elimination import layout
        from graphla.algorithms.apsp.elimination.tables import SWEEP_COLUMNS

        up, down = (layout.Strips(*map(self.engine.to_host, part)) for part in (self.up, self.down))
        cells = layout.unpack(self.structure, up, down, self.arithmetic.zero, SWEEP_COLUMNS)
        return Panels(self.structure, self.arithmetic, *cells)


def get_structure(G: Any) -> Structure:
    """Return the result of the symbolic phase; cached with the graph."""
    return G.cached(
        "apsp.elimination", lambda G: analyze(*(G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices)))
    )


def eliminate(
    G: Any, dtype: np.dtype[Any], structure: Structure, semiring: str = "min_plus", sign: int = 1
) -> Panels | DevicePanels:
    """Eliminate all vertices on the engine of the graph; with `sign` −1 its weights are the caller's negatives.

    Raises
    ------
    NegativeCycle
        If there is a cycle of negative weight.
    NotSupported
        If a cycle betters the empty path in another semiring.
    OutOfMemory
        If the factor does not fit; nothing is computed then.
    """
    arithmetic = choose_arithmetic(G, dtype, semiring)
    run = eliminate_on_host if G.engine.name == "cpu" else eliminate_on_device
    panels, position = run(G, structure, arithmetic)
    vertex = int(structure.order[position]) if position >= 0 else -1
    if vertex >= 0 and semiring != "min_plus":
        raise NotSupported(
            f"{semiring}: a cycle through vertex {vertex} has a product of more than 1: no way is the best"
        )
    refuse_cycle(G, vertex, sign)
    return panels


def eliminate_on_host(G: Any, structure: Structure, arithmetic: Arithmetic) -> tuple[Panels, int]:
    """Eliminate with Numba; return the panels and a position on a negative cycle, or −1."""
    from graphla.algorithms.apsp.elimination.fronts import Elimination

    require_room(G, structure, count_working_bytes(G, structure, arithmetic.view), np)
    work = Elimination(structure, arithmetic.convert(G.csr.values), arithmetic)
    position = work.run()
    return Panels(structure, arithmetic, work.up, work.down), position


def eliminate_on_device(G: Any, structure: Structure, arithmetic: Arithmetic) -> tuple[DevicePanels, int]:
    """Eliminate by kernels; return the panels and a position on a negative cycle, or −1."""
    from graphla.algorithms.apsp.elimination.fronts_cuda import DeviceElimination

    kind, xp = choose_numbers(G, arithmetic), G.engine.xp
    require_room(G, structure, count_working_bytes(G, structure, arithmetic.view), xp)
    work = DeviceElimination(G.engine, structure, arithmetic.convert(G.csr.values, xp), arithmetic, kind)
    position = work.run()
    return DevicePanels(G.engine, structure, arithmetic, work.up, work.down), position


def count_working_bytes(G: Any, structure: Structure, cells: np.dtype[Any]) -> int:
    """Count the bytes of the panels and of the fronts that are held at once."""
    if G.engine.name != "cpu":
        from graphla.algorithms.apsp.elimination.tables import count_bytes

        return count_bytes(structure, cells)
    fronts = int(measure_stacks(structure)[structure.parent < 0].max(initial=0))
    return (structure.cells + fronts) * cells.itemsize


def require_room(G: Any, structure: Structure, nbytes: int, xp: Any) -> None:
    """Raise `OutOfMemory` if the panels and fronts do not fit in the memory of `xp`."""
    other = "sssp_sweep" if is_non_negative(G) else "johnson"
    require(
        nbytes,
        f"elimination of {G.n:,} vertices ({structure.updates:.2g} updates, fronts of up to "
        f"{int((structure.widths + structure.boundaries).max(initial=0)):,} vertices)",
        xp,
        f"method {other!r} of apsp needs no factor",
    )


def make_sweeps(G: Any, panels: Panels | DevicePanels) -> Any:
    """Prepare the computation of rows on the engine of a graph: ``compute(sources, targets, out)``."""
    if G.engine.name == "cpu":
        from graphla.algorithms.apsp.elimination.sweeps import Sweeps

        held = panels.fetch()
        return Sweeps(held.structure, held.up, held.down, held.arithmetic)
    from graphla.algorithms.apsp.elimination.sweeps_cuda import DeviceSweeps

    there = send(G.engine, panels) if isinstance(panels, Panels) else panels
    facts = there.structure, there.up, there.down, there.arithmetic
    return DeviceSweeps(G.engine, *facts, choose_numbers(G, panels.arithmetic))


def send(engine: Any, panels: Panels) -> DevicePanels:
    """Copy panels to a device."""
    from graphla.algorithms.apsp.elimination import layout
    from graphla.algorithms.apsp.elimination.tables import SWEEP_COLUMNS

    s, arithmetic = panels.structure, panels.arithmetic
    up, down = (
        layout.Strips(*map(engine.asarray, part))
        for part in layout.pack(s, panels.up, panels.down, arithmetic.zero, SWEEP_COLUMNS)
    )
    return DevicePanels(engine, s, arithmetic, up, down)


def choose_numbers(G: Any, arithmetic: Arithmetic) -> Any:
    """Choose the arithmetic of the kernels on a GPU."""
    from graphla.algorithms.apsp.tiles import Numbers, choose_exact_numbers

    if arithmetic.semiring == "min_plus":
        return choose_exact_numbers(G, arithmetic.dtype)
    kind = lookup(arithmetic.dtype)
    return Numbers("Saturating<S>", render_semiring(CORES[arithmetic.semiring], kind, kind, kind))
