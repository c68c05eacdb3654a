"""``graphla bfs``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("bfs", short_help="Levels of a breadth-first search.")
@_options.add_solve_options
@_options.add_source_option
@click.option("--parents", is_flag=True, help="Also give the parent of each vertex in the search tree.")
def command(source: int, parents: bool, **asked: Any) -> None:
    """Breadth-first search: how many edges away each vertex is from a source.

    Vertices that cannot be reached have no entry; in arrays they hold -1.

    \b
    Examples:
      graphla bfs ny
      graphla bfs kron:18 --source 3 --parents --output tree.npz
      graphla bfs road.gr.gz --method algebraic --trace
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.bfs, (source,), {"parents": True} if parents else {}, asked)
    levels = found.answers[0]
    _, values = levels.to_coo()
    facts = {**found.facts, "source": source, "reached": levels.nvals, "levels": int(values.max()) + 1}
    deliver(Solution(found.graph, found.answers, facts), ("levels", "parents"), -1, asked)
