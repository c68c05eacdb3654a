"""Result header of a product: entry count and one presence flag per index, as `Board` of board.cuh."""

from __future__ import annotations

from collections.abc import Callable

from graphla.engine.cuda.device import Device
from graphla.storage import Array, BitmapVector, Deferred, VectorStorage, get_dtype_name
from graphla.storage.formats import as_best_format

BOARD_BYTES = 1024
"""Bytes before the flags: the count, and work space of a prefix sum over BOARD_CHUNKS chunks."""
BOARD_CHUNKS = 126
PUSH_ARCS = 1024
"""Arcs that a block of a push takes at a time."""


def make_board(device: Device, size: int) -> Array:
    """Make a board of zeros; its flags fill whole words, because kernels set them by atomics on four bytes."""
    return device.xp.zeros(BOARD_BYTES + -(-size // 8) * 8, "uint8")


def get_flags(board: Array, size: int) -> Array:
    """The flags of a board."""
    return board[BOARD_BYTES : BOARD_BYTES + size].view(bool)


class Uncounted(Deferred):
    """A product that is still running; its number of entries is read from the device on demand.

    Parameters
    ----------
    device : Device
        Where it is being computed, on the stream that is current now.
    board : array
        Holds the count.
    values : array
        One per index.
    settled : callable
        Makes the storage from the count.
    """

    def __init__(self, device: Device, board: Array, values: Array, settled: Callable[[int], VectorStorage]) -> None:
        self.size, self.dtype = values.shape[0], get_dtype_name(values.dtype)
        self._device, self._board, self._values, self._settled = device, board, values, settled
        self._queue = device.queue()

    @property
    def flagged(self) -> BitmapVector:
        """Flags and values for who need not know how many entries there are; nobody waits, and `nvals` is wrong."""
        return BitmapVector(get_flags(self._board, self.size), self._values, -1)

    def resolve(self) -> VectorStorage:
        """The storage; waits for the product."""
        return as_best_format(self._device.xp, self._settled(self._device.first_number(self._board, self._queue)))
