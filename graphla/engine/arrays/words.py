"""What is written into a matrix of words: which arrays are shared, and which layers it has, on any engine.

An engine brings `combine_bits`, `settle_cells` and the products.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.planning.steps import Mask, Plan, WordProduct, WordStep
from graphla.planning.words import find_rows
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.formats import as_compressed
from graphla.storage.words import WORD, WORD_LAYERS, Layer, WordMatrix

MOST_CELL_BYTES = 1 << 32
"""Values of all cells that take more are not made: those of the entries are listed."""


class BitWrite(NamedTuple):
    """Words to combine: what is found (None: every cell) and allowed, over the old bits that are kept.

    `other` is united with what is found (`union`) or intersected. `lists` asks for the cells that are written, too.
    """

    shape: tuple[int, int]
    found: Array | None
    other: Array | None
    union: bool
    mask: Array | None
    complement: bool
    old: Array | None
    keeps_inside: bool
    keeps_outside: bool
    lists: bool


def find_last_rows(rows: int) -> int:
    """Return the bits of the last plane that stand for rows."""
    return (1 << ((rows - 1) % WORD + 1)) - 1


def run_word_step(engine: Any, plan: Plan) -> WordMatrix:
    """Write a number into cells."""
    step: Any = plan.step
    if step.words is not None and step.value is None:
        return step.words  # a copy: its arrays are never written again
    found = None if step.words is None else step.words.words
    return write_words(engine, plan, found, plan.mask)


def write_words(engine: Any, plan: Plan, found: Array | None, mask: Mask | None) -> WordMatrix:
    """Write the number of a step to the cells of `found` (None: to every one) that the mask allows."""
    step: Any = plan.step
    target: Any = plan.target
    if target is None or (plan.accum is None and (plan.mask is None or plan.replace)):
        words = combine_words(engine, plan, found, mask, None, lists=False)[0]
        return make_matrix(engine, plan, words, (Layer(words, step.value),), None, find_alike(words, plan.mask))
    same = target.value == step.value
    words, written = combine_words(engine, plan, found, mask, target.words, lists=not same)
    if same:
        return make_matrix(engine, plan, words, (Layer(words, step.value),), None)
    if len(target.layers) == WORD_LAYERS:
        target = settle(engine, target)
    return make_matrix(engine, plan, words, (*target.layers, Layer(written, step.value)), target.base)


def make_matrix(
    engine: Any,
    plan: Plan,
    words: Array,
    layers: tuple[Layer, ...],
    base: MatrixStorage | None,
    alike: CompressedMatrix | None = None,
) -> WordMatrix:
    """Make the matrix that a plan gives."""
    step: Any = plan.step
    along = find_rows(step.matrix, step.transposed) if isinstance(step, WordProduct) else None
    rows, columns = step.shape
    return WordMatrix(rows, columns, plan.dtype.numpy, words, layers, base, engine, along, alike)


def find_alike(words: Array, mask: Any) -> CompressedMatrix | None:
    """Return the entries of a mask if the words are its own and its entries are listed."""
    listed = mask.of.__dict__.get("listed") if mask is not None and words is mask.of.words else None
    return listed if isinstance(listed, CompressedMatrix) else None


def settle(engine: Any, held: WordMatrix) -> WordMatrix:
    """Return the same entries with values of their own instead of layers: at all cells, if there is room for these."""
    if held.size * held.type.bits // 8 > MOST_CELL_BYTES:
        base: MatrixStorage = as_compressed(engine.xp, held.listed)
    else:
        base = FullMatrix(engine.settle_cells(held))
    return WordMatrix(held.nrows, held.ncols, held.dtype, held.words, (), base, engine)


def combine_words(
    engine: Any, plan: Plan, found: Array | None, mask: Mask | None, old: Array | None, *, lists: bool
) -> tuple[Array, Array]:
    """Return the words of the new target, and those of the cells that are written; arrays at hand are shared."""
    step: Any = plan.step
    other = step.other.words if isinstance(step, WordStep) and step.other is not None else None
    allowed: Any = None if mask is None else mask.of
    written = None if other is not None else find_written(found, mask)
    if old is None and written is not None:
        return written, written
    write = BitWrite(
        step.shape, found, other, getattr(step, "union", True), None if mask is None else allowed.words,
        mask is not None and mask.complement, old, plan.accum is not None, not plan.replace, lists and written is None,
    )  # fmt: skip
    out, listed = engine.combine_bits(write)
    return out, listed if written is None else written


def find_written(found: Array | None, mask: Mask | None) -> Array | None:
    """Return the words of the cells that are written, if no kernel need compute them."""
    if mask is None:
        return found
    of: Any = mask.of
    return of.words if found is None and not mask.complement else None
