"""``graphla hits``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("hits", short_help="Hubs and authorities.")
@_options.add_solve_options
@_options.add_rounds_options
def command(**asked: Any) -> None:
    """Hubs and authorities: a good hub points to good authorities, and those are pointed to by good hubs.

    \b
    Examples:
      graphla hits links.csv
      graphla hits kron:14 --output hits.npz --verify
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    extra = _options.take_given(asked, "tolerance", "rounds", "max_rounds", "dtype")
    found = solve(gl.hits, (), extra, asked)
    facts = {**found.facts, "hubs": list_highest(found.answers[0]), "authorities": list_highest(found.answers[1])}
    deliver(Solution(found.graph, found.answers, facts), ("hubs", "authorities"), -1, asked)
