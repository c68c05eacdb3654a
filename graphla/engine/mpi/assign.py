"""C[I, J] << A: the entries of A go to the ranks that hold their places in C, which assign them to their blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.engine.mpi.entries import list_entries, list_sparse, make_block, send_to
from graphla.engine.mpi.extract import find_within
from graphla.engine.mpi.indices import find_blocks, pack_cells, pack_entries, search_sorted, shift, shift_at
from graphla.engine.mpi.matrices import orient
from graphla.planning.steps import AssignStep
from graphla.storage import Array, DistributedMatrix, DistributedVector, FullVector, SparseVector
from graphla.storage.convert import cast_indices, make_range

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


def find_local_index(ranks: Ranks, index: tuple[Any, ...] | None, shape: tuple[int, ...]) -> tuple[Any, ...] | None:
    """Return the places in this rank's part that an index names."""
    if index is None:
        return None
    spans = ranks.grid.find_corner(shape) if len(shape) == 2 else (ranks.grid.find_block(shape[0]),)  # type: ignore
    return tuple(find_within(ranks, part, span)[1] for part, span in zip(index, spans, strict=True))


def move_to_target(ranks: Ranks, step: AssignStep, target: Any) -> AssignStep:
    """Return the assignment to this rank's part of the target."""
    of = orient(step.of, step.transposed)
    if isinstance(target, DistributedVector):
        return move_vector(ranks, of, step.index[0], target)
    return move_matrix(ranks, of, step.index, target)


def move_vector(ranks: Ranks, of: DistributedVector, index: Any, target: DistributedVector) -> AssignStep:
    """w[I] << v: entry k goes to the rank that holds place I[k]."""
    xp, bounds = ranks.xp, ranks.grid.cut(target.size)
    first, last = ranks.grid.find_block(of.size)
    numbers = make_range(xp, range(first, last))
    places = ranks.take_positions(index, numbers, of.size)
    chosen, within = send_to(ranks, find_blocks(places, bounds), numbers, places)
    numbers, values = list_sparse(ranks, of)
    owners = find_blocks(ranks.take_positions(index, numbers, of.size), bounds)
    numbers, values = send_to(ranks, owners, numbers, values)  # rising, as `chosen` is
    within = shift(within, -ranks.grid.find_block(target.size)[0])
    if numbers.size == chosen.size:
        return AssignStep(FullVector(values), False, (within,))
    held = cast_indices(search_sorted(chosen, numbers), "int32")
    return AssignStep(SparseVector(int(chosen.size), held, values), False, (within,))


def move_matrix(ranks: Ranks, of: Any, index: tuple[Any, Any], target: DistributedMatrix) -> AssignStep:
    """C[I, J] << A: entry (k, l) goes to the rank that holds cell (I[k], J[l])."""
    grid = ranks.grid
    rows, columns, values = list_source(ranks, of, index)
    lines, across_lines = (part if isinstance(part, range) else ranks.collect_positions(part) for part in index)
    index, cells = (lines, across_lines), (shift_at(lines, rows), shift_at(across_lines, columns))
    owners, _ = pack_entries(*cells, grid.cut_rows(target.shape[0]), grid.cut_columns(target.shape[1]))
    rows, columns, values = send_to(ranks, owners, rows, columns, values)
    spans = grid.find_corner(target.shape)
    (down, within), (across, inside) = (find_within(ranks, p, span) for p, span in zip(index, spans, strict=True))
    keys = pack_cells(find_places(down, rows), find_places(across, columns))
    block = make_block(ranks, keys, values, (len(down), len(across)), "first")
    return AssignStep(block, False, (within, inside))


def find_places(chosen: Any, numbers: Array) -> Array:
    """Return where numbers stand in a list that has them and rises."""
    return shift(numbers, -chosen.start) if isinstance(chosen, range) else search_sorted(chosen, numbers)


def list_source(ranks: Ranks, of: Any, index: tuple[Any, Any]) -> tuple[Array, Array, Array]:
    """Return rows, columns and values of this rank's entries of A; a vector is a row or a column."""
    if isinstance(of, DistributedMatrix):
        return list_entries(ranks, of)
    places, values = list_sparse(ranks, of)
    nothing = ranks.xp.zeros_like(places)
    return (nothing, places, values) if len(index[0]) == 1 else (places, nothing, values)
