"""The figures measured on one H200, and those of the other libraries there, in two files of docs/_data.

``python asv_bench/gpu/record.py`` measures every row of ``h200.csv`` anew. Tables, charts and the README read the
figures here, so none stands twice.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "_data"
PROBLEMS = {
    "bfs": "Breadth-first search",
    "sssp": "Shortest paths from one source",
    "product": "Dense min-plus product",
    "closure": "Shortest paths between all pairs, dense",
}


@dataclass(frozen=True)
class Figure:
    """One line of ``h200.csv``: the median milliseconds of a method on a graph, as text with its digits."""

    problem: str
    method: str
    title: str
    spec: str
    vertices: str
    arcs: str
    ms: str
    with_parents: str
    beside: str
    commit: str
    date: str

    @property
    def others(self) -> list[Other]:
        """What other libraries take for the same, the fastest first."""
        found = [other for other in others() if (other.problem, other.spec) == (self.problem, self.spec)]
        return sorted(found, key=lambda other: float(other.ms)) if self.method != "algebraic" else []


@dataclass(frozen=True)
class Other:
    """One line of ``peers.csv``: the median milliseconds of another library."""

    problem: str
    spec: str
    library: str
    ms: str
    note: str
    date: str

    @property
    def reordered(self) -> bool:
        """Whether it searched a graph that it had reordered, outside the time."""
        return "reordering" in self.note


@cache
def figures() -> tuple[Figure, ...]:
    """All that was measured of graphla."""
    return tuple(Figure(**row) for row in rows("h200"))


@cache
def others() -> tuple[Other, ...]:
    """All that was measured of other libraries."""
    return tuple(Other(**row) for row in rows("peers"))


def rows(name: str) -> list[dict[str, str]]:
    """The lines of a file by their headings."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def select_rows(problem: str) -> list[Figure]:
    """The figures of a problem."""
    return [row for row in figures() if row.problem == problem]


def list_compared() -> list[Figure]:
    """The figures beside which others stand."""
    return [row for row in figures() if row.others]


def commits() -> str:
    """Which commit was measured, and when: a half sentence."""
    found = sorted({row.commit for row in figures()})
    days = sorted({row.date for row in figures()})
    named = " and ".join(commit[:8] for commit in found if commit)
    return ", ".join([*days, f"commit {named}" if named and "" not in found else "several commits of that day"])


def size(number: str) -> str:
    """A count with three digits: 31.4 M, 1.05 G; small ones in full."""
    if not number:
        return ""
    value = int(number)
    for factor, prefix in ((10**9, " G"), (10**6, " M")):
        if value >= factor:
            return f"{float(f'{value / factor:.3g}'):g}{prefix}"
    return f"{value:,}"
