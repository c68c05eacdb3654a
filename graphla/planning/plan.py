"""How an expression will be answered: pure functions from expressions and facts to a `Plan`.

Every threshold of the project's expression language lives here, under a name, with its source.
Nothing else decides between push and pull, between formats, or between ways to multiply.
An engine is handed a `Plan` and obeys.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from graphla.language.expr import Apply, Ewise, Expr, MatMul, Transposed
from graphla.language.nodes import Extract, Kronecker, Reduce, Select
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
    ReduceStep,
    Schedule,
    SelectStep,
    Step,
    Storage,
)
from graphla.storage import (
    Array,
    CompressedMatrix,
    FullMatrix,
    FullVector,
    MatrixStorage,
    SparseVector,
    VectorStorage,
)
from semirings import BinaryOp, Semiring
from semirings.dtypes import BOOL, DType

BITMAP_FILL = 1 / 16
"""A vector with more than this share of its entries is a bitmap (SuiteSparse:GraphBLAS switches at 1/8 … 1/32)."""
SPARSE_FILL = 1 / 64
"""A bitmap with less than this share is made sparse again; the gap keeps a vector from flapping."""
PULL_ADVANTAGE = 2.0
"""One probe of a pull reads a row in order; a push scatters. Measured on Kronecker 18, two cores: about 2."""
PROBE_ADVANTAGE = 6.0
"""In a loop that runs as one kernel a probe reads a bit, and a row of a pull ends at its first term (H200)."""
SUM_ADVANTAGE = 1.3
"""The same where every arc counts: told pushes and pulls break even where three quarters of the arcs leave (H200)."""
ALONE_ARCS = 4096
"""Up to so many arcs of an operand one block runs the rounds of such a loop alone, without barriers of the grid."""
LISTED_ARCS = 1 << 16
"""Up to so many such a round looks at lists of places, not at all words; longer lists cost by their atomics (H200)."""
ROW_FLAG = 0.25
"""A pull looks at the flag of every row, masked or not: a quarter of a probe, for flags are read in order."""
DOT_PRODUCT_ADVANTAGE = 4.0
"""A masked dot product reads both rows; a row product scatters into an accumulator (GraphBLAS practice)."""
PUSH_THREAD_DEGREE = 8
"""Rows no longer than this are scattered by a thread each: road-like graphs (a warp would be three quarters idle)."""
PUSH_WARP_DEGREE = 256
"""Rows no longer than this are scattered by a warp each: eight rounds of 32 arcs at most."""
PUSH_BLOCK_ENTRIES = 1024
"""Up to this many entries of a skewed graph get a block each; more are balanced over their arcs by a prefix sum."""
PULL_EVEN_ARCS = 1 << 20
"""From here on a pull over every arc shares them out evenly; it reads whole lines, and its rows fill a GPU anyway."""

HUB_SHARE = 0.25
"""Columns whose values fit in a block's shared memory are kept there if they hold this share of the arcs (H200)."""

WHOLE: tuple[Direction, tuple[Fact, ...]] = "pull", (("pull: the vector is full, and a push would scatter every arc",),)


def vector_format(nvals: int, size: int, now: str = "sparse") -> Literal["sparse", "bitmap", "full"]:
    """The format that suits `nvals` entries of `size`."""
    if nvals == size:
        return "full"
    keep = SPARSE_FILL if now == "bitmap" else BITMAP_FILL
    return "bitmap" if nvals > keep * size else "sparse"


def read(value: Any) -> tuple[Any, bool]:
    """The storage below an operand, and whether it is read the other way round."""
    return (value.of._storage, True) if isinstance(value, Transposed) else (value._storage, False)


def plan_of(
    expression: Expr,
    target: Storage | None,
    dtype: DType,
    mask: Mask | None = None,
    accum: BinaryOp | None = None,
    replace: bool = False,
    direction: Direction | None = None,
) -> Plan:
    """The plan that computes `expression` into `target`."""
    step, facts = step_of(expression, mask, replace, direction, dtype)
    return Plan(step, target, dtype, mask, accum, replace, facts)


def step_of(
    e: Expr, mask: Mask | None, replace: bool, direction: Direction | None, dtype: DType
) -> tuple[Step, tuple[Fact, ...]]:
    """The step that computes `e`, and the facts that decided."""
    if isinstance(e, MatMul):
        return product_step(e, mask, direction, dtype)
    if isinstance(e, Ewise):
        return ewise_step(e, mask, replace)
    if isinstance(e, Apply):
        return ApplyStep(*read(e.of), e.op, e.bound, e.bound_left, e.dtype), ()
    if isinstance(e, Select):
        return SelectStep(*read(e.of), e.op, e.thunk), ()
    if isinstance(e, Reduce):
        return ReduceStep(*read(e.of), e.monoid, e.dtype, e.axis), ()
    if isinstance(e, Extract):
        return ExtractStep(*read(e.of), e.index), ()
    if isinstance(e, Kronecker):
        (left, lt), (right, rt) = read(e.left), read(e.right)
        return KroneckerStep(left, right, lt, rt, e.op, e.dtype), ()
    return CopyStep(*read(e)), ()


def ewise_step(e: Ewise, mask: Mask | None, replace: bool) -> tuple[Step, tuple[Fact, ...]]:
    """Look only where a sparse structural mask allows, if the rest would be thrown away."""
    e.require_fit()
    (left, lt), (right, rt) = read(e.left), read(e.right)
    few = mask is not None and mask.structural and not mask.complement and isinstance(mask.of, SparseVector)
    at = mask.of if mask is not None and few and isinstance(mask.of, SparseVector) else None
    facts = (("only the {:,} places of the mask", at.nvals),) if at is not None else ()
    return EwiseStep(left, right, lt, rt, e.op, e.dtype, e.union, e.fills, at), facts


def product_step(
    e: MatMul, mask: Mask | None, direction: Direction | None, dtype: DType
) -> tuple[Step, tuple[Fact, ...]]:
    """Inner product, matrix times vector, vector times matrix, or matrix times matrix."""
    e.require_fit()
    (left, lt), (right, rt) = read(e.left), read(e.right)
    out = product_dtype(e, dtype)
    ranks = e.left.rank, e.right.rank
    if ranks == (1, 1):
        return Inner(left, right, e.semiring, out), ()
    if ranks == (2, 2):
        shape = (e.left.shape[0], e.right.shape[1])
        how, facts = matmat_how(left, lt, right, rt, mask)
        return MatMat(left, lt, right, rt, e.semiring, out, shape, how, None if how == "tiles" else mask), facts
    flip = ranks[0] == 1
    matrix, transposed, vector = (right, rt, left) if flip else (left, lt, right)
    rows_are_k = transposed != flip
    size = matrix.shape[1 if rows_are_k else 0]
    if direction is None and mask is None and isinstance(vector, FullVector):
        chosen, facts = WHOLE
    else:
        scattered = matrix if rows_are_k else known_transpose(matrix)
        chosen, facts = matvec_direction(matrix, scattered, vector, size, e.semiring, out, mask, direction)
    swap = (chosen == "push") != rows_are_k
    if chosen == "push":
        schedule = push_schedule(vector.nvals, longest_row(matrix if rows_are_k else known_transpose(matrix)))
    else:
        schedule = pull_schedule(matrix, vector, e.semiring, out, mask)
    return MatVec(matrix, swap, vector, e.semiring, out, size, flip, chosen, mask, schedule), facts


def product_dtype(e: MatMul, dtype: DType) -> DType:
    """`pair` reads no value, so its products are made in the dtype of the target at once."""
    return dtype if e.semiring.add.name == "any" and reads_nothing(e.semiring.multiply) else e.dtype


@cache
def reads_nothing(multiply: BinaryOp) -> bool:
    """Whether a product depends on neither value nor position of its operands."""
    return not (multiply.reads_first or multiply.reads_second or multiply.positional)


def matvec_direction(
    matrix: MatrixStorage,
    scattered: MatrixStorage | None,
    vector: VectorStorage,
    size: int,
    semiring: Semiring,
    out: DType,
    mask: Mask | None,
    told: Direction | None,
) -> tuple[Direction, tuple[Fact, ...]]:
    """Push scatters the rows of the entries; pull probes the rows of the allowed results.

    Where any term will do, or the first truth ends a sum of truths, a pull stops after about ``size / nvals`` probes.
    """
    if isinstance(matrix, FullMatrix):
        return "pull", (("pull: the matrix is full, and a push would read as much",),)
    if told is not None:
        return told, (("{}: told so", told),)
    degree = matrix.nvals / max(1, matrix.shape[0])
    rows = allowed_rows(mask, size)
    probes = min(degree, vector.size / max(1, vector.nvals)) if stops_early(semiring, out) else degree
    pull = size * ROW_FLAG + rows * (1 + probes)
    push = frontier_edges(scattered, vector, degree, pull / PULL_ADVANTAGE)
    chosen: Direction = "pull" if pull < PULL_ADVANTAGE * push else "push"
    return chosen, (("{}: push would scatter {:,.0f} arcs, pull would probe {:,.0f}", chosen, push, pull),)


def stops_early(semiring: Semiring, out: DType) -> bool:
    """Whether a pull of a row often ends at its first term: any term will do, or a truth ends a sum of truths."""
    return semiring.add.is_any or (out is BOOL and semiring.add.terminal(out) is not None)


def known_transpose(matrix: MatrixStorage) -> CompressedMatrix | None:
    """The transpose, if it was built before."""
    known = isinstance(matrix, CompressedMatrix) and matrix.is_cached("transposed")
    return matrix.cached("transposed", None) if known and isinstance(matrix, CompressedMatrix) else None


def longest_row(matrix: MatrixStorage | None) -> int | None:
    """The length of the longest row that a push scatters; None where only looking would tell."""
    if matrix is None or isinstance(matrix, FullMatrix):
        return None if matrix is None else matrix.shape[1]
    return matrix.cached("longest_row", find_longest_row)


def row_lengths(matrix: CompressedMatrix) -> Array:
    """Entries of each row."""
    return matrix.indptr[1:] - matrix.indptr[:-1]


def find_longest_row(matrix: CompressedMatrix) -> int:
    """Entries of the longest row."""
    return int(row_lengths(matrix).max()) if matrix.nrows else 0


def push_schedule(entries: int, longest: int | None) -> Schedule:
    """Who owns what in a push on a GPU."""
    if longest is not None and longest <= PUSH_THREAD_DEGREE:
        return "thread"
    if longest is not None and longest <= PUSH_WARP_DEGREE:
        return "warp"
    return "block" if entries <= PUSH_BLOCK_ENTRIES else "edges"


def pull_schedule(
    matrix: MatrixStorage, vector: VectorStorage, semiring: Semiring, out: DType, mask: Mask | None
) -> Schedule:
    """Arcs in equal shares where all of them are read; rows where a mask, an absent entry or ⊕ may spare some."""
    if matrix.nvals < PULL_EVEN_ARCS or mask is not None or not isinstance(vector, FullVector):
        return "rows"
    return "rows" if semiring.multiply.positional or stops_early(semiring, out) else "edges"


def frontier_edges(matrix: MatrixStorage | None, vector: VectorStorage, degree: float, enough: float) -> float:
    """Arcs that leave the entries of `vector`: counted if they could be more than `enough`, else by the mean degree.

    In a skewed graph a frontier of hubs has many times the arcs of a frontier of as many leaves.
    """
    longest = longest_row(matrix)
    if not isinstance(matrix, CompressedMatrix) or longest is None or isinstance(vector, FullVector):
        return vector.size * degree if isinstance(vector, FullVector) else vector.nvals * degree
    if vector.nvals * longest <= enough:
        return vector.nvals * degree
    lengths = matrix.cached("row_lengths", row_lengths)
    return int(lengths[vector.indices if isinstance(vector, SparseVector) else vector.present].sum())


def allowed_rows(mask: Mask | None, size: int) -> int:
    """How many results the mask lets through."""
    if mask is None:
        return size
    return size - mask.of.nvals if mask.complement else mask.of.nvals


def matmat_how(
    left: MatrixStorage, left_transposed: bool, right: MatrixStorage, right_transposed: bool, mask: Mask | None
) -> tuple[Literal["rows", "dots", "tiles"], tuple[Fact, ...]]:
    """Full tiles for dense operands, dots under a mask that is sparser than the work by rows, else rows."""
    if isinstance(left, FullMatrix) and isinstance(right, FullMatrix):
        return "tiles", (("tiles: both operands are full",),)
    inner = left.shape[0] if left_transposed else left.shape[1]
    flops = left.nvals * right.nvals / max(1, inner)
    if mask is not None and not mask.complement and isinstance(mask.of, CompressedMatrix):
        rows = left.shape[1] if left_transposed else left.shape[0]
        columns = right.shape[0] if right_transposed else right.shape[1]
        dots = mask.of.nvals * (left.nvals / max(1, rows) + right.nvals / max(1, columns))
        if dots < DOT_PRODUCT_ADVANTAGE * flops:
            return "dots", (("dots: {:,.0f} reads under the mask against {:,.0f} products by rows", dots, flops),)
    return "rows", (("rows: about {:,.0f} products", flops),)
