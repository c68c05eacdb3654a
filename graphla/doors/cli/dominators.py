"""``graphla dominators``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("dominators", short_help="The vertex that all paths to each vertex pass last.")
@_options.add_solve_options
@_options.add_source_option
def command(source: int, **asked: Any) -> None:
    """Immediate dominators: for each vertex the last one that all paths from the source to it pass.

    \b
    Examples:
      graphla dominators flow.csv --source 0
      graphla dominators flow.csv --verify --output dominators.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.dominators, (source,), {}, asked)
    facts = {**found.facts, "source": source, "reached": found.answers[0].nvals}
    deliver(Solution(found.graph, found.answers, facts), ("dominators",), -1, asked)
