"""Entries by global row and column, on their way between the blocks of matrices, and the blocks of vectors."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Protocol

from graphla.engine.arrays.extract import is_rising
from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.grid import Grid
from graphla.engine.mpi.indices import (
    find_blocks,
    join_arrays,
    list_fresh,
    number_grid,
    pack_entries,
    shift,
    unpack_entries,
)
from graphla.storage import Array, CompressedMatrix, Coo, DistributedMatrix, FullMatrix, MatrixStorage, SparseVector
from graphla.storage.convert import (
    csr_from_coo,
    expand_rows,
    gather,
    make_full,
    make_row_pointers,
    order_keys,
    order_stably,
)
from graphla.storage.formats import as_sparse
from graphla.storage.list_kernels import find_list_kernels
from semirings import monoid
from semirings.dtypes import lookup


class Sharing(Protocol):
    """What the way of entries needs of `Ranks`, which stand above it."""

    grid: Grid
    world: Communicator
    local: Any
    xp: Any

    @property
    def size(self) -> int:
        """How many ranks there are."""
        ...


def list_entries(ranks: Sharing, matrix: DistributedMatrix) -> tuple[Array, Array, Array]:
    """Return the global rows and columns of the entries of this rank's block, and their values."""
    (top, _), (left, _) = ranks.grid.find_corner(matrix.shape)
    return list_cells(ranks, matrix.part, (top, left))


def list_cells(ranks: Sharing, part: MatrixStorage, corner: tuple[int, int]) -> tuple[Array, Array, Array]:
    """Return the rows and columns of the entries of a block, counted on from its corner, and their values."""
    values = part.values.reshape(-1)
    if isinstance(part, FullMatrix):
        return *number_grid(ranks.xp, part.shape, corner, values), values
    rows = expand_rows(part, "int64")
    return shift(rows, corner[0]) if corner[0] else rows, shift(part.indices, corner[1]), values


def send_entries(
    ranks: Sharing, rows: Array, columns: Array, values: Array | None, shape: tuple[int, int], dup: str = "sum"
) -> MatrixStorage:
    """Send entries to the ranks whose blocks they are in; return this rank's block of a matrix of `shape`.

    Entries of one cell are joined as `dup` says, in the order of the ranks that have sent them.
    """
    owners, keys = pack_entries(rows, columns, ranks.grid.cut_rows(shape[0]), ranks.grid.cut_columns(shape[1]))
    keys, values = send_to(ranks, owners, keys, values)
    (top, bottom), (left, right) = ranks.grid.find_corner(shape)
    return make_block(ranks, keys, values, (bottom - top, right - left), dup)


def make_block(ranks: Sharing, keys: Array, values: Array | None, shape: tuple[int, int], dup: str) -> MatrixStorage:
    """Make a block of packed rows and columns within it."""
    on_host = find_list_kernels(keys) is None
    block = (
        csr_from_coo(Coo(*shape, *unpack_entries(keys), values), dup)
        if on_host
        else sort_rows(ranks, keys, values, shape, dup)
    )
    if block.nvals and block.nvals == shape[0] * shape[1]:
        return FullMatrix(block.values.reshape(shape))
    return block


def sort_rows(ranks: Sharing, keys: Array, values: Array | None, shape: tuple[int, int], dup: str) -> CompressedMatrix:
    """Make the rows of packed entries by the kernels of a device."""
    xp, order = ranks.xp, order_stably(keys)
    keys = gather(keys, order)
    values = make_full(xp, keys.shape[0], True, "bool") if values is None else gather(values, order)
    if not is_rising(None, keys):
        starts = list_fresh(keys)
        values = join_repeats(ranks, values, starts, dup)
        keys = gather(keys, starts)
    rows, columns = unpack_entries(keys)
    return CompressedMatrix(*shape, make_row_pointers(xp, rows, shape[0]), columns, values)


def join_repeats(ranks: Sharing, values: Array, starts: Array, dup: str) -> Array:
    """Join the values of each run, which begin at `starts`, as `dup` says."""
    if dup == "first":
        return gather(values, starts)
    kind = lookup(values.dtype)
    add = monoid.min if dup == "min" else monoid.lor if kind.kind == "b" else monoid.plus
    pointers = join_arrays(ranks.xp, [starts, ranks.xp.asarray([values.shape[0]], "int64")])
    return ranks.local.reduce_segments(add, values, pointers, kind)


def send_numbered(ranks: Sharing, indices: Array, values: Array, size: int) -> SparseVector:
    """Send entries of a vector to the ranks whose blocks they are in; return this rank's block."""
    bounds = ranks.grid.cut(size)
    indices, values = send_to(ranks, find_blocks(indices, bounds), indices, values)
    first, last = ranks.grid.find_block(size)
    order = order_keys(indices, size)
    return SparseVector(last - first, shift(gather(indices, order), -first, dtype="int32"), gather(values, order))


def send_to(ranks: Sharing, owners: Array, *columns: Any) -> list[Any]:
    """Send row k of arrays to rank ``owners[k]``; return what arrived, in the order of the ranks; None stays None."""
    if ranks.size == 1:
        return list(columns)
    order, bounds = arrange(ranks, owners)
    return [None if each is None else send_arranged(ranks, gather(each, order), bounds) for each in columns]


def arrange(ranks: Sharing, owners: Array) -> tuple[Array, list[int]]:
    """Return the order of rows by their rank, stable, and the bounds of the rows of each rank in it."""
    order = order_keys(owners, ranks.size)
    bounds = make_row_pointers(ranks.xp, gather(owners, order), ranks.size)
    return order, ranks.local.to_host(bounds).tolist()


def send_arranged(ranks: Sharing, column: Array, bounds: list[int]) -> Array:
    """Send the rows between the bounds to their ranks; return what arrived."""
    parts = [column[first:last] for first, last in pairwise(bounds)]
    return join_arrays(ranks.xp, ranks.world.all_to_all(parts))


def list_sparse(ranks: Sharing, vector: Any) -> tuple[Array, Array]:
    """Return the global indices of the entries of this rank's block of a vector, and their values."""
    sparse = as_sparse(ranks.xp, vector.part)
    return shift(sparse.indices, ranks.grid.find_block(vector.size)[0]), sparse.values
