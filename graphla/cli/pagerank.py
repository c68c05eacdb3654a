"""``graphla pagerank``."""

from __future__ import annotations

from typing import Any

import click

from graphla.cli import _options

TOP = 5
"""How many of the highest vertices are shown."""


@click.command("pagerank", short_help="Ranks of the vertices by a random surfer.")
@_options.add_solve_options
@click.option("--damping", type=float, default=0.85, show_default=True, help="The probability of following an arc.")
@click.option("--tolerance", type=float, help="The change of a round at which the rounds end.  [default: 1e-6]")
@click.option("--rounds", type=int, help="Run so many rounds instead.")
@click.option("--max-rounds", type=int, help="The most rounds before the tolerance is met.  [default: 100]")
@click.option(
    "--personalization", type=int, multiple=True, metavar="VERTEX", help="Teleport there alone; may be repeated."
)
@click.option("--weighted", is_flag=True, help="Follow arcs in proportion to their weights.")
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
@click.option("--dtype", type=click.Choice(["FP32", "FP64"]), help="The dtype of the ranks.  [default: FP32]")
def command(personalization: tuple[int, ...], weighted: bool, **asked: Any) -> None:
    """PageRank: the share of its time that a random surfer spends at each vertex.

    \b
    Examples:
      graphla pagerank ny
      graphla pagerank kron:18 --rounds 20 --output ranks.npy
      graphla pagerank links.csv --personalization 3 --personalization 8 --tolerance 1e-9 --dtype FP64
    """
    import graphla as gl
    from graphla.cli._solve import Solution, deliver, solve

    names = "damping", "tolerance", "rounds", "max_rounds", "dangling", "convention", "dtype"
    extra = {name: value for name in names if (value := asked.pop(name)) is not None}
    extra |= {"personalization": dict.fromkeys(personalization, 1)} if personalization else {}
    extra |= {"weights": True} if weighted else {}
    found = solve(gl.pagerank, (), extra, asked)
    ranks = found.answers[0].to_numpy()
    highest = (-ranks).argsort(kind="stable")[:TOP].tolist()
    facts = {**found.facts, "sum": float(ranks.sum(dtype="float64")), "highest": highest}
    deliver(Solution(found.graph, found.answers, facts), ("ranks",), -1, asked)
