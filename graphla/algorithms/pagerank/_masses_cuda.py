"""The right sums of ranks over components on a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.pagerank.settings import Settings
from graphla.engine.cuda.records import read_struct
from graphla.storage.convert import copy_array

KERNELS = Path(__file__).with_name("masses.cuh")
THREADS, BLOCKS = 256, 1056  # of a block; eight of them a multiprocessor of an H200
SUMS = 4
"""Numbers of the struct Masses."""
TOGETHER = "sum_masses", "weigh_masses", "place_masses"
MassParameters = read_struct(KERNELS, "MassParameters")

Array = Any


def place_masses(G: Any, labels: Array, s: Settings) -> Array:
    """Ranks with the right sums; `labels` are the smallest vertices of components."""
    engine, xp, n = G.engine, G.engine.xp, G.n
    ranks, share, teleport = copy_array(s.begin(n)), engine.asarray(s.share), engine.asarray(s.teleport)
    parameters = MassParameters(
        n=n,
        labels=labels,
        common=G.csr.indices if G.nvals else xp.zeros(1, np.int32),
        degrees=G.degrees,
        ranks=ranks,
        share=share,
        share_step=min(1, share.size - 1),
        teleport=teleport,
        teleport_step=min(1, teleport.size - 1),
        sums=xp.zeros((n, SUMS)),
        totals=xp.zeros(2),
        damping=s.damping,
    )
    for name in TOGETHER:
        kernel = engine.kernel(KERNELS, name, takes=MassParameters, beside=TOGETHER)
        kernel(min(BLOCKS, -(-n // THREADS)), THREADS, parameters)
    return ranks
