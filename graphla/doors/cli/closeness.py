"""``graphla closeness``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("closeness", short_help="How near a vertex is to the others.")
@_options.add_solve_options
@click.option("--source", type=int, multiple=True, metavar="VERTEX", help="Of this vertex alone; may be repeated.")
@click.option("--weighted", is_flag=True, help="Weights are the lengths of arcs.")
@click.option("--harmonic", is_flag=True, help="The sum of 1 / distance.")
@click.option(
    "--improved/--plain", default=True, help="Compare small components with all vertices.  [default: improved]"
)
@click.option(
    "--direction",
    type=click.Choice(["in", "out"]),
    default="in",
    show_default=True,
    help="Distances to the vertex, or from it.",
)
def command(source: tuple[int, ...], **asked: Any) -> None:
    """Closeness: one over the mean distance between a vertex and those that reach it.

    \b
    Examples:
      graphla closeness kron:10
      graphla closeness ny --weighted --source 3 --source 8 --output closeness.csv
      graphla closeness links.csv --harmonic --direction out
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    extra = _options.take_given(asked, "harmonic", "improved", "direction")
    extra |= {"sources": list(source)} if source else {}
    found = solve(gl.closeness, (), extra, asked)
    facts = {**found.facts, "highest": list_highest(found.answers[0])}
    deliver(Solution(found.graph, found.answers, facts), ("values",), -1, asked)
