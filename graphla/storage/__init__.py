"""Frozen records of arrays, which engines take and return, and the conversions between them."""

from graphla.storage.deferred import Deferred
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
    "FullMatrix",
    "FullVector",
    "MatrixStorage",
    "SparseVector",
    "Typed",
    "VectorStorage",
    "get_dtype_name",
]
