"""Fuse the recorded body of a loop into one `LoopPlan`, or say why it cannot be fused. A pure function."""

# pyright: reportUnknownArgumentType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.language.apply import Apply, Select
from graphla.language.expr import is_operand
from graphla.language.products import Ewise, MatMul
from graphla.language.scalars import choose_bound_dtype, choose_thunk_dtype, is_read_later
from graphla.planning.loops.kernel_body import (
    ApplyTerm,
    Body,
    EwiseTerm,
    LoopPlan,
    NumberTerm,
    ProductTerm,
    RoundTerm,
    SelectTerm,
    SlotMask,
    SlotTerm,
    Statement,
    Term,
)
from graphla.planning.plan import choose_product_dtype, read_operand, stops_early
from graphla.planning.steps import Direction
from graphla.storage import CompressedMatrix, Deferred, VectorStorage
from graphla.storage.deferred import FewEntries
from semirings import IndexUnaryOp, Monoid, UnaryOp
from semirings.dtypes import DType

MOST_VECTORS, MOST_NUMBERS = 6, 4
"""The most vectors and bound numbers that the loop kernel takes."""
QUEUE_BYTES = 32
"""Bytes per vertex of a frontier as a queue (the vertex, two arc counts of up to eight bytes) and as three lists."""


class Unfused(Exception):
    """The body cannot run as one kernel; the message says why."""


class Fusion:
    """Collects the vectors and bound numbers of a body. Each vector gets a slot, each number an index."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.vectors: list[Any] = []
        self.known: dict[int, SlotTerm] = {}
        self.numbers: list[tuple[Any, DType]] = []

    def add_vector(self, vector: Any) -> SlotTerm:
        """Return the slot of a vector, a new one if the vector has none yet."""
        known = self.known.get(id(vector))
        if known is not None:
            return known
        if not (is_operand(vector) and vector.shape == (self.size,)):
            raise Unfused(f"it has an operand that is no vector of size {self.size:,}")
        if vector.dtype.kind == "c":
            raise Unfused("it has complex numbers, which are wider than the numbers of a loop")
        if len(self.vectors) == MOST_VECTORS:
            raise Unfused(f"it has more than {MOST_VECTORS} vectors")
        slot = self.known[id(vector)] = SlotTerm(len(self.vectors), vector.dtype)
        self.vectors.append(vector)
        return slot

    def add_number(self, value: Any, dtype: DType) -> NumberTerm:
        """Add a bound number, or that of a Scalar which the body does not write."""
        if is_read_later(value):
            value = getattr(value, "_number", None)
            if value is None:
                raise Unfused("it computes a number in each round, or a Scalar is empty")
        if len(self.numbers) == MOST_NUMBERS:
            raise Unfused(f"it has more than {MOST_NUMBERS} bound numbers")
        self.numbers.append((value, dtype))
        return NumberTerm(len(self.numbers) - 1, dtype)

    def make_mask(self, mask: Any) -> SlotMask | None:
        return None if mask is None else SlotMask(self.add_vector(mask.of).slot, mask.structural, mask.complement)

    def make_statement(self, update: Any, term: Term) -> Statement:
        accum = update.accum.op if isinstance(update.accum, Monoid) else update.accum
        return Statement(self.add_vector(update.out), self.make_mask(update.mask), accum, update.replace, term)

    def make_term(self, value: Any, dtype: DType) -> Term:
        """Translate the right-hand side of a statement without a product."""
        if isinstance(value, Ewise):
            return self.make_ewise_term(value)
        if isinstance(value, Apply):
            return self.make_apply_term(value)
        if isinstance(value, Select):
            of = self.add_vector(value.of)
            thunk = choose_thunk_dtype(value.thunk, value.op, of.dtype)
            return SelectTerm(of, value.op, self.add_number(value.thunk, thunk))
        if is_operand(value):
            return self.add_vector(value)
        if hasattr(value, "now"):
            return RoundTerm(dtype)
        if isinstance(value, bool | int | float | complex):
            return self.add_number(value, dtype)
        raise Unfused(f"it has an expression of another kind: {value!r}")

    def make_ewise_term(self, e: Ewise[Any]) -> EwiseTerm:
        left, right = self.add_vector(e.left), self.add_vector(e.right)
        fills = None
        if e.fills is not None:
            fills = self.add_number(e.fills[0], left.dtype), self.add_number(e.fills[1], right.dtype)
        return EwiseTerm(left, right, e.op, e.dtype, e.union, fills)

    def make_apply_term(self, e: Apply[Any]) -> ApplyTerm:
        of = self.add_vector(e.of)
        if isinstance(e.op, UnaryOp):
            return ApplyTerm(of, e.op, None, False, e.dtype)
        if isinstance(e.op, IndexUnaryOp):
            beside = choose_thunk_dtype(e.bound, e.op, of.dtype)
        else:
            beside = choose_bound_dtype(e.bound, of.dtype)
        return ApplyTerm(of, e.op, self.add_number(e.bound, beside), e.bound_left, e.dtype)


def fuse(recorded: Sequence[Any], live: Any, limit: int) -> tuple[LoopPlan, tuple[Any, ...]]:
    """Build the plan of a loop over recorded statements; return it with the vectors in its slots.

    Raises
    ------
    Unfused
        If one kernel cannot run the body. The body needs exactly one product, of a matrix and a vector; every vector
        has the size of the matrix. The other statements may be element-wise unions and intersections, applies,
        selects, copies and numbers.
    """
    products = [index for index, step in enumerate(recorded) if isinstance(step.value, MatMul)]
    if len(products) != 1:
        raise Unfused(f"it has {len(products)} products, and a kernel is built around one")
    if any(step.update.index is not None for step in recorded):
        raise Unfused("it assigns to a part of a vector")
    at = products[0]
    update, e = recorded[at].update, recorded[at].value
    matrix, transposed, vector, flip = split_product(e)
    fusion = Fusion(matrix.shape[0])
    out = choose_product_dtype(e, update.out.dtype)
    parts = [
        fusion.make_statement(
            s.update, ProductTerm(out) if s.value is e else fusion.make_term(s.value, s.update.out.dtype)
        )
        for s in recorded
    ]
    body = Body(
        before=tuple(parts[:at]),
        after=tuple(parts[at:]),
        operand=fusion.add_vector(vector).slot,
        mask=parts[at].mask,
        live=None if live is None else fusion.add_vector(live).slot,
        types=tuple(slot.dtype for slot in fusion.known.values()),
        semiring=e.semiring,
        matrix=(e.right if flip else e.left).dtype,
        out=out,
        flip=flip,
        early=stops_early(e.semiring, out),
    )
    rows_are_k = transposed != flip
    nbytes = fusion.size * (QUEUE_BYTES + len(fusion.vectors) * 2 + out.bits // 8)
    slots = tuple(read_slot(vector) for vector in fusion.vectors)
    direction: Direction | None = update.direction
    numbers = tuple(fusion.numbers)
    plan = LoopPlan(body, slots, numbers, matrix, not rows_are_k, rows_are_k, direction, limit, nbytes)
    return plan, tuple(fusion.vectors)


def read_slot(vector: Any) -> VectorStorage | Deferred:
    """Return the storage of a vector; a few entries in host memory stay there, for a launch can carry them."""
    return vector._held if isinstance(vector._held, FewEntries) else vector._storage


def split_product(e: MatMul[Any]) -> tuple[CompressedMatrix, bool, Any, bool]:
    """Return the matrix of a product, whether it is transposed, the vector, and whether the vector comes first."""
    if (e.left.rank, e.right.rank) not in ((2, 1), (1, 2)):
        raise Unfused("its product is not one of a matrix and a vector")
    flip = e.left.rank == 1
    (matrix, transposed), vector = read_operand(e.right if flip else e.left), e.left if flip else e.right
    if not isinstance(matrix, CompressedMatrix) or matrix.nrows != matrix.ncols or not matrix.nvals:
        raise Unfused("its matrix is full, empty or not square")
    return matrix, transposed, vector, flip
