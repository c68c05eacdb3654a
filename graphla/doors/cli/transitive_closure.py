"""``graphla transitive_closure``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("transitive_closure", short_help="Which vertices each vertex reaches.")
@_options.add_solve_options
@click.option("--reflexive", is_flag=True, help="Each vertex reaches itself; by default only those on a cycle.")
def command(reflexive: bool, **asked: Any) -> None:
    """Transitive closure: the pairs of vertices of which the first reaches the second.

    \b
    Examples:
      graphla transitive_closure tasks.csv --output closure.csv
      graphla transitive_closure tasks.csv --reflexive --verify
    """
    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    path = asked["output"]
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and pairs are two: use .npz or .csv")
    found = solve(gl.transitive_closure, (), {"reflexive": reflexive}, asked)
    if path is not None:
        parts = (found.graph.engine.to_host(part) for part in found.answers[0].to_coo()[:2])
        write_entries(path, dict(zip(("from", "to"), parts, strict=True)))
    facts = {**found.facts, "reflexive": reflexive, "pairs": found.answers[0].nvals}
    deliver(Solution(found.graph, (), facts, in_file=path is not None), (), -1, asked)
