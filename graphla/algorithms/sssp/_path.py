"""Walk back along the parents."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import VerificationError


def walk(parents: Any, source: int, target: int) -> list[int]:
    """Return the vertices of a shortest path from `source` to `target`, inclusive; empty if there is none.

    Parameters
    ----------
    parents : numpy.ndarray
        int32[n] on the host: -1 where there is none, and the source is its own.

    Raises
    ------
    VerificationError
        If the parents contain a cycle without the source.
    """
    before = np.asarray(parents)
    if before[target] < 0:
        return []
    path = [target]
    while path[-1] != source:
        if len(path) > before.size:
            raise VerificationError(f"the parents of vertex {target} run in a circle")
        path.append(int(before[path[-1]]))
    return path[::-1]
