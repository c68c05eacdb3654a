"""Delta-stepping of a graph that is spread over the ranks of one machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.algorithms.components.ranks import cut_by_leaving
from graphla.algorithms.shared.search_settings import Settings
from graphla.algorithms.shared.weights import SAMPLE, distance_dtype, infinity
from graphla.common.errors import OutOfMemory
from graphla.containers.vector import Vector
from graphla.engine.mpi.slots import Slots, collect_leaving, hold_found
from graphla.storage import CompressedMatrix

BOX = 1 << 16
"""Distances that a box holds: a rank that has filled one meets the others before it goes on."""
ROOM = 1 << 26
"""Bytes of all boxes; where many ranks share them, each is smaller."""
LEAST = 16
"""Distances below which boxes are not worth it."""
LINE = 8  # numbers of 64 bits in a cache line
LIGHT = 4.0  # the bucket of one core is as wide as the (LIGHT / degree)² quantile of the weights, at most the median
WIDER = 4.0  # that of ranks is wider: they meet a quarter as often, in no more time (measured on roads and grids)

Array = Any


@dataclass(frozen=True, eq=False)
class OwnArcs:
    """The leaving arcs of this rank's vertices, with weights in the dtype of the distances; a sample of all weights."""

    slots: Slots
    rows: CompressedMatrix
    sample: Array


@dataclass(frozen=True)
class Layout:
    """What lies in shared memory: counters, what ranks post, boxes and distances."""

    ranks: int
    places: int
    dtype: Any

    @property
    def entries(self) -> int:
        """Distances in a box."""
        return min(BOX, ROOM // (2 * self.ranks**2 * (8 + self.dtype.itemsize)))

    @property
    def parts(self) -> list[tuple[tuple[int, ...], Any]]:
        """Shapes and dtypes of the arrays."""
        boxes = (2, self.ranks, self.ranks, self.entries)
        posts = ((2, self.ranks, 1 + self.ranks), np.int64)
        fixed = [((self.ranks * LINE,), np.int64), posts, ((2, self.ranks, LINE), np.float64)]
        return [*fixed, (boxes, np.int32), (boxes, np.int32), (boxes, self.dtype), ((self.places,), self.dtype)]

    @property
    def nbytes(self) -> int:
        """Bytes of all of them."""
        return sum(count_bytes(*part) for part in self.parts)

    def cut(self, memory: Array) -> list[Array]:
        """The arrays within some bytes."""
        arrays, at = [], 0
        for shape, dtype in self.parts:
            used = int(np.prod(shape)) * np.dtype(dtype).itemsize
            arrays.append(memory[at : at + used].view(dtype).reshape(shape))
            at += count_bytes(shape, dtype)
        return arrays


def count_bytes(shape: tuple[int, ...], dtype: Any) -> int:
    """Bytes of an array, up to a whole line."""
    nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return nbytes + -nbytes % (8 * LINE)


def refuse_on_ranks(G: Any) -> str | None:
    """Refuse graphs over ranks that share no memory."""
    way_out = "method='algebraic' sends what others need"
    if G.engine.local.name != "cpu":
        return f"ranks with GPUs share no memory; {way_out}"
    layout = Layout(G.engine.ranks.size, 2 * G.n, distance_dtype(G.dtype.numpy))
    if layout.entries < LEAST or G.n >= 2**30:
        return f"{layout.ranks} ranks and {G.n:,} vertices are too many for boxes from each to each; {way_out}"
    if not G.engine.ranks.world.can_share(layout.nbytes):
        return f"the ranks run on several machines, or do not share {layout.nbytes:,} bytes of memory; {way_out}"
    return None


def run_on_ranks(G: Any, source: int, s: Settings, *, delta: float | None = None) -> tuple[Vector, Vector | None]:
    """Distances, and parents if asked, as vectors in parts."""
    from graphla.algorithms.sssp._ranks_cpu import ARC, run

    arcs: OwnArcs = G.cached("sssp.ranks", collect_arcs)
    slots, rows = arcs.slots, arcs.rows
    rank, none = slots.ranks.world.rank, infinity(rows.values.dtype)
    *shared, distances = open_memory(slots, rows.values.dtype)
    first = rank * slots.width
    distances[first : first + slots.width] = none
    shared[0][rank * LINE] = 0
    slots.ranks.world.barrier()
    parent, where = np.full(slots.own if s.parents else 0, -1, np.int32), np.zeros(slots.own, np.int8)
    lists, state = (np.empty(max(1, slots.own), np.int32), np.empty(max(1, slots.own), np.int32)), np.zeros(4, np.int64)
    state[ARC] = -1
    start, width = int(slots.to_places(np.array([source]))[0]), np.int64(slots.width)
    step = choose_step(G, arcs.sample) if delta is None else float(delta)
    own = rows.indptr, rows.indices, rows.values
    run(rank, slots.ranks.size, width, start, step, none, own, distances, parent, where, lists, state, tuple(shared))
    found = hold_found(slots, distances[first : first + slots.own].copy(), none)
    above = hold_found(slots, to_vertices(slots, parent), -1) if s.parents else None
    return wrap(G, found), None if above is None else wrap(G, above)


def wrap(G: Any, storage: Any) -> Vector:
    """A vector in parts."""
    return Vector._from_storage(storage, G.engine)


def open_memory(slots: Slots, dtype: Any) -> list[Array]:
    """The arrays in shared memory."""
    world, layout = slots.ranks.world, Layout(slots.ranks.size, slots.places, dtype)
    if world.size == 1:
        return layout.cut(np.empty(layout.nbytes, np.uint8))
    memory = world.share_memory(layout.nbytes)
    if memory is None:
        raise OutOfMemory(f"sssp: {layout.nbytes:,} bytes do not fit into the memory that the ranks share, /dev/shm")
    return layout.cut(memory.array)


def collect_arcs(G: Any) -> OwnArcs:
    """Cut the vertices by their leaving arcs, and send each arc to the rank that owns its tail."""
    slots, dtype = cut_by_leaving(G), distance_dtype(G.dtype.numpy)
    rows = collect_leaving(slots, G.A._storage, weighted=True, as_places=True)
    weights = rows.values.astype(dtype, copy=False)
    positions = np.linspace(0, weights.size - 1, min(SAMPLE, weights.size)).astype(np.int64)
    sample = np.sort(slots.ranks.world.all_gather(weights[positions].astype(np.float64)))
    return OwnArcs(slots, CompressedMatrix(rows.nrows, rows.ncols, rows.indptr, rows.indices, weights), sample)


def choose_step(G: Any, sample: Array) -> float:
    """The width of a bucket, from some weights in their order."""
    share = min(0.5, (LIGHT / max(G.nvals / max(G.n, 1), 1.0)) ** 2)
    positive = sample[sample > 0]
    if not positive.size:
        return 1.0
    chosen = float(sample[min(int(share * sample.size), sample.size - 1)])
    lightest = float(positive[0])
    return WIDER * (chosen if 0 < chosen < np.inf else lightest if lightest < np.inf else 1.0)


def to_vertices(slots: Slots, places: Array) -> Array:
    """The vertices at places; -1 stays."""
    owners = places // slots.width
    vertices = places - owners * slots.width + np.array(slots.bounds[:-1])[owners]
    return np.where(places < 0, -1, vertices).astype(np.int32)
