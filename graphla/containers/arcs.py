"""The arcs of a table: columns of numbers that are checked, on the host or on a device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.common.errors import InvalidGraph
from graphla.containers.labels import Labels
from graphla.storage.convert import find_ends, is_any, list_true

USUAL_WEIGHT = "weight"
"""The column of weights that is taken if it is there."""
LARGEST = 2**31 - 2
"""The largest number of a vertex: indices are int32."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """The arcs of a table.

    Parameters
    ----------
    tails, heads : array
        The numbers of the vertices, on the host.
    weights : array or None
        None if the table has none.
    labels : Labels or None
        None if the columns hold numbers of vertices.
    n : int or None
        The number of vertices, if the labels or the metadata of the table say it.
    """

    tails: Any
    heads: Any
    weights: Any = None
    labels: Labels | None = None
    n: int | None = None

    def count(self) -> int:
        """The number of vertices: as many as are told of, or one more than the largest."""
        return self.n if self.n is not None else find_size(self.tails, self.heads)


def find_size(*ends: Any) -> int:
    """One more than the largest vertex."""
    return 1 + max((find_ends(end)[1] for end in ends if end.size), default=-1)


def check_numbers(found: Any, what: str) -> Any:
    """Numbers of vertices, none of them beyond what can be."""
    wrong = (found < 0) | (found > LARGEST)
    if is_any(wrong):
        row = int(list_true(wrong)[0])
        raise InvalidGraph(
            f"{what}: row {row} of that column is {found[row]}, and vertices are numbered from 0 to {LARGEST:,}: "
            "Graph.from_arrow(…, relabel=True) takes integers for labels"
        )
    return found


def refuse_nan(weights: Any, name: str) -> Any:
    """A column of weights, none of them NaN."""
    if weights.dtype.kind == "f":
        rows = list_true(weights != weights)
        if rows.size:
            raise InvalidGraph(
                f"weight={name!r}: row {rows[0]} of that column is NaN, and {rows.size:,} are: drop or fill them"
            )
    return weights
