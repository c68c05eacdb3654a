"""The input of an engine: frozen records of a step, of a mask, and of the plan that combines them."""

from __future__ import annotations

from html import escape
from math import prod
from typing import Any, ClassVar, Literal

from graphla.language.masks import Mask
from graphla.planning.degrees import bound_entries, count_filled_rows
from graphla.storage import (
    BitmapVector,
    CompressedMatrix,
    Distributed,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)
from graphla.storage.frozen import quick
from graphla.storage.words import WordMatrix, count_word_bytes
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.dtypes import DType

Direction = Literal["push", "pull"]
Schedule = Literal["thread", "warp", "block", "edges", "rows"]
RowSchedule = Literal["rows", "push", "pull", "hubs", "columns"]
Storage = VectorStorage | MatrixStorage
Fact = tuple[Any, ...]
"""Format template and arguments; formatted only when displayed."""

UNKNOWN_BYTES = 64
"""Predicted bytes when the number of entries is unknown."""


def count_entries(storage: Storage | Distributed) -> int:
    """Count the entries of a storage; of one that is spread over ranks those of its part, which needs no other rank."""
    return storage.part.nvals if isinstance(storage, Distributed) else storage.nvals


class OneOperand:
    """Base class of steps whose result has at most as many entries as their operand."""

    of: Storage

    @property
    def nbytes(self) -> int:
        """Bytes of all values and indices; of an operand that is spread over ranks those of its part."""
        held = self.of.part if isinstance(self.of, Distributed) else self.of
        return held.nvals * (8 + int(held.values.dtype.itemsize))


@quick()
class MatVec:
    """w = M ⊕.⊗ v. A push reads rows k of the matrix, a pull reads rows i of the result.

    With `transposed` the step reads the cached transpose of `matrix`; with `flip` the vector is the first operand of ⊗.
    The kernel applies `mask`, so the result needs no second filter. `schedule` says how a GPU divides the work: in a
    push one thread, warp or block per row, or equal shares of the arcs; in a pull rows or equal shares of the arcs.
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
        """Bytes of one value and one presence flag per index."""
        return self.size * (self.out.bits // 8 + 1)


@quick()
class Inner:
    """s = ⊕_k u[k] ⊗ v[k]."""

    left: VectorStorage
    right: VectorStorage
    semiring: Semiring
    out: DType
    nbytes: ClassVar[int] = UNKNOWN_BYTES


@quick()
class MatMat:
    """C = A ⊕.⊗ B: by rows (Gustavson), masked dot products (B transposed), full tiles, a vector's product, or scaling.

    It is scaled if one operand is diagonal.

    If an operand has one row or one column, `vector` is the product of the other operand and that vector. `schedule`
    says how a GPU divides the work of a product by rows: by rows, or by pushing or pulling for the few rows of the left
    operand or the few columns of the right one; and masked dot products by rows, by columns (the transpose of the
    result is computed), or with rows of bits for hub columns.
    """

    left: MatrixStorage
    left_transposed: bool
    right: MatrixStorage
    right_transposed: bool
    semiring: Semiring
    out: DType
    shape: tuple[int, int]
    how: Literal["rows", "dots", "tiles", "vector", "scale"]
    mask: Mask | None
    vector: MatVec | None = None
    schedule: RowSchedule = "rows"

    @property
    def few_on_left(self) -> bool:
        """Whether the rows of the left operand are fewer than the columns of the right one."""
        return self.shape[0] <= self.shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes of at most one entry per product or per cell, whichever is less."""
        cells, item = self.shape[0] * self.shape[1], self.out.bits // 8
        if self.vector is not None:
            gaps = 0 if self.full_times_sparse and self.count_gaps() == 0 else (self.shape[0] + cells) * (4 + item)
            return self.vector.nbytes + gaps
        if self.how == "tiles":
            return cells * item
        if self.how == "scale":
            return max(self.left.nvals, self.right.nvals) * item  # the structure is that of the other operand
        if self.full_times_sparse:
            return self.count_full_bytes()
        if self.mask is not None and not self.mask.complement:
            cells = min(cells, self.mask.of.nvals)
        return (cells if self.how == "dots" else min(cells, self.count_most())) * (4 + item)

    @property
    def full_times_sparse(self) -> bool:
        """Whether one operand is full, the other one is sparse, and no mask leaves cells out."""
        one_full = isinstance(self.left, FullMatrix) != isinstance(self.right, FullMatrix)
        return one_full and self.mask is None and self.how in ("rows", "vector")

    def count_gaps(self) -> int:
        """Count the rows, or the columns, of the result that have no entry, where one operand is full."""
        if isinstance(self.left, FullMatrix):
            return self.shape[1] - count_filled_rows(self.right, not self.right_transposed)  # type: ignore[arg-type]
        return self.shape[0] - count_filled_rows(self.left, self.left_transposed)  # type: ignore[arg-type]

    def count_full_bytes(self) -> int:
        """Return the bytes of a value per cell, and beside gaps of its place."""
        gaps, item = self.count_gaps(), self.out.bits // 8
        across, along = self.shape if isinstance(self.left, FullMatrix) else self.shape[::-1]
        return across * (along - gaps) * (item + 4 * (gaps > 0))

    def count_most(self) -> int:
        """Return an upper bound of the entries of a product by rows."""
        if isinstance(self.left, CompressedMatrix) and isinstance(self.right, CompressedMatrix):
            return bound_entries(self.left, self.left_transposed, self.right, self.right_transposed, self.shape[1])
        inner = self.left.shape[0] if self.left_transposed else self.left.shape[1]
        return self.left.nvals * self.right.nvals // max(1, inner)


@quick()
class ProductStep:
    """A product of operands that are spread over ranks; each rank plans and runs the products of its parts."""

    left: Any
    right: Any
    left_transposed: bool
    right_transposed: bool
    semiring: Semiring
    out: DType
    shape: tuple[int, ...]
    direction: Direction | None

    @property
    def nbytes(self) -> int:
        """Bytes of as many entries as the parts of both operands have on this rank."""
        return (self.left.part.nvals + self.right.part.nvals) * (4 + self.out.bits // 8)


@quick()
class EwiseStep:
    """Element-wise union or intersection; with `at` (a sparse structural mask) only at the indices of the mask."""

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
        """Bytes of the entries of both operands for a union, of the smaller one for an intersection."""
        most = sum if self.union else min
        return most((count_entries(self.left), count_entries(self.right))) * (8 + self.out.bits // 8)


@quick()
class ApplyStep(OneOperand):
    """op(x) for each entry x, or op with a bound scalar."""

    of: Storage
    transposed: bool
    op: UnaryOp | BinaryOp | IndexUnaryOp
    bound: Any
    bound_left: bool
    out: DType


@quick()
class SelectStep(OneOperand):
    """The entries for which op holds."""

    of: Storage
    transposed: bool
    op: IndexUnaryOp
    thunk: Any


@quick()
class ReduceStep:
    """⊕ of each row (axis 1), of each column (axis 0), or of all entries (None)."""

    of: Storage
    transposed: bool
    monoid: Monoid
    out: DType
    axis: int | None
    nbytes: ClassVar[int] = UNKNOWN_BYTES


REDUCED_AT_ONCE = 1 << 24
"""Entries of a masked product that are computed before they are reduced."""


@quick()
class ReduceProductStep:
    """s = ⊕ of the entries of a masked product, which are computed by dot products, some rows at a time."""

    product: MatMat
    monoid: Monoid
    out: DType

    @property
    def nbytes(self) -> int:
        """Bytes of a value and a flag for each entry of the rows that are computed at a time."""
        nvals = self.product.mask.of.nvals if self.product.mask is not None else 0
        return min(nvals, REDUCED_AT_ONCE) * (1 + self.product.out.bits // 8)


@quick()
class ExtractStep(OneOperand):
    """The entries at the given rows and columns, or positions of a vector."""

    of: Storage
    transposed: bool
    index: tuple[Any, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of places in each dimension of the part."""
        return tuple(1 if isinstance(part, int) else len(part) for part in self.index)

    @property
    def nbytes(self) -> int:
        """Bytes of an entry for each cell of the part, or of all entries of the operand if these are fewer."""
        held = self.of.part if isinstance(self.of, Distributed) else self.of
        return min(held.nvals, prod(self.shape)) * (8 + int(held.values.dtype.itemsize))


@quick()
class KroneckerStep:
    """The Kronecker product: each entry of `left` ⊗ each entry of `right`."""

    left: MatrixStorage
    right: MatrixStorage
    left_transposed: bool
    right_transposed: bool
    op: BinaryOp
    out: DType

    @property
    def nbytes(self) -> int:
        """Bytes of one entry per pair of entries."""
        return count_entries(self.left) * count_entries(self.right) * (8 + self.out.bits // 8)


@quick()
class CopyStep(OneOperand):
    """A copy of the storage or of its transpose."""

    of: Storage
    transposed: bool


@quick()
class ScalarStep:
    """One value for every entry that the mask allows, within the part at `index` if that is given."""

    value: Any
    index: tuple[Any, ...] | None
    nbytes: ClassVar[int] = 0


@quick()
class AssignStep(OneOperand):
    """Assign `of` to the part of the target at `index`; that part loses the entries that `of` lacks."""

    of: Storage
    transposed: bool
    index: tuple[Any, ...]


@quick()
class WordProduct:
    """C = F ⊕.⊗ B where every term is `value`: only the structure of F, whose words are or-ed, and of B is read.

    `arcs` is the number of entries of B that the entries of F meet, if it is known; `joins` says whether what is found
    is joined with old entries.
    """

    words: WordMatrix
    matrix: CompressedMatrix
    transposed: bool
    semiring: Semiring
    shape: tuple[int, int]
    value: Any
    mask: Mask | None
    direction: Direction
    arcs: int | None
    joins: bool
    how: ClassVar[str] = "words"

    @property
    def nbytes(self) -> int:
        """Bytes of the words of the product; those of the result and of what is new in it, too, if old entries stay."""
        return count_word_bytes(self.shape) * (3 if self.joins else 1)


@quick()
class WordStep:
    """Cells that get `value`: those of `words`, or every one (None) that the mask allows.

    With `other` the cells of one of both (`union`), or of both. Without a value the entries of `words` are copied.
    """

    words: WordMatrix | None
    other: WordMatrix | None
    union: bool
    shape: tuple[int, int]
    value: Any
    how: ClassVar[str] = "words"

    @property
    def nbytes(self) -> int:
        """Bytes of the words of the result and of the cells that are written."""
        return 2 * count_word_bytes(self.shape)


Step = (
    MatVec
    | Inner
    | MatMat
    | ProductStep
    | EwiseStep
    | ApplyStep
    | SelectStep
    | ReduceStep
    | ReduceProductStep
    | ExtractStep
    | KroneckerStep
    | CopyStep
    | ScalarStep
    | AssignStep
    | WordProduct
    | WordStep
)


@quick()
class Plan:
    """One step, and how its result is written into the target.

    Parameters
    ----------
    step : Step
        What is computed.
    target : Storage or None
        The storage that the result is written into; None for a new one.
    dtype : DType
        The dtype of the target.
    mask, accum, replace
        As in ``target(mask, accum, replace) << expression``.
    facts : tuple of Fact
        The facts that decided.
    rule : str or None
        The rule by which the engine has run it; None before.
    """

    step: Step
    target: Storage | None
    dtype: DType
    mask: Mask | None = None
    accum: BinaryOp | None = None
    replace: bool = False
    facts: tuple[Fact, ...] = ()
    rule: str | None = None

    @property
    def nbytes(self) -> int:
        """Predicted upper bound of the bytes of the result."""
        return self._count_assigned_bytes() if isinstance(self.step, ScalarStep) else self.step.nbytes

    def _count_assigned_bytes(self) -> int:
        """Bytes of an entry for each place that gets the value: those of the part, but no more than a mask allows."""
        shape = getattr(self.target, "shape", None) or (getattr(self.target, "size", 0),)
        index = self.step.index if isinstance(self.step, ScalarStep) else None
        places = prod(len(part) for part in index) if index is not None else prod(shape)
        if self.mask is not None and not self.mask.complement:
            places = min(places, count_entries(self.mask.of))
        return places * (8 + self.dtype.bits // 8)

    @property
    def why(self) -> tuple[str, ...]:
        """The facts that decided, as text."""
        return tuple(template.format(*numbers) for template, *numbers in self.facts)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        return self.describe(self.nbytes, self.rule, "the result")

    @property
    def counts_entries(self) -> bool:
        """Whether the engine counts the entries of the result before it allocates them: then no guess need refuse."""
        return isinstance(self.step, MatMat) and self.step.how == "rows"

    def describe(self, nbytes: int, rule: str | None, what: str = "the result and the work space") -> str:
        """Describe the step, the facts that decided, the rule that runs it, and the predicted bytes of `what`."""
        if self.counts_entries:
            what += ", at most: its entries are counted before there is room for them, and the count may refuse"
        head = type(self.step).__name__.removesuffix("Step").lower()
        direction = getattr(self.step, "direction", None) or getattr(self.step, "how", None)
        title = f"{head} ({direction})" if direction else head
        rules = [] if rule is None else [f"  rule: {rule}"]
        return "\n".join(
            [title, *(f"  {fact}" for fact in self.why), *rules, f"  predicted bytes: {nbytes:,} for {what}"]
        )


def is_scatter(plan: Plan) -> bool:
    """Whether the plan is ``x[p] << y`` with a full y and a bitmap or full x: no entry is deleted."""
    step = plan.step
    if not isinstance(step, AssignStep) or plan.mask is not None or plan.accum is not None:
        return False
    return isinstance(step.of, FullVector) and isinstance(plan.target, (BitmapVector, FullVector))
