"""``graphla eigenvector``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("eigenvector", short_help="Eigenvector centrality.")
@_options.add_solve_options
@_options.add_rounds_options
def command(**asked: Any) -> None:
    """Eigenvector centrality: values in proportion to the sum of those of the in-neighbours.

    \b
    Examples:
      graphla eigenvector kron:14
      graphla eigenvector links.csv --undirected --weighted --tolerance 1e-9
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    extra = _options.take_given(asked, "tolerance", "rounds", "max_rounds", "dtype")
    found = solve(gl.eigenvector, (), extra, asked)
    facts = {**found.facts, "highest": list_highest(found.answers[0])}
    deliver(Solution(found.graph, found.answers, facts), ("values",), -1, asked)
