"""C = A ⊕.⊗ B on the CPU: full tiles, a full operand, by rows, or dot products under a mask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from graphla.common.memory import SMALLER, require
from graphla.engine.arrays.lookup import select_true
from graphla.engine.cpu import bits, structure, work
from graphla.engine.cpu.entries.one_pass import fill_once
from graphla.engine.cpu.entries.pointers import bound_products, make_pointers
from graphla.engine.cpu.entries.two_pass import count_rows
from graphla.engine.cpu.templates import compile_product, compile_scale
from graphla.engine.cpu.threads import run_over_rows
from graphla.planning.steps import Mask, MatMat
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.formats import as_compressed, choose_index_dtype, list_rows
from semirings import lor_land
from semirings.dtypes import BOOL

NO_ROWS = np.zeros(1, "int32")
PRODUCT_COST, DOT_COST = 8, 32
"""What a product by rows and a dot product take, in passes over an entry."""


def multiply_truths(engine: Any, step: MatMat) -> FullMatrix:
    """Multiply full matrices of truths, 64 at a time."""
    left, right = orient_both(engine, step)
    return FullMatrix(bits.lor_land(left.values, right.values))


def multiplies_truths(step: MatMat) -> bool:
    """Whether a step joins truths of full matrices."""
    return step.how == "tiles" and step.semiring == lor_land and step.left.type is BOOL is step.right.type


def multiply_tiles(engine: Any, step: MatMat) -> FullMatrix:
    """Multiply full matrices, tile by tile."""
    left, right = orient_both(engine, step)
    out = np.empty(step.shape, step.out.numpy)
    kernel = compile_product("full", step.semiring, left.type, right.type, step.out, False).multiply_full
    kernel(left.values, right.values, out)
    return FullMatrix(out)


def orient_both(engine: Any, step: MatMat, by_columns: bool = False) -> tuple[Any, Any]:
    """Return both operands by rows, or B by columns: the rows of its transpose."""
    right = engine.orient(step.right, step.right_transposed != by_columns)
    return engine.orient(step.left, step.left_transposed), right


def compress_both(engine: Any, step: MatMat, by_columns: bool = False) -> tuple[CompressedMatrix, CompressedMatrix]:
    """The same as CSR matrices."""
    left, right = orient_both(engine, step, by_columns)
    return as_compressed(np, left), as_compressed(np, right)


def multiplies_full(step: MatMat) -> bool:
    """Whether a step multiplies a full matrix and a compressed one that is not diagonal."""
    return step.how == "rows" and work.multiplies_full(step)


def multiply_full(engine: Any, step: MatMat) -> MatrixStorage:
    """Multiply a full matrix and a compressed one; F @ A as its transpose, by the rows of A transposed."""
    left, right = orient_both(engine, step)
    flip = isinstance(left, FullMatrix)
    full, rows = (left, engine.transpose(right)) if flip else (right, left)  # type: ignore[arg-type]
    dense = np.ascontiguousarray(full.values.T) if flip else full.values
    out = np.empty((rows.nrows, dense.shape[1]), step.out.numpy)
    module = compile_product("few", step.semiring, rows.type, full.type, step.out, flip)
    run_over_rows(
        module.multiply_rows,
        rows.indptr,
        rows.nvals * dense.shape[1],
        rows.indptr,
        rows.indices,
        rows.values,
        dense,
        out,
    )
    filled = list_rows(rows)
    if filled.size == rows.nrows:
        return FullMatrix(np.ascontiguousarray(out.T) if flip else out)
    return spread_rows(out, filled, flip)


def spread_rows(out: Array, filled: Array, flip: bool) -> CompressedMatrix:
    """Return a matrix with the given rows of `out` and no entry in the others; with `flip` its transpose."""
    nrows, width = out.shape
    entries = filled.size * width
    if flip:
        indptr = np.arange(width + 1, dtype=choose_index_dtype(entries)) * filled.size
        columns = np.tile(filled.astype(choose_index_dtype(nrows)), width)
        return CompressedMatrix(width, nrows, indptr, columns, out[filled].T.reshape(-1))
    lengths = np.zeros(nrows + 1, "int64")
    lengths[filled + 1] = width
    columns = np.tile(np.arange(width, dtype=choose_index_dtype(width)), filled.size)
    return CompressedMatrix(
        nrows, width, lengths.cumsum(dtype=choose_index_dtype(entries)), columns, out[filled].reshape(-1)
    )


def multiply_rows(engine: Any, step: MatMat) -> CompressedMatrix:
    """Multiply by rows (Gustavson) into room for all entries that there could be; count them if it is scarce."""
    left, right = compress_both(engine, step)
    masked = step.mask is not None
    module = compile_product("rows", step.semiring, left.type, right.type, step.out, False, masked)
    item = step.out.bits // 8
    mode, *mask = make_mask_rows(step.mask)
    products, bounds = bound_products(left, right, mask[0] if mode == 1 else NO_ROWS, step.shape[1])
    if mode != 1 and not work.has_room(int(bounds[-1]) * (4 + item)):
        bounds, entries = make_pointers(count_product(left, right, products))
        require(entries * (4 + item), f"a product of {entries:,} entries", np, SMALLER)
    given = (
        left.indptr, left.indices, left.values, right.indptr, right.indices, right.values, mode, *mask, products,
    )  # fmt: skip
    fill = bring_marks(module.fill, step)
    return fill_once(fill, (products,), (bounds,), given, step.shape[1], step.out.numpy, PRODUCT_COST)


def bring_marks(kernel: Callable[..., Any], step: MatMat) -> Callable[..., Any]:
    """Give each call of a kernel marks for the columns, and room for their sums.

    NumPy allocates them, because an allocation inside a kernel takes a tenth of a second to compile.
    """
    width = step.shape[1]
    masked = width if step.mask is not None and step.mask.complement else 1

    def call(*arguments: Any) -> Any:
        return kernel(*arguments, np.zeros(width, "int32"), np.zeros(masked, "int32"), np.empty(width, step.out.numpy))

    return call


def count_product(left: CompressedMatrix, right: CompressedMatrix, products: Array) -> Array:
    """Count the entries of each row of a product."""

    def count(*given: Any) -> Any:
        return structure.count_entries(*given, np.zeros(right.ncols, "int32"))

    arrays = left.indptr, left.indices, right.indptr, right.indices
    return count_rows(count, products, int(products[-1]), *arrays)


def make_mask_rows(mask: Mask | None) -> tuple[int, Array, Array]:
    """Return a mode and the mask as CSR: 0 for no mask, 1 to keep its entries, 2 to leave them out."""
    if mask is None:
        return 0, NO_ROWS, NO_ROWS
    rows = select_true(np, mask)
    return 2 if mask.complement else 1, rows.indptr, rows.indices


def multiply_dots(engine: Any, step: MatMat) -> CompressedMatrix:
    """Compute one dot product per entry of the mask."""
    left, right = compress_both(engine, step, by_columns=True)
    mask = select_true(np, step.mask)  # type: ignore[arg-type]
    kernel = compile_product("dots", step.semiring, left.type, right.type, step.out, False).compute_dots

    def compute(*given: Any) -> Any:
        return kernel(*given, np.zeros(left.ncols, "int32"), np.empty(left.ncols, "int64"))

    given = (
        mask.indptr, mask.indices, left.indptr, left.indices, left.values,
        right.indptr, right.indices, right.values,
    )  # fmt: skip
    return fill_once(compute, (mask.indptr,), (mask.indptr,), given, step.shape[1], step.out.numpy, DOT_COST)


def scale(step: MatMat, by_rows: bool, diagonal: Array, matrix: CompressedMatrix) -> Array:
    """Compute d[i] ⊗ A[i, j] or A[i, j] ⊗ d[j] for each entry of A, in one pass."""
    module = compile_scale(step.semiring.multiply, step.left.type, step.right.type, step.out)
    kernel = module.scale_rows if by_rows else module.scale_columns
    given = (diagonal, matrix.values) if by_rows else (matrix.indices, matrix.values, diagonal)
    out = np.empty(matrix.nvals, step.out.numpy)
    run_over_rows(kernel, matrix.indptr, matrix.nvals, matrix.indptr, *given, out)
    return out
