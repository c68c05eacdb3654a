"""Tables whose columns are on a device: integers are numbered there, in the order in which they first occur.

A stable sort of the ends of all arcs brings equal ones together, each run beginning with the end that occurs first. The
runs in the order of these places are the labels 0, 1, …; an end has the number of its run. Two sorts: O(m).
"""

from __future__ import annotations

from typing import Any

from graphla.common.arguments import show, to_text
from graphla.common.errors import InvalidGraph
from graphla.containers.arcs import USUAL_WEIGHT, Arcs, check_numbers, refuse_nan
from graphla.containers.labels import Labels
from graphla.storage.convert import (
    gather,
    get_array_module,
    is_on_device,
    list_true,
    make_pointers,
    make_range,
    order_stably,
    scatter,
)

Array = Any
ENDS = "source", "target"
ON_HOST = "as column.get(), to have them read there"


def has_device_columns(table: Any) -> bool:
    """Whether a table is a dictionary with arrays on a device among its columns."""
    return isinstance(table, dict) and any(map(is_on_device, table.values()))


def read_device_arcs(
    table: dict[str, Any], source: str, target: str, weight: str | None, relabel: bool, labels: Any
) -> Arcs:
    """The arcs of a table whose columns are on a device, where they stay."""
    if labels is not None:
        raise InvalidGraph(
            f"labels={show(labels)}: columns on a device are numbered as they occur: bring them to the host, {ON_HOST}"
        )
    ends, held = read_ends(table, source, target), None
    if relabel:
        ends, found = number_ends(ends)
        held = Labels(found)
    else:
        ends = [
            check_numbers(end, f"{what}={name!r}") for end, what, name in zip(ends, ENDS, (source, target), strict=True)
        ]
    there = weight is not None and (weight != USUAL_WEIGHT or weight in table)
    weights = refuse_nan(take_column(table, str(weight), "weight"), str(weight)) if there else None
    return Arcs(ends[0], ends[1], weights, held, None if held is None else held.array.size)


def read_ends(table: dict[str, Any], source: str, target: str) -> list[Array]:
    """The two columns of ends, integers of one dtype on a device."""
    ends = [take_column(table, name, what) for name, what in zip((source, target), ENDS, strict=True)]
    kinds = sorted({str(end.dtype) for end in ends})
    if len(kinds) > 1:
        raise InvalidGraph(f"source and target are columns of {' and '.join(kinds)}: cast one, so that both have one")
    if ends[0].dtype.kind not in "iu":
        raise InvalidGraph(
            f"source and target are columns of {kinds[0]} on a device, where labels are integers: bring others to the "
            f"host, {ON_HOST}"
        )
    if ends[0].size != ends[1].size:
        raise InvalidGraph(f"source has {ends[0].size:,} rows and target {ends[1].size:,}: give one row for each arc")
    return ends


def take_column(table: dict[str, Any], name: str, what: str) -> Array:
    """A column as an array on the device where another one is."""
    to_text(name, what, InvalidGraph)
    if name not in table:
        raise InvalidGraph(f"{what}={name!r}: the table has no such column; it has {', '.join(map(repr, table))}")
    xp = get_array_module(next(each for each in table.values() if is_on_device(each)))
    found = xp.asarray(table[name])
    if found.ndim != 1:
        raise InvalidGraph(f"{what}={name!r}: a column has one dimension, and this one has shape {found.shape}")
    return found


def number_ends(ends: list[Array]) -> tuple[list[Array], Array]:
    """The number of each end, as arrays on the device, and the labels, on the host."""
    xp = get_array_module(ends[0])
    given = xp.concatenate(ends)
    keys = given.astype("int64")  # equal where labels are, which is all that counts
    order = order_stably(keys)
    held = gather(keys, order)
    fresh = xp.ones(held.size, bool)
    fresh[1:] = held[1:] != held[:-1]
    places = gather(order, list_true(fresh))
    rising = order_stably(places)
    numbers, found = xp.empty(places.size, "int64"), xp.empty(keys.size, "int64")
    scatter(numbers, rising, make_range(xp, range(places.size)))
    scatter(found, order, gather(numbers, make_pointers(xp, fresh.astype("int32"))[1:] - 1))
    labels = gather(given, gather(places, rising))
    return [found[: ends[0].size], found[ends[0].size :]], to_host(labels)


def to_host(array: Array) -> Array:
    """The same as an array of NumPy."""
    return array.get() if hasattr(array, "get") else array
