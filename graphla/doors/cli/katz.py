"""``graphla katz``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("katz", short_help="Katz centrality: how many walks end at a vertex.")
@_options.add_solve_options
@_options.add_rounds_options
@click.option("--alpha", type=float, default=0.1, show_default=True, help="What an arc hands on.")
@click.option("--beta", type=float, default=1.0, show_default=True, help="What each vertex has of its own.")
def command(**asked: Any) -> None:
    """Katz centrality: how many walks end at each vertex, each of their arcs counting alpha.

    \b
    Examples:
      graphla katz ny --alpha 0.2
      graphla katz links.csv --alpha 0.01 --rounds 10 --output katz.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    extra = _options.take_given(asked, "alpha", "beta", "tolerance", "rounds", "max_rounds", "dtype")
    found = solve(gl.katz, (), extra, asked)
    facts = {**found.facts, "highest": list_highest(found.answers[0])}
    deliver(Solution(found.graph, found.answers, facts), ("values",), -1, asked)
