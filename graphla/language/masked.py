"""C⟨M⟩ = A ⊕.⊗ B as an expression: its sum is computed without a matrix of its entries."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any

from graphla.common.arguments import to_bool
from graphla.common.errors import GraphlaError
from graphla.language.apply import Over, Reduce
from graphla.language.expr import Expr
from graphla.language.kinds import ReduceLike
from graphla.language.lookup import find_operator
from graphla.language.masks import MaskView
from graphla.storage.frozen import quick
from semirings import BinaryOp, Monoid, binary, monoid
from semirings.dtypes import DType


@quick(repr=False)
class MaskedProduct(Over[Any]):
    """C⟨M⟩ = A ⊕.⊗ B, not computed yet; it is computed as a whole where a matrix is asked for."""

    of: Any
    mask: MaskView

    @property
    def dtype(self) -> DType:
        return self.of.dtype

    @property
    def _sources(self) -> tuple[Any, ...]:
        return *self.of._sources, *self.mask.of._sources

    def new(self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **how: Any) -> Any:
        """Compute the product as a matrix; see `Expr.new`."""
        return self.of.new(dtype, mask=self.mask if mask is None else self.mask & mask, name=name, **how)

    def reduce_scalar(self, op: ReduceLike = "plus", *, allow_empty: bool = True) -> Expr[Any]:
        """Combine all entries; a monoid combines them as they are computed, and no matrix of them is made.

        Parameters
        ----------
        op : Monoid, Aggregator or str
            What combines the entries, such as ``"max"``; an aggregator is given the whole matrix.
        allow_empty : bool
            Whether the result of no entries is empty (true), or the identity of the monoid.

        Returns
        -------
        Expr
            An expression of one value.

        Raises
        ------
        GraphlaError
            If there is no such operator.

        Notes
        -----
        O(products), in pieces of rows of the mask.
        """
        chosen = find_monoid(op)
        if chosen is None:
            return self._value.reduce_scalar(op, allow_empty=allow_empty)
        return Reduce(self, chosen, None, or_identity=not to_bool(allow_empty, "allow_empty"))


def find_monoid(op: Any) -> Monoid | None:
    """Return the monoid that an operator, or the name of one, stands for; None of an aggregator and of a typed one."""
    try:
        found = find_operator(op, monoid, binary)
    except GraphlaError:
        return None
    return found.monoid if isinstance(found, BinaryOp) else found if isinstance(found, Monoid) else None
