"""From the recorded body of a loop to the plan that runs it as one: a pure function, or a reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.language.expr import Apply, Ewise, Leaf, MatMul
from graphla.language.nodes import Select
from graphla.language.scalars import beside_thunk, bound_dtype, scalar_dtype
from graphla.planning.loop_body import (
    Body,
    Held,
    LoopPlan,
    Mapped,
    MaskOf,
    Merged,
    Number,
    Product,
    RoundNumber,
    Selected,
    Statement,
    Term,
)
from graphla.planning.plan import product_dtype, read, stops_early
from graphla.planning.steps import Direction
from graphla.storage import CompressedMatrix
from semirings import IndexUnaryOp, Monoid, UnaryOp
from semirings.dtypes import DType

MOST_VECTORS, MOST_NUMBERS = 6, 4
"""What a launch has room for."""
QUEUE_BYTES = 32
"""Of a frontier as a queue (the vertex, and two numbers of arcs of up to eight bytes) and as three lists."""


class Unfused(Exception):
    """The body does not run as one kernel; the text says why."""


class Fusion:
    """The vectors and numbers met so far, each under the number of its slot."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.vectors: list[Any] = []
        self.known: dict[int, Held] = {}
        self.numbers: list[tuple[Any, DType]] = []

    def held(self, vector: Any) -> Held:
        """The slot of a vector."""
        found = self.known.get(id(vector))
        if found is not None:
            return found
        if not isinstance(vector, Leaf) or vector.shape != (self.size,):
            raise Unfused(f"it has an operand that is no vector of size {self.size:,}")
        if len(self.vectors) == MOST_VECTORS:
            raise Unfused(f"it has more than {MOST_VECTORS} vectors")
        held = self.known[id(vector)] = Held(len(self.vectors), vector.dtype)
        self.vectors.append(vector)
        return held

    def number(self, value: Any, dtype: DType) -> Number:
        """A place among the bound numbers."""
        if len(self.numbers) == MOST_NUMBERS:
            raise Unfused(f"it has more than {MOST_NUMBERS} bound numbers")
        self.numbers.append((value, dtype))
        return Number(len(self.numbers) - 1, dtype)

    def mask(self, mask: Any) -> MaskOf | None:
        return None if mask is None else MaskOf(self.held(mask.of).slot, mask.structural, mask.complement)

    def statement(self, update: Any, term: Term) -> Statement:
        accum = update.accum.op if isinstance(update.accum, Monoid) else update.accum
        return Statement(self.held(update.out), self.mask(update.mask), accum, update.replace, term)

    def term(self, value: Any, dtype: DType) -> Term:
        """What a statement without a product assigns."""
        if isinstance(value, Ewise):
            return self.merged(value)
        if isinstance(value, Apply):
            return self.mapped(value)
        if isinstance(value, Select):
            of = self.held(value.of)
            thunk = scalar_dtype(value.thunk, beside_thunk(value.op, of.dtype))
            return Selected(of, value.op, self.number(value.thunk, thunk))
        if isinstance(value, Leaf):
            return self.held(value)
        if hasattr(value, "now"):
            return RoundNumber(dtype)
        if isinstance(value, bool | int | float):
            return self.number(value, dtype)
        raise Unfused(f"it has an expression of another kind: {value!r}")

    def merged(self, e: Ewise) -> Merged:
        left, right = self.held(e.left), self.held(e.right)
        fills = None
        if e.fills is not None:
            fills = self.number(e.fills[0], left.dtype), self.number(e.fills[1], right.dtype)
        return Merged(left, right, e.op, e.dtype, e.union, fills)

    def mapped(self, e: Apply) -> Mapped:
        of = self.held(e.of)
        if isinstance(e.op, UnaryOp):
            return Mapped(of, e.op, None, False, e.dtype)
        if isinstance(e.op, IndexUnaryOp):
            beside = scalar_dtype(e.bound, beside_thunk(e.op, of.dtype))
        else:
            beside = bound_dtype(e.bound, of.dtype)
        return Mapped(of, e.op, self.number(e.bound, beside), e.bound_left, e.dtype)


def fused(recorded: Sequence[Any], live: Any, limit: int) -> tuple[LoopPlan, tuple[Any, ...]]:
    """The plan of a loop over recorded statements, and the vectors in its slots.

    Raises
    ------
    Unfused
        If the body is of another kind: a matrix and vectors of its size, one product of the two, and beside it unions,
        intersections, maps, selections, copies and numbers are what one kernel runs.
    """
    products = [place for place, step in enumerate(recorded) if isinstance(step.value, MatMul)]
    if len(products) != 1:
        raise Unfused(f"it has {len(products)} products, and a kernel is built around one")
    if any(step.update.index is not None for step in recorded):
        raise Unfused("it assigns to a part of a vector")
    at = products[0]
    update, e = recorded[at].update, recorded[at].value
    matrix, transposed, vector, flip = operands(e)
    fusion = Fusion(matrix.shape[0])
    out = product_dtype(e, update.out.dtype)
    parts = [
        fusion.statement(s.update, Product(out) if s.value is e else fusion.term(s.value, s.update.out.dtype))
        for s in recorded
    ]
    body = Body(
        before=tuple(parts[:at]),
        after=tuple(parts[at:]),
        operand=fusion.held(vector).slot,
        mask=parts[at].mask,
        live=None if live is None else fusion.held(live).slot,
        types=tuple(held.dtype for held in fusion.known.values()),
        semiring=e.semiring,
        matrix=(e.right if flip else e.left).dtype,
        out=out,
        flip=flip,
        early=stops_early(e.semiring, out),
    )
    rows_are_k = transposed != flip
    nbytes = fusion.size * (QUEUE_BYTES + len(fusion.vectors) * 2 + out.bits // 8)
    slots = tuple(vector._unmoved for vector in fusion.vectors)
    direction: Direction | None = update.direction
    numbers = tuple(fusion.numbers)
    plan = LoopPlan(body, slots, numbers, matrix, not rows_are_k, rows_are_k, direction, limit, nbytes)
    return plan, tuple(fusion.vectors)


def operands(e: MatMul) -> tuple[CompressedMatrix, bool, Any, bool]:
    """The matrix, whether it is transposed, the vector, and whether that comes first."""
    if (e.left.rank, e.right.rank) not in ((2, 1), (1, 2)):
        raise Unfused("its product is not one of a matrix and a vector")
    flip = e.left.rank == 1
    (matrix, transposed), vector = read(e.right if flip else e.left), e.left if flip else e.right
    if not isinstance(matrix, CompressedMatrix) or matrix.nrows != matrix.ncols or not matrix.nvals:
        raise Unfused("its matrix is full, empty or not square")
    return matrix, transposed, vector, flip
