"""Products that are made of others: with a diagonal matrix, with one row or column, and their sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.arrays.pieces import find_most_entries, split_rows
from graphla.planning.degrees import is_diagonal
from graphla.planning.steps import MatMat, MatVec, Plan
from graphla.storage import Array, BitmapVector, CompressedMatrix, Deferred, FullVector, MatrixStorage, SparseVector
from graphla.storage.convert import count_true, expand_rows, gather
from graphla.storage.formats import as_bitmap, as_compressed, as_row_or_column, list_rows
from semirings import Monoid
from semirings.dtypes import DType


@dataclass(frozen=True, eq=False)
class Line(Deferred):
    """A matrix of one row or one column, made of a vector that is still being computed."""

    vector: Deferred
    shape: tuple[int, int]
    lay_out: Callable[[Any], MatrixStorage]

    @property
    def dtype(self) -> str:  # type: ignore[override]
        return self.vector.dtype

    def resolve(self) -> MatrixStorage:
        return self.lay_out(self.vector.resolve())


def multiply_by_diagonal(engine: ArrayOperations, step: MatMat) -> MatrixStorage:
    """Compute a product with a diagonal matrix: the structure of the other operand stays.

    Where the diagonal has no entry, neither has the row or the column of the result.
    """
    by_rows = is_diagonal(step.left)
    scaled, transposed = (step.right, step.right_transposed) if by_rows else (step.left, step.left_transposed)
    matrix = as_compressed(engine.xp, engine.orient(scaled, transposed))
    held: Any = step.left if by_rows else step.right
    diagonal = held.values
    if held.nvals < held.nrows:
        spread = as_bitmap(engine.xp, SparseVector(held.nrows, held.indices, held.values))
        matrix, diagonal = select_lines(engine, matrix, spread.present, by_rows), spread.values
    return CompressedMatrix(*step.shape, matrix.indptr, matrix.indices, engine.scale(step, by_rows, diagonal, matrix))


def select_lines(engine: ArrayOperations, matrix: CompressedMatrix, present: Array, by_rows: bool) -> CompressedMatrix:
    """Return the entries in the rows, or in the columns, with a flag; the matrix itself if these are all."""
    if by_rows and count_true(gather(present, list_rows(matrix))) == list_rows(matrix).shape[0]:
        return matrix
    flags = gather(present, expand_rows(matrix) if by_rows else matrix.indices)
    return matrix if count_true(flags) == matrix.nvals else engine.select_flagged_rows(matrix, flags)


def multiply_by_vector(engine: ArrayOperations, step: MatMat) -> MatrixStorage:
    """Compute a product with a matrix of one row or one column as the product with a vector."""
    product: Any = step.vector
    result = engine.compute(product)
    if isinstance(result, Deferred):
        return Line(result, step.shape, lambda found: lay_out(engine, step, product, found))  # type: ignore[return-value]
    return lay_out(engine, step, product, result)


def lay_out(engine: ArrayOperations, step: MatMat, product: MatVec, found: Any) -> MatrixStorage:
    """Return the product with a vector as a matrix of one row or one column."""
    if isinstance(found, BitmapVector) and reads_every_arc(product):
        matrix = engine.orient(product.matrix, product.transposed)
        along = "row" if step.shape[0] == 1 else "column"
        pointers, indices = matrix.cached(f"filled_{along}", lambda held: place_line(engine, held, along))
        return CompressedMatrix(*step.shape, pointers, indices, gather(found.values, list_rows(matrix)))
    return as_row_or_column(engine.xp, found, step.shape)


def reads_every_arc(product: MatVec) -> bool:
    """Whether a pull has a result in each row that has entries."""
    full = isinstance(product.vector, FullVector) and isinstance(product.matrix, CompressedMatrix)
    return full and product.mask is None and product.direction == "pull"


def place_line(engine: ArrayOperations, matrix: CompressedMatrix, along: str) -> tuple[Array, Array]:
    """Return row pointers and columns of a row, or of a column, with an entry for each row that has any."""
    rows = list_rows(matrix)
    shape = (1, matrix.nrows) if along == "row" else (matrix.nrows, 1)
    line = as_row_or_column(engine.xp, SparseVector(matrix.nrows, rows, rows), shape)
    compressed = as_compressed(engine.xp, line)
    return compressed.indptr, compressed.indices


def reduce_product(
    engine: ArrayOperations,
    plan: Plan,
    reduce_piece: Callable[..., Array | None] | None = None,
) -> Any:
    """Reduce a masked product, a piece of its rows after the other; None if it has no entry."""
    step: Any = plan.step
    reduce_piece = reduce_piece or reduce_entries
    pieces = split_rows(engine, step.product, find_most_entries(step.product))
    reduced = [reduce_piece(engine, piece, step.monoid, step.out) for piece in pieces]
    found = [part for part in reduced if part is not None]
    if not found:
        return None
    whole = found[0] if len(found) == 1 else engine.reduce_values(step.monoid, engine.xp.concatenate(found), step.out)
    return engine.to_host(whole)[0]


def reduce_entries(engine: ArrayOperations, product: MatMat, monoid: Monoid, out: DType) -> Array | None:
    """Reduce a product of which all entries are computed at once, to an array of one; None if there is none."""
    matrix = as_compressed(engine.xp, engine.compute(product))
    return engine.reduce_values(monoid, matrix.values, out) if matrix.nvals else None
