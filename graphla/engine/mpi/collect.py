"""Parts of all ranks as the whole, or its first entries, on every rank: what a program asks for by name or prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.engine.mpi.entries import list_entries, list_sparse
from graphla.engine.mpi.vectors import gather_vectors, join_vectors
from graphla.storage import Array, CompressedMatrix, DistributedMatrix, FullMatrix, SparseVector
from graphla.storage.convert import cast_indices, choose_index_dtype, gather, make_row_pointers, order_entries
from graphla.storage.formats import as_sparse

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


def collect(ranks: Ranks, storage: Any) -> Any:
    """Return the whole on every rank."""
    if not isinstance(storage, DistributedMatrix):
        parts = gather_vectors(ranks.xp, ranks.world, storage.part, ranks.grid.cut(storage.size))
        return ranks.to_best(join_vectors(ranks.xp, parts))
    if ranks.size == 1:
        return storage.part
    entries = (ranks.world.all_gather(each) for each in list_entries(ranks, storage))
    return make_matrix(ranks, storage.shape, *entries)


def make_matrix(ranks: Ranks, shape: tuple[int, int], rows: Array, columns: Array, values: Array) -> Any:
    """Make a matrix of entries in any order, none repeated."""
    order = order_entries(rows, columns, *shape)
    rows, columns, values = (gather(each, order) for each in (rows, columns, values))
    if values.size and values.size == shape[0] * shape[1]:
        return FullMatrix(values.reshape(shape))
    indices = cast_indices(columns, choose_index_dtype(shape[1]))
    return CompressedMatrix(*shape, make_row_pointers(ranks.xp, rows, shape[0]), indices, values)


def collect_first(ranks: Ranks, storage: Any, count: int) -> Any:
    """Return at least the first entries by rows, those of each part; of no more than `count` per rank."""
    if not isinstance(storage, DistributedMatrix):
        part = as_sparse(ranks.xp, storage.part)
        indices, values = list_sparse(ranks, type(storage)(storage.size, cut(part, count), ranks))
        indices, values = ranks.world.all_gather(indices), ranks.world.all_gather(values)
        return SparseVector(storage.size, indices[:count], values[:count])
    if isinstance(storage.part, FullMatrix) and ranks.size == 1:
        return storage.part
    entries = (ranks.world.all_gather(each[:count]) for each in list_entries(ranks, storage))
    rows, columns, values = entries
    order = order_entries(rows, columns, *storage.shape)[:count]
    return make_matrix(ranks, storage.shape, *(gather(each, order) for each in (rows, columns, values)))


def cut(vector: SparseVector, count: int) -> SparseVector:
    return SparseVector(vector.size, vector.indices[:count], vector.values[:count])
