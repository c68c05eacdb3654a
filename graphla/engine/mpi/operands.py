"""Operands of the plans that a rank makes for its parts."""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.language.expr import Expr, Shape
from graphla.language.operand import Transposed
from graphla.storage import MatrixStorage, VectorStorage
from semirings.dtypes import DType


class Operand(Expr[Any]):
    """A storage as an operand of an expression."""

    _computed: ClassVar[bool] = True

    def __init__(self, storage: MatrixStorage | VectorStorage) -> None:
        self._storage: Any = storage

    @property
    def engine(self) -> Any:
        """None: it is an operand within one engine."""
        return None

    @property
    def shape(self) -> Shape:
        return self._storage.shape if hasattr(self._storage, "shape") else (self._storage.size,)

    @property
    def dtype(self) -> DType:
        return self._storage.type


def to_operand(storage: MatrixStorage | VectorStorage, transposed: bool = False) -> Any:
    """Return a storage, or its transpose, as an operand."""
    return Transposed(Operand(storage)) if transposed else Operand(storage)
