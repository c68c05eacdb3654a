"""Work beside the main stream of the device, and how the two wait for each other; in order without a device."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OneLane:
    """All in order."""

    @contextmanager
    def aside(self) -> Iterator[None]:
        yield

    def join(self) -> None:
        """Nothing to wait for."""


class TwoLanes:
    """A second stream of high priority: its few blocks go first whenever a place is free."""

    def __init__(self, cupy: Any) -> None:
        self.cuda = cupy.cuda
        self.side = cupy.cuda.Stream(non_blocking=True, priority=-1)
        self.begin, self.end = (cupy.cuda.Event(disable_timing=True) for _ in range(2))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is launched within runs after all launched before, beside what is launched later."""
        self.begin.record()
        self.side.wait_event(self.begin)
        with self.side:
            yield
            self.end.record()

    def join(self) -> None:
        """What is launched from now on waits for the second stream."""
        self.cuda.get_current_stream().wait_event(self.end)


def lanes(xp: Any) -> OneLane | TwoLanes:
    """Two streams on a device, one without."""
    return TwoLanes(xp) if xp.__name__ == "cupy" else OneLane()
