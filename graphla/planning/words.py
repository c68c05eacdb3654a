"""How a product of truths with a matrix of few rows runs where a word per column holds 64 rows.

A pull reads every arc of the other operand, and a word per arc until it has met every bit that it can get. A push
visits the arcs of the columns that have an entry, and or-s words atomically.
"""

from __future__ import annotations

from typing import Any

from graphla.planning.degrees import find_cached_transpose
from graphla.planning.few_rows import FEW_ROWS
from graphla.planning.steps import Direction, Fact
from graphla.storage import CompressedMatrix
from graphla.storage.words import WordMatrix, count_word_bytes
from semirings import BinaryOp, Monoid, Semiring

LEAST_WORD_CELLS = 1 << 16
"""A product whose result has at least so many cells is computed by words."""
MOST_WORD_BYTES = 1 << 30
"""Words that take more are not made: entries are listed."""
LEAST_DEGREE = 8
"""On a CPU words are used if the other matrix has at least so many entries per row.

Roads and grids have fewer, and a search over them has many levels, each of which streams all words."""
LEAST_ARCS = 200
"""On a CPU words are used if rows of the result times entries per row of the other matrix are at least so many.

A level of a search streams all words there, 8 ns a vertex, and lists cost 10 ns a product (two cores): words pay if
there are fewer levels than that."""
LEAST_SHARE = 4
"""On a CPU a list of entries is packed for a product of at least a quarter as many terms as there are cells.

To list what has few entries in many cells would take longer than the product by lists."""
LEAST_COLUMNS = 16
"""Rows are few if there are at least so many times as many columns."""
PUSHED_ARC = 3.0
"""Cost of an arc that is pushed (two words read, one or-ed atomically), relative to one that is pulled (H200)."""
LEAST_LOOP_ARCS = 2e8
"""A loop over truths runs by statements over words if its products have at least so many arcs times rows.

Without words a round in `gl.loop` takes 0.2 ms for 4, 1.2 for 32 and 2.3 for 64 rows of Kronecker 20, which has 31 M
arcs, and on a road with 2.7 M arcs 0.04 for 4 and 0.19 for 64. A round by statements over words takes 0.14 ms where
little is found, which the host needs, and 0.2 ms on Kronecker 20 (H200).
"""
# Operators for which 1 ⊕ 1 is 1.
GIVE_ONE = ("any", "lor", "land", "min", "max", "times", "first", "second", "pair")


def fits_words(shape: tuple[int, int]) -> bool:
    """Whether a matrix has few rows, and its words take bearable room."""
    few = 1 < shape[0] <= FEW_ROWS and LEAST_COLUMNS * shape[0] <= shape[1]
    return few and count_word_bytes(shape) <= MOST_WORD_BYTES


def pays_on_cpu(few: WordMatrix | CompressedMatrix, rows: int, matrix: CompressedMatrix) -> bool:
    """Whether words pay for a product where all of them are streamed at the speed of a CPU's caches."""
    degree = matrix.nvals / max(1, matrix.nrows)
    if degree < LEAST_DEGREE or rows * degree < LEAST_ARCS:
        return False
    return isinstance(few, WordMatrix) or few.nvals * degree * LEAST_SHARE >= rows * matrix.nrows


def makes_truths(semiring: Semiring) -> bool:
    """Whether a product holds 1 wherever it has an entry, whatever the operands hold."""
    return semiring.multiply.name == "pair" and gives_one(semiring.add)


def gives_one(op: BinaryOp | Monoid) -> bool:
    """Whether an operator of two ones gives one."""
    return op.name in GIVE_ONE


def find_rows(matrix: CompressedMatrix, transposed: bool) -> CompressedMatrix | None:
    """Return the operand by rows, if it is at hand."""
    found: Any = find_cached_transpose(matrix) if transposed else matrix
    return found if isinstance(found, CompressedMatrix) else None


def choose_word_direction(
    arcs: int | None, every: int, requested: Direction | None
) -> tuple[Direction, tuple[Fact, ...]]:
    """Choose push or pull from the arcs that a push would visit (None: unknown) and those that a pull reads."""
    if requested is not None:
        return requested, (("words, {}: requested by the caller", requested),)
    if arcs is None:
        return "pull", (("words, pull: of {:,} arcs; the rows of the matrix are not at hand for a push", every),)
    chosen: Direction = "push" if PUSHED_ARC * arcs < every else "pull"
    return chosen, (("words, {}: push would visit {:,} arcs, pull would read {:,}", chosen, arcs, every),)
