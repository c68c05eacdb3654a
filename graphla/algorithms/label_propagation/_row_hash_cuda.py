"""Rounds of label propagation on a GPU: rows by their lengths, one launch per class of rows and round."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.label_propagation._neighbours import get_neighbours
from graphla.engine.cuda.blocks import launch_over
from graphla.engine.cuda.records import read_struct
from graphla.storage.convert import copy_array, gather, measure_rows

Array = Any

THREADS = 256
THREAD_ROW = 8
"""Neighbours that a thread compares in registers, each with each."""
WARP_ROW = 128
BLOCK_ROW = 512
PIECE = 2048
"""Neighbours that a block counts in shared memory; longer rows are cut into pieces of so many."""
PIECE_THREADS = 512
SLOT_BYTES = 8
TABLE_BYTES = 1 << 28
"""Bytes of the tables of hubs that are there at once; a longer row has its table alone."""
FEW = 4
"""Vertices wake their neighbours if those that changed have at most a quarter of the arcs; else all count again."""
LOOK = 16
"""The host looks whether labels still change after so many rounds."""
KERNELS = (
    ("count_by_thread<{offset}>", THREAD_ROW, THREADS, THREADS),
    ("count_by_match<{offset}>", 32, THREADS, THREADS // 32),
    ("count_by_warp<{offset}>", WARP_ROW, THREADS, THREADS // 32),
    (f"count_by_block<{{offset}}, {2 * BLOCK_ROW}>", BLOCK_ROW, BLOCK_ROW // 4, 1),
    (f"count_by_block<{{offset}}, {2 * PIECE}>", PIECE, PIECE // 4, 1),
)
"""Each kernel, the longest row that it takes, the threads of a block and the rows of a block."""
ROWS, HUBS, LENGTHS = (Path(__file__).with_name(f"{name}.cuh") for name in ("row_hash", "_hubs", "_rows"))
RoundParameters = read_struct(ROWS, "RoundParameters")
HubParameters = read_struct(HUBS, "HubParameters")


@dataclass(frozen=True)
class Classes:
    """Rows by their lengths; of the longest rows the vertex and the place of each piece, and which pieces go together.

    `batches` are ranges of pieces of whole rows, whose tables fit into `TABLE_BYTES`.
    """

    rows: tuple[Array, ...]
    hub: Array
    place: Array
    batches: tuple[tuple[int, int], ...]


def sort_rows(G: Any) -> Classes:
    """Sort the vertices that have neighbours by their number."""
    xp, (indptr, _) = G.engine.xp, get_neighbours(G)
    limits = [0, *(longest for _, longest, _, _ in KERNELS), G.n + indptr.size]
    *rows, hubs = (list_rows(G.engine, indptr, low, high) for low, high in pairwise(limits))
    lengths = gather(measure_rows(indptr), hubs) if hubs.size else hubs
    pieces = -(-G.engine.to_host(lengths).astype(np.int64) // PIECE)
    hub = np.repeat(G.engine.to_host(hubs), pieces)
    ends = np.cumsum(pieces)
    place = (np.arange(hub.size) - np.repeat(ends - pieces, pieces)).astype(np.int32)
    most = TABLE_BYTES // (2 * PIECE * SLOT_BYTES)
    return Classes(tuple(rows), xp.asarray(hub), xp.asarray(place), tuple(divide(ends.tolist(), most)))


def list_rows(engine: Any, indptr: Array, low: int, high: int) -> Array:
    """The rows of more than `low` entries and no more than `high`, in int32."""
    n, flags = int(indptr.size) - 1, engine.xp.empty(indptr.size - 1, bool)
    launch_over(
        get_kernel(engine, "flag_lengths", indptr), n, (indptr, np.int32(n), np.int64(low), np.int64(high), flags)
    )
    return engine.lists.list_true(flags, "int32")


def take_smallest(engine: Any, indptr: Array, indices: Array) -> Array:
    """The labels after the first round, as `take_first` finds them."""
    n, out = int(indptr.size) - 1, engine.xp.empty(indptr.size - 1, np.int32)
    launch_over(get_kernel(engine, "take_smallest", indptr), n, (indptr, indices, np.int32(n), out))
    return out


def get_kernel(engine: Any, name: str, indptr: Array) -> Any:
    """A kernel of `_rows.cuh`; both are compiled as one module."""
    offset = engine.c_type(indptr)
    beside = f"flag_lengths<{offset}>", f"take_smallest<{offset}>"
    return engine.kernel(LENGTHS, f"{name}<{offset}>", beside=beside)


def divide(ends: list[int], most: int) -> list[tuple[int, int]]:
    """Ranges that end where a row does, of at most `most` pieces unless one row alone has more."""
    batches, begin, end = [], 0, 0
    for following in ends:
        if following - begin > most and end > begin:
            batches.append((begin, end))
            begin = end
        end = following
    return [*batches, (begin, end)] if end > begin else batches


class Rounds:
    """The arrays of a propagation on the device."""

    def __init__(self, G: Any, label: Array) -> None:
        xp, engine = G.engine.xp, G.engine
        self.indptr, self.indices = get_neighbours(G)
        self.classes: Classes = G.cached("label_propagation.classes", sort_rows)
        self.label, self.next = label, copy_array(label)
        self.stamps = xp.zeros(G.n, np.int32), xp.zeros(G.n, np.int32)
        self.round = 0
        offset = engine.c_type(self.indptr)
        self.expressions = [text.format(offset=offset) for text, *_ in KERNELS]
        wanted = [each for each, rows in zip(self.expressions, self.classes.rows, strict=True) if rows.size]
        for each in wanted:
            engine.begin(ROWS, each)
        self.kernels = {each: engine.kernel(ROWS, each, takes=RoundParameters) for each in wanted}
        names = ("clear_tables", "count_pieces", "settle_hubs") if self.classes.batches else ()
        self.hub_kernels = [engine.kernel(HUBS, f"{name}<{offset}>", takes=HubParameters) for name in names]
        most = max((end - begin for begin, end in self.classes.batches), default=0)
        self.slots, self.best = xp.empty(most * 2 * PIECE, np.uint64), xp.empty(most, np.uint64)

    def run(self, changed: Array) -> None:
        """One round; `changed` begins with the arcs of the vertices that changed in the two rounds before."""
        self.round += 1
        now, following = self.stamps[self.round % 2], self.stamps[1 - self.round % 2]
        common = {
            "indptr": self.indptr,
            "indices": self.indices,
            "label": self.label,
            "next": self.next,
            "stamp": now,
            "next_stamp": following,
            "round": self.round,
            "changed": changed[2:],
            "changed_before": changed[1:],
            "changed_before_that": changed,
            "few": self.indices.size // FEW,
        }
        for name, rows, (_, _, threads, each) in zip(self.expressions, self.classes.rows, KERNELS, strict=True):
            if rows.size:
                self.kernels[name](
                    -(-rows.size // each), threads, RoundParameters(rows=rows, count=rows.size, **common)
                )
        for begin, end in self.classes.batches:
            self.count_hubs(begin, end, common)
        self.label, self.next = self.next, self.label

    def count_hubs(self, begin: int, end: int, common: dict[str, Any]) -> None:
        """The labels of the hubs with these pieces."""
        hub, place = self.classes.hub[begin:end], self.classes.place[begin:end]
        parameters = HubParameters(hub=hub, place=place, slots=self.slots, best=self.best, **common)
        for kernel in self.hub_kernels:
            kernel(end - begin, PIECE_THREADS, parameters)


def propagate(G: Any, label: Array, rounds: int) -> Array:
    """The labels after some rounds, or once they stay as they are."""
    if not rounds:
        return label
    xp, running = G.engine.xp, Rounds(G, label)
    changed = G.engine.asarray(np.full(2, np.iinfo(np.uint64).max, np.uint64))
    for done in range(0, rounds, LOOK):
        count = min(LOOK, rounds - done)
        before, changed = changed[-2:], xp.zeros(2 + count, np.uint64)
        G.engine.device.copy_into(changed[:2], before)
        for k in range(count):
            running.run(changed[k:])
        if done + count < rounds and not int(G.engine.to_host(changed[-1:])[0]):
            break
    return running.label
