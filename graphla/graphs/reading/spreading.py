"""Graphs that the ranks of a program make together: each draws or reads its part, and none ever holds the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.common.errors import DimensionMismatch, InvalidGraph, NotSupported
from graphla.common.memory import require
from graphla.containers.matrix import Matrix
from graphla.engine.mpi.agree import run_on_all
from graphla.engine.mpi.entries import make_block, send_to
from graphla.engine.mpi.indices import LOW, SHIFT, join_arrays, pack_entries
from graphla.graphs import generators
from graphla.graphs.generators.build import ENTRY_BYTES, Draft, draw_keys
from graphla.graphs.generators.generator import find_draft
from graphla.graphs.generators.spec import parse_spec
from graphla.graphs.generators.weights import pair_weights
from graphla.graphs.graph import Graph
from graphla.graphs.io.origin import Origin
from graphla.graphs.io.parts import Part, read_part
from graphla.graphs.io.repeats import refuse_gaps
from graphla.graphs.reverse import add_reverse
from graphla.storage import CompressedMatrix, Coo, DistributedMatrix
from graphla.storage.convert import choose_index_dtype
from semirings import monoid

PIECES = {"cpu": 1 << 20, "cuda": 1 << 24}
"""Edges that a rank of such an engine draws and sends at a time."""
SORTED_PIECE = 1 << 26
"""Sorted arcs that become entries at a time."""
NOWHERE = 2**62


def spread_generated(name: str, args: tuple[Any, ...], options: dict[str, Any], engine: Any) -> Graph:
    """Make a graph by the generator of a name; every rank draws its part of the edges."""
    if name == "from_spec":
        return spread_spec(*args, **options, engine=engine)
    draft = find_draft(getattr(generators, name))
    if draft is None:
        raise NotSupported(
            f"generate.{name} on engine='mpi': it does not draw its edges in parts. A graph that one process can hold "
            f"is made there and spread: generate.{name}(…, engine='cpu').to('mpi')"
        )
    drawn = run_on_all(engine.ranks.world, lambda: draft(*args, **options, xp=engine.xp))
    return Graph(Matrix._from_storage(draw_matrix(drawn, engine.ranks), engine), name=name)


def spread_spec(text: str, *, engine: Any) -> Graph:
    """Make the graph that a text describes."""
    generator, values, options = parse_spec(text)
    made = spread_generated(generator.function.__name__, tuple(values), options, engine)
    made.name = text
    return made


def draw_matrix(draft: Draft, ranks: Any) -> DistributedMatrix:
    """Draw this rank's part of the edges, and keep the arcs of its block of the matrix."""
    keys = collect_arcs(draft, ranks)
    if draft.simple:
        repeats = None
    else:
        keys.sort()
        repeats = find_repeat((draft.n, draft.n), keys, ranks)
    if repeats is not None:
        raise InvalidGraph(
            f"Duplicate indices found: the entry {repeats} occurs twice: give simple=True to leave out repeats"
        )
    return DistributedMatrix((draft.n, draft.n), make_rows(draft, keys, ranks), ranks)


def collect_arcs(draft: Draft, ranks: Any) -> Any:
    """Draw edges by the piece and send their arcs at once; return those of this rank's block, packed."""
    xp, size = ranks.xp, ranks.size
    arcs = (1 + draft.symmetric) * draft.count
    run_on_all(ranks.world, lambda: require(ENTRY_BYTES * arcs // size + 24 * draft.n, draft.what, xp))
    arrived = [send_arcs(draft, keys, ranks) for keys in draw_pieces(draft, ranks)]
    keys = join_arrays(xp, arrived) if arrived else xp.zeros(0, "int64")
    arrived.clear()
    ranks.local.release()
    return keys


def draw_pieces(draft: Draft, ranks: Any) -> Iterator[Any]:
    """Draw this rank's part of the edges, as many pieces on each rank."""
    rank, size, draw = ranks.world.rank, ranks.size, draft.prepare()
    if draft.has_parts:
        yield draw(rank, size)
        return
    first, last = draft.count * rank // size, draft.count * (rank + 1) // size
    piece = PIECES[ranks.local.name]
    for start in range(first, first + -(-draft.count // size), piece):
        length = max(0, min(piece, last - start))
        yield draw_keys(length, lambda s, k, start=start: draw(start + s, k), ranks.xp)


def send_arcs(draft: Draft, keys: Any, ranks: Any) -> Any:
    """Send the arcs of some edges to the ranks of their blocks; return what arrived."""
    tails, heads = keys >> SHIFT, keys & LOW
    if draft.symmetric:
        tails, heads = ranks.xp.concatenate([tails, heads]), ranks.xp.concatenate([heads, tails])
    if draft.simple:
        kept = tails != heads
        tails, heads = tails[kept], heads[kept]
    owners, packed = pack_entries(tails, heads, ranks.grid.cut_rows(draft.n), ranks.grid.cut_columns(draft.n))
    return send_to(ranks, owners, packed)[0]


def find_repeat(shape: tuple[int, int], keys: Any, ranks: Any) -> tuple[int, int] | None:
    """Return the first arc that a rank has twice, of sorted ones."""
    (top, _), (left, _) = ranks.grid.find_corner(shape)
    again = ranks.xp.flatnonzero(keys[1:] == keys[:-1])
    key = int(keys[again[0]]) if again.size else None
    cell = NOWHERE if key is None else ((key >> SHIFT) + top) * shape[1] + (key & LOW) + left
    first = ranks.world.all_reduce(cell, monoid.min)
    return None if first == NOWHERE else divmod(first, shape[1])


def make_rows(draft: Draft, keys: Any, ranks: Any) -> CompressedMatrix:
    """Sort packed arcs into the rows of this rank's block, without repeats."""
    xp = ranks.xp
    (top, bottom), (left, right) = ranks.grid.find_corner((draft.n, draft.n))
    keys.sort()
    indices, counts = xp.empty(keys.size, "int32"), xp.zeros(bottom - top + 1, "int64")
    values, filled, before = [], 0, -1
    for start in range(0, int(keys.size), SORTED_PIECE):
        piece = keys[start : start + SORTED_PIECE]
        rows, columns = split_unique(xp, piece, before)
        before = piece[-1]
        indices[filled : filled + columns.size] = columns
        filled += int(columns.size)
        lowest = int(piece[0] >> SHIFT)
        lengths = xp.bincount(rows - lowest)
        counts[lowest + 1 : lowest + 1 + lengths.size] += lengths
        if draft.weights is not None:
            values.append(pair_weights(rows + top, columns + left, *draft.weights, draft.seed))
    kind = choose_index_dtype(filled)
    held = make_values(draft, values, filled, xp)
    return CompressedMatrix(bottom - top, right - left, xp.cumsum(counts).astype(kind), indices[:filled], held)


def split_unique(xp: Any, keys: Any, before: Any) -> tuple[Any, Any]:
    """Return rows and columns of sorted keys without repeats; `before` is the key before them."""
    fresh = xp.empty(keys.size, bool)
    fresh[0] = keys[0] != before
    fresh[1:] = keys[1:] != keys[:-1]
    kept = keys[fresh]
    return kept >> SHIFT, (kept & LOW).astype("int32")


def make_values(draft: Draft, values: list[Any], count: int, xp: Any) -> Any:
    """Return the weights of all arcs, or that they are there."""
    if draft.weights is None:
        return xp.ones(count, bool)
    if not values:
        nothing = xp.zeros(0, "int32")
        return pair_weights(nothing, nothing, *draft.weights, draft.seed)
    return xp.concatenate(values)


# --- files


def spread_read(file: Any, format: str | None, undirected: bool, dup: str, progress: bool, engine: Any) -> Graph:
    """Read a graph from a file; every rank reads its part of the lines."""
    if progress:
        raise NotSupported("progress=True: a progress bar shows one process, and many ranks read: leave it out")
    ranks = engine.ranks
    rank, world = ranks.world.rank, ranks.world
    part = run_on_all(world, lambda: read_part(file, format, rank, ranks.size))
    total = ranks.add_up(part.found)
    run_on_all(world, lambda: part.check_promise(total))
    part = drop_sizes(part, ranks)
    shape = part.shape or find_shape(part, ranks)
    arcs = ranks.add_up(int(part.rows.size))
    run_on_all(world, lambda: check_shape(part, shape, arcs))
    columns = [part.rows, part.cols, *([] if part.values is None else [unify_values(part.values, world)])]
    columns = add_reverse_arcs(columns, shape, ranks) if undirected else columns
    rows, cols, *values = (ranks.local.asarray(column) for column in columns)
    held = join_arcs(rows, cols, values[0] if values else None, shape, dup, part.name, ranks)
    return Graph(Matrix._from_storage(held, engine), name=part.name)


def drop_sizes(part: Part, ranks: Any) -> Part:
    """Drop the first row of an edge list if it counts the vertices and the edges of the rest."""
    if not part.may_begin_with_sizes:
        return part
    held = part.rows.size > 0
    u, v = (part.rows, part.cols) if held else (np.zeros(1, int), np.zeros(1, int))
    rest = max(int(u[1:].max(initial=-1)), int(v[1:].max(initial=-1)))
    facts = ranks.world.all_gather(np.array([part.rows.size, u[0], v[0], rest], "int64")).reshape(-1, 4)
    first = int((facts[:, 0] > 0).argmax())
    count, vertices, edges, largest = facts[:, 0].sum(), *facts[first, 1:]
    others = [max(row[1:]) for number, row in enumerate(facts) if number != first and row[0]]
    largest = max([largest, *others])
    if not (count > 1 and edges == count - 1 >= vertices == 1 + largest):
        return part
    kept = slice(int(ranks.world.rank == first), None)
    return replace(part, rows=part.rows[kept], cols=part.cols[kept], least=int(vertices))


def find_shape(part: Part, ranks: Any) -> tuple[int, int]:
    """As many vertices as the largest one of all parts asks for, or the file states."""
    largest = max(int(part.rows.max(initial=-1)), int(part.cols.max(initial=-1)))
    size = max(part.least, 1 + ranks.world.all_reduce(largest, monoid.max))
    return size, size


def check_shape(part: Part, shape: tuple[int, int], arcs: int) -> None:
    """Refuse a matrix that is no graph, and numbers with gaps."""
    if shape[0] != shape[1]:
        raise DimensionMismatch(f"{part.name}: a graph needs a square matrix, and this one has shape {shape}")
    refuse_gaps(Coo(*shape, part.rows, part.cols, None, Origin(part.name, f"{shape[0]} vertices", str)), arcs)


def unify_values(values: Any, world: Any) -> Any:
    """The values of this part as floats if any part has a fraction."""
    floats = world.all_reduce(values.dtype.kind == "f", monoid.lor)
    return values.astype("float64") if floats and values.dtype.kind == "i" else values


def add_reverse_arcs(columns: list[Any], shape: tuple[int, int], ranks: Any) -> list[Any]:
    """Add the reverse of each arc that no part holds with the same weight: both arcs of a pair meet on one rank."""
    rows, cols, *values = columns
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    owners = (low * 31 + high) % ranks.size
    rows, cols, *values = send_to(ranks, ranks.local.asarray(owners), *map(ranks.local.asarray, columns))
    rows, cols, *values = (ranks.local.to_host(each) for each in (rows, cols, *values))
    both = add_reverse(Coo(*shape, rows, cols, values[0] if values else None))
    return [both.rows, both.cols, *([] if both.values is None else [both.values])]


def join_arcs(
    rows: Any, cols: Any, values: Any, shape: tuple[int, int], dup: str, name: str, ranks: Any
) -> DistributedMatrix:
    """Send arcs to the ranks of their blocks, and join those of one cell."""
    owners, keys = pack_entries(rows, cols, ranks.grid.cut_rows(shape[0]), ranks.grid.cut_columns(shape[1]))
    keys, values = send_to(ranks, owners, keys, values)
    if dup == "sum" and values is None:
        values = ranks.xp.ones(keys.size, "int64")
    if dup == "error":
        again = find_repeat(shape, ranks.xp.sort(keys), ranks)
        if again is not None:
            raise InvalidGraph(
                f"{name}: the arc {again[0]} → {again[1]} (vertices counted from 0) occurs twice; say what repeats "
                "become: dup='first', 'min' or 'sum'"
            )
    (top, bottom), (left, right) = ranks.grid.find_corner(shape)
    join = "first" if dup == "error" else dup
    return DistributedMatrix(shape, make_block(ranks, keys, values, (bottom - top, right - left), join), ranks)


def write_once(engine: Any, write: Callable[[], None]) -> None:
    """Let one rank write; all raise what it raises, and go on when it is done."""
    world = engine.ranks.world
    run_on_all(world, write if world.rank == 0 else lambda: None)
