"""The body of a loop of expressions as an engine wants it: statements over numbered vectors, around one product.

Everything in a `Body` is hashable, so a kernel is made for it once; what changes from loop to loop (the arrays, the
bound numbers, the matrix) stands beside it in the `LoopPlan`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.planning.steps import Direction, Fact
from graphla.storage import CompressedMatrix, Later, VectorStorage
from semirings import BinaryOp, IndexUnaryOp, Semiring, UnaryOp
from semirings.dtypes import DType


@dataclass(frozen=True)
class MaskOf:
    """The entries of a slot as a mask."""

    slot: int
    structural: bool
    complement: bool


@dataclass(frozen=True)
class Held:
    """The entry of a slot."""

    slot: int
    dtype: DType


@dataclass(frozen=True)
class Number:
    """The bound number of that place in the plan."""

    place: int
    dtype: DType


@dataclass(frozen=True)
class Product:
    """The entry of ⊕_k M[i, k] ⊗ v[k]."""

    dtype: DType


@dataclass(frozen=True)
class RoundNumber:
    """How many rounds went before, at every place."""

    dtype: DType


@dataclass(frozen=True)
class Merged:
    """Union or intersection of two slots."""

    left: Held
    right: Held
    op: BinaryOp
    dtype: DType
    union: bool
    fills: tuple[Number, Number] | None


@dataclass(frozen=True)
class Mapped:
    """op over the entry of a slot, with a bound number or without."""

    of: Held
    op: UnaryOp | BinaryOp | IndexUnaryOp
    bound: Number | None
    bound_left: bool
    dtype: DType


@dataclass(frozen=True)
class Selected:
    """The entry of a slot where op holds."""

    of: Held
    op: IndexUnaryOp
    thunk: Number

    @property
    def dtype(self) -> DType:
        return self.of.dtype


Term = Held | Number | Product | RoundNumber | Merged | Mapped | Selected


@dataclass(frozen=True)
class Statement:
    """``out(mask, accum, replace) << term``."""

    out: Held
    mask: MaskOf | None
    accum: BinaryOp | None
    replace: bool
    term: Term


@dataclass(frozen=True)
class Body:
    """A round: `before`, the product of a matrix and the slot `operand` under `mask`, `after`.

    `live` is the slot whose entries keep the loop going; None where only rounds are counted. `early` tells that a row
    of a pull often ends at its first term, `flip` that the vector is the first operand of ⊗.
    """

    types: tuple[DType, ...]
    before: tuple[Statement, ...]
    after: tuple[Statement, ...]
    operand: int
    mask: MaskOf | None
    semiring: Semiring
    matrix: DType
    out: DType
    flip: bool
    early: bool
    live: int | None

    @property
    def written(self) -> tuple[int, ...]:
        """The slots that a round may change."""
        return tuple(sorted({s.out.slot for s in (*self.before, *self.after)}))


@dataclass(frozen=True, eq=False)
class LoopPlan:
    """A loop as one step of an engine: up to `limit` rounds of `body`.

    The rows of `matrix` are k in a push, and those of the result in a pull; `push_transposed` and `pull_transposed`
    ask for the cached transpose. `direction` is None where each round decides.
    """

    body: Body
    slots: tuple[VectorStorage | Later, ...]
    numbers: tuple[Any, ...]
    matrix: CompressedMatrix
    push_transposed: bool
    pull_transposed: bool
    direction: Direction | None
    limit: int
    nbytes: int
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, eq=False)
class LoopAnswer:
    """What a loop leaves: a storage for each slot of `Body.written`, the rounds that ran, and how many pulled."""

    storages: tuple[VectorStorage | Later, ...]
    rounds: int
    pulled: int
