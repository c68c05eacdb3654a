"""Frozen records of arrays, which engines take and return, and the conversions between them."""

from graphla.storage.deferred import Deferred, SentinelBlocks
from graphla.storage.distributed import Distributed, DistributedMatrix, DistributedVector
from graphla.storage.records import (
    Array,
    BitmapVector,
    CompressedMatrix,
    Coo,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    Typed,
    VectorStorage,
    get_dtype_name,
)

__all__ = [
    "Array",
    "BitmapVector",
    "CompressedMatrix",
    "Coo",
    "Deferred",
    "Distributed",
    "DistributedMatrix",
    "DistributedVector",
    "FullMatrix",
    "FullVector",
    "MatrixStorage",
    "SentinelBlocks",
    "SparseVector",
    "Typed",
    "VectorStorage",
    "get_dtype_name",
]
