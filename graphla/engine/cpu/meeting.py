"""A barrier of processes within their kernels: each counts its arrivals in a cache line of memory that all share."""

# Numba passes the typing context of an intrinsic:
# pyright: reportCallIssue=false
from __future__ import annotations

from graphla.engine.cpu.atomic import give_way, load_acquire, store_release
from graphla.engine.cpu.jit import inner

LINE = 8  # numbers of 64 bits in a cache line
SPINS = 1000  # looks at a counter before the core is given to others


@inner()
def meet(arrived, rank, ranks, round):  # type: ignore[no-untyped-def]
    """Wait until all ranks have come here for the given time; what each has written before, all read after."""
    store_release(arrived, rank * LINE, round)
    for other in range(ranks):
        looks = 0
        while load_acquire(arrived, other * LINE) < round:
            looks += 1
            if looks > SPINS:
                give_way()
