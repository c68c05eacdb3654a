"""Entries by global row and column, on their way between the blocks of matrices, and the blocks of vectors."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graphla.storage import Array, Coo, DistributedMatrix, FullMatrix, MatrixStorage, SparseVector
from graphla.storage.convert import csr_from_coo, order_keys
from graphla.storage.formats import as_sparse

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks

SHIFT, LOW = 32, 0xFFFFFFFF
"""Row and column within a block travel as one number of 64 bits."""


def list_entries(ranks: Ranks, matrix: DistributedMatrix) -> tuple[Array, Array, Array]:
    """Return the global rows and columns of the entries of this rank's block, and their values."""
    (top, _), (left, _) = ranks.grid.find_corner(matrix.shape)
    rows, columns = ranks.local.list_coordinates(matrix.part)
    if isinstance(matrix.part, FullMatrix):
        rows, columns = rows.reshape(-1), columns.reshape(-1)
    return rows + top, columns + left, matrix.part.values.reshape(-1)


def send_entries(
    ranks: Ranks, rows: Array, columns: Array, values: Array | None, shape: tuple[int, int], dup: str = "sum"
) -> MatrixStorage:
    """Send entries to the ranks whose blocks they are in; return this rank's block of a matrix of `shape`.

    Entries of one cell are joined as `dup` says, in the order of the ranks that have sent them.
    """
    owners, keys = pack_entries(ranks, rows, columns, shape)
    keys, values = send_to(ranks, owners, keys, values)
    (top, bottom), (left, right) = ranks.grid.find_corner(shape)
    return make_block(keys, values, (bottom - top, right - left), dup)


def pack_entries(ranks: Ranks, rows: Array, columns: Array, shape: tuple[int, int]) -> tuple[Array, Array]:
    """Return the ranks whose blocks entries are in, and their rows and columns there, packed."""
    xp, grid = ranks.xp, ranks.grid
    row_bounds, column_bounds = grid.cut_rows(shape[0]), grid.cut_columns(shape[1])
    i, j = find_blocks(xp, rows, row_bounds), find_blocks(xp, columns, column_bounds)
    keys = (rows - xp.asarray(row_bounds)[i]) << SHIFT | (columns - xp.asarray(column_bounds)[j])
    return i * grid.columns + j, keys


def make_block(keys: Array, values: Array | None, shape: tuple[int, int], dup: str) -> MatrixStorage:
    """Make a block of packed rows and columns within it."""
    rows, columns = (keys >> SHIFT).astype("int32"), (keys & LOW).astype("int32")
    block = csr_from_coo(Coo(*shape, rows, columns, values), dup)
    if block.nvals and block.nvals == shape[0] * shape[1]:
        return FullMatrix(block.values.reshape(shape))
    return block


def send_numbered(ranks: Ranks, indices: Array, values: Array, size: int) -> SparseVector:
    """Send entries of a vector to the ranks whose blocks they are in; return this rank's block."""
    bounds = ranks.grid.cut(size)
    indices, values = send_to(ranks, find_blocks(ranks.xp, indices, bounds), indices, values)
    first, last = ranks.grid.find_block(size)
    order = ranks.xp.argsort(indices)
    return SparseVector(last - first, (indices[order] - first).astype("int32"), values[order])


def find_blocks(xp: Any, places: Array, bounds: list[int]) -> Array:
    """Return the block in which each place is."""
    if len(bounds) == 2:
        return xp.zeros(places.shape, "int64")
    return xp.searchsorted(xp.asarray(bounds[1:-1], "int64"), places, side="right")


def send_to(ranks: Ranks, owners: Array, *columns: Any) -> list[Any]:
    """Send row k of arrays to rank ``owners[k]``; return what arrived, in the order of the ranks; None stays None."""
    if ranks.size == 1:
        return list(columns)
    order, bounds = arrange(ranks, owners)
    return [None if each is None else send_arranged(ranks, each[order], bounds) for each in columns]


def arrange(ranks: Ranks, owners: Array) -> tuple[Array, list[int]]:
    """Return the order of rows by their rank, stable, and the bounds of the rows of each rank in it."""
    counts = ranks.xp.bincount(owners, minlength=ranks.size)
    return order_keys(owners, ranks.size), [0, *ranks.local.to_host(counts).cumsum().tolist()]


def send_arranged(ranks: Ranks, column: Array, bounds: list[int]) -> Array:
    """Send the rows between the bounds to their ranks; return what arrived."""
    parts = [column[first:last] for first, last in pairwise(bounds)]
    return ranks.xp.concatenate(ranks.world.all_to_all(parts))


def list_sparse(ranks: Ranks, vector: Any) -> tuple[Array, Array]:
    """Return the global indices of the entries of this rank's block of a vector, and their values."""
    sparse = as_sparse(ranks.xp, vector.part)
    return sparse.indices.astype("int64") + ranks.grid.find_block(vector.size)[0], sparse.values
