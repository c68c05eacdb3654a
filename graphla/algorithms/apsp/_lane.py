"""Stream rows of a host matrix through the device, with several lanes, so that copies and computation overlap."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from graphla.algorithms.apsp import _host
from graphla.algorithms.shared.weights import infinity


class Lane:
    """A panel on the device, a stream, and a page-locked host buffer for asynchronous copies.

    Parameters
    ----------
    xp : module
        CuPy; or NumPy, with which everything runs in order.
    cells : int
        The number of cells of the panel.
    dtype : dtype
        The dtype of the cells.
    """

    def __init__(self, xp: Any, cells: int, dtype: np.dtype[Any]) -> None:
        self.panel = xp.empty(cells, dtype)
        self.stream = DeviceStream(xp) if xp.__name__ == "cupy" else HostStream()
        self.locked = self.stream.allocate_locked(cells, dtype)
        self.arriving: tuple[Any, Any] | None = None

    def carry(
        self, rows: Any, width: int, work: Callable[[Any], None], *, multiple: int = 1, back: bool = False
    ) -> None:
        """Copy rows to the device, padded with infinity to `width`, run ``work(panel)``, and copy them back if `back`.

        The number of rows of the panel is a `multiple`; padding rows are undefined. The work runs after everything
        launched before on the current stream. This returns before the work is done; `wait`, or the next call, waits.
        """
        self.wait()
        count, known = rows.shape
        locked = self.locked[: count * width].reshape(-1, width)
        panel = self.panel[: -(-count // multiple) * multiple * width].reshape(-1, width)
        _host.copy(locked[:, :known], rows)
        locked[:, known:] = infinity(rows.dtype)
        with self.stream.wait_for_current():
            self.stream.send(panel[:count], locked)
            work(panel)
            if back:
                self.stream.fetch(locked, panel[:count])
                self.arriving = rows, locked[:, :known]

    def wait(self) -> None:
        """Wait until the work is done and the rows have been copied back."""
        self.stream.synchronize()
        if self.arriving is not None:
            _host.copy(*self.arriving)
            self.arriving = None


class DeviceStream:
    """A CuPy stream."""

    def __init__(self, cupy: Any) -> None:
        self.cuda = cupy.cuda
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.before = cupy.cuda.Event(disable_timing=True)
        self.synchronize = self.stream.synchronize

    def wait_for_current(self) -> Any:
        self.before.record()
        self.stream.wait_event(self.before)
        return self.stream

    def allocate_locked(self, cells: int, dtype: np.dtype[Any]) -> Any:
        return np.frombuffer(self.cuda.alloc_pinned_memory(cells * dtype.itemsize), dtype, cells)

    def send(self, panel: Any, locked: Any) -> None:
        panel.set(locked, self.stream)

    def fetch(self, locked: Any, panel: Any) -> None:
        panel.get(self.stream, out=locked, blocking=False)


class HostStream:
    """The stand-in for a stream when the host is the device."""

    def wait_for_current(self) -> Any:
        return nullcontext()

    def allocate_locked(self, cells: int, dtype: np.dtype[Any]) -> Any:
        return np.empty(cells, dtype)

    def send(self, panel: Any, locked: Any) -> None:
        panel[:] = locked

    def fetch(self, locked: Any, panel: Any) -> None:
        locked[:] = panel

    def synchronize(self) -> None:
        """Do nothing: everything has run in order."""
