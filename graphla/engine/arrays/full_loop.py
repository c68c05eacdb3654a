"""What the engines share to run a loop over full vectors: the arrays of its slots, and the vectors that it leaves."""

from __future__ import annotations

from typing import Any

from graphla.planning.full_body import FullPlan, Presence
from graphla.storage import Array, BitmapVector, FullVector, VectorStorage
from graphla.storage.formats import as_best_format, as_bitmap


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

    def set_product(self, slot: int, result: VectorStorage) -> None:
        """Keep what a product gave."""
        self.values[slot] = result.values
        self.present[slot] = result.present if isinstance(result, BitmapVector) else None

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
        count = int(self.xp.count_nonzero(flags))
        return as_best_format(self.xp, BitmapVector(flags, self.values[slot], count))
