"""The body of a loop as engines take it: statements over numbered vectors (slots), around one matrix-vector product.

A `Body` is hashable, so its kernel is compiled once. What differs between loops with the same body (the arrays, the
bound numbers, the matrix) is in the `LoopPlan`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphla.planning.steps import Direction, Fact
from graphla.storage import CompressedMatrix, Deferred, VectorStorage
from graphla.storage.frozen import quick
from semirings import BinaryOp, IndexUnaryOp, Semiring, UnaryOp
from semirings.dtypes import DType


@dataclass(frozen=True)
class SlotMask:
    """The vector of a slot as a mask."""

    slot: int
    structural: bool
    complement: bool


@dataclass(frozen=True)
class SlotTerm:
    """The entry of the vector in a slot."""

    slot: int
    dtype: DType


@dataclass(frozen=True)
class NumberTerm:
    """A bound number: ``LoopPlan.numbers[index]``, the same for every i."""

    index: int
    dtype: DType


@dataclass(frozen=True)
class ProductTerm:
    """The result of the product: entry i of ⊕_k M[i, k] ⊗ v[k]."""

    dtype: DType


@dataclass(frozen=True)
class RoundTerm:
    """The number of completed rounds, the same for every i."""

    dtype: DType


@dataclass(frozen=True)
class EwiseTerm:
    """Element-wise union or intersection of two slots."""

    left: SlotTerm
    right: SlotTerm
    op: BinaryOp
    dtype: DType
    union: bool
    fills: tuple[NumberTerm, NumberTerm] | None


@dataclass(frozen=True)
class ApplyTerm:
    """An operator applied to the entry of a slot, with a bound number or without."""

    of: SlotTerm
    op: UnaryOp | BinaryOp | IndexUnaryOp
    bound: NumberTerm | None
    bound_left: bool
    dtype: DType


@dataclass(frozen=True)
class SelectTerm:
    """The entry of a slot, if the operator is true for it."""

    of: SlotTerm
    op: IndexUnaryOp
    thunk: NumberTerm

    @property
    def dtype(self) -> DType:
        return self.of.dtype


Term = SlotTerm | NumberTerm | ProductTerm | RoundTerm | EwiseTerm | ApplyTerm | SelectTerm


@dataclass(frozen=True)
class Statement:
    """``out(mask, accum, replace) << term``."""

    out: SlotTerm
    mask: SlotMask | None
    accum: BinaryOp | None
    replace: bool
    term: Term


@dataclass(frozen=True)
class Body:
    """One round: the statements `before`, the product of the matrix and slot `operand` under `mask`, then `after`.

    The loop runs while slot `live` has entries; with ``live=None`` it runs a fixed number of rounds. `early` says that
    a pull often stops at the first term of a row, `flip` that the vector is the first operand of ⊗.
    """

    types: tuple[DType, ...]
    before: tuple[Statement, ...]
    after: tuple[Statement, ...]
    operand: int
    mask: SlotMask | None
    semiring: Semiring
    matrix: DType
    out: DType
    flip: bool
    early: bool
    live: int | None

    @property
    def written_slots(self) -> tuple[int, ...]:
        """The slots that a round may write to."""
        return tuple(sorted({s.out.slot for s in (*self.before, *self.after)}))


@quick()
class LoopPlan:
    """A loop that an engine runs as one step: up to `limit` rounds of `body`.

    A push reads rows k of the matrix, a pull reads rows i of the result. `push_transposed` and `pull_transposed` say
    which of them uses the cached transpose of `matrix`. With ``direction=None`` each round chooses push or pull.
    """

    body: Body
    slots: tuple[VectorStorage | Deferred, ...]
    numbers: tuple[Any, ...]
    matrix: CompressedMatrix
    push_transposed: bool
    pull_transposed: bool
    direction: Direction | None
    limit: int
    nbytes: int
    facts: tuple[Fact, ...] = ()

    @property
    def matrices(self) -> tuple[CompressedMatrix]:
        """The matrix of the product."""
        return (self.matrix,)

    def empty(self) -> LoopPlan:
        """The plan without contents."""
        return self.refill((), (), (None,), 0)

    def refill(self, slots: tuple[Any, ...], scalars: Sequence[Any], matrices: Sequence[Any], limit: int) -> LoopPlan:
        """The plan of the same loop over other contents; there are no Scalars in it."""
        return LoopPlan(
            self.body, slots, self.numbers, matrices[0], self.push_transposed, self.pull_transposed, self.direction,
            limit, self.nbytes, self.facts,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class LoopAnswer:
    """The result of a loop: one storage per slot of `Body.written_slots`, the number of rounds, and of pull rounds."""

    storages: tuple[VectorStorage | Deferred, ...]
    rounds: int
    pulled: int
