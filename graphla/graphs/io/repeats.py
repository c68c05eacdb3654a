"""Arcs that occur more than once, and numbers with gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from graphla.common.arguments import show, to_choice
from graphla.common.errors import InvalidGraph
from graphla.containers.labels import Labels
from graphla.graphs.reverse import rearrange
from graphla.storage import Coo
from graphla.storage.convert import DUPS, combine_repeats

GAPS = 1000
"""Vertices for each arc of a file from which on its numbering is taken for one with gaps."""
SMALL = 1 << 24
"""Vertices up to which gaps cost little."""


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
    return replace(once, values=None if values is None else values[here])


def require_coo(coo: Any) -> None:
    """Refuse what is no `Coo`."""
    if not isinstance(coo, Coo):
        raise InvalidGraph(f"coo={show(coo)}: give a Coo, as read_coo returns it")


def refuse_repeat(coo: Coo, order: Any, first: Any) -> None:
    """Name the first arc that occurs again, and where."""
    runs = np.cumsum(first) - 1
    again = int(order[~first].min())
    before = int(order[first][runs[np.flatnonzero(order == again)[0]]])
    ends, counted = (coo.rows[again], coo.cols[again]), " (vertices counted from 0)"
    if coo.labels is not None:
        ends, counted = tuple(repr(each) for each in coo.labels.array[list(ends)].tolist()), ""
    arc = f"the arc {ends[0]} → {ends[1]}{counted} occurs"
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
    labels = None if coo.labels is None else Labels(coo.labels.array[numbers])
    return replace(coo, nrows=numbers.size, ncols=numbers.size, rows=rows, cols=cols, labels=labels), numbers


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
