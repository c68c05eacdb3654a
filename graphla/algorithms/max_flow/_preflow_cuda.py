"""Push and relabel on a GPU: searches of all distances and rounds alternate until no vertex is active."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.max_flow._network import Network
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.records import read_struct
from graphla.storage.convert import copy_array

Array = Any
FLOW_THREADS = 256
"""The threads of a block: at most two to the power of `_network.ROOM_BITS`."""
LONG_ROW = 1024
"""Arcs from which on a block, and not a warp, pushes."""
LEAVE_BLOCKS = 64
"""Blocks that fill the arcs of the source."""
LEAST_ROUNDS = 32
"""Rounds between two searches, beside the depth of the search."""
ACTIVE = 7
"""Where the counters hold how many vertices were active."""
PATH = Path(__file__).with_name("push_relabel.cuh")
BESIDE = "flag_reaching", "read_flow"
"""Kernels that are compiled with the one that fills the arcs of the source."""
FlowParameters = read_struct(PATH, "FlowParameters")


def begin(G: Any) -> None:
    """Begin to compile what is needed once there is a network."""
    pointer = G.engine.c_type(G.csr.indptr)
    G.engine.lists.begin("transpose", "scan")
    G.engine.begin(PATH, f"leave<{pointer}>", *BESIDE)
    for name in ("find_distances", "discharge"):
        G.engine.begin(PATH, f"{name}<{pointer}>", cooperative=True)


class Preflow:
    """The arrays of a flow on the device.

    Parameters
    ----------
    G : Graph
        The graph.
    network : Network
        Its capacities.
    """

    def __init__(self, G: Any, network: Network) -> None:
        xp, rows, self.engine = G.engine.xp, network.capacity, G.engine
        self.arrays: dict[str, Any] = {
            "n": G.n,
            "indptr": rows.indptr,
            "indices": rows.indices,
            "reverse": network.reverse,
            "residual": copy_array(rows.values),
            "excess": xp.zeros(G.n, np.int64),
            "height": xp.empty(G.n, np.int32),
            "queue": xp.empty(G.n, np.int32),
            "hubs": xp.empty(G.n, np.int32),
            "counts": xp.zeros(8, np.int32),
            "barrier": G.engine.get_barrier(),
        }
        names = (f"{name}<{self.engine.c_type(rows.indptr)}>" for name in ("find_distances", "discharge"))
        self.kernels = [self.engine.kernel(PATH, each, cooperative=True, takes=FlowParameters) for each in names]
        self.grids = G.cached(
            "max_flow.grids", lambda _: [kernel.resident_blocks(FLOW_THREADS) for kernel in self.kernels]
        )

    def leave(self, source: int) -> None:
        """Fill all arcs of the source."""
        name = f"leave<{self.engine.c_type(self.arrays['indptr'])}>"
        kernel = self.engine.kernel(PATH, name, takes=FlowParameters, beside=BESIDE)
        kernel(LEAVE_BLOCKS, FLOW_THREADS, FlowParameters(**self.arrays, target=source, barred=source))

    def drain(self, target: int, barred: int) -> Array:
        """Move all excess that can reach the target there; return the vertices from which it can be reached."""
        given = FlowParameters(**self.arrays, target=target, barred=barred)
        while True:
            for kernel, blocks in zip(self.kernels, self.grids, strict=True):
                kernel(blocks, FLOW_THREADS, given)
            if not int(self.engine.to_host(given.counts)[ACTIVE]):
                return flag_reaching(self.engine, given.height)


def flag_reaching(engine: Any, height: Array) -> Array:
    """The vertices that the last search has found."""
    n, reaches = int(height.size), engine.xp.empty(height.size, bool)
    launch_over(engine.kernel(PATH, BESIDE[0], beside=BESIDE), n, (height, np.int32(n), reaches))
    return reaches


def read_flow(engine: Any, capacity: Array, residual: Array, reaches: Array) -> tuple[Array, Array]:
    """What moved along each arc, and the vertices that do not reach the sink."""
    xp, arcs, n = engine.xp, int(capacity.size), int(reaches.size)
    moved, apart = xp.empty(arcs, np.int64), xp.empty(n, bool)
    given = capacity, residual, reaches, np.int64(arcs), np.int32(n), moved, apart
    launch_over(engine.kernel(PATH, BESIDE[1], beside=BESIDE), max(arcs, n), given)
    return moved, apart


def find_flow(G: Any, network: Network, source: int, sink: int) -> tuple[Array, int, Array]:
    """The residual capacities, the value of the flow, and the vertices from which the sink can still be reached."""
    preflow = Preflow(G, network)
    preflow.leave(source)
    reaches = preflow.drain(sink, source)
    value = int(preflow.arrays["excess"][sink])
    preflow.drain(source, sink)
    return preflow.arrays["residual"], value, reaches
