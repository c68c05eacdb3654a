"""The vertices by their levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.storage.convert import count_true


def sort_by_level(xp: Any, levels: Any) -> Any:
    """The vertices that have a level, by it and then by their numbers: int32."""
    order = xp.argsort(levels, kind="stable").astype(np.int32)
    return order[count_true(levels < 0) :]
