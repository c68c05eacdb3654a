"""Tables of the figures in docs/_data: what graphla takes on one H200, and what other libraries take there."""

from __future__ import annotations

from collections.abc import Callable

import measured
from measured import Figure, Other
from tables import Table, Tables

from graphla.measuring import pictures

FIXED = "\u00a0"
"""A space at which no line breaks."""


def size(number: str) -> str:
    """A count with three digits, in one piece."""
    return measured.size(number).replace(" ", FIXED)


def against_others() -> Table:
    """What graphla and the best of the other libraries take for the same."""
    heads = ("one H200, milliseconds", "vertices", "arcs", "graphla", "the best of the others", "ratio")
    rows = (row for row in measured.figures() if row.others or row.method == "algebraic")
    return Table(heads, tuple(map(beside_best, rows)), format_said())


def against_best() -> Table:
    """The same in fewer columns, of what the others have, too."""
    full = against_others()
    rows = tuple((row[0], *row[3:]) for row in full.rows if row[-1])
    return Table((full.headings[0], *full.headings[3:]), rows, full.before)


def beside_best(row: Figure) -> tuple[str, ...]:
    """A line of it; where the best had to reorder the graph first, the best without that stands beside it."""
    what = measured.PROBLEMS[row.problem] + (" as algebra in `gl.loop`" if row.method == "algebraic" else "")
    plain = [other for other in row.others if not other.reordered]
    shown = dict.fromkeys((*row.others[:1], *plain[:1]))
    times = pictures.format_ratio(float(row.others[0].ms) / float(row.ms)).replace(" ", FIXED) if row.others else ""
    others = "; ".join(map(find_named, shown))
    return (f"{what}, {row.title}", size(row.vertices), size(row.arcs), f"**{row.ms}**", others, times)


def find_named(other: Other) -> str:
    """What another library takes, with what must be said of it."""
    return f"{other.ms} ({', '.join(filter(None, (other.library, other.note)))})"


def every_other() -> Table:
    """What each of the other libraries takes."""
    rows = (
        (measured.PROBLEMS[r.problem], r.title, "; ".join(map(find_named, r.others))) for r in measured.list_compared()
    )
    return Table(("problem", "graph", "other libraries, milliseconds"), tuple(rows))


def bfs() -> Tables:
    """What `fused` takes for a breadth-first search on each graph."""
    heads = ("graph", "vertices", "arcs", "levels alone, ms", "with parents, ms")
    return table("bfs", heads, lambda r: (r.title, size(r.vertices), size(r.arcs), r.ms, r.with_parents))


def sssp() -> Tables:
    """What `fused` takes for shortest paths from one source on each graph."""
    heads = ("graph", "distances, ms", "with parents, ms", "arcs relaxed / arcs", "the best of the others, ms")
    return table("sssp", heads, lambda r: (r.title, r.ms, r.with_parents, r.beside, *(o.ms for o in r.others[:1])))


def products() -> Tables:
    """What dense products take."""
    return table("product", ("product", "n", "ms", "T updates/s"), of_full_matrices)


def closures() -> Tables:
    """What Floyd–Warshall on dense matrices takes."""
    return table("closure", ("distances", "n", "ms", "T updates/s"), of_full_matrices)


def of_full_matrices(row: Figure) -> tuple[str, ...]:
    """Kind, size, milliseconds, rate."""
    return (row.title, size(row.vertices), row.ms, row.beside)


def table(problem: str, heads: tuple[str, ...], line: Callable[[Figure], tuple[str, ...]]) -> Tables:
    """The figures of a problem, with their date and commit."""
    lines = (line(row) for row in measured.select_rows(problem) if row.method != "algebraic")
    rows = tuple((*cells, *[""] * (len(heads) - len(cells))) for cells in lines)
    return Tables((Table(heads, rows, format_said()),))


def format_said() -> str:
    """Machine, day and commit, in a line."""
    return f"*One NVIDIA H200, {measured.commits()}*"
