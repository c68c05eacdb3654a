"""``graphla independent_set``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("independent_set", short_help="A maximal independent set.")
@_options.add_solve_options
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which set.")
def command(seed: int, **asked: Any) -> None:
    """Maximal independent set: vertices of which no two are neighbours, and to which none can be added.

    \b
    Examples:
      graphla independent_set ny
      graphla independent_set kron:16 --seed 3 --verify --output set.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.independent_set, (), {"seed": seed}, asked)
    facts = {**found.facts, "seed": seed, "chosen": int(found.answers[0].to_numpy(False).sum())}
    deliver(Solution(found.graph, found.answers, facts), ("chosen",), False, asked)
