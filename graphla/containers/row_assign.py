"""``C(m)[i, J] << w``: assign to a row (or a column) of a matrix under a mask of its length.

The row is extracted as a vector, updated, and assigned back, so that what the mask or the index leaves out stays.
"""

from __future__ import annotations

from typing import Any

from graphla.common.errors import DomainMismatch


def is_line(updater: Any) -> bool:
    """Whether an updater assigns to a part of a matrix under the mask of a vector."""
    of = getattr(updater.mask, "of", None)
    return of is not None and of.rank == 1 and updater.out.rank == 2


def assign_line(updater: Any, value: Any) -> None:
    """Assign `value` to the one row or column that the index names."""
    index = list(updater.out._resolve_index(updater.index))
    single = [isinstance(part, int) for part in index]
    if sum(single) != 1:
        part = "single element" if all(single) else "Matrix"
        raise DomainMismatch(
            f"Unable to use Vector mask on {part} assignment to a Matrix: it wants one row, C(m)[i, J] << w, or one "
            "column, C(m)[I, j] << w"
        )
    along = single.index(False)
    places, index[along] = index[along], slice(None)
    line = updater.out[tuple(index)].new()
    line(mask=updater.mask, accum=updater.accum, replace=updater.replace)[places] << value
    updater.out()[tuple(index)] << line
