"""What the engines share to run a loop over full vectors: the arrays of its slots, and the vectors that it leaves."""

from __future__ import annotations

from typing import Any

from graphla.planning.full_body import FullPlan, Multiply, Presence, Product
from graphla.planning.full_reading import bind_product
from graphla.planning.plan import make_matvec_step
from graphla.storage import Array, BitmapVector, Deferred, FullVector, VectorStorage
from graphla.storage.convert import count_true
from graphla.storage.formats import as_best_format, as_bitmap
from semirings import any_pair
from semirings.dtypes import BOOL


class Arrays:
    """Values and presence flags of each slot; vectors that a round writes are copied, as the loop may yet be refused.

    Attributes
    ----------
    values : list of array
        One per slot; that of a product is the one of the last round.
    present : list of array or None
        Flags of the slots that have no entry in some places.
    """

    def __init__(self, xp: Any, plan: FullPlan) -> None:
        self.xp, self.plan = xp, plan
        self.values: list[Any] = []
        self.present: list[Any] = []
        self.rows: dict[int, Array] = {}
        written = {slot for slot, _ in plan.written}
        for slot, (storage, dtype) in enumerate(zip(plan.slots, plan.body.types, strict=True)):
            self.enter(slot, storage, dtype.numpy, slot in written)

    def enter(self, slot: int, storage: Any, dtype: str, written: bool) -> None:
        """Add a slot."""
        held = storage if storage is None or isinstance(storage, FullVector) else as_bitmap(self.xp, storage)
        if held is None:
            self.values.append(self.xp.empty(self.plan.sizes[slot], dtype))
        else:
            self.values.append(held.values.copy() if written else held.values)
        self.present.append(held.present if isinstance(held, BitmapVector) else None)

    def multiply(self, engine: Any, phase: Multiply) -> None:
        """Compute a product; nothing is counted, but the rows of an operand with gaps once."""
        product = self.plan.products[phase.index]
        result = engine.matvec(bind_product(product, FullVector(self.values[phase.operand])))
        assert not isinstance(result, Deferred), "a full vector is multiplied without counting"
        self.values[phase.out] = result.values
        self.present[phase.out] = result.present if isinstance(result, BitmapVector) else None
        if product.within is not True:
            if phase.index not in self.rows:
                self.rows[phase.index] = self.find_rows(engine, product)
            self.present[phase.out] = self.rows[phase.index]

    def find_rows(self, engine: Any, product: Product) -> Array:
        """Flag the rows of a matrix that meet an entry of the vector."""
        flags = self.find_flags(product.within)
        vector = BitmapVector(flags, flags, count_true(flags))
        step, _ = make_matvec_step(
            product.matrix, product.transposed, vector, product.flip, any_pair, BOOL, None, "pull"
        )
        result = engine.matvec(step)
        found: Any = result.resolve() if isinstance(result, Deferred) else result
        return as_bitmap(self.xp, found).present

    def find_flags(self, p: Presence) -> Array:
        """The flags of where entries are."""
        if p[0] == "slot":
            found = self.present[p[1]]
            return self.xp.ones(self.plan.sizes[p[1]], bool) if found is None else found
        if p[0] == "not":
            return ~self.find_flags(p[1])
        left, right = self.find_flags(p[1]), self.find_flags(p[2])
        return left & right if p[0] == "and" else left | right

    def make_storages(self) -> tuple[VectorStorage, ...]:
        """What the vectors hold after the loop."""
        return tuple(self.make_storage(slot, p) for slot, p in self.plan.written)

    def make_storage(self, slot: int, p: Presence) -> VectorStorage:
        if p is True:
            return FullVector(self.values[slot])
        flags = self.find_flags(p).copy()
        count = count_true(flags)
        return as_best_format(self.xp, BitmapVector(flags, self.values[slot], count))
