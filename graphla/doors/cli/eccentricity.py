"""``graphla eccentricity``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("eccentricity", short_help="How far the farthest vertex is from each vertex.")
@_options.add_solve_options
@click.option("--source", type=int, multiple=True, metavar="VERTEX", help="Of this vertex alone; may be repeated.")
@click.option("--weighted", is_flag=True, help="Weights are the lengths of arcs.")
def command(source: tuple[int, ...], weighted: bool, **asked: Any) -> None:
    """Eccentricity: the largest distance from each vertex to any vertex that it reaches.

    \b
    Examples:
      graphla eccentricity ny --source 0 --source 7 --weighted
      graphla eccentricity kron:14 --output distances.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    extra: dict[str, Any] = {"sources": list(source) if source else None, "weights": weighted}
    found = solve(gl.eccentricity, (), extra, asked)
    values = found.answers[0].to_coo()[1]
    extremes = {"radius": values.min().item(), "diameter": values.max().item()} if values.size and not source else {}
    largest = {"largest": values.max().item()} if values.size and source else {}
    deliver(Solution(found.graph, found.answers, {**found.facts, **extremes, **largest}), ("distances",), -1, asked)
