"""The body of a loop over arrays of fixed size, as engines take it: products, and between them statements at each cell.

A vector, or a matrix of few rows or few columns, is an array of values with a cell for each possible entry. Where its
entries are is the same in every round (everywhere, or where the rows of a matrix have some), or an array of flags
tells, which a round may write. So nothing is counted on the way: a round is always the same launches, over arrays that
stay where they are. Scalars stand in numbered cells of their own, whose values only the device knows until the loop
ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphla.planning.steps import Direction, Fact
from graphla.storage import CompressedMatrix, Deferred, MatrixStorage, VectorStorage
from graphla.storage.frozen import once, quick
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import DType

Presence: TypeAlias = Any
"""Where a term has entries.

True for everywhere, ``("slot", k)`` where slot k has some, ``("at", k, term, size)`` where slot k has one at a
position, ``("true", term)`` where a term is true, ``("not", p)``, ``("and", p, q)`` or ``("or", p, q)``.
"""


WIDTHS_AT_ONCE = 32
"""Wider matrices have a whole multiple of so many cells for a vertex, others a power of two."""


@dataclass(frozen=True)
class Layout:
    """Where the entries of a container stand: `width` cells for each of `size` vertices, side by side.

    The cell of row r and vertex v of a matrix of few rows is ``v * stride + r``; so is that of column r and vertex v of
    a matrix of few columns. Cells from `width` to `stride` of a vertex belong to no entry.
    """

    size: int
    width: int = 1

    @property
    def stride(self) -> int:
        if self.width > WIDTHS_AT_ONCE:
            return -(-self.width // WIDTHS_AT_ONCE) * WIDTHS_AT_ONCE
        return 1 << (self.width - 1).bit_length()

    @property
    def cells(self) -> int:
        """Cells, with those that belong to no entry."""
        return self.size * self.stride


@dataclass(frozen=True)
class Entry:
    """The entry of a slot at cell i."""

    slot: int
    dtype: DType


@dataclass(frozen=True)
class EntryAt:
    """The entry of a slot at a position, which counts from the end if it is negative."""

    slot: int
    dtype: DType
    at: FullTerm
    size: int


@dataclass(frozen=True)
class Constant:
    """``RoundsPlan.numbers[index]``."""

    index: int
    dtype: DType


@dataclass(frozen=True)
class Cell:
    """The value of a Scalar."""

    index: int
    dtype: DType


@dataclass(frozen=True)
class RoundNumber:
    """The number of completed rounds."""

    dtype: DType


@dataclass(frozen=True)
class Call:
    """op of terms; an index-unary operator takes the index, too.

    Of a matrix it takes row and column, and `few_rows` says which of them is the vertex: the column, if it is true.
    """

    op: UnaryOp | BinaryOp | IndexUnaryOp
    of: tuple[FullTerm, ...]
    dtype: DType
    few_rows: bool | None = None


@dataclass(frozen=True)
class Union:
    """op where both terms have an entry, else the one there is, or op with the default of the other."""

    op: BinaryOp
    left: FullTerm
    right: FullTerm
    has_left: Presence
    has_right: Presence
    fills: tuple[Constant, Constant] | None
    dtype: DType


FullTerm: TypeAlias = Entry | EntryAt | Constant | Cell | RoundNumber | Call | Union


@dataclass(frozen=True)
class Store:
    """``x[i] = term`` where the term has an entry and the mask holds; with `accum` joined with the entry there is.

    With `flags` the flags of the slot are written, too: there is an entry then, or none where the mask holds and the
    term has none (but with `accum` the old one stays). With `replace` there is none where the mask does not hold.
    """

    out: Entry
    term: FullTerm
    present: Presence
    mask: Presence
    accum: BinaryOp | None
    before: Presence
    flags: bool = False
    replace: bool = False


@dataclass(frozen=True)
class Scatter:
    """``x[at] ⊕= term``: what comes to one position is joined by the monoid, in any order."""

    out: EntryAt
    term: FullTerm
    present: Presence
    monoid: Monoid


@dataclass(frozen=True)
class Put:
    """``x[at] = term`` where the mask holds at the position, which no other index names; `Store` says what else."""

    out: EntryAt
    term: FullTerm
    present: Presence
    mask: Presence
    accum: BinaryOp | None
    before: Presence
    flags: bool


@dataclass(frozen=True)
class Require:
    """``term`` is true at each index: else a vector of positions names one twice, and the rounds end."""

    term: FullTerm


@dataclass(frozen=True)
class FoldBeside:
    """``x[i] = ⊕ over j of term[i, j]``: the cells of vertex i of a slot with some for each vertex.

    With `flags` only those that are entries, and x has an entry where there is one.
    """

    out: Entry
    of: Entry
    monoid: Monoid
    layout: Layout
    flags: bool


@dataclass(frozen=True)
class Fold:
    """``cell = ⊕ over i of term`` where it has an entry, in the dtype of the cell; the identity if it has none."""

    cell: Cell
    term: FullTerm
    monoid: Monoid
    present: Presence = True


MapStep: TypeAlias = Store | Scatter | Put | Require | FoldBeside | Fold


@dataclass(frozen=True)
class SetCell:
    """``cell = term``, of cells and constants."""

    cell: Cell
    term: FullTerm


@dataclass(frozen=True)
class Map:
    """Statements at each cell of a layout; none reads at another index what one of them writes."""

    layout: Layout
    steps: tuple[MapStep, ...]

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.layout.cells

    @property
    def folds(self) -> tuple[Fold, ...]:
        return tuple(step for step in self.steps if isinstance(step, Fold))


@dataclass(frozen=True)
class SlotMask:
    """Where the flags of a slot are set, or where they are not."""

    slot: int
    complement: bool


@dataclass(frozen=True)
class Multiply:
    """Slot `out` = the matrix of product `index` times slot `operand`.

    With `entries` the operand is a matrix, or has flags, or the result gets some, at the cells that `mask` allows at
    most; without, both are vectors without flags that a round writes.
    """

    index: int
    operand: int
    out: int
    entries: bool = False
    mask: SlotMask | None = None


@dataclass(frozen=True)
class Finish:
    """The folds of the map before it are complete; then cells are set. `ends` a round: it is counted."""

    folds: tuple[Fold, ...]
    cells: tuple[SetCell, ...]
    ends: bool = False


Phase: TypeAlias = Map | Multiply | Finish


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
class Product:
    """A product of a sparse matrix: y = M ⊕.⊗ x, or x ⊕.⊗ M with `flip`.

    `within` says where a full vector x has entries; elsewhere it holds what adds nothing, and rows that meet none have
    no result. Of a product with `Multiply.entries`, `flagged` says whether the flags of x tell that, and `direction`
    is the one that was asked for.
    """

    matrix: CompressedMatrix
    transposed: bool
    semiring: Semiring
    out: DType
    flip: bool
    vector: DType
    within: Presence = True
    flagged: bool = False
    direction: Direction | None = None

    @property
    def structure(self) -> tuple[Any, ...]:
        """All but the matrix."""
        return (
            self.transposed, self.semiring, self.out, self.flip, self.vector, self.within, self.flagged,
            self.direction,
        )  # fmt: skip

    def with_matrix(self, matrix: CompressedMatrix) -> Product:
        """The same product with a matrix that has the same entries."""
        return Product(
            matrix, self.transposed, self.semiring, self.out, self.flip, self.vector, self.within, self.flagged,
            self.direction,
        )  # fmt: skip

    @property
    def types(self) -> tuple[DType, DType, DType]:
        """The types of both operands of ⊗, and of the result."""
        matrix = self.matrix.type
        return (self.vector, matrix, self.out) if self.flip else (matrix, self.vector, self.out)

    @property
    def rows_are_k(self) -> bool:
        """Whether a row of the matrix as it is stored belongs to an entry of x, and not of y."""
        return self.transposed != self.flip


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
        products = tuple(p.with_matrix(matrix) for p, matrix in zip(self.products, matrices, strict=True))
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
