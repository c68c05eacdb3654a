"""Products with a matrix of few rows or few columns, whose work is shared out by products and never by rows.

F @ B with F of few rows and A @ X with X of few columns are one case: `Operands` holds the matrix with few rows (F, or
X transposed) and the other one. What comes out is put together from batches of few rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphla.common.config import config
from graphla.common.memory import SMALLER, require
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.rows import ASK_FROM
from graphla.planning.steps import MatMat, WordProduct
from graphla.storage import Array, CompressedMatrix, FullMatrix, MatrixStorage
from graphla.storage.convert import make_pointers
from graphla.storage.formats import choose_index_dtype
from semirings.dtypes import DType

FEW_THREADS, LANE_THREADS = 256, 128
"""Threads of a block, and of a block of a pull in which every lane is a team."""
FILL_VERTICES = 256
"""Vertices whose entries one warp counts and writes."""
PUSH_PRODUCTS, CELLS = 1024, 4096
"""Products that a block of a push takes, and cells of a row that a block counts and writes."""


@dataclass(frozen=True, eq=False)
class Operands:
    """The matrix of few rows (`transposed`: as it would be read), and how many rows and columns the result has."""

    step: MatMat
    few: MatrixStorage
    transposed: bool
    count: int
    width: int

    @property
    def side(self) -> str:
        """Which operand of ⊗ the other matrix is."""
        return "VectorFirst" if self.step.few_on_left else "MatrixFirst"

    @property
    def types(self) -> tuple[DType, DType, DType]:
        """The types of both operands of ⊗, and of the result."""
        return self.step.left.type, self.step.right.type, self.step.out

    @property
    def reads_few(self) -> bool:
        """Whether ⊗ reads the values of the few rows."""
        multiply = self.step.semiring.multiply
        return multiply.reads_first if self.step.few_on_left else multiply.reads_second


def find_operands(step: MatMat) -> Operands:
    """Return the few rows, and the shape of the result by few rows."""
    if step.few_on_left:
        return Operands(step, step.left, step.left_transposed, *step.shape)
    return Operands(step, step.right, not step.right_transposed, *step.shape[::-1])


def find_mask(engine: KernelEngine, step: MatMat) -> CompressedMatrix | None:
    """Return the true entries of the mask, by few rows."""
    if step.mask is None:
        return None
    held = engine.list_mask(step.mask)
    return held if step.few_on_left else engine.transpose(held)


def mask_policy(step: MatMat | WordProduct) -> str:
    """Return the name of the mask's policy."""
    return "NoMask" if step.mask is None else "Outside" if step.mask.complement else "Inside"


def require_room(engine: KernelEngine, on: Operands, nbytes: int) -> None:
    """Refuse a product whose work space does not fit; few bytes are not asked for, as in products by rows."""
    if nbytes > ASK_FROM or config.memory_limit is not None:
        rows, columns = on.step.shape
        require(nbytes, f"the work space of a product of {rows:,} × {columns:,}", engine.xp, SMALLER)


def split_rows(count: int, most: int) -> list[range]:
    """Split the few rows into batches of at most `most`."""
    return [range(begin, min(begin + most, count)) for begin in range(0, count, most)]


def entry_bounds(matrix: CompressedMatrix, batches: list[range]) -> list[tuple[int, int]]:
    """Return the first entry of each batch of rows and the one past its last, on the host."""
    if len(batches) == 1:
        return [(0, matrix.nvals)]
    found = [int(matrix.indptr[rows.start]) for rows in batches]
    return list(zip(found, [*found[1:], matrix.nvals], strict=True))


def offsets(engine: KernelEngine, counts: Array, rows: int) -> tuple[Array, Array]:
    """Return where each part of each row begins, and the row pointers; `counts` holds the parts row after row."""
    begins = engine.lists.make_pointers(counts)
    return begins, engine.lists.cast(begins, "int64", every=counts.shape[0] // rows)


@dataclass(frozen=True, eq=False)
class Piece:
    """A batch of rows of the result: its row pointers, columns (None: every cell is an entry) and values."""

    pointers: Array | None
    indices: Array | None
    values: Array


def join_pieces(engine: KernelEngine, pieces: list[Piece], shape: tuple[int, int]) -> MatrixStorage:
    """Put the batches of rows together; a matrix whose cells are all entries is full."""
    xp = engine.xp
    values = pieces[0].values if len(pieces) == 1 else xp.concatenate([piece.values for piece in pieces])
    if values.shape[0] == shape[0] * shape[1]:
        return FullMatrix(values.reshape(shape))
    pointers, indices = pieces[0].pointers, pieces[0].indices
    if len(pieces) > 1:
        lengths = [piece.pointers[1:] - piece.pointers[:-1] for piece in pieces]  # type: ignore[index]
        pointers = make_pointers(xp, xp.concatenate(lengths))
        indices = xp.concatenate([piece.indices for piece in pieces])
    narrow = engine.lists.cast(pointers, choose_index_dtype(values.shape[0]))
    return CompressedMatrix(*shape, narrow, indices, values)
