"""``graphla truss_numbers``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("truss_numbers", short_help="The truss number of each edge.")
@_options.add_solve_options
def command(**asked: Any) -> None:
    """Truss numbers: the largest k for which each edge is in a k-truss, of an undirected graph.

    \b
    Examples:
      graphla truss_numbers ny
      graphla truss_numbers kron:12 --verify --output trusses.csv
    """
    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    path = asked["output"]
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and edges are three: use .npz or .csv")
    found = solve(gl.truss_numbers, (), {}, asked)
    parts = (found.graph.engine.to_host(part) for part in found.answers[0].to_coo())
    host: dict[str, Any] = dict(zip(("from", "to", "value"), parts, strict=True))
    if path is not None:
        write_entries(path, host)
    largest = int(host["value"].max(initial=0))
    facts = {"largest": largest, "innermost": int((host["value"] == largest).sum()) // 2}
    deliver(Solution(found.graph, (), {**found.facts, **facts}, in_file=path is not None), (), -1, asked)
