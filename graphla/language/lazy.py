"""Expressions that are no containers: over one operand, over two, and the transpose of a matrix.

They are read like the container that they give, which is computed when it is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from graphla.language.expr import Expr, Shape
from graphla.language.operands import common_engine
from graphla.language.reading import READ_FROM_VALUE, R
from semirings.dtypes import DType

if TYPE_CHECKING:
    from graphla.containers.matrix import Matrix


class Lazy(Expr[R]):
    """An expression that is no container; what `Readable` declares it reads from its value."""


for name in READ_FROM_VALUE:
    setattr(Lazy, name, property(attrgetter(f"_value.{name}")))
Lazy.ndim = property(attrgetter("rank"))  # type: ignore  (known before anything is computed, as the sizes are)


def declare_size(name: str, rank: int, place: int) -> None:
    """Let an expression of `rank` tell one of its sizes from its shape; of another rank it has no such name."""

    def read(self: Any) -> int:
        if self.rank != rank:
            raise AttributeError(f"an expression of rank {self.rank} has no {name}: ask for its shape")
        return self.shape[place]

    setattr(Lazy, name, property(read))


declare_size("size", 1, 0)
declare_size("nrows", 2, 0)
declare_size("ncols", 2, 1)


class Over(Lazy[R]):
    """An expression over one operand."""

    of: Any

    @property
    def shape(self) -> Shape:
        return self.of.shape

    @property
    def engine(self) -> Any:
        return self.of.engine

    @property
    def _sources(self) -> tuple[Any, ...]:
        return self.of._sources


class Pair(Lazy[R]):
    """An expression over two operands."""

    left: Any
    right: Any

    @property
    def shape(self) -> Shape:
        return self.left.shape

    @property
    def engine(self) -> Any:
        one, other = self.left.engine, self.right.engine
        return one if one is other else common_engine(one, other)

    @property
    def _sources(self) -> tuple[Any, ...]:
        return *self.left._sources, *self.right._sources


@dataclass(frozen=True, eq=False, repr=False)
class Transposed(Over["Matrix"]):
    """A.T: the same storage, read the other way round."""

    of: Any
    _computed: ClassVar[bool] = True

    @property
    def rank(self) -> int:
        return 2

    @property
    def shape(self) -> Shape:
        return self.of.shape[::-1]

    @property
    def dtype(self) -> DType:
        return self.of.dtype

    @property
    def T(self) -> Matrix:
        return self.of

    @property
    def nvals(self) -> int:
        return self.of.nvals
