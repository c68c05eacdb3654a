"""The grid of ranks, and which block of a vector or of a matrix each of them holds.

P ranks form a grid of R rows and C columns, R·C = P, R ≤ C; rank r = i·C + j stands in row i and column j. The indices
0 … n - 1 are cut into P even blocks. Rank r holds block r of a vector, and of a matrix the rows of the blocks
i·C … i·C + C - 1 and the columns of the blocks j·R … j·R + R - 1. So the entries of a vector that a product needs, or
computes, are those of one row or one column of the grid.
"""

from __future__ import annotations

import os
from itertools import pairwise, product
from math import isqrt

from graphla.common.arguments import show
from graphla.common.errors import GraphlaError, NotSupported
from graphla.engine.mpi.communicator import Communicator

LARGEST_BLOCK = 2**31 - 1
"""Indices within a block have 32 bits."""


class Grid:
    """The ranks as a grid, with a communicator for all, one for the own row and one for the own column."""

    def __init__(self, world: Communicator) -> None:
        self.world = world
        self.rows, self.columns = choose_shape(world.size)
        self.row, self.column = divmod(world.rank, self.columns)
        self.along_row = world.split(self.row, self.column)
        self.along_column = world.split(self.column, self.row)

    def cut(self, size: int) -> list[int]:
        """Return the P + 1 bounds of the blocks of `size` indices."""
        count = self.world.size
        bounds = [size * block // count for block in range(count + 1)]
        if size > LARGEST_BLOCK * count:
            raise NotSupported(
                f"{size:,} indices on {count} ranks: a rank holds at most {LARGEST_BLOCK:,} of them; start more ranks"
            )
        return bounds

    def find_block(self, size: int) -> tuple[int, int]:
        """Return the first index of this rank's block of a vector, and the one after its last."""
        bounds = self.cut(size)
        return bounds[self.world.rank], bounds[self.world.rank + 1]

    def cut_rows(self, size: int) -> list[int]:
        """Return the R + 1 bounds of the rows of matrices."""
        return self.cut(size)[:: self.columns]

    def cut_columns(self, size: int) -> list[int]:
        """Return the C + 1 bounds of the columns of matrices."""
        return self.cut(size)[:: self.rows]

    def find_corner(self, shape: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the first row and the one after the last of this rank's block of a matrix, and its columns."""
        rows, columns = self.cut_rows(shape[0]), self.cut_columns(shape[1])
        return (rows[self.row], rows[self.row + 1]), (columns[self.column], columns[self.column + 1])

    def list_corners(self, shape: tuple[int, int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Return the rows and the columns of the block of each rank."""
        rows, columns = (list(pairwise(cuts)) for cuts in (self.cut_rows(shape[0]), self.cut_columns(shape[1])))
        return list(product(rows, columns))

    def find_group(self, by_rows: bool) -> Communicator:
        """Return the ranks that hold the same rows of matrices, or the same columns."""
        return self.along_row if by_rows else self.along_column

    def find_span(self, size: int, by_rows: bool) -> list[int]:
        """Return the bounds of the blocks of a vector within the rows (or columns) of this rank's block of a matrix."""
        length, place = (self.columns, self.row) if by_rows else (self.rows, self.column)
        return self.cut(size)[place * length : (place + 1) * length + 1]

    def holds_block(self, by_rows: bool) -> bool:
        """Whether the rows (or columns) of this rank's blocks of matrices are those of its block of vectors."""
        return self.columns == 1 if by_rows else self.rows == 1

    def find_column_block(self) -> int:
        """Return which block of a vector this rank brings into its column of the grid."""
        return self.column * self.rows + self.row

    def describe(self) -> str:
        """Say how many ranks there are, and their grid."""
        count = self.world.size
        return f"{count} rank{'s' * (count > 1)} on a grid of {self.rows} × {self.columns}"

    def __repr__(self) -> str:
        return f"<Grid of {self.rows} × {self.columns} ranks, at ({self.row}, {self.column})>"


def choose_shape(count: int) -> tuple[int, int]:
    """Return the rows and columns of the grid: as square as `count` allows, or as GRAPHLA_MPI_GRID says."""
    asked = os.environ.get("GRAPHLA_MPI_GRID")
    if asked is None:
        rows = next(rows for rows in range(isqrt(count), 0, -1) if count % rows == 0)
        return rows, count // rows
    rows, _, columns = asked.partition("x")
    if not (rows.isdigit() and columns.isdigit() and int(rows) * int(columns) == count):
        raise GraphlaError(f"GRAPHLA_MPI_GRID={show(asked)}: give ROWSxCOLUMNS whose product is the {count} ranks")
    return int(rows), int(columns)
