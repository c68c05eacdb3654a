"""``graphla matching``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("matching", short_help="Edges of which no two have an end in common.")
@_options.add_solve_options
@click.option(
    "--kind",
    type=click.Choice(["maximal", "maximum"]),
    default="maximal",
    show_default=True,
    help="None can be added, or (of a bipartite graph) no matching has more.",
)
@click.option("--weighted", is_flag=True, help="Heavy edges go first.")
@click.option("--seed", type=click.IntRange(0), help="Which maximal matching.  [default: 0]")
def command(kind: str, **asked: Any) -> None:
    """Matching: edges of an undirected graph of which no two have an end in common.

    \b
    Examples:
      graphla matching ny --weighted
      graphla matching grid2d:100 --kind maximum --verify --output mates.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.matching, (), {"kind": kind, **_options.take_given(asked, "seed")}, asked)
    facts = {**found.facts, "kind": kind, "edges": found.answers[0].nvals // 2}
    deliver(Solution(found.graph, found.answers, facts), ("mates",), -1, asked)
