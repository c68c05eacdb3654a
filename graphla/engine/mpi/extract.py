"""The entries at given positions: ranks ask those that hold them; parts of matrices go to the ranks of the result."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from graphla.engine.arrays.extract import to_positions
from graphla.engine.mpi.entries import arrange, list_cells, send_entries, send_numbered
from graphla.engine.mpi.indices import find_blocks, list_inside, shift, shift_at
from graphla.engine.mpi.matrices import orient
from graphla.engine.mpi.vectors import exchange_vectors, join_vectors
from graphla.planning.steps import ExtractStep, Plan
from graphla.storage import (
    Array,
    BitmapVector,
    DistributedMatrix,
    DistributedVector,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.convert import gather, scatter
from graphla.storage.formats import as_bitmap

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


class Writes(Protocol):
    """What an extraction needs of `MpiEngine`, which stands above it."""

    ranks: Ranks

    def write(self, part: Any, plan: Plan, shape: tuple[int, ...]) -> Any:
        """Write this rank's part of a result of `shape` into the target."""
        ...


def extract(engine: Writes, step: ExtractStep, plan: Plan) -> Any:
    """Return the part at an index as a storage that is spread over the ranks; of one cell every rank has the value."""
    ranks, of = engine.ranks, orient(step.of, step.transposed)
    if all(isinstance(index, int) for index in step.index):
        return hold_number(ranks, read_element(ranks, of, step.index), of.type)
    if isinstance(of, DistributedVector):
        index = step.index[0]
        return engine.write(extract_vector(ranks, of, index), plan, (len(index),))
    if any(isinstance(index, int) for index in step.index):
        return extract_line(engine, of, step.index, plan)
    shape = (len(step.index[0]), len(step.index[1]))
    part = send_entries(ranks, *extract_entries(ranks, of, step.index), shape)
    return engine.write(part, plan, shape)


def hold_number(ranks: Ranks, number: Any, kind: Any) -> VectorStorage:
    """Return one number, or none, as the storage of an engine."""
    values = ranks.xp.asarray([] if number is None else [number], kind.numpy)
    return FullVector(values) if values.size else SparseVector(1, ranks.xp.zeros(0, "int32"), values)


def read_element(ranks: Ranks, storage: Any, cell: tuple[int, ...]) -> Any:
    """Return the value of one cell on every rank, or None if there is no entry."""
    is_matrix = isinstance(storage, DistributedMatrix)
    spans = ranks.grid.find_corner(storage.shape) if is_matrix else (ranks.grid.find_block(storage.size),)
    own = None
    if all(first <= place < last for place, (first, last) in zip(cell, spans, strict=True)):
        index = tuple(place - first for place, (first, _) in zip(cell, spans, strict=True))
        own = read_own(ranks, storage.part, index)
    return ranks.pick_number(own, storage.type)


def read_own(ranks: Ranks, part: Any, index: tuple[int, ...]) -> Any:
    """Return the value of a cell of this rank's part, or None."""
    if len(index) == 2:
        return ranks.local.read_element(part, index)
    found = ranks.compute(ExtractStep(part, False, index), part.type)
    return ranks.local.to_host(as_bitmap(ranks.xp, found).values)[0] if found.nvals else None


def extract_vector(ranks: Ranks, vector: DistributedVector, index: Any) -> VectorStorage:
    """Return this rank's block of w[k] = v[index[k]]: it asks the ranks that hold these entries."""
    if isinstance(index, DistributedVector):
        return ask(ranks, vector, index.part.values)
    first, last = ranks.grid.find_block(len(index))
    return ask(ranks, vector, to_positions(ranks.xp, index[first:last]))


def ask(ranks: Ranks, vector: DistributedVector, places: Array) -> VectorStorage:
    """Return the entries at `places` of the whole, in their order."""
    bounds = ranks.grid.cut(vector.size)
    order, cuts = arrange(ranks, find_blocks(places, bounds))
    asked = ranks.world.all_to_all(slice_all(gather(places, order), cuts))
    first = bounds[ranks.world.rank]
    answers = [ranks.compute(ExtractStep(vector.part, False, (shift(each, -first),)), vector.type) for each in asked]
    sizes = [last - first for first, last in pairwise(cuts)]
    return put_in_order(
        ranks.xp, join_vectors(ranks.xp, exchange_vectors(ranks.xp, ranks.world, answers, sizes)), order
    )


def slice_all(column: Array, cuts: list[int]) -> list[Array]:
    return [column[first:last] for first, last in pairwise(cuts)]


def put_in_order(xp: Any, vector: VectorStorage, order: Array) -> VectorStorage:
    """Return w[order[k]] = v[k] for a permutation."""
    if isinstance(vector, FullVector):
        return FullVector(scatter_new(xp, order, vector.values))
    held = as_bitmap(xp, vector)
    return BitmapVector(scatter_new(xp, order, held.present), scatter_new(xp, order, held.values), held.nvals)


def scatter_new(xp: Any, order: Array, values: Array) -> Array:
    """Return the array with ``values[k]`` at ``order[k]``."""
    out = xp.empty_like(values)
    scatter(out, order, values)
    return out


def extract_line(engine: Writes, of: DistributedMatrix, index: tuple[Any, Any], plan: Plan) -> Any:
    """Return a row or a column of a matrix as a vector."""
    along = 1 if isinstance(index[0], int) else 0
    both: Any = tuple(range(part, part + 1) if isinstance(part, int) else part for part in index)
    entries = extract_entries(engine.ranks, of, both)
    size = len(index[along])
    part = send_numbered(engine.ranks, entries[along], entries[2], size)
    return engine.write(engine.ranks.to_best(part), plan, (size,))


def extract_entries(ranks: Ranks, of: DistributedMatrix, index: tuple[Any, Any]) -> tuple[Array, Array, Array]:
    """Return the entries of this rank's block at an index, by their rows and columns in the part."""
    spans = ranks.grid.find_corner(of.shape)
    rows, columns = (find_within(ranks, part, span) for part, span in zip(index, spans, strict=True))
    inner = (rows[1], columns[1])
    part = ranks.compute(ExtractStep(of.part, False, inner), of.type)
    i, j, values = list_cells(ranks, part, (0, 0))
    return shift_at(rows[0], i), shift_at(columns[0], j), values


def find_within(ranks: Ranks, index: Any, span: tuple[int, int]) -> tuple[Any, Any]:
    """Return which positions of an index are within a block, and the places in the block that they name.

    Both are ranges if the index is one, and arrays otherwise.
    """
    if isinstance(index, range):
        return cut_range(index, span)
    places = ranks.collect_positions(index)
    chosen = list_inside(places, span)
    return chosen, shift(gather(places, chosen), -span[0])


def cut_range(index: range, span: tuple[int, int]) -> tuple[range, range]:
    """Return which elements of a range are within a span, and these elements counted from its start."""
    low, high = (span[0], span[1] - 1) if index.step > 0 else (span[1] - 1, span[0])
    first = max(0, -((index.start - low) // index.step))
    last = min(len(index) - 1, (high - index.start) // index.step)
    if first > last:
        return range(0), range(0)
    inside = range(index[first] - span[0], index[last] - span[0] + (1 if index.step > 0 else -1), index.step)
    return range(first, last + 1), inside
