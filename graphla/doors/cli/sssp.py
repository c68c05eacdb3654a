"""``graphla sssp``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("sssp", short_help="Shortest paths from one source.")
@_options.add_solve_options
@_options.add_source_option
@click.option(
    "--parents",
    "--predecessors",
    "parents",
    is_flag=True,
    help="Also give the parent of each vertex: the vertex before it on a shortest path.",
)
def command(source: int, parents: bool, **asked: Any) -> None:
    """Shortest paths from one source: the least sum of weights to each vertex.

    An edge of a graph without weights weighs 1; --weights gives others. Vertices that cannot be reached have no
    entry; in arrays they hold the largest value of an integer type, or infinity. A cycle of negative weight that
    can be reached is an error, with its vertices.

    \b
    Examples:
      graphla sssp ny --weights 1..255
      graphla sssp road.gr --source 12 --parents --output paths.npz
      graphla sssp kron:16 --weights 1..255 --method delta_stepping --set delta=16
    """
    import graphla as gl
    from graphla.algorithms.shared.weights import infinity
    from graphla.doors.cli._solve import Solution, deliver, solve

    found = solve(gl.sssp, (source,), {"parents": True} if parents else {}, asked)
    distances = found.answers[0]
    _, values = distances.to_coo()
    facts = {**found.facts, "source": source, "reached": distances.nvals, "farthest": values.max().item()}
    absent = infinity(distances.dtype.numpy)
    deliver(Solution(found.graph, found.answers, facts), ("distances", "parents"), absent, asked)
