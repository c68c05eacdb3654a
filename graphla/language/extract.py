"""A part of a matrix or a vector: read as an expression, or assigned to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from graphla.errors import NotSupported
from graphla.language.expr import Expr, ScalarLike, Shape
from graphla.language.lazy import Over, Transposed
from graphla.language.reading import R
from graphla.language.recording import Round
from semirings.dtypes import DType


@dataclass(frozen=True, eq=False, repr=False)
class Extract(Over[R]):
    """The part at the given rows (and columns): an index is an int, a slice resolved to a range, or an array."""

    of: Any
    index: tuple[Any, ...]

    def update(self, value: Expr[R] | ScalarLike | Round) -> None:
        """The same as ``self << value``."""
        self.__lshift__(value)

    def __lshift__(self, value: Expr[R] | ScalarLike | Round) -> None:
        """Assign to this part."""
        if isinstance(self.of, Transposed):
            raise NotSupported("a part of a transpose cannot be assigned: assign to the matrix itself")
        container: Any = self.of
        container()[self.index].update(value)

    def __call__(self, *how: Any, **settings: Any) -> PartUpdater[R]:
        """Say how the next ``<<`` writes into this part; a mask has the shape of the part."""
        return PartUpdater(self, how, settings)

    @property
    def shape(self) -> Shape:
        return tuple(len(part) for part in self.index if not isinstance(part, int))

    @property
    def dtype(self) -> DType:
        return self.of.dtype


@dataclass(frozen=True)
class PartUpdater(Generic[R]):
    """A part of a container and how it is to be written: ``C[I, J](mask, accum, replace) << value``."""

    part: Extract[R]
    how: tuple[Any, ...]
    settings: dict[str, Any]

    def update(self, value: Expr[R] | ScalarLike | Round) -> None:
        """The same as ``self << value``."""
        self.__lshift__(value)

    def __lshift__(self, value: Expr[R] | ScalarLike | Round) -> None:
        if not self.part.shape:
            self.part.of(*self.how, **self.settings)[self.part.index].update(value)
            return
        within: Any = self.part.new()
        within(*self.how, **self.settings).update(value)
        self.part.of()[self.part.index].update(within)
