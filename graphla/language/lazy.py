"""Expressions that are no containers: read like the container that they give, computed when it is first asked for."""

from __future__ import annotations

from operator import attrgetter
from types import MethodType
from typing import Any

import numpy as np

from graphla.common.errors import DomainMismatch
from graphla.language.expr import Expr
from graphla.language.kinds import R
from graphla.language.masks import MaskView
from graphla.language.reading import READ_FROM_VALUE
from graphla.language.recording import is_recording

IN_PLACE = {
    "__iadd__": "+",
    "__isub__": "-",
    "__imul__": "*",
    "__itruediv__": "/",
    "__ifloordiv__": "//",
    "__imod__": "%",
    "__ipow__": "**",
    "__ixor__": "^",
    "__ior__": "|",
    "__iand__": "&",
    "__imatmul__": "@",
}
"""The in-place operators of Python, and the operators that they stand for."""


class Lazy(Expr[R]):
    """An expression that is no container; what `Readable` declares it reads from its value."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.rank == 2:
            raise DomainMismatch(
                f"{type(self).__name__} can't be directly converted to a numpy array: absent entries have no value. "
                "Give .to_dense() a fill_value, or take .to_coo()"
            )
        return np.array(self._value, dtype, copy=copy)


BUILDERS = (
    *("apply", "select", "ewise_add", "ewise_mult", "ewise_union", "mxv", "vxm", "mxm", "inner"),
    *("reduce", "reduce_rowwise", "reduce_columnwise", "reduce_scalar", "_reduce_all", "_reduce_with"),
)
"""Methods that build an expression over this one: in the body of a loop it is not computed for that."""


def read_from_value(name: str) -> property:
    """The attribute of the value of an expression; a name that its kind of container lacks is refused uncomputed."""

    def read(self: Any) -> Any:
        kind = self._containers[self.rank]
        if not hasattr(kind, name):
            raise AttributeError(f"an expression of shape {self.shape} has no attribute {name!r}")
        if name in BUILDERS and is_recording():
            return MethodType(getattr(kind, name), self._resolved)
        return getattr(self._value, name)

    return property(read)


for name in (*READ_FROM_VALUE, "_reduce_all", "_reduce_with"):
    setattr(Lazy, name, read_from_value(name))
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


def refuse_in_place(sign: str) -> Any:
    """A method that refuses an in-place operator, which would change what is no container."""

    def refuse(self: Any, other: Any) -> Any:
        raise DomainMismatch(
            f"{sign}= is not supported for an expression: it changes a container. Write e = e {sign} …, or e = e.new() "
            "first"
        )

    return refuse


for method, sign in IN_PLACE.items():
    setattr(Lazy, method, refuse_in_place(sign))


def read_mask(structural: bool) -> property:
    """``e.S`` or ``e.V``; in the body of a loop the mask is computed in each round."""

    def read(self: Any) -> Any:
        if is_recording() and self.rank:
            return MaskView(self._resolved, structural)
        return self._value.S if structural else self._value.V

    return property(read)


Lazy.S, Lazy.V = read_mask(True), read_mask(False)  # type: ignore[misc]
