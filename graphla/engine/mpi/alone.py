"""The transfers of a communicator of one rank. They need no MPI: what is sent is there already."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any


class Alone:
    """What `HostTransfers` does, for one rank and arrays of any device."""

    rank = 0
    size = 1
    members = (0,)

    def explain(self) -> str:
        return "1 rank, without MPI"

    def broadcast(self, array: Any, root: int) -> None:
        pass

    def start_broadcast(self, array: Any, root: int) -> Finished:
        return Finished()

    def exchange_numbers(self, numbers: Any) -> Any:
        return numbers.copy()

    def gather_numbers(self, numbers: Any) -> Any:
        return numbers.reshape(1, -1).copy()

    def all_gather(self, part: Any, sizes: Any) -> Any:
        return part.copy()

    def all_to_all(self, parts: list[Any], sizes: Any) -> list[Any]:
        return [parts[0].copy()]

    def exchange(self, parts: list[Any], out: list[Any]) -> None:
        pass

    def fill_slots(self, array: Any) -> None:
        pass

    def can_share(self, nbytes: int) -> bool:
        return True

    def share_memory(self, nbytes: int) -> None:
        return None

    def can_reduce(self, operation: str, dtype: Any) -> bool:
        return True

    def all_reduce(self, array: Any, operation: str) -> Any:
        return array.copy()

    def reduce_scatter(self, array: Any, operation: str, bounds: list[int]) -> Any:
        return array[bounds[0] : bounds[1]].copy()

    def share_object(self, value: Any, root: int) -> Any:
        return pickle.loads(pickle.dumps(value))

    def barrier(self) -> None:
        pass

    def split(self, color: int, key: int) -> Alone:
        return Alone()

    def share_all(self, value: Any) -> list[Any]:
        return [value]

    def end(self, text: str) -> None:
        print(f"graphla: {text}", file=sys.stderr, flush=True)
        os._exit(1)


class Finished:
    """A transfer that has ended."""

    def wait(self) -> None:
        pass
