"""Parts of vectors: cut, joined, and sent between ranks in the format that they have.

A part travels as two arrays, the bytes of its structure and its values. The receiver knows the length of the part, and
tells the format by the two sizes: full parts have no structure, bitmaps a byte per index, sparse parts four per entry.
All are multiples of four, so that the parts in one array are aligned.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.indices import join_arrays, search_sorted, shift
from graphla.storage import Array, BitmapVector, FullVector, SparseVector, VectorStorage
from graphla.storage.convert import cast_indices, choose_index_dtype, count_true
from graphla.storage.formats import as_bitmap, as_sparse

INDEX_BYTES = 4


def cut_vector(xp: Any, vector: VectorStorage, bounds: list[int]) -> list[VectorStorage]:
    """Cut a vector at `bounds`; each part is numbered from 0 and views the arrays of the vector."""
    if isinstance(vector, SparseVector):
        at = search_sorted(vector.indices, xp.asarray(bounds, "int64")).tolist()
        return [
            SparseVector(end - start, shift(vector.indices[a:b], -start, dtype="int32"), vector.values[a:b])
            for start, end, a, b in zip(bounds[:-1], bounds[1:], at[:-1], at[1:], strict=True)
        ]
    return [cut_dense(xp, vector, slice(*span)) for span in pairwise(bounds)]


def cut_dense(xp: Any, vector: BitmapVector | FullVector, part: slice) -> VectorStorage:
    if isinstance(vector, FullVector):
        return FullVector(vector.values[part])
    present = vector.present[part]
    return BitmapVector(present, vector.values[part], count_true(present))


def join_vectors(xp: Any, parts: list[VectorStorage]) -> VectorStorage:
    """Join parts one after the other."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, FullVector) for part in parts):
        return FullVector(join_arrays(xp, [part.values for part in parts]))
    if all(isinstance(part, SparseVector) for part in parts):
        return join_sparse(xp, parts)
    bitmaps = [as_bitmap(xp, part) for part in parts]
    present, values = (join_arrays(xp, [getattr(part, name) for part in bitmaps]) for name in ("present", "values"))
    return BitmapVector(present, values, sum(part.nvals for part in parts))


def join_sparse(xp: Any, parts: list[Any]) -> SparseVector:
    """Join sparse parts, whose indices move on by the lengths of the parts before."""
    size = sum(part.size for part in parts)
    kind, start, moved = choose_index_dtype(size), 0, []
    for part in parts:
        moved.append(shift(part.indices, start, dtype=kind))
        start += part.size
    return SparseVector(size, join_arrays(xp, moved), join_arrays(xp, [part.values for part in parts]))


def encode(xp: Any, part: VectorStorage) -> tuple[Array, Array]:
    """Return the bytes of the structure, a multiple of four, and the values."""
    if part.nvals == part.size:
        return xp.zeros(0, "uint8"), part.values
    if isinstance(part, SparseVector) or part.nvals == 0:
        sparse = as_sparse(xp, part)
        return cast_indices(sparse.indices, "int32").view("uint8"), sparse.values
    flags = as_bitmap(xp, part).present.view("uint8")
    if flags.size % INDEX_BYTES:
        flags = join_arrays(xp, [flags, xp.zeros(-flags.size % INDEX_BYTES, "uint8")])
    return flags, part.values


def decode(structure: Array, values: Array, size: int) -> VectorStorage:
    """Return the part of length `size` that `encode` took apart."""
    if structure.size == 0 and values.size == size:
        return FullVector(values)
    if structure.size == INDEX_BYTES * values.size:
        return SparseVector(size, structure.view("int32"), values)
    present = structure[:size].view(bool)
    return BitmapVector(present, values, count_true(present))


def gather_vectors(xp: Any, comm: Communicator, part: VectorStorage, bounds: list[int]) -> list[VectorStorage]:
    """Return the parts of all ranks; part r has the length ``bounds[r + 1] - bounds[r]``."""
    if comm.size == 1:
        return [part]
    return decode_all(comm.all_gather_several(*encode(xp, part)), [end - start for start, end in pairwise(bounds)])


def exchange_vectors(xp: Any, comm: Communicator, parts: list[VectorStorage], sizes: list[int]) -> list[VectorStorage]:
    """Send part r to rank r; return what rank r has sent, of length ``sizes[r]``."""
    if comm.size == 1:
        return parts
    structures, values = zip(*(encode(xp, part) for part in parts), strict=True)
    return decode_all(comm.all_to_all_several(list(structures), list(values)), sizes)


def decode_all(arrays: list[list[Array]], sizes: list[int]) -> list[VectorStorage]:
    return [decode(structure, values, size) for structure, values, size in zip(*arrays, sizes, strict=True)]


def make_empty(xp: Any, size: int, like: Any) -> SparseVector:
    """Return a vector without entries, of the dtype of `like`."""
    return SparseVector(size, xp.zeros(0, choose_index_dtype(size)), like.values[:0])
