"""C = A ⊕.⊗ B over the blocks of a grid (SUMMA).

The inner dimension is cut where the columns of A or the rows of B are cut. For each piece, the ranks that hold it send
their columns of A along their row of the grid and their rows of B along their column; each rank multiplies what arrived
and adds it to its block of C.

R. A. van de Geijn, J. Watts: SUMMA: Scalable universal matrix multiplication algorithm. 1997.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.operands import to_operand
from graphla.engine.mpi.positions import replace_positions
from graphla.language.products import MatMul
from graphla.planning.plan import make_plan
from graphla.planning.steps import EwiseStep, ExtractStep, Mask, ProductStep
from graphla.storage import CompressedMatrix, DistributedMatrix, FullMatrix, MatrixStorage
from semirings import Semiring
from semirings.dtypes import DType

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


def orient(storage: Any, transposed: bool) -> Any:
    """Return a storage, or its transpose, which is exchanged once."""
    return storage.transposed if transposed else storage


def multiply(ranks: Ranks, step: ProductStep, mask: Mask | None) -> MatrixStorage:
    """Return this rank's block of the product of two matrices."""
    left, right = orient(step.left, step.left_transposed), orient(step.right, step.right_transposed)
    semiring, left, right = replace_positions(ranks, step.semiring, left, right)
    own = None if mask is None else Mask(mask.of.part, mask.structural, mask.complement)  # type: ignore[union-attr]
    total: Any = None
    for piece in cut_inner(ranks, left.shape[1]):
        a, b = send_columns(ranks, left, piece), send_rows(ranks, right, piece)
        total = add(ranks, total, multiply_blocks(ranks, a, b, semiring, step.out, own), semiring, step.out)
    return total


def cut_inner(ranks: Ranks, size: int) -> list[tuple[int, int]]:
    """Return the pieces of the inner dimension: at least one, which may be empty."""
    cuts = {*ranks.grid.cut_columns(size), *ranks.grid.cut_rows(size)}
    return list(pairwise(sorted(cuts))) or [(0, 0)]


def send_columns(ranks: Ranks, matrix: DistributedMatrix, piece: tuple[int, int]) -> MatrixStorage:
    """Return the columns `piece` of this rank's rows of A."""
    cuts = ranks.grid.cut_columns(matrix.shape[1])
    root = find_cut(cuts, piece)
    part = None
    if root == ranks.grid.column:
        part = take(ranks, matrix.part, (range(matrix.part.shape[0]), move(piece, cuts[root])))
    return broadcast_matrix(ranks, ranks.grid.along_row, part, root)


def send_rows(ranks: Ranks, matrix: DistributedMatrix, piece: tuple[int, int]) -> MatrixStorage:
    """Return the rows `piece` of this rank's columns of B."""
    cuts = ranks.grid.cut_rows(matrix.shape[0])
    root = find_cut(cuts, piece)
    part = None
    if root == ranks.grid.row:
        part = take(ranks, matrix.part, (move(piece, cuts[root]), range(matrix.part.shape[1])))
    return broadcast_matrix(ranks, ranks.grid.along_column, part, root)


def find_cut(cuts: list[int], piece: tuple[int, int]) -> int:
    """Return in which of the ranges between the cuts a piece is."""
    return min(bisect_right(cuts, piece[0]) - 1, len(cuts) - 2)


def move(piece: tuple[int, int], start: int) -> range:
    return range(piece[0] - start, piece[1] - start)


def take(ranks: Ranks, part: MatrixStorage, index: tuple[range, range]) -> MatrixStorage:
    """Return a part of a block."""
    if index == tuple(map(range, part.shape)):
        return part
    return ranks.compute(ExtractStep(part, False, index), part.type)


def broadcast_matrix(ranks: Ranks, comm: Communicator, part: Any, root: int) -> MatrixStorage:
    """Return the matrix of rank `root`."""
    if comm.size == 1:
        return part
    full, shape = comm.share_object((isinstance(part, FullMatrix), part.shape) if comm.rank == root else None, root)
    if full:
        return FullMatrix(comm.broadcast(None if part is None else part.values, root))
    names = "indptr", "indices", "values"
    return CompressedMatrix(*shape, *(comm.broadcast(None if part is None else getattr(part, n), root) for n in names))


def multiply_blocks(
    ranks: Ranks, a: MatrixStorage, b: MatrixStorage, semiring: Semiring, out: DType, mask: Mask | None
) -> MatrixStorage:
    """Multiply two blocks by the plan that this rank makes for them."""
    product = MatMul(to_operand(a), to_operand(b), semiring)
    return ranks.run(make_plan(product, None, out, mask))


def add(ranks: Ranks, total: Any, block: MatrixStorage, semiring: Semiring, out: DType) -> MatrixStorage:
    """Add a block to the sum of those before."""
    if total is None:
        return block
    return ranks.compute(EwiseStep(total, block, False, False, semiring.add.op, out, True, None, None), out)
