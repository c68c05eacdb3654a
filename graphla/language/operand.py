"""`Operand`: a matrix or a vector that holds its entries, as expressions and plans read it; and its transpose."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from graphla.language.apply import Over
from graphla.language.expr import Expr, Shape
from graphla.language.index import resolve_index
from graphla.language.kinds import R
from graphla.language.masks import MaskView
from graphla.language.recording import recorders, refuse_in_loop
from graphla.storage import Deferred
from graphla.storage.frozen import quick
from graphla.storage.words import WordMatrix
from semirings.dtypes import DType


class Operand(Expr[R]):
    """Entries on an engine. It says what they are; how they are computed and written its container says."""

    _computed = True
    engine: Any
    plan: Any
    name: str | None = None
    _held: Any
    """A record of arrays, or a `Deferred` one; read it as `_storage`."""

    @property
    def _storage(self) -> Any:
        """The frozen record of arrays that holds the entries now."""
        if recorders.anywhere:
            refuse_in_loop()
        held = self._held
        if isinstance(held, Deferred):
            held = self._held = held.resolve()
        return held

    @property
    def _collected(self) -> Any:
        """The storage with the arrays of all ranks; on one engine of one process the storage itself."""
        return self.engine.collect(self._storage)

    @property
    def _value(self) -> Any:
        return self

    @property
    def _sources(self) -> tuple[Any, ...]:
        return (self._held,)

    if TYPE_CHECKING:

        @property
        def dtype(self) -> DType: ...

        @property
        def shape(self) -> Shape: ...

    else:  # asked ten times in a statement: no function of Python is called for them
        dtype, shape = property(attrgetter("_held.type")), property(attrgetter("_held.shape"))

    @property
    def nvals(self) -> int:
        """How many entries there are."""
        if recorders.anywhere:
            refuse_in_loop("look at nvals")
        return self._held.nvals if isinstance(self._held, WordMatrix) else self._storage.nvals

    @property
    def S(self) -> MaskView:
        """Mask: where there is an entry."""
        return MaskView(self, True)

    @property
    def V(self) -> MaskView:
        """Mask: where there is an entry whose value is true."""
        return MaskView(self, False)

    def _resolve_index(self, index: Any) -> tuple[Any, ...]:
        """One index per dimension: an int within bounds, a range for a slice, or an array of positions."""
        return resolve_index(index, self.shape)


@quick(repr=False)
class Transposed(Over[R]):
    """A.T: the same storage, read the other way round."""

    of: Any
    _computed: ClassVar[bool] = True

    rank = 2  # type: ignore  (a property of expressions; a class attribute is faster)

    @property
    def shape(self) -> Shape:
        return self.of.shape[::-1]

    if TYPE_CHECKING:

        @property
        def engine(self) -> Any: ...

        @property
        def dtype(self) -> DType: ...

    else:
        engine, dtype = property(attrgetter("of.engine")), property(attrgetter("of.dtype"))

    @property
    def T(self) -> Any:
        return self.of

    @property
    def nvals(self) -> int:
        return self.of.nvals
