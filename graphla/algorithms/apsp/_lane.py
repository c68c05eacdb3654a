"""Rows of the host's matrix through the device: several lanes, so that copies there, sums and copies back overlap."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from graphla.algorithms.apsp import _host
from graphla.algorithms.sssp._weights import infinity


class Lane:
    """A panel on the device, a stream of its own, and page-locked memory that the device reads by itself.

    Parameters
    ----------
    xp : module
        CuPy, or NumPy, where everything runs in order.
    cells : int
        The size of the panel.
    dtype : dtype
        Of its cells.
    """

    def __init__(self, xp: Any, cells: int, dtype: np.dtype[Any]) -> None:
        self.panel = xp.empty(cells, dtype)
        self.stream = OnDevice(xp) if xp.__name__ == "cupy" else InOrder()
        self.locked = self.stream.locked(cells, dtype)
        self.arriving: tuple[Any, Any] | None = None

    def carry(
        self, rows: Any, width: int, work: Callable[[Any], None], *, multiple: int = 1, back: bool = False
    ) -> None:
        """Bring rows to the device, padded with infinity to `width`, run work(panel), bring them back if asked.

        The panel has a `multiple` of rows, of which the last hold anything. It comes after all that was launched before
        on the current stream. Returns before it is done; `wait`, or the next call, sees to the end.
        """
        self.wait()
        count, known = rows.shape
        locked = self.locked[: count * width].reshape(-1, width)
        panel = self.panel[: -(-count // multiple) * multiple * width].reshape(-1, width)
        _host.copy(locked[:, :known], rows)
        locked[:, known:] = infinity(rows.dtype)
        with self.stream.after_current():
            self.stream.send(panel[:count], locked)
            work(panel)
            if back:
                self.stream.fetch(locked, panel[:count])
                self.arriving = rows, locked[:, :known]

    def wait(self) -> None:
        """Until the work is done and the rows stand where they came from."""
        self.stream.synchronize()
        if self.arriving is not None:
            _host.copy(*self.arriving)
            self.arriving = None


class OnDevice:
    """A stream of CuPy."""

    def __init__(self, cupy: Any) -> None:
        self.cuda = cupy.cuda
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.before = cupy.cuda.Event(disable_timing=True)
        self.synchronize = self.stream.synchronize

    def after_current(self) -> Any:
        self.before.record()
        self.stream.wait_event(self.before)
        return self.stream

    def locked(self, cells: int, dtype: np.dtype[Any]) -> Any:
        return np.frombuffer(self.cuda.alloc_pinned_memory(cells * dtype.itemsize), dtype, cells)

    def send(self, panel: Any, locked: Any) -> None:
        panel.set(locked, self.stream)

    def fetch(self, locked: Any, panel: Any) -> None:
        panel.get(self.stream, out=locked, blocking=False)


class InOrder:
    """Where the device is the host."""

    def after_current(self) -> Any:
        return nullcontext()

    def locked(self, cells: int, dtype: np.dtype[Any]) -> Any:
        return np.empty(cells, dtype)

    def send(self, panel: Any, locked: Any) -> None:
        panel[:] = locked

    def fetch(self, locked: Any, panel: Any) -> None:
        locked[:] = panel

    def synchronize(self) -> None:
        """Nothing to wait for."""
