"""Rounds: the plan of a loop as phases over arrays of fixed size, the same in each round.

A vector, or a matrix of few rows or few columns, is an array of values with a cell for each possible entry. So nothing
is counted on the way: a round is always the same launches, over arrays that stay where they are. The values of Scalars
are known to the device alone until the loop ends.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphla.planning.loops.phases import Phase, arrange, find_overwritten
from graphla.planning.loops.slots import NeedsFlags, Unfused
from graphla.planning.loops.statements import BodyReader
from graphla.planning.loops.terms import Layout, Multiply, Presence, Product
from graphla.planning.steps import Fact
from graphla.storage import CompressedMatrix, Deferred, MatrixStorage, VectorStorage
from graphla.storage.frozen import once, quick
from semirings.dtypes import BOOL, DType

MOST_CELLS_EACH = 2**30
"""Fewer cells than that are numbered by an int of four bytes, and queued by 30 bits."""


@dataclass(frozen=True)
class RoundsBody:
    """A round, and what finds out before the first one whether there is one; `condition` is a cell.

    `flagged` are the slots whose flags a round writes.
    """

    types: tuple[DType, ...]
    cells: tuple[DType, ...]
    start: tuple[Phase, ...]
    round: tuple[Phase, ...]
    condition: int | None
    constants: tuple[DType, ...]
    flagged: frozenset[int] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @once
    def _hash(self) -> int:
        """The hash, which takes as long as a hundred others."""
        return hash((self.types, self.cells, self.start, self.round, self.condition, self.constants, self.flagged))


@quick()
class RoundsPlan:
    """A loop over arrays of fixed size: up to `limit` rounds of `body`.

    `slots` holds what the containers hold before the loop, None for those that the loop fills first and for products;
    `shapes` what their rows and columns are, `written` the slots to give back, with where they have entries, `values`
    what the Scalars hold before. `valid` names for a cell the cell that tells whether it has a value.
    """

    body: RoundsBody
    slots: tuple[VectorStorage | MatrixStorage | Deferred | None, ...]
    layouts: tuple[Layout, ...]
    shapes: tuple[tuple[int, ...], ...]
    written: tuple[tuple[int, Presence], ...]
    numbers: tuple[Any, ...]
    values: tuple[Any, ...]
    products: tuple[Product, ...]
    limit: int
    nbytes: int
    valid: dict[int, int] = field(default_factory=dict[int, int])
    facts: tuple[Fact, ...] = ()
    overwritten: frozenset[int] = frozenset()
    """Slots that a loop writes as a whole before it reads them."""
    structure: tuple[Any, ...] = ()
    """What loops have in common of which one can run as another was recorded, but for their matrices."""

    def __post_init__(self) -> None:
        if not self.structure:
            products = tuple(product.structure for product in self.products)
            valid = tuple(self.valid.items())
            parts = self.body, self.layouts, self.shapes, self.written, products, valid
            self.__dict__["structure"] = parts

    @property
    def reads_structure(self) -> bool:
        """Whether what a round is to do depends on where a container that it only reads has entries."""
        return any(p.within is not True and not p.flagged for p in self.products)

    @property
    def matrices(self) -> tuple[CompressedMatrix, ...]:
        """The matrices of the products."""
        return tuple(product.matrix for product in self.products)

    def empty(self) -> RoundsPlan:
        """The plan without contents."""
        return self.refill((), (), (None,) * len(self.products), 0)

    def refill(self, slots: tuple[Any, ...], scalars: Sequence[Any], matrices: Sequence[Any], limit: int) -> RoundsPlan:
        """The plan of the same loop over other contents, which have entries in the same places."""
        products = tuple(Product(matrix, *p.structure) for p, matrix in zip(self.products, matrices, strict=True))
        values = tuple(None if scalar is None else scalar._number for scalar in scalars)
        return RoundsPlan(
            self.body, slots, self.layouts, self.shapes, self.written, self.numbers, values, products, limit,
            self.nbytes, self.valid, self.facts, self.overwritten, self.structure,
        )  # fmt: skip

    @property
    def why(self) -> tuple[str, ...]:
        """How containers are stored and products computed, as text."""
        named = {slot for slot, storage in enumerate(self.slots) if storage is not None}
        return (
            *(self.describe_slot(slot) for slot in sorted(named)),
            *(
                self.describe_product(phase)
                for phase in (*self.body.start, *self.body.round)
                if isinstance(phase, Multiply)
            ),
        )

    def describe_slot(self, slot: int) -> str:
        """Say how a container is stored."""
        kind = " × ".join(f"{size:,}" for size in self.shapes[slot])
        held = "a value and a flag for each cell" if slot in self.body.flagged else "a value for each cell"
        width = self.layouts[slot].width
        beside = f", the {width} of a vertex side by side" if width > 1 else ""
        return f"{kind} of {self.body.types[slot]}: {held}{beside}"

    def describe_product(self, phase: Multiply) -> str:
        """Say how a product is computed."""
        product = self.products[phase.index]
        name, mask = product.semiring.name, ", under the mask" if phase.mask is not None else ""
        if not product.flagged:
            return f"{name}: pull, for the operand is full{mask}"
        if product.direction is not None:
            return f"{name}: {product.direction}, as requested{mask}"
        return f"{name}: push or pull, chosen anew in each round by the arcs of the entries{mask}"


@dataclass(frozen=True, eq=False)
class RoundsAnswer:
    """The result: a storage for each slot of `RoundsPlan.written`, the values of the cells, and the number of rounds.

    `misplaced` says that a position was out of range, and `repeated` that one occurred twice where it may not; then the
    rounds ended there.
    """

    storages: tuple[VectorStorage | MatrixStorage, ...]
    values: tuple[Any, ...]
    rounds: int
    misplaced: bool
    repeated: bool
    how: str


Planned: TypeAlias = tuple[RoundsPlan, Sequence[Any], Sequence[Any]]
"""A plan with the containers and Scalars that it numbers."""


def plan_static(statements: Sequence[Any], live: Any, condition: Any, limit: int) -> Planned:
    """Build the plan of a loop whose containers have entries at the same places in each round.

    Raises
    ------
    Unfused
        If a round could not be the same launches each time: a vector gains or loses entries, or a statement computes a
        matrix of unknown size.
    """
    if live is not None:
        raise Unfused("it goes on by entries")
    return build(BodyReader([s.update.out for s in statements]), statements, None, condition, limit)


def plan_flagged(statements: Sequence[Any], live: Any, condition: Any, limit: int) -> Planned:
    """Build the plan of a loop whose containers have flags where their entries change from round to round.

    Raises
    ------
    Unfused
        If the arrays of a round could not have a fixed size.
    """
    targets, flagged = [s.update.out for s in statements], set[int]()
    while True:
        try:
            return build(BodyReader(targets, flagged), statements, live, condition, limit)
        except NeedsFlags as why:
            if id(why.container) in flagged:
                raise
            flagged.add(id(why.container))


def build(reader: BodyReader, statements: Sequence[Any], live: Any, condition: Any, limit: int) -> Planned:
    """Read the statements and what decides whether another round runs, and arrange them in phases."""
    goes_on = None if condition is None and live is None else reader.add_cell(BOOL)
    reader.ask_for_more(goes_on, live, condition)
    start, reader.steps = arrange(reader.steps, ends=False), []
    reader.read_cells.clear()
    for s in statements:
        reader.write(s.update, s.value)
    reader.ask_for_more(goes_on, live, condition)
    body_round = arrange(reader.steps, ends=True)
    reader.require_same_presence()
    for layout, shape in zip(reader.layouts, reader.shapes, strict=True):
        if layout.cells >= MOST_CELLS_EACH:
            raise Unfused(f"it has a container of shape {shape}")
    body = RoundsBody(
        tuple(reader.types),
        tuple(reader.cell_types),
        start,
        body_round,
        None if goes_on is None else goes_on.index,
        tuple(dtype for _, dtype in reader.numbers),
        frozenset(reader.flagged),
    )
    plan = RoundsPlan(
        body,
        tuple(None if vector is None else vector._storage for vector in reader.vectors),
        tuple(reader.layouts),
        tuple(reader.shapes),
        find_written(reader),
        tuple(reader.numbers),
        tuple(None if scalar is None else scalar._number for scalar in reader.scalars),
        tuple(reader.products),
        limit,
        sum(layout.cells * (dtype.bits // 8 + 1) for layout, dtype in zip(reader.layouts, reader.types, strict=True)),
        {cell.index: reader.valid[cell.index] for cell in reader.cells.values() if cell.index in reader.valid},
        overwritten=find_overwritten((*start, *body_round)),
    )
    return plan, reader.vectors, reader.scalars


def find_written(reader: BodyReader) -> tuple[tuple[int, Presence], ...]:
    """The slots of what the body writes, and where they have entries after a round."""
    places = enumerate(reader.vectors)
    return tuple((slot, reader.presence[slot]) for slot, vector in places if id(vector) in reader.targets)
