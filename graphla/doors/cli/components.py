"""``graphla components``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("components", short_help="Weak or strong components.")
@_options.add_solve_options
@click.option(
    "--kind",
    type=click.Choice(["weak", "strong"]),
    default="weak",
    show_default=True,
    help="Joined by paths along arcs in either direction, or by paths of arcs both ways.",
)
@click.option("--sizes", is_flag=True, help="Also give the number of vertices of each component, at its label.")
def command(kind: str, sizes: bool, **asked: Any) -> None:
    """Components: the smallest vertex that each vertex is connected with.

    \b
    Examples:
      graphla components ny
      graphla components kron:18 --sizes --output components.npz
      graphla components links.csv --kind strong --verify
    """
    import graphla as gl
    from graphla.algorithms.components import count_vertices
    from graphla.doors.cli._solve import Solution, deliver, solve

    extra: dict[str, Any] = {"kind": kind, **({"sizes": True} if sizes else {})}
    found = solve(gl.components, (), extra, asked)
    _, counts = count_vertices(found.graph, found.answers[0]).to_coo()
    largest = int(counts.max()) if counts.size else 0
    facts = {**found.facts, "kind": kind, "components": int(counts.size), "largest": largest}
    deliver(Solution(found.graph, found.answers, facts), ("labels", "sizes"), -1, asked)
