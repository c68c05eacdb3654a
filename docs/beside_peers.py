"""What ``asv_bench/peers_cpu.py`` measured: graphla on the CPU beside the fastest other library, in docs/_data."""

from __future__ import annotations

import measured
import tables

GRAPHS = {
    "kron16": "Kronecker 16",
    "enron": "email-Enron",
    "roads": "roads of New York",
    "grid": "grid 400 × 400",
    "uniform": "uniform",
    "hubs": "hubs",
}
Rows = list[dict[str, str]]


def on_cpu() -> tables.Table | tables.Tables:
    """Milliseconds of ours and of the fastest other library that answered right, a problem a row, a graph a column."""
    if not (measured.DATA / "peers_cpu.csv").exists():
        return tables.Tables(())
    return make_table(measured.rows("peers_cpu"))


def make_table(stored: Rows) -> tables.Table:
    """The table of these rows."""
    problems = tables.unique(row["problem"] for row in stored)
    cells = {
        (problem, graph): format_cell([r for r in stored if (r["problem"], r["graph"]) == (problem, graph)])
        for problem in problems
        for graph in GRAPHS
    }
    body = tuple((f"`{problem}`", *(cells[problem, graph] for graph in GRAPHS)) for problem in problems)
    return tables.Table(("ms, ours / best", *GRAPHS.values()), body, describe(stored, list(cells.values())))


def format_cell(rows: Rows) -> str:
    """Ours, and the fastest other library's with its name; bold where that is faster."""
    times = sorted((float(row["ms"]), row["library"]) for row in rows if row["ms"])
    ours = next((ms for ms, name in times if name == "graphla"), None)
    theirs = next(((ms, name) for ms, name in times if name != "graphla"), None)
    if ours is None or theirs is None:
        return "–"
    text = f"{ours:.3g} / {theirs[0]:.3g} {theirs[1]}"
    return f"**{text}**" if ours > theirs[0] else text


def describe(stored: Rows, cells: list[str]) -> str:
    """Machine and days, and how many rows another library leads."""
    said = [", ".join(sorted({row[name] for row in stored})) for name in ("machine", "date")]
    compared = [cell for cell in cells if cell != "–"]
    behind = sum(cell.startswith("**") for cell in compared)
    return f"*{said[0]}, {said[1]}. Of {len(compared)} pairs another library is ahead in {behind}.*"
