"""The memory that is free, and checks that raise `OutOfMemory` before an allocation would fail."""

from __future__ import annotations

from traceback import clear_frames
from typing import Any

import numpy as np

from graphla.common.config import config
from graphla.common.errors import OutOfMemory
from graphla.common.system import host_free
from graphla.common.typing import Place

ALWAYS_FREE = 1 << 22
"""Bytes of which nobody asks whether the host has them: the question takes 50 µs."""


def device_free(xp: Any) -> int:
    """Return the bytes free on the device of an array module, including the free blocks of its memory pool."""
    if xp.__name__ != "cupy":
        return host_free()
    return xp.cuda.runtime.memGetInfo()[0] + xp.get_default_memory_pool().free_bytes()


def budget(xp: Any) -> int:
    """Return the bytes that one operation may take: the free bytes, or ``config.memory_limit`` if that is less."""
    return min(device_free(xp), config.memory_limit or 2**62)


WAY_OUT = "ask for a smaller one, or use a machine with more memory"
SMALLER = "mask the result, or compute a part of it"


def require(nbytes: int, what: str, xp: Any, way_out: str = WAY_OUT) -> None:
    """Raise `OutOfMemory` if `nbytes` exceed the free bytes or ``config.memory_limit``; `what` names the result."""
    if nbytes <= ALWAYS_FREE and config.memory_limit is None and xp.__name__ == "numpy":
        return
    limit, source = device_free(xp), "free"
    if config.memory_limit is not None and config.memory_limit < limit:
        limit, source = config.memory_limit, "allowed by config.memory_limit"
    if nbytes > limit:
        raise OutOfMemory(f"{what} needs about {nbytes:,} bytes, and {limit:,} are {source}: {way_out}")


def require_on_host(nbytes: int, what: str, xp: Any, way_out: str = WAY_OUT) -> None:
    """Raise `OutOfMemory` if the host has no room for an array; a GPU says so itself when it is asked for one.

    Linux promises memory that it does not have, and ends the process that writes to it.
    """
    if xp.__name__ == "numpy":
        require(nbytes, what, xp, way_out)


LARGE = 1 << 28
"""Bytes from which arrays are asked for before they are made: to write to them takes a thousand times as long."""


def require_large(nbytes: int, what: str, count: int, xp: Any = np) -> None:
    """Raise `OutOfMemory` if the host has no room for arrays whose length is only a number that somebody named.

    Called where arrays of the length of a vector, or of the rows of a matrix, are made: few entries say nothing of it.
    `what` has a place for the `count`; it is written out for an error alone.
    """
    if nbytes >= LARGE:
        require_on_host(nbytes, what.format(count), xp)


PAGE = 4096
"""Bytes of which the host gives all with the first that is written."""


def allocate(shape: tuple[int, ...], dtype: Any, what: str, xp: Any = np, way_out: str = WAY_OUT) -> Any:
    """Make an empty array whose memory is taken now, so that no other process can take it while it is filled.

    Linux gives memory when it is written to. So every page is written to once, which costs nothing beside the filling,
    and what is free is looked at again and again meanwhile.

    Raises
    ------
    OutOfMemory
        If the memory is not there, or is taken by others meanwhile.
    """
    array = xp.empty(shape, dtype)
    if xp is np and array.nbytes >= LARGE:
        cells = array.reshape(-1).view(np.uint8)
        for begin in range(0, array.nbytes, LARGE):
            require(min(LARGE, array.nbytes - begin), f"the rest of {what}", xp, way_out)
            cells[begin : begin + LARGE : PAGE] = 0
    return array


BEYOND_ADDRESSES = "array is too big", "Maximum allowed dimension exceeded"
"""What NumPy and CuPy say, in a ValueError, of an array with more bytes than a pointer counts."""


def is_memory_error(error: Exception) -> bool:
    """Whether an array did not fit in memory."""
    return isinstance(error, MemoryError) or (type(error) is ValueError and str(error).startswith(BEYOND_ADDRESSES))


def convert_memory_error(error: Exception, engine: Place, what: str) -> OutOfMemory:
    """Convert a MemoryError of NumPy or CuPy into an `OutOfMemory`, after the engine has released unused memory."""
    clear_frames(error.__traceback__)  # frees the arrays that the failed call has created
    engine.release()
    if isinstance(error, OutOfMemory):
        return error
    return OutOfMemory(f"{what}: {str(error).rstrip('.')}; {device_free(engine.xp):,} bytes are free now")
