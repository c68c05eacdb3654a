"""Check the indices in ``A[...]`` against the shape and normalise them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from graphla.common.arguments import find_int, show, to_array
from graphla.common.errors import IndexOutOfBounds, InvalidIndex
from graphla.language.recording import Round, is_recording
from graphla.storage import Distributed
from graphla.storage.convert import get_array_module
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.positions import Positions, refuse_outside, settle

INT64 = np.dtype("int64")


def resolve_index(index: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """One index per dimension: an int within bounds, a range for a slice, or positions, which a device still checks."""
    if index is Ellipsis:
        index = (slice(None),) * len(shape)
    wanted: tuple[Any, ...] = (index,) if not isinstance(index, tuple) else index  # type: ignore[assignment]
    if len(wanted) != len(shape):
        ways = "v[i]" if len(shape) == 1 else "A[i, j], or A[i, :] for a row"
        raise IndexOutOfBounds(f"index {show(index)} has {len(wanted)} parts for {len(shape)} dimensions: write {ways}")
    return tuple(resolve_part(part, size) for part, size in zip(wanted, shape, strict=True))


def resolve_part(part: Any, size: int) -> Any:
    """Check the index of one dimension against its size."""
    if part.__class__ is int and 0 <= part < size:
        return part
    if part.__class__ is np.ndarray and part.dtype == INT64 and part.ndim == 1 and part.shape[0]:
        return require_within(part, size)
    if isinstance(part, slice):
        return resolve_slice(cast("Any", part), size)
    if part is Ellipsis:
        return range(size)
    if isinstance(part, Positions) and part.size == size:
        return part
    part = settle(int(part) if isinstance(part, Round) else part)  # which refuses the number of a round
    rank = getattr(part, "rank", None)
    of_class = isinstance(part, type)
    if rank == 1 and not of_class and not hasattr(part, "complement") and part.dtype.kind in "iu":
        return part._resolved if is_recording() else find_positions(part, size) if part.shape[0] else range(0)
    if (
        isinstance(part, (bool, np.bool_, float, str, set, dict, tuple))
        or part is None
        or of_class
        or rank
        or hasattr(part, "complement")
    ):
        raise InvalidIndex(
            f"Invalid type for index: {type(cast('Any', part)).__name__}. Give an int, a slice, or a list or array "
            "of ints, or a Vector of them; masks stand in C(mask) << …, .new(mask=…) and select(mask)"
        )
    if rank == 0 and part.dtype.kind not in "iu":
        raise InvalidIndex(f"Invalid type for index: {part.dtype}. An integer is required for indexing")
    given: Any = part
    if isinstance(part, range) and (not part or (min(part[0], part[-1]) >= 0 and max(part[0], part[-1]) < size)):
        return part
    position = None if getattr(given, "ndim", 0) else find_int(given)
    if position is not None:
        if not -size <= position < size:
            raise IndexOutOfBounds(f"index {position} is out of range for size {size}")
        return position % size
    places = to_array(to_positions, given, "index", InvalidIndex)
    if places.size == 0:
        return np.zeros(0, "int64")
    if places.ndim != 1 or places.dtype.kind not in "iu":
        wrong = f"number of dimensions: {places.ndim}" if places.dtype.kind in "iu" else f"dtype: {places.dtype}"
        raise InvalidIndex(
            f"index {show(given)}: Invalid type for index: {type(given).__name__}. Invalid {wrong} of an array index, "
            "which holds integers in one dimension"
        )
    return require_within(places, size)


def find_positions(of: Any, size: int) -> Any:
    """The positions that a Vector of integers holds: an array, or where it is spread over ranks a storage of them."""
    held = read_positions(of)
    return held.ranks.check_positions(held, size) if isinstance(held, Distributed) else require_within(held, size)


def read_positions(of: Any) -> Any:
    """The values of a Vector of integers that has an entry everywhere: its k-th value is position k of the part."""
    held = of._value._storage
    if held.nvals < held.size:
        raise InvalidIndex(
            f"index {show(of)}: a Vector as an index has an entry at each place, and this has {held.nvals:,} of "
            f"{held.size:,}; take the positions of its entries by .to_coo()[0], or its values by .to_coo()[1]"
        )
    return held if isinstance(held, Distributed) else held.values


def require_within(places: Any, size: int) -> Any:
    """Refuse positions that are out of bounds, and count negative ones from the end; they stay where they are."""
    kernels = find_list_kernels(places)
    if kernels is not None and size:
        found = Positions(places, size, kernels)
        return found.settle() if is_recording() else found
    unsigned = places.view(f"u{places.dtype.itemsize}")  # one look: negative numbers are large
    largest = np.maximum.reduce(unsigned) if unsigned.__class__ is np.ndarray else unsigned.max()
    if int(largest) < min(size, 2 ** (8 * places.dtype.itemsize - 1)):
        return places.astype("int64")
    refuse_outside(places, size)
    return places.astype("int64") % size


def resolve_slice(part: slice, size: int) -> range:
    """The positions of a slice, whose ends are ints or None."""
    for end in (part.start, part.stop, part.step):
        if end is not None and find_int(end) is None:
            raise InvalidIndex(f"index {show(part)}: {show(end)} is no int; the ends and the step of a slice are")
    if part.step is not None and not find_int(part.step):
        raise InvalidIndex(f"index {show(part)}: the step of a slice is not 0")
    return range(*part.indices(size))


def to_positions(given: Any) -> Any:
    """The positions as an array where they are; of a list, its Scalars count as their values."""
    if hasattr(given, "__cuda_array_interface__"):
        return get_array_module(given).ascontiguousarray(get_array_module(given).asarray(given))
    if isinstance(given, (list, tuple)):
        given = [each.__index__() if getattr(each, "rank", None) == 0 else each for each in cast("list[Any]", given)]
    return np.ascontiguousarray(given) if np.ndim(given) else np.asarray(given)
