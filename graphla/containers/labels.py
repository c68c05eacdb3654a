"""The labels of vertices, and what the indices and the values of a container are called.

Where a graph has labels, its vertices go by them. An integer is the number of a vertex, unless a label is a number:
then it is a label, too, and `Number` says that a number is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from graphla.common.arguments import find_int, show, speaks, suggest
from graphla.common.errors import InvalidGraph, UnknownLabel

TIMES = "mM"
"""The kinds of dtypes whose elements Python has no equal for."""


class Number(int):
    """The number of a vertex, also where the labels are integers.

    Examples
    --------
    >>> Number(3)
    3
    """

    __slots__ = ()


class Labels:
    """One label for each vertex, None for one that has none.

    Parameters
    ----------
    array : array
        Shape (n,), on the host.
    """

    def __init__(self, array: Any) -> None:
        self.array = array

    @cached_property
    def numeric(self) -> bool:
        """Whether a label is a number, so that integers are labels."""
        if self.array.dtype.kind != "O":
            return self.array.dtype.kind in "iuf"
        return any(isinstance(each, (int, float, np.number)) and not is_truth(each) for each in self.array)

    @cached_property
    def numbers(self) -> dict[Any, int]:
        """The number of each label."""
        return {each: number for number, each in enumerate(self._list_keys()) if each is not None}

    def equals(self, others: Labels) -> bool:
        """Whether both are the same labels in the same order."""
        return self is others or bool(np.array_equal(self.array, others.array))

    def find(self, label: Any) -> int | None:
        """The number of the vertex that has a label; None if none has it.

        Parameters
        ----------
        label : object
            What a caller gave.
        """
        if is_truth(label) and self.numeric:
            return None  # True would be 1
        try:
            return self.numbers.get(self._to_key(label))
        except (TypeError, ValueError, OverflowError):  # what cannot be looked up
            return None

    def require(self, label: Any, what: str, hint: str = "") -> int:
        """The number of the vertex that has a label, or an error that names the argument and a label like it."""
        number = self.find(label)
        if number is None:
            near = suggest(label, [each for each in self.numbers if isinstance(each, str)])
            raise UnknownLabel(f"{what}={show(label)}: no vertex has this label; see labels{near}{hint}")
        return number

    def has(self, value: Any) -> bool:
        """Whether a value is looked up as a label, and is no number of a vertex."""
        return type(value) is not Number and (self.numeric or find_int(value) is None)

    def fit(self, n: int) -> Labels:
        """The labels of n vertices: the first of them, and None for those that were added."""
        if n == self.array.size:
            return self
        if n < self.array.size:
            return Labels(self.array[:n])
        return Labels(np.concatenate([self.array.astype(object), np.full(n - self.array.size, None)]))

    def _list_keys(self) -> list[Any]:
        held = self.array.astype(np.int64) if self.array.dtype.kind in TIMES else self.array
        return held.tolist()

    def _to_key(self, label: Any) -> Any:
        if self.array.dtype.kind not in TIMES:
            return label
        return int(np.array(label, self.array.dtype).astype(np.int64))

    def __reduce__(self) -> Any:
        return Labels, (self.array,)


def is_truth(value: Any) -> bool:
    """Whether a value is a truth, which Python takes for 0 or 1."""
    return isinstance(value, (bool, np.bool_))


def read_labels(given: Any, n: int) -> Labels | None:
    """The labels that a caller gives to n vertices; no two are the same."""
    if given is None:
        return None
    held = to_labels(given)
    if held.ndim != 1 or held.size != n:
        raise InvalidGraph(f"labels={show(given)}: give one label for each of {n:,} vertices; there are {held.size:,}")
    labels = Labels(held)
    try:
        distinct = len(labels.numbers) + sum(each is None for each in held if held.dtype.kind == "O")
    except TypeError:
        raise InvalidGraph(f"labels={show(given)}: labels are texts, numbers, dates or whatever has a hash") from None
    if distinct < n:
        first = next(k for k, each in enumerate(labels._list_keys()) if each is not None and labels.numbers[each] != k)
        raise InvalidGraph(
            f"labels: {show(held[first])} is the label of vertices {first} and {labels.find(held[first])}"
        )
    return labels


def to_labels(given: Any) -> Any:
    """An array of labels; those that are sequences, as pairs are, stay one label each."""
    given = given.to_numpy(zero_copy_only=False) if speaks(given, "to_pylist") else given
    if isinstance(given, np.ndarray):
        return given
    listed = list(given) if speaks(given, "__iter__") and not isinstance(given, (str, bytes)) else [given]
    plain = all(isinstance(each, str) for each in listed) or all(type(each) is int for each in listed)
    try:
        held = np.array(listed) if plain and listed else None
    except OverflowError:
        held = None
    if held is not None and held.dtype.kind in "iU":
        return held if held.dtype.kind == "i" else held.astype(object)
    held = np.empty(len(listed), object)
    held[:] = listed
    return held


class Column(NamedTuple):
    """What a column of a table is called, and the labels of the vertices in it, if it holds vertices with labels."""

    name: str
    labels: Labels | None = None


@dataclass(frozen=True)
class Names:
    """The columns of a container as a table: its indices, then its values; and the arrays that stand for them.

    Parameters
    ----------
    columns : tuple of Column
        One for each index, and the last one for the value.
    """

    columns: tuple[Column, ...]

    def fit(self, shape: tuple[int, ...]) -> Names:
        """The same of another shape."""
        sizes = (*shape, None)
        return Names(
            tuple(
                column if column.labels is None or size is None else Column(column.name, column.labels.fit(size))
                for column, size in zip(self.columns, sizes, strict=True)
            )
        )


def name_arcs(labels: Labels | None) -> Names:
    """What the rows, the columns and the values of an adjacency matrix are called."""
    return Names((Column("source", labels), Column("target", labels), Column("weight")))
