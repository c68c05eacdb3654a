"""``graphla apsp``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graphla.algorithms.apsp.distance_file import make_working_path
from graphla.doors.cli import _options

CELLS_TOGETHER = 1 << 24
"""Cells that are counted at once."""


@click.command("apsp", short_help="Shortest paths between all pairs of vertices.")
@_options.add_solve_options
@click.option("--next-hops", is_flag=True, help="Also give the vertex after i on a shortest path to j.")
def command(next_hops: bool, **asked: Any) -> None:
    """Shortest paths between all pairs of vertices: a distance for each of n × n cells.

    The answer needs n × n numbers. Those that do not fit in memory go to a file: with --output x.npy the distances
    stream into x.npy.unfinished, which becomes x.npy at the end. If the run is stopped, the same command goes on
    from there. The other kinds of files, and next hops, are written when all is done.

    \b
    Examples:
      graphla apsp grid2d:30 --weights 1..9
      graphla apsp small.mtx --next-hops --output all.npz
      graphla apsp road.gr --output distances.npy
    """
    import graphla as gl
    from graphla.algorithms.shared.weights import infinity
    from graphla.doors.cli._solve import deliver, solve

    report_resumed(asked["output"])
    try:
        found = solve(gl.apsp, (), {"next_hops": True} if next_hops else {}, asked, dense=True)
    except KeyboardInterrupt:
        report_stopped(asked["output"])
        raise
    distances = found.answers[0]
    absent = infinity(distances.dtype)
    facts = {**found.facts, "pairs_with_a_path": count_pairs(distances, absent)}
    deliver(replace(found, facts=facts), ("distances", "next_hops"), absent, asked)


def report_resumed(path: Path | None) -> None:
    """Say that an earlier run is continued."""
    if path is not None and (begun := make_working_path(path)).exists():
        click.echo(f"going on from {begun}", err=True)


def report_stopped(path: Path | None) -> None:
    """Say what a stopped run leaves."""
    if path is not None and (begun := make_working_path(path)).exists():
        click.echo(f"{begun} keeps what is done: the same command goes on from there", err=True)


def count_pairs(cells: Any, absent: Any) -> int:
    """Cells with a distance, counted some rows at a time, for the matrix may be larger than the memory."""
    step = max(1, CELLS_TOGETHER // max(1, cells.shape[1]))
    return sum(int((cells[row : row + step] != absent).sum()) for row in range(0, cells.shape[0], step))
