"""Union and intersection of entries, and the write of a result into its target.

C<M, replace> ⊙= T of GraphBLAS: Z = C ⊙ T with an accumulator, else Z = T; then C keeps Z where the mask allows,
and, without replace, its old entries elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.engine.arrays.lookup import allowed, allowed_everywhere, at, find
from graphla.planning.steps import Mask
from graphla.storage import Array, BitmapVector, CompressedMatrix, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import index_dtype
from graphla.storage.formats import as_bitmap, as_sparse

Combine = Callable[[Array, Array], Array]


def sorted_union(xp: Any, a: Array, b: Array) -> Array:
    """The sorted union of two sorted sets of keys."""
    both = xp.concatenate([a.astype("int64"), b.astype("int64")])
    both.sort(**({"kind": "stable"} if xp.__name__ == "numpy" else {}))
    if both.size == 0:
        return both
    fresh = xp.ones(both.shape, bool)
    fresh[1:] = both[1:] != both[:-1]
    return both[fresh]


def intersect(xp: Any, x: VectorStorage, y: VectorStorage, f: Combine, cast: Callable[[Array], Array]) -> VectorStorage:
    """f(x, y) where both have an entry."""
    if isinstance(x, SparseVector) or isinstance(y, SparseVector):
        lead_left = isinstance(x, SparseVector) and (not isinstance(y, SparseVector) or x.nvals <= y.nvals)
        lead, other = (x, y) if lead_left else (y, x)
        hit, values = at(xp, other, lead.indices)  # type: ignore[union-attr]
        mine, theirs = lead.values[hit], values[hit]
        return SparseVector(x.size, lead.indices[hit], f(mine, theirs) if lead_left else f(theirs, mine))  # type: ignore[union-attr]
    if isinstance(x, FullVector) and isinstance(y, FullVector):
        return FullVector(f(x.values, y.values))
    p, q = as_bitmap(xp, x), as_bitmap(xp, y)
    present = p.present & q.present
    return BitmapVector(present, f(p.values, q.values), int(xp.count_nonzero(present)))


def union(
    xp: Any,
    x: VectorStorage,
    y: VectorStorage,
    f: Combine,
    cast: Callable[[Array], Array],
    fills: tuple[Array, Array] | None = None,
) -> VectorStorage:
    """f(x, y) where both have an entry; elsewhere the one there is, or f with the fill of the other."""
    if isinstance(x, FullVector) and isinstance(y, FullVector):
        return FullVector(f(x.values, y.values))
    if isinstance(x, SparseVector) and isinstance(y, SparseVector):
        keys = sorted_union(xp, x.indices, y.indices).astype(x.indices.dtype)
        (has_x, vx), (has_y, vy) = at(xp, x, keys), at(xp, y, keys)
        return SparseVector(x.size, keys, blend(xp, has_x, vx, has_y, vy, f, cast, fills))
    p, q = as_bitmap(xp, x), as_bitmap(xp, y)
    values = blend(xp, p.present, p.values, q.present, q.values, f, cast, fills)
    present = p.present | q.present
    return BitmapVector(present, values, int(xp.count_nonzero(present)))


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
    """The values of a union, place by place."""
    if fills is not None:
        left, right = xp.where(has_x, x, fills[0]), xp.where(has_y, y, fills[1])
        return f(left.astype(x.dtype, copy=False), right.astype(y.dtype, copy=False))
    return xp.where(has_x & has_y, f(x, y), xp.where(has_x, cast(x), cast(y)))


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
    """C<M, replace> ⊙= T; `region` tells of each key whether the assignment covers it (None: all of them)."""
    result = with_values(result, cast(result.values))
    if accumulate is not None:
        z = union(xp, target, result, accumulate, cast)
    elif region is not None:
        z = union(xp, outside(xp, target, region), result, lambda _, new: new, cast)
    else:
        z = result
    if mask is None:
        return z
    if replace:
        return only(xp, z, mask)
    if isinstance(target, SparseVector) and isinstance(z, SparseVector):
        return disjoint(xp, keep(xp, target, ~allowed(xp, mask, target.indices)), only(xp, z, mask))
    return choose(xp, allowed_everywhere(xp, mask, z.size), as_bitmap(xp, z), as_bitmap(xp, target))


def only(xp: Any, vector: VectorStorage, mask: Mask) -> VectorStorage:
    """The entries that the mask allows."""
    if isinstance(vector, SparseVector):
        return keep(xp, vector, allowed(xp, mask, vector.indices))
    bitmap = as_bitmap(xp, vector)
    present = bitmap.present & allowed_everywhere(xp, mask, bitmap.size)
    return BitmapVector(present, bitmap.values, int(xp.count_nonzero(present)))


def outside(xp: Any, vector: VectorStorage, region: Callable[[Array], Array]) -> VectorStorage:
    """The entries that the region does not cover."""
    sparse = as_sparse(xp, vector)
    return keep(xp, sparse, ~region(sparse.indices))


def keep(xp: Any, sparse: SparseVector, flags: Array) -> SparseVector:
    """The flagged entries."""
    return SparseVector(sparse.size, sparse.indices[flags], sparse.values[flags])


def rows_kept(xp: Any, matrix: CompressedMatrix, flags: Array) -> CompressedMatrix:
    """The flagged entries of a matrix."""
    before = xp.concatenate([xp.zeros(1, "int64"), xp.cumsum(flags, dtype="int64")])
    pointers = before[matrix.indptr].astype(index_dtype(int(before[-1])))
    places = xp.flatnonzero(flags)  # listed once: two passes over flags take longer
    return CompressedMatrix(*matrix.shape, pointers, matrix.indices[places], matrix.values[places])


def disjoint(xp: Any, a: SparseVector, b: VectorStorage) -> SparseVector:
    """The union of two vectors that share no entry."""
    other = as_sparse(xp, b)
    keys = xp.concatenate([a.indices.astype("int64"), other.indices.astype("int64")])
    order = xp.argsort(keys, **({"kind": "stable"} if xp.__name__ == "numpy" else {}))
    values = xp.concatenate([a.values, other.values])
    return SparseVector(a.size, keys[order].astype(a.indices.dtype), values[order])


def choose(xp: Any, flags: Array, yes: BitmapVector, no: BitmapVector) -> BitmapVector:
    """`yes` where flagged, `no` elsewhere."""
    present = xp.where(flags, yes.present, no.present)
    return BitmapVector(present, xp.where(flags, yes.values, no.values), int(xp.count_nonzero(present)))


def with_values(vector: VectorStorage, values: Array) -> VectorStorage:
    """The same structure with other values."""
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
    """Write entries into a bitmap or a full vector where it stands, without touching the rest."""
    if not isinstance(result, SparseVector):
        return put_flagged(xp, target, as_bitmap(xp, result), cast)
    keys, values = result.indices, cast(result.values)
    if isinstance(target, FullVector):
        target.values[keys] = values if accumulate is None else accumulate(target.values[keys], values)
        return target
    had = target.present[keys]
    if accumulate is not None:
        values = xp.where(had, accumulate(target.values[keys], values), values)
    target.values[keys] = values
    target.present[keys] = True
    return BitmapVector(target.present, target.values, target.nvals + int(keys.size) - int(xp.count_nonzero(had)))


def put_flagged(
    xp: Any, target: BitmapVector | FullVector, result: BitmapVector, cast: Callable[[Array], Array]
) -> BitmapVector | FullVector:
    """The same for a bitmap, which overwrites."""
    xp.copyto(target.values, cast(result.values), where=result.present)
    if isinstance(target, FullVector):
        return target
    target.present[...] |= result.present
    return BitmapVector(target.present, target.values, int(xp.count_nonzero(target.present)))


__all__ = ["at", "find", "intersect", "only", "put", "union", "with_values", "write"]
