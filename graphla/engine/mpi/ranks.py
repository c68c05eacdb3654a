"""The ranks of a program with the engine that computes on each: parts are sent, gathered and combined here."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.errors import IndexOutOfBounds
from graphla.engine.arrays.extract import is_rising, to_positions
from graphla.engine.mpi.entries import list_entries, list_sparse, send_entries, send_numbered, send_to
from graphla.engine.mpi.grid import Grid
from graphla.engine.mpi.indices import find_blocks, shift, shift_at
from graphla.engine.mpi.vectors import (
    cut_vector,
    exchange_vectors,
    gather_vectors,
    join_vectors,
    make_empty,
)
from graphla.planning.steps import EwiseStep, Mask, Plan, ReduceStep, Step
from graphla.storage import (
    BitmapVector,
    CompressedMatrix,
    Deferred,
    Distributed,
    DistributedMatrix,
    DistributedVector,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import are_equal, count_true, gather, make_full, make_row_pointers, order_keys
from graphla.storage.formats import as_best_format, as_cells, as_sparse
from graphla.storage.list_kernels import find_list_kernels
from semirings import BinaryOp, Monoid, monoid
from semirings.dtypes import DType


class Ranks:
    """All ranks, the grid that they form, and the engine of each."""

    def __init__(self, grid: Grid, local: Any) -> None:
        self.grid, self.local, self.xp = grid, local, local.xp
        self.world = grid.world

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self.world.size

    def add_up(self, number: int) -> int:
        """Return the sum of a number of each rank."""
        return int(self.world.all_reduce(np.array([number], "int64"), monoid.plus)[0])

    def transpose(self, matrix: DistributedMatrix) -> DistributedMatrix:
        """Return the transpose: each rank sends the entries of its block to the ranks that hold them there."""
        rows, columns, values = list_entries(self, matrix)
        shape = matrix.shape[1], matrix.shape[0]
        return DistributedMatrix(shape, send_entries(self, columns, rows, values, shape), self)

    def compute(self, step: Step, dtype: DType) -> Any:
        """Run a step on this rank, into a new storage."""
        return self.run(Plan(step, None, dtype))

    def run(self, plan: Plan) -> Any:
        """Run a plan on this rank."""
        result = self.local.run(plan)
        return result.resolve() if isinstance(result, Deferred) else result

    def align(self, part: VectorStorage, size: int, by_rows: bool) -> VectorStorage:
        """Return the entries of a vector at the rows (or at the columns) of this rank's blocks of matrices."""
        if not by_rows:
            part = self.move_to_column(part, size)
        group = self.grid.find_group(by_rows)
        return join_vectors(self.xp, gather_vectors(self.xp, group, part, self.grid.find_span(size, by_rows)))

    def combine(self, partial: VectorStorage, size: int, by_rows: bool, add: Monoid, out: DType) -> VectorStorage:
        """Combine what the ranks of a row (or of a column) have computed; return this rank's block of the vector."""
        group, span = self.grid.find_group(by_rows), self.grid.find_span(size, by_rows)
        bounds = [bound - span[0] for bound in span]
        length = bounds[group.rank + 1] - bounds[group.rank]
        parts = [partial] if group.size == 1 else cut_vector(self.xp, partial, bounds)
        arrived = exchange_vectors(self.xp, group, parts, [length] * group.size)
        block = arrived[0]
        for other in arrived[1:]:
            block = self.compute(EwiseStep(block, other, False, False, add.op, out, True, None, None), out)
        return block if by_rows else self.move_from_column(block, size)

    def move_to_column(self, part: VectorStorage, size: int) -> VectorStorage:
        """Give this rank's block to the rank that brings it into a column of the grid; return the block received."""
        block, rows = self.world.rank, self.grid.rows
        return self.swap(part, size, block % rows * self.grid.columns + block // rows, self.grid.find_column_block())

    def move_from_column(self, part: VectorStorage, size: int) -> VectorStorage:
        """The way back."""
        block, rows = self.world.rank, self.grid.rows
        return self.swap(
            part, size, self.grid.find_column_block(), block, block % rows * self.grid.columns + block // rows
        )

    def swap(self, part: VectorStorage, size: int, to: int, block: int, source: int | None = None) -> VectorStorage:
        """Send a block to rank `to`; return the block of number `block`, which rank `source` sends."""
        if self.grid.rows == 1 or self.grid.columns == 1:
            return part
        source = block if source is None else source
        bounds = self.grid.cut(size)
        sizes = [bounds[block + 1] - bounds[block] if rank == source else 0 for rank in range(self.size)]
        nothing = make_empty(self.xp, 0, part)
        parts = [part if rank == to else nothing for rank in range(self.size)]
        return exchange_vectors(self.xp, self.world, parts, sizes)[source]

    def align_mask(self, mask: Mask | None, size: int, by_rows: bool) -> Mask | None:
        """Return a mask at the rows (or at the columns) of this rank's blocks of matrices."""
        if mask is None or not isinstance(mask.of, Distributed):
            return mask
        held = mask.of.part
        if self.grid.find_group(by_rows).size > 1 or not by_rows:
            held = drop_values(self.xp, held) if mask.structural else held
            held = self.align(held, size, by_rows)
        return Mask(held, mask.structural, mask.complement)

    def combine_number(self, number: Any, add: Monoid, out: DType) -> Any:
        """Combine a number of each rank, or None, in the order of the ranks; None if no rank has one."""
        own = np.array([] if number is None else [number], out.numpy)
        found = self.world.all_gather(own)
        if not found.size:
            return None
        return self.local.to_host(self.local.reduce_values(add, self.local.asarray(found), out))[0]

    def pick_number(self, number: Any, dtype: DType) -> Any:
        """Return the number of the one rank that has one, or None."""
        found = self.world.all_gather(np.array([] if number is None else [number], dtype.numpy))
        return found[0] if found.size else None

    def are_close(self, one: Any, other: Any, relative: float, absolute: float) -> bool:
        """Whether two storages have the same structure, and values that differ by rounding alone."""
        x, y = (as_sparse(self.xp, as_cells(self.xp, each.part)) for each in (one, other))
        same = x.nvals == y.nvals and are_equal(x.indices, y.indices)
        close = same and count_true(self.xp.isclose(x.values, y.values, rtol=relative, atol=absolute)) == x.nvals
        return bool(self.world.all_reduce(close, monoid.land))

    def make_diagonal(self, vector: DistributedVector, k: int, shape: tuple[int, int]) -> DistributedMatrix:
        """Return the matrix with the entries of a vector on its k-th diagonal."""
        places, values = list_sparse(self, vector)
        return DistributedMatrix(
            shape, send_entries(self, shift(places, max(0, -k)), shift(places, max(0, k)), values, shape), self
        )

    def read_diagonal(self, matrix: DistributedMatrix, k: int, size: int) -> DistributedVector:
        """Return the vector of the entries of a matrix that has entries on its k-th diagonal alone."""
        rows, columns, values = list_entries(self, matrix)
        part = send_numbered(self, rows if k >= 0 else columns, values, size)
        return DistributedVector(size, self.to_best(part), self)

    def make_line(self, vector: DistributedVector, shape: tuple[int, int]) -> DistributedMatrix:
        """Return the matrix of one row or one column with the entries of a vector."""
        places, values = list_sparse(self, vector)
        nothing = self.xp.zeros_like(places)
        rows, columns = (places, nothing) if shape[1] == 1 else (nothing, places)
        return DistributedMatrix(shape, send_entries(self, rows, columns, values, shape), self)

    # --- positions, of which each rank holds a part

    def check_positions(self, held: DistributedVector, size: int) -> DistributedVector:
        """Return positions from 0 on; negative ones count from the end of `size`. All ranks refuse the same one."""
        places = held.part.values
        kernels = find_list_kernels(places)
        if kernels is not None:
            checked, counter = kernels.begin_check(places, size)
            if not self.world.all_reduce(kernels.end_check(counter)[0] > 0, monoid.lor):
                return DistributedVector(held.size, FullVector(checked), self)
        bad = self.local.to_host(places[(places < -size) | (places >= size)][:1]) if places.size else places[:0]
        wrong = self.world.all_gather(np.asarray(bad, "int64"))
        if wrong.size:
            raise IndexOutOfBounds(f"index {wrong[0]} is out of range for size {size}")
        return DistributedVector(held.size, FullVector(places.astype("int64") % max(1, size)), self)

    def collect_positions(self, index: Any) -> Any:
        """Return the positions of an index as an array, on every rank."""
        held = self.world.all_gather(index.part.values) if isinstance(index, DistributedVector) else index
        return to_positions(self.xp, held)

    def take_positions(self, index: Any, places: Any, size: int) -> Any:
        """Return the positions number `places` of an index of length `size`, all within this rank's block."""
        if isinstance(index, DistributedVector):
            return gather(index.part.values, shift(places, -self.grid.find_block(size)[0]))
        return shift_at(index if isinstance(index, range) else to_positions(self.xp, index), places)

    def has_repeats(self, held: DistributedVector, size: int) -> bool:
        """Whether positions name a place twice."""
        places = held.part.values
        arrived = send_to(self, find_blocks(places, self.grid.cut(size)), places)[0]
        ordered = gather(arrived, order_keys(arrived, size))
        return bool(self.world.all_reduce(not is_rising(None, ordered), monoid.lor))

    def join_at(self, of: DistributedVector, places: Any, op: BinaryOp, dtype: DType, size: int) -> DistributedVector:
        """Return the entries of a vector at their places in one of length `size`; those of one place are joined."""
        numbers, values = list_sparse(self, of)
        targets, values = self.take_positions(places, numbers, of.size), self.local.cast(values, dtype)
        targets, values = send_to(self, find_blocks(targets, self.grid.cut(size)), targets, values)
        order, (first, last) = order_keys(targets, size), self.grid.find_block(size)
        held = shift(gather(targets, order), -first, dtype="int32")
        pointers = make_row_pointers(self.xp, held, last - first)
        rows = CompressedMatrix(last - first, 1, pointers, held, gather(values, order))  # whose columns nobody reads
        part = self.compute(ReduceStep(rows, False, op.monoid, dtype, 1), dtype)
        return DistributedVector(size, self.to_best(part), self)

    def to_best(self, vector: VectorStorage) -> VectorStorage:
        return as_best_format(self.xp, vector)


def drop_values(xp: Any, vector: VectorStorage) -> VectorStorage:
    """Return a vector of truths with the same structure, which costs less to send."""
    if isinstance(vector, SparseVector):
        return SparseVector(vector.size, vector.indices, make_full(xp, vector.nvals, True, "bool"))
    if isinstance(vector, BitmapVector):
        return BitmapVector(vector.present, vector.present, vector.nvals)
    return FullVector(make_full(xp, vector.size, True, "bool"))
