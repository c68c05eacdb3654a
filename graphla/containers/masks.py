"""Masks: ``v.S``, ``v.V`` and their complements, and the word `replace`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.errors import DimensionMismatch, GraphlaError
from graphla.planning.steps import Mask

if TYPE_CHECKING:
    from graphla.containers.container import Container


class Replace:
    """The word `replace` in ``out(mask, replace) << expression``: entries outside the mask are removed."""

    def __repr__(self) -> str:
        return "replace"


replace = Replace()


class MaskView:
    """``v.S`` (structure) or ``v.V`` (true values) as a mask; ``~`` complements it."""

    def __init__(self, of: Container[Any], structural: bool, complement: bool = False) -> None:
        self.of, self.structural, self.complement = of, structural, complement

    def __invert__(self) -> MaskView:
        return MaskView(self.of, self.structural, not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.of.name or 'mask'}.{'S' if self.structural else 'V'}"

    def to_record(self) -> Mask:
        """The mask as plans hold it."""
        return Mask(self.of._storage, self.structural, self.complement)


def make_mask(mask: Any, shape: tuple[int, ...]) -> Mask:
    """The mask as plans hold it, once it is checked that its shape is `shape`."""
    require_mask(mask, shape)
    return mask.to_record()


def require_mask(mask: Any, shape: tuple[int, ...]) -> None:
    """Refuse a value that is no mask, or a mask of another shape."""
    if mask is None:
        return
    if not isinstance(mask, MaskView):
        raise GraphlaError(f"mask={str(mask).splitlines()[0]}: a mask is v.S (structure) or v.V (values), or ~ of one")
    if mask.of.shape != shape:
        raise DimensionMismatch(f"the mask has shape {mask.of.shape}, the result {shape}")
