"""``graphla widest_paths``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("widest_paths", short_help="Paths from a vertex whose lightest arc is as heavy as can be.")
@_options.add_solve_options
@_options.add_source_option
@click.option("--parents", is_flag=True, help="Also give the vertex before each one on a widest path.")
def command(source: int, parents: bool, **asked: Any) -> None:
    """Widest paths: the greatest width of a path from a source to each vertex, where the lightest arc of it counts.

    Vertices that cannot be reached have no entry; in arrays they hold the least number of the type.

    \b
    Examples:
      graphla widest_paths ny --source 3
      graphla widest_paths kron:16?weights=1..255 --parents --verify --output widths.npz
    """
    import graphla as gl
    from graphla.algorithms.widest_paths.values import find_least
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.widest_paths, (source,), {"parents": True} if parents else {}, asked)
    facts = {**found.facts, "source": source, "reached": found.answers[0].nvals}
    absent = find_least(found.answers[0].dtype.numpy)
    deliver(Solution(found.graph, found.answers, facts), ("widths", "parents"), absent, asked)
