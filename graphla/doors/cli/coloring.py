"""``graphla coloring``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("coloring", short_help="A color for each vertex; neighbours differ.")
@_options.add_solve_options
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which coloring.")
def command(seed: int, **asked: Any) -> None:
    """Greedy coloring: a color for each vertex such that neighbours have different ones.

    \b
    Examples:
      graphla coloring ny
      graphla coloring kron:16 --seed 3 --verify --output colors.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.coloring, (), {"seed": seed}, asked)
    colors = int(found.answers[0].to_numpy(-1).max(initial=-1)) + 1
    facts = {**found.facts, "seed": seed, "colors": colors}
    deliver(Solution(found.graph, found.answers, facts), ("colors",), -1, asked)
