"""The body of a loop over full vectors as engines take it: products, and between them statements at each index.

The vectors that a round writes have an entry everywhere, or where the rows of a matrix have some, in every round alike.
So nothing is counted on the way: a round is always the same launches, over arrays that stay where they are. Scalars
stand in numbered cells, of which the device alone knows the values until the loop ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from graphla.planning.steps import Fact
from graphla.storage import CompressedMatrix, Deferred, VectorStorage
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import DType

Presence: TypeAlias = Any
"""Where a term has entries.

True for everywhere, ``("slot", k)`` where slot k has some, ``("at", k, term, size)`` where slot k has one at a
position, ``("true", term)`` where a term is true, ``("not", p)``, ``("and", p, q)`` or ``("or", p, q)``.
"""


@dataclass(frozen=True)
class Entry:
    """The entry of a slot at index i."""

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
    """``FullPlan.numbers[index]``."""

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
    """op of terms; an index-unary operator takes the index, too."""

    op: UnaryOp | BinaryOp | IndexUnaryOp
    of: tuple[FullTerm, ...]
    dtype: DType


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
    """``x[i] = term`` where the term has an entry and the mask holds; with `accum` joined with the entry there is."""

    out: Entry
    term: FullTerm
    present: Presence
    mask: Presence
    accum: BinaryOp | None
    before: Presence


@dataclass(frozen=True)
class Scatter:
    """``x[at] ⊕= term``: what comes to one position is joined by the monoid, in any order."""

    out: EntryAt
    term: FullTerm
    present: Presence
    monoid: Monoid


@dataclass(frozen=True)
class Fold:
    """``cell = ⊕ over i of term``, in the dtype of the cell."""

    cell: Cell
    term: FullTerm
    monoid: Monoid


@dataclass(frozen=True)
class SetCell:
    """``cell = term``, of cells and constants."""

    cell: Cell
    term: FullTerm


@dataclass(frozen=True)
class Map:
    """Statements at each index below `size`; none reads at another index what one of them writes."""

    size: int
    steps: tuple[Store | Scatter | Fold, ...]

    @property
    def folds(self) -> tuple[Fold, ...]:
        return tuple(step for step in self.steps if isinstance(step, Fold))


@dataclass(frozen=True)
class Multiply:
    """Slot `out` = the matrix of product `index` times slot `operand`."""

    index: int
    operand: int
    out: int


@dataclass(frozen=True)
class Finish:
    """The folds of the map before it are complete; then cells are set. `ends` a round: it is counted."""

    folds: tuple[Fold, ...]
    cells: tuple[SetCell, ...]
    ends: bool = False


Phase: TypeAlias = Map | Multiply | Finish


@dataclass(frozen=True)
class FullBody:
    """A round, and what finds out before the first one whether there is one. The last cell is the condition."""

    types: tuple[DType, ...]
    cells: tuple[DType, ...]
    start: tuple[Phase, ...]
    round: tuple[Phase, ...]
    condition: int | None
    constants: tuple[DType, ...]


@dataclass(frozen=True, eq=False)
class Product:
    """A product of a matrix with a full vector: y = M ⊕.⊗ x, or x ⊕.⊗ M with `flip`.

    `within` says where x has entries; elsewhere it holds what adds nothing, and rows that meet none have no result.
    """

    matrix: CompressedMatrix
    transposed: bool
    semiring: Semiring
    out: DType
    flip: bool
    within: Presence = True


@dataclass(frozen=True, eq=False)
class FullPlan:
    """A loop over full vectors: up to `limit` rounds of `body`.

    `slots` holds what the vectors hold before the loop, None for those that the loop fills first and for products;
    `written` the slots to give back, with where they have entries; `values` what the Scalars hold before.
    """

    body: FullBody
    slots: tuple[VectorStorage | Deferred | None, ...]
    sizes: tuple[int, ...]
    written: tuple[tuple[int, Presence], ...]
    numbers: tuple[Any, ...]
    values: tuple[Any, ...]
    products: tuple[Product, ...]
    limit: int
    nbytes: int
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, eq=False)
class FullAnswer:
    """The result: a storage for each slot of `FullPlan.written`, the values of the cells, and the number of rounds.

    `misplaced` says that a position was out of range; then the rounds ended there.
    """

    storages: tuple[VectorStorage, ...]
    values: tuple[Any, ...]
    rounds: int
    misplaced: bool
    how: str
