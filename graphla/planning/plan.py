"""Choose how to compute an expression: pure functions from expressions and facts to a `Plan`.

Every threshold of the expression language is a named constant in this module, with its source; those between the
formats of a vector are in `graphla.storage.formats`. Only this module chooses between push and pull, and between ways
to multiply. An engine runs the `Plan`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Literal

from graphla.common.errors import DomainMismatch, NotSupported
from graphla.language.apply import Apply, Reduce, Select
from graphla.language.expr import Expr
from graphla.language.extract import Extract
from graphla.language.index import resolve_index
from graphla.language.masked import MaskedProduct
from graphla.language.operand import Transposed
from graphla.language.products import Ewise, Kronecker, MatMul
from graphla.language.scalars import is_read_later, to_operand_number, to_thunk
from graphla.planning.degrees import (
    PULL_AT_ONCE,
    count_reads,
    estimate_frontier_arcs,
    find_cached_transpose,
    find_diagonal_side,
    find_longest_row,
    pulls_at_once,
    stops_early,
)
from graphla.planning.few_rows import choose_schedule
from graphla.planning.schedules import PULL_OVER_GAPS, choose_pull_schedule, choose_push_schedule, pulls_over_gaps
from graphla.planning.steps import (
    ApplyStep,
    CopyStep,
    Direction,
    EwiseStep,
    ExtractStep,
    Fact,
    Inner,
    KroneckerStep,
    Mask,
    MatMat,
    MatVec,
    Plan,
    ProductStep,
    ReduceProductStep,
    ReduceStep,
    RowSchedule,
    Schedule,
    SelectStep,
    Step,
    Storage,
)
from graphla.storage import (
    CompressedMatrix,
    Distributed,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import expand_rows
from graphla.storage.formats import as_vector
from semirings import BinaryOp, IndexUnaryOp, Semiring
from semirings.dtypes import COMPLEX, INT64, DType

PULL_ADVANTAGE = 2.0
"""Cost of a pushed arc relative to a pull probe: pulls read in order, pushes scatter (Kronecker 18, 2 cores)."""
PROBE_ADVANTAGE = 6.0
"""Push/pull cost ratio per arc in fused loops where a pull tests one bit and stops at its first hit (H200)."""
SUM_ADVANTAGE = 1.3
"""The same ratio where a pull reads every arc: break-even is where 3/4 of the arcs leave the operand (H200)."""
ALONE_ARCS = 4096
"""In fused loops one block runs a round alone, without grid barriers, if the operand has at most so many arcs."""
LISTED_ARCS = 1 << 16
"""In fused loops a round with at most so many arcs visits a list of indices, else all presence words (H200).

Longer lists cost more, because of their atomics."""
ROW_FLAG = 0.25
"""Cost of testing one row's mask flag in a pull, relative to one probe. A pull tests all rows, in order."""
DOT_PRODUCT_ADVANTAGE = 4.0
"""Cost of a product by rows, which scatters, relative to one read of a masked dot product (GraphBLAS practice)."""
DOTS = "dots: {:,.0f} reads under the mask against {:,.0f} products by rows, which cost {:g} reads each"
HUB_READS = 5e7
"""Masked dot products of plus.pair with at least so many reads are worth splitting both operands by hub columns.

The split costs about 1 ms on a graph of a million vertices; reads run at some 60 G/s (H200)."""
HUB_SKEW = 16
"""There are hubs if the longest row of the second operand is at least so many times as long as the mean."""
HUB_LONGEST = 8192 + 2048
"""The longest row of the first operand that a warp holds as bits for the hubs and a hash table for its other columns.

With longer rows most reads are in rows that are left to the other kernels, and the split costs more than it saves:
94 ms for 67 on Kronecker 20 where rows are the neighbours of smaller degree (H200)."""
SEARCH_READS = 8
"""Looks into a table that cost as much as one binary search in a row (H200)."""
TURN_READS = 64
"""Cost of transposing an entry of the mask and of the result, in looks into a table (H200: 0.16 ns against 100 G/s)."""
SIDE_ADVANTAGE = 2
"""Masked dot products are computed by columns if that costs less than this part of computing them by rows."""
WIDEST_ATOMIC = 64
"""Bits that every GPU from compute capability 8.0 on can replace atomically; 128 come with 9.0."""
HUB_SHARE = 0.25
"""A pull copies the hub columns that fit in shared memory if they have at least this share of the arcs (H200)."""

PULL_OF_FULL_VECTOR: tuple[Direction, tuple[Fact, ...]] = (
    "pull",
    (("pull: the vector is full, and a push would scatter every arc",),),
)
PRODUCT_OF_PARTS: tuple[Fact, ...] = (("each rank plans the products of its parts, push or pull",),)


def read_operand(value: Any) -> tuple[Any, bool]:
    """Return the storage of an operand and whether the operand is its transpose.

    Operands are computed, but for those of expressions in the body of a loop, which are computed in each round.
    """
    held = value if value._computed else value._value
    return (held.of._storage, True) if isinstance(held, Transposed) else (held._storage, False)


def read_bound(e: Apply[Any]) -> Any:
    """Return the number that is bound to an operator; the value that a Scalar has now."""
    if not is_read_later(e.bound):
        return e.bound
    return to_thunk(e.bound, e.op) if isinstance(e.op, IndexUnaryOp) else to_operand_number(e.bound, e.op)


def read_thunk(e: Select[Any]) -> Any:
    """Return the number that entries are compared with; the value that a Scalar has now."""
    return to_thunk(e.thunk, e.op)


def read_index(e: Extract[Any]) -> tuple[Any, ...]:
    """Return the index of a part; the values that a Vector of positions has now."""
    return resolve_index(e.index, e.of.shape) if any(hasattr(part, "_sources") for part in e.index) else e.index


def make_plan(
    expression: Expr[Any],
    target: Storage | None,
    dtype: DType,
    mask: Mask | None = None,
    accum: BinaryOp | None = None,
    replace: bool = False,
    direction: Direction | None = None,
    scheduled: bool = True,
) -> Plan:
    """Plan how to compute `expression` into `target`; `scheduled` if the engine divides products by a schedule."""
    if expression.dtype.kind == "c":
        require_complex(expression.dtype, dtype)
    step, facts = make_step(expression, mask, direction, dtype, scheduled)
    return Plan(step, target, dtype, mask, accum, replace, facts)


def require_complex(source: DType, target: DType) -> None:
    """Refuse to write complex entries of dtype `source` as real numbers, which would drop their imaginary parts."""
    if source.kind == "c" and target.kind not in "cb":
        raise DomainMismatch(
            f"{source} entries cannot be stored as {target}: take unary.creal, unary.cimag or unary.abs of them"
        )


def make_step(
    e: Expr[Any], mask: Mask | None, direction: Direction | None, dtype: DType, scheduled: bool
) -> tuple[Step, tuple[Fact, ...]]:
    """Choose the step that computes `e`; return it with the facts that decided."""
    if isinstance(e, MatMul):
        return make_product_step(e, mask, direction, dtype, scheduled)
    if isinstance(e, Ewise):
        return make_ewise_step(e, mask)
    if isinstance(e, Apply):
        return ApplyStep(*read_operand(e.of), e.op, read_bound(e), e.bound_left, e.dtype), ()
    if isinstance(e, Select):
        return SelectStep(*read_operand(e.of), e.op, read_thunk(e)), ()
    if isinstance(e, Reduce) and isinstance(e.of, MaskedProduct):
        return make_sum_step(e, e.of, scheduled)
    if isinstance(e, Reduce):
        return ReduceStep(*read_operand(e.of), e.monoid, e.dtype, e.axis), ()
    if isinstance(e, Extract):
        return ExtractStep(*read_operand(e.of), read_index(e)), ()
    if isinstance(e, Kronecker):
        (left, lt), (right, rt) = read_operand(e.left), read_operand(e.right)
        return KroneckerStep(left, right, lt, rt, e.op, e.dtype), ()
    return CopyStep(*read_operand(e)), ()


def make_ewise_step(e: Ewise[Any], mask: Mask | None) -> tuple[Step, tuple[Fact, ...]]:
    """Choose the step of an element-wise operation: all entries, or only the entries of a sparse mask.

    A sparse structural mask limits the work if no entry outside it would be kept.
    """
    e.require_fit()
    (left, lt), (right, rt) = read_operand(e.left), read_operand(e.right)
    few = mask is not None and mask.structural and not mask.complement and isinstance(mask.of, SparseVector)
    at = mask.of if mask is not None and few and isinstance(mask.of, SparseVector) else None
    facts = (("only the {:,} entries of the mask", at.nvals),) if at is not None else ()
    return EwiseStep(left, right, lt, rt, e.op, e.dtype, e.union, e.fills, at), facts


def make_product_step(
    e: MatMul[Any], mask: Mask | None, direction: Direction | None, dtype: DType, scheduled: bool
) -> tuple[Step, tuple[Fact, ...]]:
    """Choose the step of a product: vector-vector (inner), matrix-vector, vector-matrix or matrix-matrix."""
    e.require_fit()
    (left, lt), (right, rt) = read_operand(e.left), read_operand(e.right)
    out = choose_product_dtype(e, dtype)
    if isinstance(left, Distributed) or isinstance(right, Distributed):
        return ProductStep(left, right, lt, rt, e.semiring, out, e.shape, direction), PRODUCT_OF_PARTS
    ranks = e.left.rank, e.right.rank
    if ranks == (1, 1):
        return Inner(left, right, e.semiring, out), ()
    if ranks == (2, 2):
        return make_matmat_step(e, mask, direction, out, scheduled)
    flip = ranks[0] == 1
    matrix, transposed, vector = (right, rt, left) if flip else (left, lt, right)
    return make_matvec_step(matrix, transposed, vector, flip, e.semiring, out, mask, direction, scheduled)


def make_sum_step(e: Reduce[Any], product: MaskedProduct, scheduled: bool) -> tuple[Step, tuple[Fact, ...]]:
    """Choose the step of a sum over a masked product: by dot products it needs no matrix of the entries."""
    step, facts = make_product_step(product.of, product.mask.to_record(), None, product.dtype, scheduled)
    if isinstance(step, MatMat) and step.how == "dots":
        return ReduceProductStep(step, e.monoid, e.dtype), (*facts, ("reduced as it is computed",))
    return ReduceStep(*read_operand(product), e.monoid, e.dtype, e.axis), facts


def make_matmat_step(
    e: MatMul[Any], mask: Mask | None, direction: Direction | None, out: DType, scheduled: bool
) -> tuple[MatMat, tuple[Fact, ...]]:
    """Choose the step of a product of two matrices; with one of one row or one column, that of a vector."""
    (left, lt), (right, rt) = read_operand(e.left), read_operand(e.right)
    shape = (e.left.shape[0], e.right.shape[1])
    side = find_diagonal_side(left, right)
    if side is not None and not e.semiring.multiply.positional:
        step = MatMat(left, lt, right, rt, e.semiring, out, shape, "scale", None)
        return step, ((f"scale: the {side} operand is diagonal",),)
    how, facts = choose_matmat_method(left, lt, right, rt, mask, out)
    if how == "tiles" or 1 not in shape:
        step = MatMat(left, lt, right, rt, e.semiring, out, shape, how, None if how == "tiles" else mask)
        return (step, facts) if how == "tiles" or not scheduled else add_schedule(step, facts, direction)
    flip = shape[0] == 1
    matrix, transposed, vector = (right, rt, as_vector(left)) if flip else (left, lt, as_vector(right))
    over = None if mask is None else Mask(as_vector(mask.of), mask.structural, mask.complement)  # type: ignore[arg-type]
    step, facts = make_matvec_step(matrix, transposed, vector, flip, e.semiring, out, over, direction, scheduled)
    facts = (("vector: the {} operand has one {}", *(("left", "row") if flip else ("right", "column"))), *facts)
    return MatMat(left, lt, right, rt, e.semiring, out, shape, "vector", mask, step), facts


def can_join(semiring: Semiring, out: DType) -> bool:
    """Whether terms can be joined by atomics: entries of up to `WIDEST_ATOMIC` bits, and sums by parts."""
    return out.bits <= WIDEST_ATOMIC or semiring.add.name == "plus"


def add_schedule(step: MatMat, facts: tuple[Fact, ...], direction: Direction | None) -> tuple[MatMat, tuple[Fact, ...]]:
    """Add to a product by rows or by dot products how a GPU divides its work."""
    joins = can_join(step.semiring, step.out)
    dots = facts[0][1] if step.how == "dots" else None  # its reads
    schedule, more = choose_schedule(step, direction, dots) if joins else ("rows", ())
    if schedule == "rows" and dots is not None:
        schedule, more = choose_side(step, dots)
    if schedule == "rows" and dots is not None:
        schedule, more = choose_hubs(step, dots)
    return step if schedule == step.schedule else replace(step, schedule=schedule), (*facts, *more)


def choose_side(step: MatMat, reads: float) -> tuple[RowSchedule, tuple[Fact, ...]]:
    """Choose which operand of masked dot products stands in tables, if both can be read without a transpose.

    A row of A in a table serves the entries of the mask in that row, and the rows of Bᵀ are looked up in it; by columns
    the columns of B stand in tables. The rows of a hub should stand in one, and not be read for each of its entries.
    """
    multiply, mask = step.semiring.multiply, step.mask
    if reads < HUB_READS or not commutes(multiply):
        return "rows", ()
    left, right = (
        read_rows(*held) for held in ((step.left, step.left_transposed), (step.right, not step.right_transposed))
    )
    if left is None or right is None or mask is None or not isinstance(mask.of, CompressedMatrix):
        return "rows", ()
    of_right, of_left = count_reads(right, mask.of.indices), count_reads(left, expand_rows(mask.of, "int32"))
    by_rows = min(of_right, SEARCH_READS * of_left)
    by_columns = min(of_left, SEARCH_READS * of_right) + TURN_READS * mask.of.nvals
    if SIDE_ADVANTAGE * by_columns > by_rows:
        return "rows", ()
    return "columns", (("on a GPU, columns: {:,.0f} looks into tables against {:,.0f} by rows", by_columns, by_rows),)


def read_rows(matrix: MatrixStorage, transposed: bool) -> CompressedMatrix | None:
    """Return an operand by rows, if it is at hand."""
    found = find_cached_transpose(matrix) if transposed else matrix
    return found if isinstance(found, CompressedMatrix) else None


def choose_hubs(step: MatMat, reads: float) -> tuple[RowSchedule, tuple[Fact, ...]]:
    """Choose whether masked dot products that count common columns keep those of hub columns as rows of bits.

    Only plus.pair counts them: other sums stop early or read values.
    """
    counts = step.semiring.add.name == "plus" and reads_nothing(step.semiring.multiply) and step.out.kind in "iuf"
    if not counts or reads < HUB_READS or isinstance(step.right, FullMatrix):
        return "rows", ()
    longest, mean = find_longest_row(step.right) or 0, step.right.nvals / max(1, step.right.shape[0])
    held = find_longest_row(find_cached_transpose(step.left) if step.left_transposed else step.left)
    if longest < HUB_SKEW * mean or held is None or held > HUB_LONGEST:
        return "rows", ()
    fact = "on a GPU, hubs: rows of bits for the hub columns, hash tables for others; the longest row has {:,}"
    return "hubs", ((fact + " entries, the mean is {:,.1f}", longest, mean),)


def make_matvec_step(
    matrix: MatrixStorage,
    transposed: bool,
    vector: VectorStorage,
    flip: bool,
    semiring: Semiring,
    out: DType,
    mask: Mask | None,
    direction: Direction | None,
    scheduled: bool = True,
) -> tuple[MatVec, tuple[Fact, ...]]:
    """Choose direction and schedule of a product of a matrix and a vector; with `flip` the vector is on the left."""
    rows_are_k = transposed != flip
    size = matrix.shape[1 if rows_are_k else 0]
    if direction is None and mask is None and isinstance(vector, FullVector):
        chosen, facts = PULL_OF_FULL_VECTOR
    elif direction is None and scheduled and pulls_at_once(matrix, rows_are_k, vector):
        chosen, facts = "pull", ((PULL_AT_ONCE, matrix.nvals),)
    elif direction is None and scheduled and pulls_over_gaps(matrix, rows_are_k, vector, flip, semiring, out, mask):
        chosen, facts = "pull", ((PULL_OVER_GAPS, vector.nvals, vector.size),)
    else:
        scattered = matrix if rows_are_k else find_cached_transpose(matrix)
        chosen, facts = choose_direction(matrix, scattered, vector, size, semiring, out, mask, direction)
    swap = (chosen == "push") != rows_are_k
    schedule: Schedule = "rows"
    if scheduled and chosen == "push":
        schedule = choose_push_schedule(
            vector.nvals, find_longest_row(matrix if rows_are_k else find_cached_transpose(matrix))
        )
    elif scheduled:
        schedule = choose_pull_schedule(matrix, vector, semiring, out, mask, flip)
    return MatVec(matrix, swap, vector, semiring, out, size, flip, chosen, mask, schedule), facts


def choose_product_dtype(e: MatMul[Any], dtype: DType) -> DType:
    """Choose the dtype of a product. `any_pair` reads no values, so it computes in the dtype of the target.

    `plus_pair` counts, and does so in INT64 if that is the dtype of the target.
    """
    add, free = e.semiring.add.name, reads_nothing(e.semiring.multiply)
    return dtype if free and (add == "any" or (add == "plus" and dtype is INT64)) else e.dtype


@cache
def reads_nothing(multiply: BinaryOp) -> bool:
    """Whether ⊗ depends on neither the values nor the positions of its operands."""
    return not (multiply.reads_first or multiply.reads_second or multiply.positional)


def commutes(multiply: BinaryOp) -> bool:
    """Whether ⊗ gives the same with its operands exchanged, wherever they stand."""
    return not multiply.positional and (multiply.commutative or reads_nothing(multiply))


def choose_direction(
    matrix: MatrixStorage,
    scattered: MatrixStorage | None,
    vector: VectorStorage,
    size: int,
    semiring: Semiring,
    out: DType,
    mask: Mask | None,
    requested: Direction | None,
) -> tuple[Direction, tuple[Fact, ...]]:
    """Choose push, which scatters the rows of the entries, or pull, which probes the rows that the mask allows.

    If ⊕ is `any`, or a logical or that stops at the first true term, a pull stops after about ``size / nvals`` probes.
    """
    if isinstance(matrix, FullMatrix):
        return "pull", (("pull: the matrix is full, and a push would read as much",),)
    if not can_join(semiring, out):
        if requested == "push":
            raise NotSupported(
                f"direction='push': a push joins results atomically, and of {out} only sums can be joined so; leave "
                "the direction to the plan, or compute in FC32"
            )
        return "pull", (("pull: a push cannot join {} bytes atomically", out.bits // 8),)
    if requested is not None:
        return requested, (("{}: requested by the caller", requested),)
    degree = matrix.nvals / max(1, matrix.shape[0])
    rows = count_allowed_rows(mask, size)
    probes = min(degree, vector.size / max(1, vector.nvals)) if stops_early(semiring, out) else degree
    pull = size * ROW_FLAG + rows * (1 + probes)
    push = estimate_frontier_arcs(scattered, vector, degree, pull / PULL_ADVANTAGE)
    chosen: Direction = "pull" if pull < PULL_ADVANTAGE * push else "push"
    return chosen, (("{}: push would scatter {:,.0f} arcs, pull would probe {:,.0f}", chosen, push, pull),)


def count_allowed_rows(mask: Mask | None, size: int) -> int:
    """Return how many entries of the result the mask allows."""
    if mask is None:
        return size
    return size - mask.of.nvals if mask.complement else mask.of.nvals


def choose_matmat_method(
    left: MatrixStorage,
    left_transposed: bool,
    right: MatrixStorage,
    right_transposed: bool,
    mask: Mask | None,
    out: DType,
) -> tuple[Literal["rows", "dots", "tiles"], tuple[Fact, ...]]:
    """Choose how to multiply matrices: tiles if both are full, masked dot products if they cost less, else by rows."""
    if isinstance(left, FullMatrix) and isinstance(right, FullMatrix) and out not in COMPLEX:
        return "tiles", (("tiles: both operands are full",),)
    inner = left.shape[0] if left_transposed else left.shape[1]
    flops = left.nvals * right.nvals / max(1, inner)
    if mask is not None and not mask.complement and isinstance(mask.of, CompressedMatrix):
        rows, columns = left.shape[left_transposed], right.shape[not right_transposed]
        dots = mask.of.nvals * (left.nvals / max(1, rows) + right.nvals / max(1, columns))
        if dots < DOT_PRODUCT_ADVANTAGE * flops:
            return "dots", ((DOTS, dots, flops, DOT_PRODUCT_ADVANTAGE),)
    return "rows", (("rows: about {:,.0f} products", flops),)
