"""C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l] over the blocks of a grid.

A block of C is made of a few rectangles, each the product of a rectangle of A and one of B, of m × n. Rows of C that
belong to one row of A and do not begin or end with it form a rectangle of their own; so there are at most 3 × 3. Each
rank gets the entries of A and B that its block needs. Where a whole entry of A falls into a block, the block of C has
as many entries as B, so that no rank holds more of the operands than of its result.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from graphla.engine.mpi.entries import list_cells, make_block
from graphla.engine.mpi.indices import join_arrays, pack_cells
from graphla.engine.mpi.matrices import take
from graphla.planning.steps import KroneckerStep
from graphla.storage import Array, DistributedMatrix, MatrixStorage

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks

Span = tuple[int, int]


class Band(NamedTuple):
    """Rows (or columns) of C that are those of some rows of A, and in each the same rows of B."""

    left: Span
    right: Span


def multiply_kronecker(
    ranks: Ranks, left: DistributedMatrix, right: DistributedMatrix, step: KroneckerStep
) -> MatrixStorage:
    """Return this rank's block of the Kronecker product of two matrices."""
    shape = left.shape[0] * right.shape[0], left.shape[1] * right.shape[1]
    corners = ranks.grid.list_corners(shape)
    bands = [tuple(cut_bands(span, size) for span, size in zip(corner, right.shape, strict=True)) for corner in corners]
    a = fetch(ranks, left, [bound(each, "left") for each in bands])
    needed = ranks.world.all_gather(np.array([a.nvals > 0])).tolist()
    b = fetch(ranks, right, [bound(each, "right") if need else EMPTY for each, need in zip(bands, needed, strict=True)])
    own = bands[ranks.world.rank]
    return combine_rectangles(ranks, (a, b), own, corners[ranks.world.rank], step)


EMPTY = ((0, 0), (0, 0))


def cut_bands(span: Span, size: int) -> list[Band]:
    """Cut rows of C where they begin or end within a row of A, whose rows of B are `size` many; at most 3 bands."""
    bands, at = [], span[0]
    while at < span[1]:
        row, first = divmod(at, size)
        whole = (span[1] - at) // size
        if first == 0 and whole:
            bands.append(Band((row, row + whole), (0, size)))
            at += whole * size
        else:
            last = min(size, first + span[1] - at)
            bands.append(Band((row, row + 1), (first, last)))
            at += last - first
    return bands


def bound(bands: Any, side: str) -> tuple[Span, Span]:
    """Return the rectangle of A (or of B) that holds what all bands of rows and of columns need."""
    down, across = ([getattr(band, side) for band in line] or [(0, 0)] for line in bands)
    return unite(down), unite(across)


def unite(spans: list[Span]) -> Span:
    """Return the span from the first begin to the last end."""
    return min(first for first, _ in spans), max(last for _, last in spans)


def fetch(ranks: Ranks, matrix: DistributedMatrix, wanted: list[Any]) -> MatrixStorage:
    """Return the rectangle ``wanted[rank]`` of a matrix; every rank knows those of all."""
    corner = ranks.grid.find_corner(matrix.shape)
    parts = [list_common(ranks, matrix.part, corner, rectangle) for rectangle in wanted]
    keys, values = (join_arrays(ranks.xp, ranks.world.all_to_all(list(each))) for each in zip(*parts, strict=True))
    rows, columns = wanted[ranks.world.rank]
    return make_block(ranks, keys, values, (rows[1] - rows[0], columns[1] - columns[0]), "first")


def list_common(ranks: Ranks, part: MatrixStorage, corner: tuple[Span, Span], wanted: Any) -> tuple[Array, Array]:
    """Return the entries of a block that are within a rectangle, packed as they are numbered there."""
    common = [clip(own, other) for own, other in zip(corner, wanted, strict=True)]
    inner: Any = tuple(range(first - own[0], last - own[0]) for (first, last), own in zip(common, corner, strict=True))
    offsets = [first - other[0] for (first, _), other in zip(common, wanted, strict=True)]
    rows, columns, values = list_cells(ranks, take(ranks, part, inner), (offsets[0], offsets[1]))
    return pack_cells(rows, columns), values


def clip(span: Span, other: Span) -> Span:
    """Return what two spans have in common; an empty span within the first, if nothing."""
    first = min(max(span[0], other[0]), span[1])
    return first, max(first, min(span[1], other[1]))


def combine_rectangles(
    ranks: Ranks, operands: tuple[Any, Any], bands: Any, corner: tuple[Span, Span], step: KroneckerStep
) -> MatrixStorage:
    """Return the block of C, of the products of rectangles of A and B."""
    shape = corner[0][1] - corner[0][0], corner[1][1] - corner[1][0]
    if not operands[0].nvals:
        bands = [], []
    parts = [multiply_rectangles(ranks, operands, bands, pair, step) for pair in product(*bands)]
    if len(parts) == 1:
        return parts[0]
    corners = product(list_starts(bands[0]), list_starts(bands[1]))
    entries = [list_cells(ranks, part, at) for part, at in zip(parts, corners, strict=True)]
    packed = [(pack_cells(rows, columns), values) for rows, columns, values in entries]
    nothing = ranks.xp.zeros(0, "int64"), ranks.xp.zeros(0, step.out.numpy)
    keys, values = (join_arrays(ranks.xp, list(each)) for each in zip(*(packed or [nothing]), strict=True))
    return make_block(ranks, keys, values, shape, "first")


def multiply_rectangles(
    ranks: Ranks, operands: tuple[Any, Any], bands: Any, pair: tuple[Band, Band], step: KroneckerStep
) -> MatrixStorage:
    """Return the product of the rectangles of A and B that a band of rows and one of columns name."""
    sides = []
    for name, of in zip(Band._fields, operands, strict=True):
        spans = [getattr(band, name) for band in pair]
        origin = [first for first, _ in bound(bands, name)]
        rows, columns = (range(a - first, b - first) for (a, b), first in zip(spans, origin, strict=True))
        sides.append(take(ranks, of, (rows, columns)))
    own = replace(step, left=sides[0], right=sides[1], left_transposed=False, right_transposed=False)
    return ranks.compute(own, step.out)


def list_starts(bands: list[Band]) -> list[int]:
    """Return where each band begins in the block."""
    sizes = [(band.left[1] - band.left[0]) * (band.right[1] - band.right[0]) for band in bands]
    return [0, *accumulate(sizes)][:-1]
