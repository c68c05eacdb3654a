"""A part of a matrix or a vector: read as an expression, or assigned to."""

from __future__ import annotations

from typing import Any, Generic, Never, cast

from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidOption
from graphla.common.typing import DTypeLike
from graphla.language.apply import Over
from graphla.language.expr import Expr, ScalarLike, Shape
from graphla.language.kinds import R
from graphla.language.operand import Transposed
from graphla.language.operands import find_common_engine
from graphla.language.recording import Round
from graphla.storage.frozen import quick
from semirings.dtypes import DType


@quick(repr=False)
class Extract(Over[R]):
    """The part at the given rows (and columns): an index is an int, a slice resolved to a range, or an array."""

    of: Any
    index: tuple[Any, ...]
    of_expression: bool = False
    """Whether `of` is the value of an expression, which nobody writes to."""

    def update(self, value: Expr[R] | ScalarLike | Round) -> None:
        """The same as ``self << value``."""
        self.__lshift__(value)

    def __lshift__(self, value: Expr[R] | ScalarLike | Round) -> None:
        """Assign to this part."""
        self.require_container()
        container: Any = self.of
        container()[self.index].update(value)

    def __call__(self, *how: Any, **settings: Any) -> Assigner[R]:
        """Say how the next ``<<`` writes into this part; a mask has the shape of the part."""
        self.require_container()
        return Assigner(self, how, settings)

    def require_container(self) -> None:
        """Refuse to write to a transpose, or to the value of an expression."""
        if isinstance(self.of, Transposed):
            raise DomainMismatch("a transpose does not support item assignment: assign to the matrix itself")
        if self.of_expression:
            raise DomainMismatch("an expression does not support item assignment: take .new(), and assign to that")

    def new(
        self,
        dtype: DTypeLike | None = None,
        *,
        mask: Any = None,
        input_mask: Any = None,
        name: str | None = None,
        **how: Any,
    ) -> R:
        """Compute into a new container; `input_mask` filters what is read, and has the shape that is read from."""
        if input_mask is None:
            return super().new(dtype, mask=mask, name=name, **how)
        if mask is not None:
            raise DomainMismatch("mask and input_mask arguments cannot both be given")
        return self.filter(input_mask).new(dtype, name=name, **how)

    def filter(self, mask: Any) -> Extract[Any]:
        """The same part of what `mask` lets through; the mask of a row or a column may be a vector."""
        if not self.shape:
            raise InvalidOption(
                "`input_mask` argument may only be used for extract of parts, and not the extraction of a single value"
            )
        if not isinstance(mask, Expr) and not hasattr(mask, "complement"):
            raise DomainMismatch(f"input_mask={show(mask)}: a mask is v.S (structure) or v.V (values), or ~ of one")
        of: Any = self.of
        given = cast("Any", mask)
        masking = getattr(given, "of", given)
        shape = getattr(masking, "shape", of.shape)
        if len(shape) == of.rank and shape != of.shape:
            what = "Size" if of.rank == 1 else "Shape"
            raise DimensionMismatch(
                f"{what} of `input_mask` does not match {what.lower()} of input: {shape} and {of.shape}"
            )
        if of.rank == 2 and getattr(masking, "rank", None) == 1:
            along = [n for n, part in enumerate(self.index) if not isinstance(part, int)]
            if len(along) != 1:
                raise DomainMismatch(
                    "Got Vector `input_mask` when extracting a submatrix from a Matrix: give the mask of a matrix; "
                    "that of a vector goes with one row or one column"
                )
            if shape[0] != of.shape[along[0]]:
                size = ("nrows", "ncols")[along[0]]
                raise DimensionMismatch(f"Size of `input_mask` Vector does not match {size} of Matrix: {shape[0]}")
            line = tuple(slice(None) if n == along[0] else part for n, part in enumerate(self.index))
            return Extract(of[line].new(mask=mask), (self.index[along[0]],))
        return Extract(of.new(mask=mask), self.index)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def shape(self) -> Shape:
        return tuple(len(part) for part in self.index if not isinstance(part, int))

    @property
    def dtype(self) -> DType:
        return self.of.dtype

    @property
    def engine(self) -> Any:
        found = self.of.engine
        for part in self.index:
            found = find_common_engine(found, getattr(part, "engine", None))
        return found

    @property
    def _sources(self) -> tuple[Any, ...]:
        return *self.of._sources, *(source for part in self.index for source in getattr(part, "_sources", ()))


@quick()
class Assigner(Generic[R]):
    """A part of a container and how it is to be written: ``C[I, J](mask, accum, replace) << value``."""

    part: Extract[R]
    how: tuple[Any, ...]
    settings: dict[str, Any]

    def update(self, value: Expr[R] | ScalarLike | Round) -> None:
        """The same as ``self << value``."""
        self.__lshift__(value)

    def __lshift__(self, value: Expr[R] | ScalarLike | Round) -> None:
        self.require_mask()
        if not self.part.shape or self.accumulates_block(value):
            self.part.of(*self.how, **self.settings)[self.part.index].update(value)
            return
        within: Any = self.part.new()
        within(*self.how, **self.settings).update(value)
        self.part.of()[self.part.index].update(within)

    def __bool__(self) -> Never:
        raise DomainMismatch("__bool__ is not defined for what is about to be written: write C[I](mask, accum) << …")

    def __eq__(self, other: object) -> Never:
        raise DomainMismatch("__eq__ is not defined for what is about to be written: write C[I](mask, accum) << …")

    __hash__ = object.__hash__

    def accumulates_block(self, value: Any) -> bool:
        """Whether this writes a block of a matrix, and without a mask: the same as ``C(accum)[I, J] << value``."""
        settings = *self.how, self.settings.get("mask"), self.settings.get("input_mask")
        entries = isinstance(value, Expr) or not hasattr(value, "__len__")
        return entries and len(self.part.shape) == 2 and not any(map(is_mask, settings))

    def require_mask(self) -> None:
        """Refuse a mask of another rank than the part."""
        for mask in (*self.how, self.settings.get("mask")):
            of = cast("Any", getattr(mask, "of", mask))
            if is_mask(mask) and of.rank != len(self.part.shape):
                kinds = ["single element", "Vector", "Matrix"]
                part, given, whole = kinds[len(self.part.shape)], kinds[int(of.rank)], kinds[int(self.part.of.rank)]
                raise DomainMismatch(
                    f"Unable to use {given} mask on {part} assignment to a {whole}. Mask object must be type {part}: "
                    f"Indices for subassign imply {part} submask, but got {given} mask instead. "
                    "Single element assign does not accept a submask"
                )


def is_mask(value: Any) -> bool:
    """Whether a setting of a write is a mask: ``M.S``, ``M.V``, or an expression that stands for one."""
    return hasattr(value, "complement") or isinstance(value, Expr)
