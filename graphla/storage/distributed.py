"""Storages of which each rank holds a part: blocks of a vector, 2-D blocks of a matrix.

They have the size, the dtype and the number of entries of the whole. Their entries can be read through the engine
alone: whatever reads an array of one is refused, so that nothing collects the whole by accident.
"""

from __future__ import annotations

from typing import Any, NoReturn

from graphla.common.errors import NotSupported
from graphla.storage.frozen import once, quick
from graphla.storage.records import MatrixStorage, VectorStorage
from semirings.dtypes import DType


class Distributed:
    """Base class of storages of which each rank holds a part."""

    part: Any
    ranks: Any
    """The ranks that hold the parts: those of `graphla.engine.mpi`."""

    @property
    def dtype(self) -> str:
        """NumPy's name of the scalar type."""
        return self.part.dtype

    @property
    def type(self) -> DType:
        """The scalar type."""
        return self.part.type

    @once
    def nvals(self) -> int:
        """The number of entries of the whole; every rank asks for it when the first does."""
        return self.ranks.add_up(self.part.nvals)

    def refuse(self, *_: Any) -> NoReturn:
        """Refuse an operation that reads the arrays of the whole."""
        raise NotSupported(
            f"this operation is not written for what is spread over {self.ranks.size} ranks: .to('cpu') or .to_coo() "
            "collect it on each rank, if it fits there"
        )

    values = indices = indptr = present = property(refuse)
    __reduce__ = refuse


@quick()
class DistributedVector(Distributed):
    """A vector of which each rank holds a block of consecutive indices; its part is numbered from 0."""

    size: int
    part: VectorStorage
    ranks: Any

    @once
    def shape(self) -> tuple[int]:
        return (self.size,)

    def __len__(self) -> int:
        return self.size


@quick()
class DistributedMatrix(Distributed):
    """A matrix of which each rank holds one block of a grid; rows and columns of its part are numbered from 0."""

    shape: tuple[int, int]
    part: MatrixStorage
    ranks: Any

    @once
    def transposed(self) -> DistributedMatrix:
        """The transpose, whose parts are exchanged when it is first read."""
        return self.ranks.transpose(self)
