"""How a GPU divides a product whose left operand has few rows, or whose right operand has few columns.

By rows, each of them is computed by one warp or block. That leaves most of a GPU idle if there are few of them, and
they are long. A pull reads every arc of the other operand once for up to 32 few rows. A push deals out the products.
"""

from __future__ import annotations

from graphla.planning.degrees import estimate_frontier_arcs, find_cached_transpose
from graphla.planning.steps import Direction, Fact, MatMat, RowSchedule
from graphla.storage import FullMatrix, MatrixStorage, SparseVector

FEW_ROWS = 1024
"""Products of more rows fill a GPU if each row is computed by one warp or block."""
FEW_AT_ONCE = 32
"""A pull takes so many few rows at once: a bit of one word for each."""
SHORT_ROW = 1024
"""Products of a row that one block counts in a hash table of its shared memory."""
LONE_ENTRY = 2000.0
"""Cost of an entry, or a product, of a longer row and of one window of columns, relative to a pushed product.

One block computes such a row: each of its 16 warps waits 1 µs for each entry (H200).
"""
WINDOW = 1 << 17
"""Columns of the result that such a block looks at at once; it walks over its row for each (rows_wide.cuh)."""
BLOCKS = 264
"""Blocks that compute long rows side by side: two per multiprocessor of an H200."""
SKEW = 16
"""The longest row is assumed to be so many times as long as the others."""
MANY_ROWS = 256
"""So many rows are short if they are on average; of fewer ones a single long row would take most of the time."""
PUSHED_CELL = 0.15
"""Cost of filling, testing and listing one cell of the result, relative to a pushed product (bytes, H200)."""
PULLED_ARC = 0.35
"""Cost of reading one arc in a pull of few rows, relative to a pushed product (Kronecker 20 and 22, H200)."""
PULLED_VALUE = 0.012
"""Cost of reading one value of a vertex in such a pull, relative to a pushed product (the same)."""

PULL_BATCH = 3e6
"""Cost of the launches of a pull of up to 32 few rows, in pushed products (H200)."""
PUSH_BEGIN = 5e6
"""Cost of the launches of a push of few rows, in pushed products (H200)."""
ROWS_BEGIN = 3e6
"""Cost of the launches of a product by rows or by dot products, in pushed products (H200)."""
CERTAIN = 4
"""If the mean degree promises so many times the products that a pull is worth, they are not counted."""


def choose_schedule(
    step: MatMat, direction: Direction | None, dots: float | None
) -> tuple[RowSchedule, tuple[Fact, ...]]:
    """Choose rows, push or pull for a product by rows, or by masked dot products that read `dots` entries."""
    few, other = (step.left, step.right) if step.few_on_left else (step.right, step.left)
    count, width = step.shape if step.few_on_left else step.shape[::-1]
    if count > FEW_ROWS or isinstance(other, FullMatrix) or 0 in (*step.shape, few.nvals, other.nvals):
        return "rows", ()
    if direction is not None:
        return direction, (("on a GPU, {}: requested by the caller", direction),)
    if isinstance(few, FullMatrix) and dots is None:
        return "pull", (("on a GPU, pull: the {} few {} are full", count, name_few(step)),)
    batches = -(-count // FEW_AT_ONCE)
    pull = batches * (PULL_BATCH + other.nvals * PULLED_ARC) + count * other.nvals * PULLED_VALUE
    products = count_products(step, few, other, pull)
    push = PUSH_BEGIN + products + count * width * PUSHED_CELL
    rows = ROWS_BEGIN + (estimate_rows(products, few.nvals, count, width) if dots is None else dots)
    costs: dict[RowSchedule, float] = {"rows": rows, "push": push, "pull": pull}
    chosen = min(costs, key=lambda schedule: costs[schedule])
    if chosen == "rows":
        return "rows", ()
    fact = "on a GPU, {}: {:,.0f} products of {:,} few {} cost {:,.0f} pushed, {:,.0f} pulled, {:,.0f} by {}"
    return chosen, ((fact, chosen, products, count, name_few(step), push, pull, rows, step.how),)


def name_few(step: MatMat) -> str:
    """Name the short dimension: rows or columns."""
    return "rows" if step.few_on_left else "columns"


def estimate_rows(products: float, entries: int, count: int, width: int) -> float:
    """Return the cost of computing each row by one warp or block."""
    if is_short(products, count):
        return products
    walks = -(-width // WINDOW) / max(1.0, min(count, BLOCKS) / SKEW)
    return LONE_ENTRY * max(products, entries) * walks


def is_short(products: float, count: int) -> bool:
    """Whether the rows are short enough for hash tables: surely, or on average if there are many."""
    return products <= SHORT_ROW or (count >= MANY_ROWS and products <= SHORT_ROW / 4 * count)


def count_products(step: MatMat, few: MatrixStorage, other: MatrixStorage, pull: float) -> float:
    """Count the products exactly, unless few are certain or the mean degree says that a pull costs far less.

    Of few columns the mean degree is used; their entries would have to be transposed first.
    """
    across = step.left_transposed if step.few_on_left else not step.right_transposed
    degree = other.nvals / max(1, few.shape[0 if across else 1])
    scattered = find_cached_transpose(other) if step.right_transposed else other
    if isinstance(few, FullMatrix) or not step.few_on_left or step.left_transposed or scattered is None:
        return few.nvals * degree
    if few.nvals * degree > CERTAIN * pull:
        return few.nvals * degree
    frontier = SparseVector(few.shape[1], few.indices, few.values)
    return estimate_frontier_arcs(scattered, frontier, degree, SHORT_ROW)
