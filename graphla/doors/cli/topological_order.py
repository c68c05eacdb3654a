"""``graphla topological_order``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("topological_order", short_help="The vertices in an order in which every arc leads forward.")
@_options.add_solve_options
@click.option("--levels", is_flag=True, help="Also give the level of each vertex: its longest path from a first one.")
def command(levels: bool, **asked: Any) -> None:
    """Topological order of a directed graph: every arc leads to a later vertex. A cycle is an error that names it.

    \b
    Examples:
      graphla topological_order tasks.csv
      graphla topological_order tasks.csv --levels --verify --output order.npz
    """
    import graphla as gl
    from graphla.doors.cli._solve import deliver, solve

    found = solve(gl.topological_order, (), {"levels": True} if levels else {}, asked)
    deliver(found, ("vertices", "levels"), -1, asked)
