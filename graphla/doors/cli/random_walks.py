"""``graphla random_walks``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("random_walks", short_help="Walks along arcs that are drawn at random.")
@_options.add_solve_options
@click.option("--length", type=click.IntRange(0), default=10, show_default=True, help="The number of steps.")
@click.option("--start", type=int, multiple=True, metavar="VERTEX", help="Begin here; may be repeated. By default all.")
@click.option("--walks", type=click.IntRange(1), default=1, show_default=True, help="The number of walks from a start.")
@click.option("--weighted", is_flag=True, help="Arcs are drawn in proportion to their weights.")
@click.option("-p", type=float, default=1.0, show_default=True, help="Of node2vec: a large one avoids steps back.")
@click.option("-q", type=float, default=1.0, show_default=True, help="Of node2vec: a large one stays near.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Which walks.")
def command(start: tuple[int, ...], weighted: bool, **asked: Any) -> None:
    """Random walks, the same for a seed by every method; with -p and -q those of node2vec.

    \b
    Examples:
      graphla random_walks ny --length 5 --start 0 --start 7 --output walks.npy
      graphla random_walks kron:14 --length 80 --walks 10 -p 4 -q 0.5 --verify
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    extra = {name: asked.pop(name) for name in ("length", "walks", "p", "q", "seed")}
    extra |= {"weights": weighted, "starts": list(start) if start else None}
    found = solve(gl.random_walks, (), extra, asked)
    walks = found.answers[0]
    facts = {**found.facts, "walks": walks.nrows, "length": extra["length"], "steps": walks.nvals - walks.nrows}
    deliver(Solution(found.graph, found.answers, facts), ("vertices",), -1, asked)
