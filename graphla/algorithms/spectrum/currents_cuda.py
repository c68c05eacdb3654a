"""Resistances from the factor of a grounded Laplacian on the GPU: a block goes up the tree from both ends of a pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.pairs_cuda import list_levels
from graphla.algorithms.apsp.elimination.tables import keep_with
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array

PAIR_THREADS = 128
PAIR_BLOCKS = 2048
"""Blocks at most, each of which keeps two labels."""
KERNELS = Path(__file__).with_suffix(".cuh")
PairParameters = read_struct(KERNELS, "PairParameters")


def measure(equations: Any, sources: Any, sinks: Any) -> Array:
    """Return bᵀ A⁻¹ b for pairs of positions, int arrays on the host, on the device; sinks of −1 are none."""
    engine, s, work = equations.engine, equations.structure, equations.work
    key = "levels", engine, engine.device.number()
    length, level, parent, owner, width = keep_with(s, key, lambda: send_levels(engine, s))
    xp, t, blocks = engine.xp, work.tables, min(PAIR_BLOCKS, sources.size)
    out = xp.empty(sources.size, np.float64)
    at, to = (engine.asarray(np.ascontiguousarray(part, np.int32)) for part in (sources, sinks))
    parameters = PairParameters(
        sources=at, sinks=to, pairs=sources.size, first=t.first, indptr=t.indptr, indices=t.indices, parent=parent,
        owner=owner, level=level, length=length, panels=work.panels.cells, offset=work.panels.offset,
        x=xp.empty(2 * blocks * width, np.float64), width=width, out=out,
    )  # fmt: skip
    if blocks:
        engine.kernel(KERNELS, "measure_pairs", takes=PairParameters)(blocks, PAIR_THREADS, parameters)
    return out


def send_levels(engine: Any, s: Any) -> tuple[Array, Array, Array, Array, int]:
    """Copy to a device how long the ways up are, where positions stand on them, and the tree."""
    length, level = list_levels(s)
    owner = np.repeat(np.arange(s.parent.size, dtype=np.int32), s.widths)
    sent = tuple(map(engine.asarray, (length, level, s.parent, owner)))
    return (*sent, int(length.max(initial=0)))
