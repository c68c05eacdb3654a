"""``graphla pagerank``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("pagerank", short_help="Ranks of the vertices by a random surfer.")
@_options.add_solve_options
@_options.add_rounds_options
@click.option("--damping", type=float, default=0.85, show_default=True, help="The probability of following an arc.")
@click.option(
    "--personalization", type=int, multiple=True, metavar="VERTEX", help="Teleport there alone; may be repeated."
)
@click.option(
    "--dangling",
    type=click.Choice(["teleport", "ignore"]),
    help="Where the rank of vertices without leaving arcs goes: where teleports go, or nowhere.  [default: teleport]",
)
@click.option(
    "--convention",
    type=click.Choice(["gap", "graphalytics", "networkx"]),
    help="The defaults of a benchmark or a library.",
)
def command(personalization: tuple[int, ...], **asked: Any) -> None:
    """PageRank: the share of its time that a random surfer spends at each vertex.

    \b
    Examples:
      graphla pagerank ny
      graphla pagerank kron:18 --rounds 20 --output ranks.npy
      graphla pagerank links.csv --personalization 3 --personalization 8 --tolerance 1e-9 --dtype FP64
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    extra = _options.take_given(
        asked, "damping", "tolerance", "rounds", "max_rounds", "dangling", "convention", "dtype"
    )
    extra |= {"personalization": dict.fromkeys(personalization, 1)} if personalization else {}
    found = solve(gl.pagerank, (), extra, asked)
    total = float(found.answers[0].to_numpy().sum(dtype="float64"))
    facts = {**found.facts, "sum": total, "highest": list_highest(found.answers[0])}
    deliver(Solution(found.graph, found.answers, facts), ("ranks",), -1, asked)
