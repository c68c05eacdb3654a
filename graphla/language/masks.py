"""Masks: ``v.S``, ``v.V`` and their complements, their unions and intersections, and the word `replace`."""

from __future__ import annotations

from typing import Any, Never, Protocol

from graphla.common.arguments import show, to_bool
from graphla.common.errors import DimensionMismatch, DomainMismatch
from graphla.common.typing import DTypeLike
from graphla.storage import MatrixStorage, VectorStorage
from graphla.storage.frozen import quick
from semirings import binary, unary
from semirings.dtypes import BOOL, lookup


@quick()
class Mask:
    """The mask of a plan: which entries of the result may be written."""

    of: MatrixStorage | VectorStorage
    structural: bool
    complement: bool


class Replace:
    """The word `replace` in ``out(mask, replace) << expression``: entries outside the mask are removed."""

    def __repr__(self) -> str:
        return "replace"


replace = Replace()


class HasMask(Protocol):
    """What has a mask: a container or an expression of BOOL."""

    @property
    def V(self) -> MaskView: ...


class MaskView:
    """``v.S`` (structure) or ``v.V`` (true values) as a mask; ``~`` complements it."""

    def __init__(self, of: Any, structural: bool, complement: bool = False) -> None:
        self.of, self.structural, self.complement = of, structural, complement

    def __invert__(self) -> MaskView:
        return MaskView(self.of, self.structural, not self.complement)

    def __or__(self, other: MaskView | HasMask) -> MaskView:
        """Where one of the two holds."""
        return ~intersect_masks(~self, ~to_mask(other))

    def __and__(self, other: MaskView | HasMask) -> MaskView:
        """Where both hold."""
        return intersect_masks(self, to_mask(other))

    __ror__, __rand__ = __or__, __and__

    def __bool__(self) -> Never:
        raise DomainMismatch("__bool__ is not defined for a mask, neither true nor false: ask mask.new().nvals")

    def __eq__(self, other: object) -> Never:
        raise DomainMismatch("__eq__ is not defined for a mask: compare what .new() gives with .isequal(other)")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.of.name or 'mask'}.{'S' if self.structural else 'V'}"

    def new(
        self,
        dtype: DTypeLike | None = None,
        *,
        complement: bool = False,
        mask: MaskView | None = None,
        name: str | None = None,
    ) -> Any:
        """A container that holds true, or 1, where this mask (and `mask`) holds.

        Parameters
        ----------
        dtype : dtype, optional
            BOOL by default.
        complement : bool
            Where they do not hold, instead.
        mask : mask, optional
            Another mask of this shape.
        name : str, optional
            The name of the result.
        """
        both = self if mask is None else self & mask
        kind = BOOL if dtype is None else lookup(dtype)
        result: Any = type(self.of)(kind, *self.of.shape, name=name, engine=self.of.engine)
        result(mask=~both if to_bool(complement, "complement") else both).update(True)
        return result

    def to_record(self) -> Mask:
        """The mask as plans hold it."""
        return Mask(self.of._value._storage, self.structural, self.complement)

    def to_pattern(self) -> Any:
        """True where the mask holds, or where it does not if it is a complement."""
        there = self.of if self.structural else self.of.select("!=", 0).new()
        return there.apply(unary.one).new(BOOL)


def intersect_masks(one: MaskView, other: MaskView) -> MaskView:
    """Where both hold: a & b, a without b, or ~(a | b)."""
    if one.of.shape != other.of.shape:
        raise DimensionMismatch(f"the masks have shapes {one.of.shape} and {other.of.shape}")
    if one.complement and not other.complement:
        one, other = other, one
    p, q = one.to_pattern(), other.to_pattern()
    if one.complement:
        return MaskView(binary.lor(p | q).new(), True, True)
    return MaskView(p.new(mask=~q.S) if other.complement else binary.land(p & q).new(), True)


def to_mask(mask: Any) -> MaskView:
    """The mask itself; ``v.V`` of a container or an expression of BOOL.

    Raises
    ------
    DomainMismatch
        If it is none of these.
    """
    if isinstance(mask, MaskView):
        return mask
    if not hasattr(mask, "_sources") or not mask.rank:  # no expression, or one of one value
        raise DomainMismatch(f"Invalid mask={show(mask)}: a mask is v.S (structure) or v.V (values), or ~ of one")
    if mask.dtype != BOOL:
        raise DomainMismatch(
            f"mask={str(mask).splitlines()[0]}: a mask is v.S (structure) or v.V (values), or ~ of one. "
            f"Mask must be one of these, or a container of BOOL, not {mask.dtype}"
        )
    return mask.V


def make_mask(mask: Any, shape: tuple[int, ...]) -> Mask:
    """The mask as plans hold it, once it is checked that its shape is `shape`."""
    held = to_mask(mask)
    require_mask(held, shape)
    return held.to_record()


def require_mask(mask: Any, shape: tuple[int, ...]) -> None:
    """Refuse a value that is no mask, or a mask of another shape."""
    if mask is None:
        return
    held = to_mask(mask)
    if held.of.rank != len(shape):
        raise DomainMismatch(
            f"Mask object must be type {['Scalar', 'Vector', 'Matrix'][len(shape)]}, as the result is, not of "
            f"shape {held.of.shape}"
        )
    if held.of.shape != shape:
        raise DimensionMismatch(f"the mask has shape {held.of.shape}, the result {shape}")
