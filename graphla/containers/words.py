"""Statements over matrices of few rows whose structure is packed in words: recognised, and planned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.containers.masks import MaskView, require_mask
from graphla.language.lazy import Transposed
from graphla.language.products import MatMul
from graphla.language.scalars import read_scalar
from graphla.planning import words as planned
from graphla.planning.plan import require_complex
from graphla.planning.steps import Mask, Plan, WordProduct, WordStep
from graphla.planning.words import choose_word_direction, find_rows, fits_words, makes_truths
from graphla.storage import CompressedMatrix
from graphla.storage.cast import cast_number
from graphla.storage.words import WordMatrix, find_words, make_words
from semirings import BinaryOp
from semirings.dtypes import BOOL

if TYPE_CHECKING:
    from graphla.containers.update import Writer

OVERWRITES = ("second", "any")
"""Accumulators that give the new number wherever there is one."""


def plan_words(writer: Writer[Any], value: Any, scalar: bool) -> Plan | None:
    """Plan a statement by words, or return None if it is planned otherwise."""
    out: Any = writer.out
    if out.rank != 2 or writer.index is not None or not out.engine.holds_words or not fits_words(out.shape):
        return None
    if not scalar and isinstance(value, MatMul):
        return plan_product(writer, value)
    involved = (writer.mask.of if writer.mask is not None else out, out, None if scalar else value)
    if all(find_words(getattr(one, "_held", None), out.engine) is None for one in involved):
        return None
    return plan_value(writer, value) if scalar else plan_copy(writer, value)


def plan_value(writer: Writer[Any], value: Any) -> Plan | None:
    """Plan to write a number under a mask."""
    number = read_scalar(value)
    if number is None or writer.mask is None:
        return None
    out: Any = writer.out
    require_mask(writer.mask, out.shape)
    cast = cast_number(number, out.dtype).item()
    return complete(writer, lambda _: (WordStep(None, out.shape, cast), ()), cast)


def plan_copy(writer: Writer[Any], value: Any) -> Plan | None:
    """Plan to write another matrix whose entries hold one number, or to share the arrays of any other."""
    out: Any = writer.out
    if not is_matrix(value) or value.shape != out.shape or value.engine is not out.engine:
        return None
    held = get_words(value)
    if held is None:
        return None
    if writer.mask is None and writer.accum is None and value.dtype is out.dtype:
        return Plan(WordStep(held, out.shape, None), None, out.dtype)
    if held.value is None:
        return None
    require_complex(value.dtype, out.dtype)
    cast = cast_number(held.value, out.dtype).item()
    return complete(writer, lambda _: (WordStep(held, out.shape, cast), ()), cast)


def plan_product(writer: Writer[Any], product: MatMul[Any]) -> Plan | None:
    """Plan a product whose terms are all 1."""
    out: Any = writer.out
    F, B = product.left, product.right
    if out.shape[0] * out.shape[1] < planned.LEAST_WORD_CELLS or not makes_truths(product.semiring):
        return None
    across = isinstance(B, Transposed)
    of = B.of if across else B
    if not is_matrix(F) or not is_matrix(of) or product.shape != out.shape or not fits_words(F.shape):
        return None
    if not out.engine is F.engine is of.engine:
        return None
    product.require_fit()
    matrix, words = of._storage, get_words(F)
    if words is None or not isinstance(matrix, CompressedMatrix):
        return None
    one = cast_number(1, out.dtype).item()

    def make_step(mask: Mask | None) -> Any:
        rows = find_rows(matrix, across)
        arcs = None if rows is None else words.count_arcs(rows)
        direction, facts = choose_word_direction(arcs, matrix.nvals, writer.direction)
        step = WordProduct(words, matrix, across, product.semiring, out.shape, one, mask, direction, arcs)
        return step, facts

    return complete(writer, make_step, one)


def complete(writer: Writer[Any], make_step: Any, number: Any) -> Plan | None:
    """Plan a step into the target of a writer; None if its mask, its accumulator or its target are not for words."""
    out: Any = writer.out
    mask, accum = None, writer.accum
    if not gives_new(accum, writer, number):
        return None
    if writer.mask is not None:
        require_mask(writer.mask, out.shape)
        mask = make_word_mask(writer.mask)
        if mask is None:
            return None
    unread = accum is None and (mask is None or writer.replace)
    target: Any = None if unread or is_empty(out) else get_words(out)
    if target is None and not unread and not is_empty(out):
        return None
    step, facts = make_step(mask)
    return Plan(step, target, out.dtype, mask, accum, writer.replace, facts)


def gives_new(accum: BinaryOp | None, writer: Writer[Any], number: Any) -> bool:
    """Whether an accumulator gives the new number wherever there is one, whatever was there before."""
    if accum is None or accum.name in OVERWRITES:
        return True
    return accum.name == "lor" and writer.out.dtype is BOOL and number is True


def make_word_mask(mask: MaskView) -> Mask | None:
    """Return a mask of structure, or of values that are all true, over words."""
    held = get_words(mask.of)
    return None if held is None or not (mask.structural or held.value) else Mask(held, True, mask.complement)  # type: ignore


def is_matrix(value: Any) -> bool:
    """Whether an operand is a matrix that holds its entries."""
    return getattr(value, "_computed", False) and hasattr(value, "_held") and value.rank == 2


def is_empty(container: Any) -> bool:
    """Whether a container is known to have no entry."""
    return isinstance(container._held, CompressedMatrix) and container._held.nvals == 0


def get_words(container: Any) -> WordMatrix | None:
    """Return the entries of a matrix as words, which are made if they are not at hand; None of a full matrix."""
    container = container._value
    if isinstance(container._held, WordMatrix):
        return container._held
    storage = container._storage
    return make_words(storage, container.engine) if isinstance(storage, CompressedMatrix) else None
