"""Graphs that the ranks of a program make together: each draws its part, and none ever holds the whole."""

from __future__ import annotations

from typing import Any

from graphla.containers.matrix import Matrix
from graphla.engine.mpi.agree import run_on_all
from graphla.engine.mpi.entries import LOW, SHIFT, pack_entries, send_to
from graphla.errors import InvalidGraph, NotSupported
from graphla.generators import generators
from graphla.generators.build import ENTRY_BYTES, Draft, draw_keys
from graphla.generators.spec import parse_spec
from graphla.generators.weights import pair_weights
from graphla.graph import Graph
from graphla.memory import require
from graphla.storage import CompressedMatrix, DistributedMatrix
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
    drafts = {g.function.__name__: g.draft for g in generators().values()}
    draft = drafts.get(name)
    if draft is None:
        able = ", ".join(sorted(known for known, make in drafts.items() if make))
        raise NotSupported(
            f"generate.{name} on engine='mpi': these make a part of their edges alone: {able}. A graph that one "
            f"process can hold is made there and spread: generate.{name}(…, engine='cpu').to('mpi')"
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
        repeats = find_repeat(draft, keys, ranks)
    if repeats is not None:
        raise InvalidGraph(
            f"Duplicate indices found: the entry {repeats} occurs twice: give simple=True to leave out repeats"
        )
    return DistributedMatrix((draft.n, draft.n), make_rows(draft, keys, ranks), ranks)


def collect_arcs(draft: Draft, ranks: Any) -> Any:
    """Draw edges by the piece and send their arcs at once; return those of this rank's block, packed."""
    xp, rank, size = ranks.xp, ranks.world.rank, ranks.size
    arcs = (1 + draft.symmetric) * draft.count
    run_on_all(ranks.world, lambda: require(ENTRY_BYTES * arcs // size + 24 * draft.n, draft.what, xp))
    draw, piece = draft.prepare(), PIECES[ranks.local.name]
    first, last = draft.count * rank // size, draft.count * (rank + 1) // size
    arrived = []
    for start in range(first, first + -(-draft.count // size), piece):  # as many rounds on each rank
        length = max(0, min(piece, last - start))
        keys = draw_keys(length, lambda s, k, start=start: draw(start + s, k), xp)
        arrived.append(send_arcs(draft, keys, ranks))
    keys = xp.concatenate(arrived) if arrived else xp.zeros(0, "int64")
    arrived.clear()
    ranks.local.release()
    return keys


def send_arcs(draft: Draft, keys: Any, ranks: Any) -> Any:
    """Send the arcs of some edges to the ranks of their blocks; return what arrived."""
    tails, heads = keys >> SHIFT, keys & LOW
    if draft.symmetric:
        tails, heads = ranks.xp.concatenate([tails, heads]), ranks.xp.concatenate([heads, tails])
    if draft.simple:
        kept = tails != heads
        tails, heads = tails[kept], heads[kept]
    owners, packed = pack_entries(ranks, tails, heads, (draft.n, draft.n))
    return send_to(ranks, owners, packed)[0]


def find_repeat(draft: Draft, keys: Any, ranks: Any) -> tuple[int, int] | None:
    """Return the first arc that a rank has twice."""
    (top, _), (left, _) = ranks.grid.find_corner((draft.n, draft.n))
    again = ranks.xp.flatnonzero(keys[1:] == keys[:-1])
    key = int(keys[again[0]]) if again.size else None
    cell = NOWHERE if key is None else ((key >> SHIFT) + top) * draft.n + (key & LOW) + left
    first = ranks.world.all_reduce(cell, monoid.min)
    return None if first == NOWHERE else divmod(first, draft.n)


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
