"""``graphla clustering``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("clustering", short_help="Clustering coefficients, of each vertex or of the graph.")
@_options.add_solve_options
@click.option(
    "--kind",
    type=click.Choice(["local", "average", "transitivity"]),
    default="local",
    show_default=True,
    help="The coefficient of each vertex, their mean, or all arcs that join neighbours over all that could.",
)
def command(kind: str, **asked: Any) -> None:
    """Clustering: the share of the pairs of a vertex's neighbours that an arc joins.

    \b
    Examples:
      graphla clustering ny
      graphla clustering kron:14 --kind transitivity
      graphla clustering links.csv --verify --output coefficients.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    if kind != "local" and asked["output"] is not None:
        raise click.UsageError(f"--output with --kind {kind}: that is one number; files hold the local coefficients")
    found = solve(gl.clustering, (), {"kind": kind}, asked)
    (answer,) = found.answers
    if kind == "local":
        average = float(answer.to_numpy().mean()) if found.graph.n else 0.0
        facts = {"average": average, "highest": list_highest(answer)}
    else:
        facts = {kind: answer}
    deliver(Solution(found.graph, found.answers, {**found.facts, **facts}), ("coefficients",), -1, asked)
