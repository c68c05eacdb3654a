"""Arcs that occur more than once, edges that a file lists one way or both ways, and numbers with gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.common.arguments import show, to_choice
from graphla.common.errors import InvalidGraph
from graphla.graphs.io.edges import rearrange
from graphla.storage import Coo
from graphla.storage.convert import DUPS, combine_repeats

GAPS = 1000
"""Vertices for each arc of a file from which on its numbering is taken for one with gaps."""
SMALL = 1 << 24
"""Vertices up to which gaps cost little."""


def add_reverse(coo: Coo) -> Coo:
    """With the reverse of each arc right after it, unless the file holds that, too, with the same weight.

    Both directions of an edge stand where the first one of them does in the file, so that the matrix is symmetric
    however repeats are joined. An arc that occurs k times gets a reverse that occurs k times. O(m log m).
    """
    arcs, reverse = np.arange(coo.rows.size), find_reverse(coo)
    lacking = np.flatnonzero(reverse < 0)
    source = np.concatenate([arcs, lacking])
    order = np.argsort(np.concatenate([np.where(reverse < 0, arcs, np.minimum(arcs, reverse)), lacking]), kind="stable")
    return rearrange(coo, source[order], order >= arcs.size)


def find_reverse(coo: Coo) -> Any:
    """For the k-th arc u → v of a weight the k-th v → u of that weight, -1 where there is none; for a loop itself."""
    rows, cols = coo.rows.astype(np.int64), coo.cols.astype(np.int64)
    pair, down = np.minimum(rows, cols) << 32 | np.maximum(rows, cols), rows > cols
    weight = np.zeros(rows.size) if coo.values is None else coo.values
    keys = pair, weight, count_before(pair, weight, down)
    order = np.lexsort((down, *keys[::-1]))
    same = np.logical_and.reduce([key[order][1:] == key[order][:-1] for key in keys])
    result = np.where(rows == cols, np.arange(rows.size), -1)
    result[order[:-1][same]], result[order[1:][same]] = order[1:][same], order[:-1][same]
    return result


def count_before(*keys: Any) -> Any:
    """How many entries before each one have the same keys."""
    order = np.lexsort(keys[::-1])
    begins = np.ones(order.size, bool)
    begins[1:] = np.logical_or.reduce([key[order][1:] != key[order][:-1] for key in keys])
    places = np.arange(order.size)
    result = np.empty_like(places)
    result[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
    return result


def join_repeats(coo: Coo, dup: str) -> Coo:
    """Keep each arc once, where it occurs first; join the values of its repeats.

    Parameters
    ----------
    coo : Coo
        NumPy arrays.
    dup : {"error", "first", "min", "sum"}
        What repeated arcs become.

    Returns
    -------
    Coo
        Without repeats.

    Raises
    ------
    InvalidGraph
        If `dup` is no such word, or is ``"error"`` and an arc occurs twice; the message names the file and both lines.

    Examples
    --------
    >>> import numpy as np
    >>> arcs = Coo(2, 2, np.array([0, 0], "int32"), np.array([1, 1], "int32"), np.array([4, 3]))
    >>> join_repeats(arcs, "min").values
    array([3])
    """
    require_coo(coo)
    to_choice(dup, "dup", DUPS, InvalidGraph)
    keys = coo.rows.astype(np.int64) << 32 | coo.cols
    order = np.argsort(keys, kind="stable")
    first = np.ones(order.size, bool)
    first[1:] = keys[order][1:] != keys[order][:-1]
    if first.all():
        return coo
    if dup == "error":
        refuse_repeat(coo, order, first)
    kept = order[first]
    values = None if coo.values is None else combine_repeats(coo.values[order], first, dup, np)
    here = np.argsort(kept)
    once = rearrange(coo, kept[here], np.zeros(kept.size, bool))
    return Coo(coo.nrows, coo.ncols, once.rows, once.cols, None if values is None else values[here], once.origin)


def require_coo(coo: Any) -> None:
    """Refuse what is no `Coo`."""
    if not isinstance(coo, Coo):
        raise InvalidGraph(f"coo={show(coo)}: give a Coo, as read_coo returns it")


def refuse_repeat(coo: Coo, order: Any, first: Any) -> None:
    """Name the first arc that occurs again, and where."""
    runs = np.cumsum(first) - 1
    again = int(order[~first].min())
    before = int(order[first][runs[np.flatnonzero(order == again)[0]]])
    arc = f"the arc {coo.rows[again]} → {coo.cols[again]} (vertices counted from 0) occurs"
    way_out = "say what repeats become: dup='first', 'min' or 'sum' (on the command line --dup)"
    if coo.origin is None:
        raise InvalidGraph(f"{arc} twice; {way_out}")
    where = coo.origin.entry
    raise InvalidGraph(f"{coo.origin.name}, {where(again)}: {arc} here and on {where(before)}; {way_out}")


def relabel(coo: Coo) -> tuple[Coo, Any]:
    """The same arcs between vertices that are numbered without gaps, in the order of their old numbers.

    Parameters
    ----------
    coo : Coo
        What `read_coo` gives.

    Returns
    -------
    (Coo, array of int32)
        The matrix, and the old number of each of its vertices.

    Examples
    --------
    >>> import numpy as np
    >>> coo, numbers = relabel(Coo(1000, 1000, np.array([7, 7]), np.array([999, 20]), None))
    >>> coo.nrows, coo.rows.tolist(), coo.cols.tolist(), numbers.tolist()
    (3, [0, 0], [2, 1], [7, 20, 999])
    """
    require_coo(coo)
    numbers, ends = np.unique(np.concatenate([coo.rows, coo.cols]), return_inverse=True)
    rows, cols = np.split(ends.astype(np.int32), 2)
    return Coo(numbers.size, numbers.size, rows, cols, coo.values, coo.origin), numbers


def refuse_gaps(coo: Coo, arcs: int | None = None) -> None:
    """Refuse a file whose few arcs use numbers so large that most of the memory would go to vertices without arcs.

    Parameters
    ----------
    coo : Coo
        What `read_coo` gives.
    arcs : int, optional
        Of how many arcs these are a part; by default they are all.

    Raises
    ------
    InvalidGraph
        If there are more than 2**24 vertices and more than 1,000 for each arc; the message names file, line and number.

    Examples
    --------
    >>> import numpy as np
    >>> refuse_gaps(Coo(2, 2, np.array([0], "int32"), np.array([1], "int32"), None))
    """
    require_coo(coo)
    n = max(coo.nrows, coo.ncols)
    arcs = int(coo.rows.size) if arcs is None else arcs
    if coo.origin is None or n <= SMALL or n <= GAPS * (arcs + 1):
        return
    raise InvalidGraph(
        f"{coo.origin.name}, {coo.origin.size}: {n} vertices (the largest is {n - 1}, counted from 0) for "
        f"{arcs:,} arcs are more than {GAPS:,} for each: number those with arcs from 0 on, as "
        "graphla.graphs.io.relabel does, and graphla convert --relabel"
    )
