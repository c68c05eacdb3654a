"""The vertices by their levels."""

from __future__ import annotations

from typing import Any

from graphla.storage.convert import cast_indices, count_above, order_stably


def sort_by_level(levels: Any) -> Any:
    """The vertices that have a level, by it and then by their numbers: int32."""
    return cast_indices(order_stably(levels), "int32")[levels.size - count_above(levels, -1) :]
