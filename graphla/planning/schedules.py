"""How a product on a GPU divides its work: a push by rows or arcs, a pull by rows or equal shares of arcs."""

from __future__ import annotations

from graphla.planning.degrees import find_cached_transpose, stops_early
from graphla.planning.steps import Mask, Schedule
from graphla.storage import BitmapVector, CompressedMatrix, FullVector, MatrixStorage, VectorStorage
from semirings import Semiring
from semirings.dtypes import DType

PUSH_THREAD_DEGREE = 8
"""If no row is longer, a push uses one thread per row (road-like graphs; a warp would be three quarters idle)."""
PUSH_WARP_DEGREE = 256
"""If no row is longer, a push uses one warp per row: at most eight rounds of 32 arcs."""
PUSH_BLOCK_ENTRIES = 1024
"""With longer rows and at most so many entries a push uses one block per row; else a prefix sum balances the arcs."""
PUSH_BLOCK_DEGREE = 4096
"""If a row is longer, arcs are balanced for few entries, too: a block alone took 0.70 ms for 182,323 arcs (H200)."""
PULL_EVEN_ARCS = 1 << 20
"""A pull that reads all arcs divides them evenly from so many arcs on, where its rows fill a GPU anyway."""
PULL_ROWS_DEGREE = 4
"""By rows if they have fewer arcs on average: a lane reads a row by itself (H200: roads take a fifth of the time)."""
PULL_MANY_ARCS = 1 << 23
"""From so many arcs on by rows only if they have fewer than `PULL_ROWS_DEGREE_OF_MANY`."""
PULL_ROWS_DEGREE_OF_MANY = 3
"""16 million arcs in rows of 4 take 0.060 ms instead of 0.070 in a grid, 0.148 instead of 0.206 in a uniform graph.

In rows of 2 both ways take as long, and a product with fewer arcs costs the host less by rows (H200)."""

PULL_OVER_GAPS = "pull: on a GPU all arcs are read evenly, where {:,} of {:,} places have an entry"
MOST_GAPS = 4
"""A pull reads every arc, too, where a vector has entries at one of so many places or more."""


def choose_push_schedule(entries: int, longest: int | None) -> Schedule:
    """Choose how a push on a GPU divides its work: a thread, warp or block per row, or equal shares of the arcs."""
    if longest is not None and longest <= PUSH_THREAD_DEGREE:
        return "thread"
    if longest is not None and longest <= PUSH_WARP_DEGREE:
        return "warp"
    balanced = longest is None or longest <= PUSH_BLOCK_DEGREE
    return "block" if entries <= PUSH_BLOCK_ENTRIES and balanced else "edges"


def choose_pull_schedule(
    matrix: MatrixStorage,
    vector: VectorStorage,
    semiring: Semiring,
    out: DType,
    mask: Mask | None,
    flip: bool = False,
) -> Schedule:
    """Choose how a pull on a GPU divides its work: equal shares of arcs if it reads all of them, else rows.

    A mask, an absent entry or a terminal value of ⊕ can make a pull skip arcs. Few absent entries of floats are read
    as if they were there.
    """
    degree = PULL_ROWS_DEGREE if matrix.nvals < PULL_MANY_ARCS else PULL_ROWS_DEGREE_OF_MANY
    if matrix.nvals < max(PULL_EVEN_ARCS, degree * matrix.shape[0]):
        return "rows"
    if mask is not None or not (isinstance(vector, FullVector) or has_few_gaps(vector, flip, semiring, out)):
        return "rows"
    return "rows" if semiring.multiply.positional or stops_early(semiring, out) else "edges"


def has_few_gaps(vector: VectorStorage, flip: bool, semiring: Semiring, out: DType) -> bool:
    """Whether a product can read the gaps of a vector as values that no float has, and they are not most of it."""
    reads = semiring.multiply.reads_first if flip else semiring.multiply.reads_second
    floats = vector.type.kind == out.kind == "f"
    return reads and floats and isinstance(vector, BitmapVector) and vector.nvals * MOST_GAPS >= vector.size


def pulls_over_gaps(
    matrix: MatrixStorage,
    rows_are_k: bool,
    vector: VectorStorage,
    flip: bool,
    semiring: Semiring,
    out: DType,
    mask: Mask | None,
) -> bool:
    """Whether a GPU reads every arc over few gaps: then nobody counts the arcs that a push would scatter."""
    if isinstance(vector, FullVector) or not isinstance(matrix, CompressedMatrix):
        return False
    known = not rows_are_k or find_cached_transpose(matrix) is not None
    return known and choose_pull_schedule(matrix, vector, semiring, out, mask, flip) == "edges"
