"""Union and intersection of entries, and writing a result into its target.

GraphBLAS's C<M, replace> ⊙= T: Z = C ⊙ T with an accumulator, else Z = T. Then C gets the entries of Z where the mask
allows them. Elsewhere C keeps its old entries, unless `replace` is set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.engine.arrays.lookup import find, flag_inside, look_up, test_mask
from graphla.planning.steps import Mask
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import (
    choose_index_dtype,
    count_true,
    gather,
    raise_flags,
    scatter,
)
from graphla.storage.flags import both_true, choose_flagged, copy_flagged
from graphla.storage.formats import as_bitmap, as_sparse

Combine = Callable[[Array, Array], Array]


def unite_sorted(xp: Any, a: Array, b: Array) -> Array:
    """Return the sorted union of two sorted sets of keys."""
    both = xp.concatenate([a.astype("int64"), b.astype("int64")])
    both.sort(**({"kind": "stable"} if xp.__name__ == "numpy" else {}))
    if both.size == 0:
        return both
    is_new = xp.ones(both.shape, bool)
    is_new[1:] = both[1:] != both[:-1]
    return both[is_new]


def intersect(xp: Any, x: VectorStorage, y: VectorStorage, f: Combine, cast: Callable[[Array], Array]) -> VectorStorage:
    """Compute f(x, y) where both vectors have an entry."""
    if isinstance(x, SparseVector) or isinstance(y, SparseVector):
        lead_left = isinstance(x, SparseVector) and (not isinstance(y, SparseVector) or x.nvals <= y.nvals)
        lead, other = (x, y) if lead_left else (y, x)
        hit, values = look_up(xp, other, lead.indices)  # type: ignore[union-attr]
        mine, theirs = lead.values[hit], values[hit]
        return SparseVector(x.size, lead.indices[hit], f(mine, theirs) if lead_left else f(theirs, mine))  # type: ignore[union-attr]
    if isinstance(x, FullVector) and isinstance(y, FullVector):
        return FullVector(f(x.values, y.values))
    p, q = as_bitmap(xp, x), as_bitmap(xp, y)
    present = p.present & q.present
    return BitmapVector(present, f(p.values, q.values), count_true(present))


def union(
    xp: Any,
    x: VectorStorage,
    y: VectorStorage,
    f: Combine,
    cast: Callable[[Array], Array],
    fills: tuple[Array, Array] | None = None,
) -> VectorStorage:
    """Compute f(x, y) where both have an entry; elsewhere take the existing entry, or apply f with the other's fill."""
    if isinstance(x, FullVector) and isinstance(y, FullVector):
        return FullVector(f(x.values, y.values))
    if isinstance(x, SparseVector) and isinstance(y, SparseVector):
        keys = unite_sorted(xp, x.indices, y.indices).astype(x.indices.dtype)
        (has_x, vx), (has_y, vy) = look_up(xp, x, keys), look_up(xp, y, keys)
        return SparseVector(x.size, keys, blend(xp, has_x, vx, has_y, vy, f, cast, fills))
    if isinstance(x, FullVector) or isinstance(y, FullVector):
        return FullVector(blend_full(xp, x, y, f, cast, fills))
    p, q = as_bitmap(xp, x), as_bitmap(xp, y)
    values = blend(xp, p.present, p.values, q.present, q.values, f, cast, fills)
    present = p.present | q.present
    return BitmapVector(present, values, count_true(present))


def blend_full(
    xp: Any,
    x: VectorStorage,
    y: VectorStorage,
    f: Combine,
    cast: Callable[[Array], Array],
    fills: tuple[Array, Array] | None,
) -> Array:
    """Compute the values of a union of a full vector and another one: nothing is counted."""
    full_left = isinstance(x, FullVector)
    other = as_bitmap(xp, y if full_left else x)
    if fills is not None:
        filled = xp.where(other.present, other.values, fills[full_left]).astype(other.values.dtype, copy=False)
        return f(x.values, filled) if full_left else f(filled, y.values)
    return choose_flagged(
        xp,
        other.present,
        f(x.values, other.values) if full_left else f(other.values, y.values),
        cast(x.values if full_left else y.values),
    )


def blend(
    xp: Any,
    has_x: Array,
    x: Array,
    has_y: Array,
    y: Array,
    f: Combine,
    cast: Callable[[Array], Array],
    fills: tuple[Array, Array] | None,
) -> Array:
    """Compute the values of a union from presence flags and values."""
    if fills is not None:
        left, right = xp.where(has_x, x, fills[0]), xp.where(has_y, y, fills[1])
        return f(left.astype(x.dtype, copy=False), right.astype(y.dtype, copy=False))
    return choose_flagged(xp, has_x, choose_flagged(xp, has_y, f(x, y), cast(x)), cast(y))


def write(
    xp: Any,
    target: VectorStorage,
    result: VectorStorage,
    mask: Mask | None,
    accumulate: Combine | None,
    cast: Callable[[Array], Array],
    replace: bool,
    region: Callable[[Array], Array] | None = None,
) -> VectorStorage:
    """Compute C<M, replace> ⊙= T. `region` tests which keys the assignment covers (None: all)."""
    result = set_values(result, cast(result.values))
    if accumulate is not None:
        z = union(xp, target, result, accumulate, cast)
    elif region is not None:
        z = union(xp, drop_region(xp, target, region), result, lambda _, new: new, cast)
    else:
        z = result
    if mask is None:
        return z
    if replace:
        return filter_by_mask(xp, z, mask)
    if isinstance(target, SparseVector) and isinstance(z, SparseVector):
        return merge_disjoint(
            xp, select_flagged(xp, target, ~test_mask(xp, mask, target.indices)), filter_by_mask(xp, z, mask)
        )
    given = as_bitmap(xp, z), as_bitmap(xp, target)
    return choose(xp, flag_inside(xp, mask, z.size), *(given[::-1] if mask.complement else given))


def filter_by_mask(xp: Any, vector: VectorStorage, mask: Mask) -> VectorStorage:
    """Return the entries that the mask allows."""
    if isinstance(vector, SparseVector):
        return select_flagged(xp, vector, test_mask(xp, mask, vector.indices))
    bitmap = as_bitmap(xp, vector)
    present, many = both_true(bitmap.present, flag_inside(xp, mask, bitmap.size), mask.complement)
    return BitmapVector(present, bitmap.values, many)


def drop_region(xp: Any, vector: VectorStorage, region: Callable[[Array], Array]) -> VectorStorage:
    """Return the entries that the region does not cover."""
    sparse = as_sparse(xp, vector)
    return select_flagged(xp, sparse, ~region(sparse.indices))


def select_flagged(xp: Any, sparse: SparseVector, flags: Array) -> SparseVector:
    """Return the flagged entries."""
    return SparseVector(sparse.size, sparse.indices[flags], sparse.values[flags])


def select_flagged_entries(xp: Any, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
    """Return the flagged entries of a matrix."""
    flagged_before = xp.concatenate([xp.zeros(1, "int64"), xp.cumsum(flags, dtype="int64")])
    pointers = flagged_before[matrix.indptr].astype(choose_index_dtype(int(flagged_before[-1])))
    positions = xp.flatnonzero(flags)  # one list, because indexing twice by flags takes longer
    return CompressedMatrix(*matrix.shape, pointers, matrix.indices[positions], matrix.values[positions])


def merge_disjoint(xp: Any, a: SparseVector, b: VectorStorage) -> SparseVector:
    """Return the union of two vectors that share no index."""
    other = as_sparse(xp, b)
    keys = xp.concatenate([a.indices.astype("int64"), other.indices.astype("int64")])
    order = xp.argsort(keys, **({"kind": "stable"} if xp.__name__ == "numpy" else {}))
    values = xp.concatenate([a.values, other.values])
    return SparseVector(a.size, keys[order].astype(a.indices.dtype), values[order])


def choose(xp: Any, flags: Array, yes: BitmapVector, no: BitmapVector) -> BitmapVector:
    """Return the entries of `yes` where flagged, of `no` elsewhere."""
    present = choose_flagged(xp, flags, yes.present, no.present)
    return BitmapVector(present, choose_flagged(xp, flags, yes.values, no.values), count_true(present))


def set_values(vector: VectorStorage, values: Array) -> VectorStorage:
    """Return a vector with the same structure and other values."""
    if isinstance(vector, SparseVector):
        return SparseVector(vector.size, vector.indices, values)
    if isinstance(vector, BitmapVector):
        return BitmapVector(vector.present, values, vector.nvals)
    return FullVector(values)


def put(
    xp: Any,
    target: BitmapVector | FullVector,
    result: VectorStorage,
    accumulate: Combine | None,
    cast: Callable[[Array], Array],
) -> BitmapVector | FullVector:
    """Write entries into a bitmap or full vector in place; other entries stay unchanged.

    The record that is returned is a new one: an expression that has been computed sees that an operand has changed.
    """
    if not isinstance(result, SparseVector):
        return put_bitmap(xp, target, as_bitmap(xp, result), cast)
    keys, values = result.indices, cast(result.values)
    if isinstance(target, FullVector):
        scatter(target.values, keys, values if accumulate is None else accumulate(gather(target.values, keys), values))
        return FullVector(target.values)
    had = gather(target.present, keys)
    if accumulate is not None:
        values = xp.where(had, accumulate(gather(target.values, keys), values), values)
    scatter(target.values, keys, values)
    raise_flags(target.present, keys)
    return BitmapVector(target.present, target.values, target.nvals + int(keys.size) - count_true(had))


def put_bitmap(
    xp: Any, target: BitmapVector | FullVector, result: BitmapVector, cast: Callable[[Array], Array]
) -> BitmapVector | FullVector:
    """Write the entries of a bitmap into a bitmap or full vector in place."""
    copy_flagged(target.values, result.present, cast(result.values))
    if isinstance(target, FullVector):
        return FullVector(target.values)
    target.present[...] |= result.present
    return BitmapVector(target.present, target.values, count_true(target.present))


__all__ = ["filter_by_mask", "find", "intersect", "look_up", "put", "set_values", "union", "write"]
