"""Statements over matrices of few rows whose structure is packed in words: recognised, and planned.

Their targets and masks need not be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from graphla.language.expr import Expr
from graphla.language.masks import MaskView
from graphla.language.operand import Transposed
from graphla.language.products import Ewise, MatMul
from graphla.planning import words as planned
from graphla.planning.plan import require_complex
from graphla.planning.steps import Direction, Fact, Mask, Plan, WordProduct, WordStep
from graphla.planning.words import choose_word_direction, find_rows, fits_words, gives_one, makes_truths, pays_on_cpu
from graphla.storage import CompressedMatrix, FullMatrix
from graphla.storage.cast import cast_number
from graphla.storage.words import WordMatrix, has_words, make_words
from semirings import BinaryOp
from semirings.dtypes import BOOL, DType

MakeStep = Callable[[Mask | None, bool], tuple[Any, tuple[Fact, ...]]]
"""Makes a step from the mask, and from whether old entries stay; with the facts that decided."""
OVERWRITES = ("second", "any")
"""Accumulators that give the new number wherever there is one."""


class Statement(NamedTuple):
    """What is written into a matrix, or into a new one (`target` is None), and how."""

    target: Any
    shape: Any
    dtype: DType
    engine: Any
    mask: MaskView | None
    accum: BinaryOp | None
    replace: bool
    direction: Direction | None

    @property
    def large(self) -> bool:
        """Whether words are made for this statement, where nothing is packed yet."""
        return self.shape[0] * self.shape[1] >= planned.LEAST_WORD_CELLS

    @property
    def overwrites(self) -> bool:
        """Whether no old entry stays."""
        return self.accum is None and (self.mask is None or self.replace)

    def has_words(self, *operands: Any) -> bool:
        """Whether the mask, the target or one of the operands is packed."""
        mask = None if self.mask is None else self.mask.of
        return any(has_words(getattr(one, "_held", None)) for one in (self.target, mask, *operands))


def may_pack(engine: Any, shape: Any) -> bool:
    """Whether what an engine holds of this shape may be packed."""
    return len(shape) == 2 and engine.holds_words and fits_words(shape)  # a scalar has no engine


def plan_matrix(statement: Statement, value: Expr[Any]) -> Plan | None:
    """Plan to write a product, a union, an intersection or another matrix; None if it is planned otherwise."""
    if isinstance(value, MatMul):
        return plan_product(statement, value)
    if isinstance(value, Ewise):
        return plan_ewise(statement, value)
    return plan_copy(statement, value) if is_matrix(value) else None


def runs_by_words(statements: Sequence[Any]) -> bool:
    """Whether a loop runs faster by statements, all of which are over words, as one of its products is large."""
    arcs = [count_loop_arcs(s.update, s.value) for s in statements]
    return all(found is not None for found in arcs) and sum(found or 0 for found in arcs) >= planned.LEAST_LOOP_ARCS


def count_loop_arcs(writer: Any, value: Any) -> float | None:
    """Return the arcs of a statement's product times its rows: 0 if it has none, None if it is not over words."""
    out = writer.out
    if writer.index is not None or not may_pack(out.engine, out.shape):
        return None
    if not isinstance(value, MatMul):
        return 0.0 if is_matrix(value) or getattr(value, "rank", 0) == 0 else None
    right: Any = value.right  # type: ignore[reportUnknownMemberType]
    B = right.of if isinstance(right, Transposed) else right
    if not makes_truths(value.semiring) or not is_matrix(value.left) or not is_matrix(B):
        return None
    large = out.engine.streams_words and out.shape[0] * out.shape[1] >= planned.LEAST_WORD_CELLS
    return float(out.shape[0] * B.nvals) if large else None


def plan_value(statement: Statement, number: Any) -> Plan | None:
    """Plan to write a number under a mask: if one of the matrices is packed, or the first number into a large one."""
    mask, shape = statement.mask, statement.shape
    if mask is None:
        return None
    begins = statement.large and statement.engine.streams_words
    first = begins and is_empty(statement.target) and not mask.complement
    if not first and not statement.has_words():
        return None
    cast = convert_number(number, statement.dtype)
    return complete(statement, lambda mask, joins: (WordStep(None, None, True, shape, cast), ()), cast)


def plan_copy(statement: Statement, value: Any) -> Plan | None:
    """Plan to write another matrix whose entries hold one number, or to share the arrays of any other."""
    if value.engine is not statement.engine or not statement.has_words(value):
        return None
    held, shape, dtype = get_words(value), statement.shape, statement.dtype
    if held is None:
        return None
    if statement.mask is None and statement.accum is None and value.dtype is dtype:
        return Plan(WordStep(held, None, True, shape, None), None, dtype)
    if held.value is None:
        return None
    require_complex(value.dtype, dtype)
    cast = convert_number(held.value, dtype)
    return complete(statement, lambda mask, joins: (WordStep(held, None, True, shape, cast), ()), cast)


def plan_ewise(statement: Statement, value: Ewise[Any]) -> Plan | None:
    """Plan a union or an intersection of two matrices that hold 1 in each entry."""
    sides = value.left, value.right
    if value.fills is not None or not gives_one(value.op) or not all(is_matrix(side) for side in sides):
        return None
    if any(side.engine is not statement.engine for side in sides) or not statement.has_words(*sides):
        return None
    value.require_fit()
    left, right = (get_words(side) for side in sides)
    if left is None or right is None or left.value != 1 or right.value != 1:
        return None
    one = convert_number(1, statement.dtype)
    return complete(statement, lambda mask, joins: (WordStep(left, right, value.union, statement.shape, one), ()), one)


def plan_product(statement: Statement, product: MatMul[Any]) -> Plan | None:
    """Plan a product whose terms are all 1."""
    if not statement.large or not makes_truths(product.semiring):
        return None
    F, B = product.left, product.right
    across = isinstance(B, Transposed)
    of = B.of if across else B
    if not is_matrix(F) or not is_matrix(of) or not statement.engine is F.engine is of.engine:
        return None
    product.require_fit()
    matrix, few = of._storage, F._held if isinstance(F._held, WordMatrix) else F._storage
    if not isinstance(matrix, CompressedMatrix) or isinstance(few, FullMatrix) or not fits_words(F.shape):
        return None
    if not statement.engine.streams_words and not pays_on_cpu(few, statement.shape[0], matrix):
        return None
    words: Any = get_words(F)
    one = convert_number(1, statement.dtype)

    def make_step(mask: Mask | None, joins: bool) -> Any:
        rows = find_rows(matrix, across)
        arcs = None if rows is None else words.count_arcs(rows)
        direction, facts = choose_word_direction(arcs, matrix.nvals, statement.direction)
        step = WordProduct(words, matrix, across, product.semiring, statement.shape, one, mask, direction, arcs, joins)
        return step, facts

    return complete(statement, make_step, one)


def complete(statement: Statement, make_step: MakeStep, number: Any) -> Plan | None:
    """Plan a step into its target; None if its mask, its accumulator or its target are not for words."""
    mask, out, accum = None, statement.target, statement.accum
    if not gives_new(accum, statement.dtype, number):
        return None
    if statement.mask is not None:
        mask = make_word_mask(statement.mask)
        if mask is None:
            return None
    unread = out is None or statement.overwrites or is_empty(out)
    target: Any = None if unread else get_words(out)
    if target is None and not unread:
        return None
    step, facts = make_step(mask, target is not None)
    return Plan(step, target, statement.dtype, mask, accum, statement.replace, facts)


@lru_cache(maxsize=1024, typed=True)
def convert_number(number: Any, dtype: DType) -> Any:
    """Return a number of Python as one that the dtype holds."""
    return cast_number(number, dtype).item()


def gives_new(accum: BinaryOp | None, dtype: DType, number: Any) -> bool:
    """Whether an accumulator gives the new number wherever there is one, whatever was there before."""
    if accum is None or accum.name in OVERWRITES:
        return True
    return accum.name == "lor" and dtype is BOOL and number is True


def make_word_mask(mask: MaskView) -> Mask | None:
    """Return a mask of structure, or of values that are all true, over words."""
    of: Any = mask.of._value
    if not mask.structural and not isinstance(of._held, WordMatrix):
        storage = of._storage
        if not isinstance(storage, CompressedMatrix) or not storage.cached("all true", of.engine.are_all_true):
            return None
    held: Any = get_words(of)
    return None if held is None or not (mask.structural or held.value) else Mask(held, True, mask.complement)


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
