"""What a loop repeats: statements at each cell, and products of a sparse matrix between them, over numbered slots.

A slot holds a vector, a matrix of few rows or few columns, a product or an intermediate result: a value for each
possible entry. Where its entries are is a property of the slot: it is the same in every round (everywhere, or where the
rows of a matrix have some), or bits or flags tell, which a round may write. Scalars stand in numbered cells of their
own. `kernel` and `rounds` make plans of these records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from graphla.planning.steps import Direction
from graphla.storage import CompressedMatrix
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


class Part:
    """A term or a statement, whose fields may hold others."""


@dataclass(frozen=True)
class Entry(Part):
    """The entry of a slot at cell i."""

    slot: int
    dtype: DType


@dataclass(frozen=True)
class EntryAt(Part):
    """The entry of a slot at a position, which counts from the end if it is negative."""

    slot: int
    dtype: DType
    at: Term
    size: int


@dataclass(frozen=True)
class Constant(Part):
    """A bound number: ``numbers[index]`` of the plan."""

    index: int
    dtype: DType


@dataclass(frozen=True)
class Cell(Part):
    """The value of a Scalar."""

    index: int
    dtype: DType


@dataclass(frozen=True)
class RoundNumber(Part):
    """The number of completed rounds."""

    dtype: DType


@dataclass(frozen=True)
class Call(Part):
    """op of terms; an index-unary operator takes the index, too.

    Of a matrix it takes row and column, and `few_rows` says which of them is the vertex: the column, if it is true.
    """

    op: UnaryOp | BinaryOp | IndexUnaryOp
    of: tuple[Term, ...]
    dtype: DType
    few_rows: bool | None = None


@dataclass(frozen=True)
class Union(Part):
    """op where both terms have an entry, else the one there is, or op with the default of the other."""

    op: BinaryOp
    left: Term
    right: Term
    has_left: Presence
    has_right: Presence
    fills: tuple[Constant, Constant] | None
    dtype: DType


Term: TypeAlias = Entry | EntryAt | Constant | Cell | RoundNumber | Call | Union


@dataclass(frozen=True)
class Store(Part):
    """``x[i] = term`` where the term has an entry and the mask holds; with `accum` joined with the entry there is.

    With `flags` the flags of the slot are written, too: there is an entry then, or none where the mask holds and the
    term has none (but with `accum` the old one stays). With `replace` there is none where the mask does not hold.
    """

    out: Entry
    term: Term
    present: Presence
    mask: Presence
    accum: BinaryOp | None
    before: Presence
    flags: bool = False
    replace: bool = False


@dataclass(frozen=True)
class Scatter(Part):
    """``x[at] ⊕= term``: what comes to one position is joined by the monoid, in any order."""

    out: EntryAt
    term: Term
    present: Presence
    monoid: Monoid


@dataclass(frozen=True)
class Put(Part):
    """``x[at] = term`` where the mask holds at the position, which no other index names; `Store` says what else."""

    out: EntryAt
    term: Term
    present: Presence
    mask: Presence
    accum: BinaryOp | None
    before: Presence
    flags: bool


@dataclass(frozen=True)
class Require(Part):
    """``term`` is true at each index: else a vector of positions names one twice, and the rounds end."""

    term: Term


@dataclass(frozen=True)
class FoldBeside(Part):
    """``x[i] = ⊕ over j of term[i, j]``: the cells of vertex i of a slot with some for each vertex.

    With `flags` only those that are entries, and x has an entry where there is one.
    """

    out: Entry
    of: Entry
    monoid: Monoid
    layout: Layout
    flags: bool


@dataclass(frozen=True)
class Fold(Part):
    """``cell = ⊕ over i of term`` where it has an entry, in the dtype of the cell; the identity if it has none."""

    cell: Cell
    term: Term
    monoid: Monoid
    present: Presence = True


MapStep: TypeAlias = Store | Scatter | Put | Require | FoldBeside | Fold


@dataclass(frozen=True)
class SetCell:
    """``cell = term``, of cells and constants."""

    cell: Cell
    term: Term


@dataclass(frozen=True)
class SlotMask:
    """Where a slot has entries (with ``structural=False`` true ones), or where it has not."""

    slot: int
    complement: bool
    structural: bool = True


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

    @once
    def structure(self) -> tuple[Any, ...]:
        """All but the matrix, in the order of the fields."""
        return (
            self.transposed, self.semiring, self.out, self.flip, self.vector, self.within, self.flagged,
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
