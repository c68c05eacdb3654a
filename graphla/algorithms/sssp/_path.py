"""The walk back along the predecessors."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import VerificationError


def walk(predecessors: Any, source: int, target: int) -> list[int]:
    """The vertices of a shortest path from `source` to `target`, both with it; empty if there is none.

    Parameters
    ----------
    predecessors : numpy.ndarray
        int32[n] on the host: -1 where there is none, and the source is its own.

    Raises
    ------
    VerificationError
        If the predecessors run in a circle that misses the source.
    """
    before = np.asarray(predecessors)
    if before[target] < 0:
        return []
    path = [target]
    while path[-1] != source:
        if len(path) > before.size:
            raise VerificationError(f"the predecessors of vertex {target} run in a circle")
        path.append(int(before[path[-1]]))
    return path[::-1]
