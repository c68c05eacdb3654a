"""Direction-optimising breadth-first search over rows that are spread over the ranks.

Every rank holds the bitmap of all vertices seen, and finds its own vertices. In a pull its unseen vertices look for a
seen tail. In a push the heads of its frontier are sent, as bits, to the ranks that own them, which look for the parent
among the tails. Either way the words of this rank go to all others after the level: n / 8 bytes arrive per level.

Source: Beamer, Buluç, Asanović, Patterson, "Distributed Memory Breadth-First Search Revisited: Enabling Bottom-Up
Search", MTAAP 2013; Yoo et al., "A Scalable Distributed Parallel
Breadth-First Search Algorithm on BlueGene/L", SC 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.algorithms.bfs.fused import BETA, GAMMA, PUSH_COST
from graphla.algorithms.bfs.ranks.rows import RankRows
from graphla.common.environment import read_switch
from semirings import monoid

Array = Any


@dataclass
class Progress:
    """Arcs of vertices that were in no frontier yet, such vertices, the size of the frontier, and how it was found."""

    unexplored: int
    open: int
    found: int = 1
    pulled: bool = False


def search(rows: RankRows, source: int, parents: bool) -> tuple[Array, Array]:
    """Return levels and parents (or an empty array) of this rank's vertices, int32, -1 where there is none.

    Every rank calls it. O((V + E) / P) work and O(V / 8) bytes to each rank per level.
    """
    peers = get_peers(rows)
    if peers is not None:
        return peers.search(rows.to_place(source), parents)
    levels = get_arrays(rows)
    levels.clear(parents)
    levels.set_source(rows.to_place(source))
    depth, at = 0, Progress(rows.nvals, rows.open_everywhere)
    while at.found:
        depth = run_narrow(rows, levels, depth, at)
        if not at.found:
            break
        at.open -= at.found
        at.pulled = choose_pull(rows, levels, at)
        if at.pulled:
            share(rows, levels.pull(depth))
        else:
            share(rows, levels.take(combine_bits(rows, levels.push()), depth))
        levels.advance()
        at.found = rows.world.all_reduce(levels.count_found(), monoid.plus)
        depth += 1
    own, above = levels.finish()
    return own, above if not parents else keep_absent(rows, above)


def get_peers(rows: RankRows) -> Any:
    """Return the search that runs as one launch on each GPU of a box, or None; every rank calls it.

    GRAPHLA_PEERS=0 leaves the levels to launches from the host, as between boxes.
    """
    if not read_switch("GRAPHLA_PEERS", True):
        return None
    if "peers" not in rows.kept:
        from graphla.algorithms.bfs.ranks._peers import PeerLevels, can_store

        rows.kept["peers"] = PeerLevels(rows) if can_store(rows) else None
    return rows.kept["peers"]


def open_boxes(rows: RankRows) -> Any:
    """Return the memory for narrow levels, or None; every rank calls it."""
    from graphla.algorithms.bfs.ranks._narrow import Boxes

    boxes = Boxes(rows.world)
    return boxes if boxes.exist() else None


def get_arrays(rows: RankRows) -> Any:
    """Return the arrays of a search, which are kept with the rows."""
    if "levels" not in rows.kept:
        if rows.engine.name == "cpu":
            from graphla.algorithms.bfs.ranks._cpu import HostLevels as Levels
        else:
            from graphla.algorithms.bfs.ranks._cuda import DeviceLevels as Levels
        rows.kept["levels"] = Levels(rows)
    return rows.kept["levels"]


def run_narrow(rows: RankRows, levels: Any, depth: int, at: Progress) -> int:
    """Run levels of few arcs in memory that the ranks share, if they do; return the depth of the next one."""
    if "boxes" not in rows.kept:
        rows.kept["boxes"] = None if rows.engine.name != "cpu" else open_boxes(rows)
    boxes = rows.kept["boxes"]
    if boxes is None or at.pulled or at.found > boxes.entries:
        return depth
    from graphla.algorithms.bfs.ranks._narrow import run_levels

    after = run_levels(levels, boxes, depth, at)
    if after > depth and at.found:
        share(rows, levels.seen)
    return after


def choose_pull(rows: RankRows, levels: Any, at: Progress) -> bool:
    """Whether the next level is pulled, by the rule of the search on one GPU; else the frontier is listed."""
    if at.pulled and at.found * BETA >= rows.n:
        return True
    arcs = rows.world.all_reduce(levels.list_frontier(), monoid.plus)
    at.unexplored -= arcs
    probed = min(at.open / max(arcs, 1), 1)
    return arcs * GAMMA > rows.n and at.unexplored * probed < PUSH_COST * arcs


def combine_bits(rows: RankRows, sent: Array) -> Array:
    """Return the bits that any rank has sent to this one."""
    if rows.ranks == 1:
        return sent
    own, *others = (part for part in rows.world.all_to_all(rows.order_parts(sent)))
    for part in others:
        own = own | part
    return own


def share(rows: RankRows, bitmap: Array) -> None:
    """Send the own words of a bitmap to all ranks, and receive theirs at their places."""
    if rows.ranks == 1:
        return
    parts = rows.order_parts(bitmap)
    rows.world.exchange([parts[rows.world.rank]] * rows.ranks, parts)


def keep_absent(rows: RankRows, places: Array) -> Array:
    """Convert the places of parents to vertices; -1 stays."""
    found = places >= 0
    places[found] = rows.to_vertex(places[found].astype("int64")).astype("int32")
    return places
