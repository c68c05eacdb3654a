"""Errors that all ranks raise together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from graphla.engine.mpi.communicator import Communicator
from semirings import monoid

Answer = TypeVar("Answer")


def run_on_all(world: Communicator, work: Callable[[], Answer]) -> Answer:
    """Return ``work()``, or raise on every rank the error of the first rank that has one.

    `work` must not communicate: a rank that raises would leave the others waiting.
    """
    answer, error = None, None
    try:
        answer = work()
    except Exception as caught:
        error = caught
    first = world.all_reduce(world.size if error is None else world.rank, monoid.min)
    if first == world.size:
        return answer  # type: ignore[return-value]
    found = world.share_object(error if world.rank == first else None, first)
    raise (error if world.rank == first and error is not None else found)
