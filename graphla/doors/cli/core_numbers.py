"""``graphla core_numbers``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("core_numbers", short_help="The core number of each vertex.")
@_options.add_solve_options
def command(**asked: Any) -> None:
    """Core numbers: the largest k for which each vertex is in a k-core, of an undirected graph.

    \b
    Examples:
      graphla core_numbers ny
      graphla core_numbers kron:16 --verify --output cores.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.core_numbers, (), {}, asked)
    values = found.answers[0].to_numpy(-1)
    largest = int(values.max(initial=0))
    facts = {**found.facts, "largest": largest, "innermost": int((values == largest).sum())}
    deliver(Solution(found.graph, found.answers, facts), ("cores",), -1, asked)
