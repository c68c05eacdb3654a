"""Products of compressed matrices on a GPU: by rows, or by dot products with rows, columns or hubs in tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphla.engine.arrays.products import reduce_product
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries import extract, reduce
from graphla.engine.cuda.matmat import dots, pair_dots, rows, tropical
from graphla.planning.plan import can_join
from graphla.planning.steps import Mask, MatMat, Plan
from graphla.storage import Array, CompressedMatrix, FullMatrix
from graphla.storage.formats import as_compressed
from semirings import Monoid, any_pair
from semirings.dtypes import BOOL, DType


def multiply_tiles(engine: KernelEngine, step: MatMat) -> FullMatrix:
    """Multiply full matrices, tile by tile."""
    left, right = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    return FullMatrix(tropical.multiply(engine, step.semiring, left.values, right.values, step.out))


def compress_both(engine: KernelEngine, step: MatMat, by_columns: bool) -> tuple[CompressedMatrix, CompressedMatrix]:
    """Return both operands as CSR matrices, or B by columns: the rows of its transpose."""
    left = engine.orient(step.left, step.left_transposed)
    right = engine.orient(step.right, step.right_transposed != by_columns)
    return as_compressed(engine.xp, left), as_compressed(engine.xp, right)


def multiply_rows(engine: KernelEngine, step: MatMat) -> CompressedMatrix:
    """Multiply by rows."""
    return rows.multiply_rows(engine, step, *compress_both(engine, step, False))


def joins_nothing(step: MatMat) -> bool:
    """Whether a product by rows has terms that no atomic joins."""
    return step.how == "rows" and not can_join(step.semiring, step.out)


def multiply_found_cells(engine: KernelEngine, step: MatMat) -> CompressedMatrix:
    """Multiply where no atomic joins terms: find the cells that have any, then a dot product for each of these.

    The kernels by rows join terms by atomics, of which there is none of 16 bytes but a sum by parts; a dot product
    joins them in one thread after another.
    """
    left, right = compress_both(engine, step, False)
    cells = rows.multiply_rows(engine, replace(step, semiring=any_pair, out=BOOL), left, right)
    step = replace(step, how="dots", mask=Mask(cells, True, False))
    return dots.multiply_dots(engine, step, left, engine.transpose(right))


def multiply_dots(engine: KernelEngine, step: MatMat) -> CompressedMatrix:
    """Compute a dot product for each entry of the mask."""
    dots.begin(engine, step)
    return dots.multiply_dots(engine, step, *compress_both(engine, step, True))


def multiply_pairs(engine: KernelEngine, step: MatMat) -> CompressedMatrix:
    """The same with rows of bits for hub columns."""
    return pair_dots.multiply_pairs(engine, step, *compress_both(engine, step, True))


def multiply_columns(engine: KernelEngine, step: MatMat) -> CompressedMatrix:
    """The same with the columns of B in tables: as the transpose of the transposed product."""
    return extract.transpose(engine, as_compressed(engine.xp, engine.compute(turn(engine, step))))


def turn(engine: KernelEngine, step: MatMat) -> MatMat:
    """Return Cᵀ⟨Mᵀ⟩ = Bᵀ ⊕.⊗ Aᵀ, where ⊗ commutes."""
    mask = engine.transpose(engine.list_mask(step.mask))  # type: ignore[arg-type]
    return replace(
        step,
        left=step.right,
        left_transposed=not step.right_transposed,
        right=step.left,
        right_transposed=not step.left_transposed,
        shape=step.shape[::-1],
        mask=Mask(mask, True, False),
        schedule="rows",
    )


def reduce_turned(engine: KernelEngine, plan: Plan) -> Any:
    """Reduce the transpose of a product by columns, which has the same sum."""
    step: Any = plan.step
    return engine.run(replace(plan, step=replace(step, product=turn(engine, step.product))))


def reduce_as_computed(engine: KernelEngine, plan: Plan) -> Any:
    """Reduce dot products without a matrix of them."""
    return reduce_product(engine, plan, reduce_dots)


def sums_dots(plan: Plan) -> bool:
    """Whether dot products are reduced without a matrix of them."""
    return plan.step.product.schedule in ("rows", "hubs") and plan.step.monoid.name != "any"  # type: ignore[union-attr]


def reduce_dots(engine: KernelEngine, product: MatMat, monoid: Monoid, out: DType) -> Array | None:
    """Reduce dot products that are computed at once, to an array of one; None if there is none."""
    if product.schedule != "hubs":
        dots.begin(engine, product)
    left, right = compress_both(engine, product, True)
    compute = pair_dots.compute_pairs if product.schedule == "hubs" else dots.compute_dots
    found = compute(engine, product, left, right)
    if found is None or not engine.lists.count_true(found[1]):
        return None
    return reduce.reduce_values(engine, monoid, found[0].values, out, found[1])
