"""What an engine is handed: frozen records of one step, of a mask, and of the plan that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from graphla.storage import MatrixStorage, SparseVector, VectorStorage
from graphla.storage.frozen import quick
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import DType

Direction = Literal["push", "pull"]
Schedule = Literal["thread", "warp", "block", "edges", "rows"]
Storage = VectorStorage | MatrixStorage
Fact = tuple[Any, ...]
"""A sentence with places for numbers, and the numbers: put together only for whom wants to read it."""

FEW_BYTES = 64
"""Of a result without entries to count beforehand."""


class OneOperand:
    """A step whose result has no more entries than its operand."""

    of: Storage

    @property
    def nbytes(self) -> int:
        """Every entry, and its place."""
        return self.of.nvals * (8 + int(self.of.values.dtype.itemsize))


@quick()
class Mask:
    """Which entries of the result may be written."""

    of: Storage
    structural: bool
    complement: bool


@quick()
class MatVec:
    """w = M ⊕.⊗ v. In a push the rows of the matrix are k, in a pull they are the rows of the result.

    `transposed` asks for the cached transpose of `matrix`; `flip` makes the vector the first operand of ⊗.
    `mask` is honoured by the kernel, so the result needs no second filter. `schedule` says who owns a row of a push on
    a GPU: a thread, a warp, a block, or nobody (arcs dealt out evenly); a pull deals out arcs or rows.
    """

    matrix: MatrixStorage
    transposed: bool
    vector: VectorStorage
    semiring: Semiring
    out: DType
    size: int
    flip: bool
    direction: Direction
    mask: Mask | None
    schedule: Schedule = "edges"

    @property
    def nbytes(self) -> int:
        """A value and a flag a place."""
        return self.size * (self.out.bits // 8 + 1)


@dataclass(frozen=True, eq=False)
class Inner:
    """s = ⊕_k u[k] ⊗ v[k]."""

    left: VectorStorage
    right: VectorStorage
    semiring: Semiring
    out: DType
    nbytes: ClassVar[int] = FEW_BYTES


@dataclass(frozen=True, eq=False)
class MatMat:
    """C = A ⊕.⊗ B by rows (Gustavson), by masked dot products (B transposed), or as full tiles."""

    left: MatrixStorage
    left_transposed: bool
    right: MatrixStorage
    right_transposed: bool
    semiring: Semiring
    out: DType
    shape: tuple[int, int]
    how: Literal["rows", "dots", "tiles"]
    mask: Mask | None

    @property
    def nbytes(self) -> int:
        """At most one entry a product or a cell, whichever is less."""
        cells, item = self.shape[0] * self.shape[1], self.out.bits // 8
        if self.how == "tiles":
            return cells * item
        inner = self.left.shape[0] if self.left_transposed else self.left.shape[1]
        products = self.left.nvals * self.right.nvals // max(1, inner)
        most = self.mask.of.nvals if self.mask is not None and self.how == "dots" else min(cells, products)
        return most * (4 + item)


@quick()
class EwiseStep:
    """Union or intersection; `at` is a sparse structural mask: the only places looked at."""

    left: Storage
    right: Storage
    left_transposed: bool
    right_transposed: bool
    op: BinaryOp
    out: DType
    union: bool
    fills: tuple[Any, Any] | None
    at: SparseVector | None

    @property
    def nbytes(self) -> int:
        """An entry of either, or of both."""
        most = sum if self.union else min
        return most((self.left.nvals, self.right.nvals)) * (8 + self.out.bits // 8)


@dataclass(frozen=True, eq=False)
class ApplyStep(OneOperand):
    """op over each entry."""

    of: Storage
    transposed: bool
    op: UnaryOp | BinaryOp | IndexUnaryOp
    bound: Any
    bound_left: bool
    out: DType


@dataclass(frozen=True, eq=False)
class SelectStep(OneOperand):
    """The entries for which op holds."""

    of: Storage
    transposed: bool
    op: IndexUnaryOp
    thunk: Any


@dataclass(frozen=True, eq=False)
class ReduceStep:
    """⊕ over rows (axis 1), columns (axis 0) or everything (None)."""

    of: Storage
    transposed: bool
    monoid: Monoid
    out: DType
    axis: int | None
    nbytes: ClassVar[int] = FEW_BYTES


@dataclass(frozen=True, eq=False)
class ExtractStep(OneOperand):
    """The part at the given rows and columns."""

    of: Storage
    transposed: bool
    index: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class KroneckerStep:
    """Every entry of one times every entry of the other."""

    left: MatrixStorage
    right: MatrixStorage
    left_transposed: bool
    right_transposed: bool
    op: BinaryOp
    out: DType

    @property
    def nbytes(self) -> int:
        """An entry a pair."""
        return self.left.nvals * self.right.nvals * (8 + self.out.bits // 8)


@dataclass(frozen=True, eq=False)
class CopyStep(OneOperand):
    """The storage as it is (or transposed)."""

    of: Storage
    transposed: bool


@dataclass(frozen=True, eq=False)
class ScalarStep:
    """The same value at every place that the mask allows; `index` limits it to a part."""

    value: Any
    index: tuple[Any, ...] | None
    nbytes: ClassVar[int] = 0


@dataclass(frozen=True, eq=False)
class AssignStep(OneOperand):
    """The entries of `of` put at the places `index` of the target; the rest of that part loses its entries."""

    of: Storage
    transposed: bool
    index: tuple[Any, ...]


Step = (
    MatVec
    | Inner
    | MatMat
    | EwiseStep
    | ApplyStep
    | SelectStep
    | ReduceStep
    | ExtractStep
    | KroneckerStep
    | CopyStep
    | ScalarStep
    | AssignStep
)


@quick()
class Plan:
    """One step and the way its result is written into the target.

    Parameters
    ----------
    step : Step
        What is computed.
    target : Storage or None
        What the result is written into; None makes a new one.
    dtype : DType
        The dtype of the target.
    mask, accum, replace
        As in ``target(mask, accum, replace) << expression``.
    facts : tuple of Fact
        The facts that decided.
    """

    step: Step
    target: Storage | None
    dtype: DType
    mask: Mask | None = None
    accum: BinaryOp | None = None
    replace: bool = False
    facts: tuple[Fact, ...] = ()

    @property
    def nbytes(self) -> int:
        """Predicted bytes of the result, at most."""
        return self.step.nbytes

    @property
    def why(self) -> tuple[str, ...]:
        """The facts that decided, in words."""
        return tuple(template.format(*numbers) for template, *numbers in self.facts)

    def __str__(self) -> str:
        return self.worded(self.nbytes)

    def worded(self, nbytes: int) -> str:
        """The step, the facts that decided, and so many bytes."""
        head = type(self.step).__name__.removesuffix("Step").lower()
        direction = getattr(self.step, "direction", None) or getattr(self.step, "how", None)
        title = f"{head} ({direction})" if direction else head
        return "\n".join([title, *(f"  {fact}" for fact in self.why), f"  predicted bytes: {nbytes:,}"])
