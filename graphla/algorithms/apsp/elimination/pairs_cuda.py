"""Distances of many pairs from a factor on the GPU: a label of each end, and the best vertex that both have.

A label holds the distances between a vertex and all that are above it in the tree of the elimination, some hundreds on
roads. It is made along the boundaries of the fronts, as in `pairs`; a pair then reads what its two labels have in
common.

I. Abraham, D. Delling, A. Goldberg, R. Werneck, "A hub-based labeling algorithm for shortest paths in road networks",
SEA 2011, LNCS 6630.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.apsp.elimination.structure import Structure
from graphla.algorithms.apsp.elimination.sweeps_cuda import SHARE_OF_MEMORY, SWEEP_THREADS, DeviceSweeps, UpParameters
from graphla.common.memory import budget
from graphla.engine.cuda.records import read_struct
from graphla.storage import Array
from graphla.storage.convert import cast_indices, gather, order_stably

MEET_THREADS = 256
MOST_BLOCKS = 1 << 14
TOGETHER = 1 << 16
"""Pairs of a pass: enough blocks to fill the device many times."""
KERNELS = Path(__file__).with_suffix(".cuh")
LabelParameters = read_struct(KERNELS, "LabelParameters")
MeetParameters = read_struct(KERNELS, "MeetParameters")


def measure_labels(s: Structure) -> Any:
    """Return how many vertices each front has together with all above it: int32[supernodes]."""
    above, found = np.append(s.parent, -1), np.append(s.widths, 0)
    while (above >= 0).any():
        found, above = found + found[above], above[above]
    return found[:-1].astype(np.int32)


def list_levels(s: Structure) -> tuple[Any, Any]:
    """Return the same, and of each position its place in every label that has it."""
    length = measure_labels(s)
    begin = np.repeat(length - np.diff(s.first) - s.first[:-1], s.widths)
    return length, begin + np.arange(s.n, dtype=np.int32)


class DevicePairs:
    """Distances of pairs from the panels of a factor on a device.

    Parameters
    ----------
    sweeps : DeviceSweeps
        The panels, and the structure on the device.
    """

    def __init__(self, sweeps: DeviceSweeps) -> None:
        self.sweeps, self.engine, s = sweeps, sweeps.engine, sweeps.structure
        length, level = list_levels(s)
        self.width = int(length.max(initial=0))
        self.length, self.level = map(self.engine.asarray, (length, level))

    def measure(self, sources: Any, targets: Any) -> Array:
        """Return the distances of pairs of vertices, int arrays of one length on the host, on the device."""
        xp, a = self.engine.xp, self.sweeps.arithmetic
        starts, ends = (gather(self.sweeps.plan.rank, self.engine.asarray(part)) for part in (sources, targets))
        near = cast_indices(order_stably(starts), "int32")  # sources beside each other share their ways up
        out, step = xp.empty(near.size, a.dtype), self._choose_step(near.size)
        labels = [xp.empty(step * self.width, a.view) for _ in range(2)]
        for low in range(0, near.size, max(1, step)):
            here = near[low : low + step]
            self._measure(gather(starts, here), gather(ends, here), here, labels, out.view(a.view))
        return out

    def _choose_step(self, pairs: int) -> int:
        """Choose the pairs of a pass, whose labels fit."""
        both = 2 * self.width * self.sweeps.arithmetic.view.itemsize
        return min(pairs, TOGETHER, max(1, budget(self.engine.xp) // (SHARE_OF_MEMORY * max(1, both))))

    def _measure(self, at: Array, ends: Array, to: Array, labels: list[Array], out: Array) -> None:
        """Write the distances between positions."""
        near = cast_indices(order_stably(ends), "int32")
        goal, plan, a = gather(ends, near), self.sweeps.plan, self.sweeps.arithmetic
        self._make_labels(labels[0], True, at)
        self._make_labels(labels[1], False, goal)
        parameters = MeetParameters(
            x=labels[0], y=labels[1], width=self.width, at=at, goal=goal, near=near, to=to, pairs=near.size,
            owner=plan.owner, parent=plan.parent, length=self.length, last=a.last, far=a.far, out=out,
        )  # fmt: skip
        blocks = min(MOST_BLOCKS, -(-near.size * 32 // MEET_THREADS))
        self._get_kernel("meet_labels", "", MeetParameters)(blocks, MEET_THREADS, parameters)

    def _make_labels(self, cells: Array, own: bool, at: Array) -> None:
        """Fill the labels of positions: with `own` the distances to what is above them, else from it."""
        plan, a = self.sweeps.plan, self.sweeps.arithmetic
        panels = self.sweeps.up if own else self.sweeps.down
        self.engine.lists.fill(cells, a.zero)
        up = UpParameters(
            x=cells, width=self.width, panels=panels.cells, offset=panels.offset, first=plan.first, indptr=plan.start,
            indices=plan.rows, parent=plan.parent, owner=plan.owner, at=at, one=a.one,
        )  # fmt: skip
        kernel = self._get_kernel("make_labels", f", {str(own).lower()}", LabelParameters)
        kernel(at.size, SWEEP_THREADS, LabelParameters(up=up, level=self.level))

    def _get_kernel(self, name: str, over: str, takes: Any) -> Any:
        """Return a kernel over the arithmetic and other arguments of its template."""
        kind = self.sweeps.kind
        return self.engine.kernel(KERNELS, f"{name}<{kind.name}{over}>", kind.prelude, takes=takes)
