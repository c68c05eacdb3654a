"""The whole, which every rank has, becomes parts; and parts become the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.engine.mpi.matrices import take
from graphla.engine.mpi.vectors import cut_vector
from graphla.storage import CompressedMatrix, DistributedMatrix, DistributedVector, FullMatrix

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


def distribute(ranks: Ranks, storage: Any) -> DistributedMatrix | DistributedVector:
    """Keep this rank's part of a storage."""
    if isinstance(storage, CompressedMatrix | FullMatrix):
        rows, columns = ranks.grid.find_corner(storage.shape)
        part = take(ranks, storage, (range(*rows), range(*columns)))
        return DistributedMatrix(storage.shape, narrow(part), ranks)
    first, last = ranks.grid.find_block(storage.size)
    part = cut_vector(ranks.xp, storage, [0, first, last, storage.size])[1]
    return DistributedVector(storage.size, ranks.to_best(part), ranks)


def narrow(part: Any) -> Any:
    """Return a block with column numbers of 32 bits."""
    if isinstance(part, FullMatrix) or part.indices.itemsize == 4:
        return part
    return CompressedMatrix(part.nrows, part.ncols, part.indptr, part.indices.astype("int32"), part.values)
