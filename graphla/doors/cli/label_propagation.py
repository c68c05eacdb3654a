"""``graphla label_propagation``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("label_propagation", short_help="Communities by label propagation.")
@_options.add_solve_options
@click.option("--rounds", type=click.IntRange(0), default=10, show_default=True, help="How many rounds to run.")
def command(rounds: int, **asked: Any) -> None:
    """Label propagation: in each round every vertex takes the label that most of its neighbours have.

    \b
    Examples:
      graphla label_propagation kron:18
      graphla label_propagation friends.csv --rounds 5 --verify --output labels.npy
    """
    import numpy as np

    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.label_propagation, (), {"rounds": rounds}, asked)
    _, counts = np.unique(found.answers[0].to_numpy(-1), return_counts=True)
    largest = int(counts.max()) if counts.size else 0
    facts = {**found.facts, "rounds": rounds, "labels": int(counts.size), "largest": largest}
    deliver(Solution(found.graph, found.answers, facts), ("labels",), -1, asked)
