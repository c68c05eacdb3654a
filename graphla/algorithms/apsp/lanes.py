"""Run work on a second stream next to the main stream; without a device everything runs in order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any


class OneLane:
    """Everything runs in order."""

    @contextmanager
    def use_side_stream(self) -> Iterator[None]:
        yield

    def join(self) -> None:
        """Do nothing: there is no second stream."""


class TwoLanes:
    """A second stream of high priority, whose few blocks are scheduled first."""

    def __init__(self, cupy: Any) -> None:
        self.cuda = cupy.cuda
        self.side = cupy.cuda.Stream(non_blocking=True, priority=-1)
        self.begin, self.end = (cupy.cuda.Event(disable_timing=True) for _ in range(2))

    @contextmanager
    def use_side_stream(self) -> Iterator[None]:
        """Launch on the second stream, after everything launched before and concurrently with everything after."""
        self.begin.record()
        self.side.wait_event(self.begin)
        with self.side:
            yield
            self.end.record()

    def join(self) -> None:
        """Make everything launched from now on wait for the second stream."""
        self.cuda.get_current_stream().wait_event(self.end)


def make_lanes(xp: Any) -> OneLane | TwoLanes:
    """Make two streams on a device, one without."""
    return TwoLanes(xp) if xp.__name__ == "cupy" else OneLane()


class Branches:
    """Several streams beside the main one; without a device everything runs in order."""

    def __init__(self, xp: Any, count: int) -> None:
        self.cuda: Any = xp.cuda if xp.__name__ == "cupy" else None
        make: Any = partial(self.cuda.Stream, non_blocking=True) if self.cuda else nullcontext
        self.streams: list[Any] = [make() for _ in range(count)]

    @contextmanager
    def fork(self) -> Iterator[list[Any]]:
        """Yield the streams, which wait for everything launched before; what is launched after waits for them."""
        if self.cuda is None:
            yield self.streams
            return
        main, begin = self.cuda.get_current_stream(), self.cuda.Event(disable_timing=True)
        begin.record(main)
        for stream in self.streams:
            stream.wait_event(begin)
        yield self.streams
        for stream in self.streams:
            main.wait_event(stream.record())
