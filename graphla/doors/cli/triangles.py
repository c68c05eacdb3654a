"""``graphla triangles``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("triangles", short_help="The number of triangles, of all or of each vertex.")
@_options.add_solve_options
@click.option("--per-vertex", is_flag=True, help="Count the triangles of each vertex; --output writes these.")
def command(per_vertex: bool, **asked: Any) -> None:
    """Triangles: how many sets of three vertices are neighbours of each other, in an undirected graph.

    \b
    Examples:
      graphla triangles ny
      graphla triangles kron:16 --verify
      graphla triangles links.csv --undirected --output triangles.npy
    """
    import graphla as gl
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    wanted = per_vertex or asked["output"] is not None
    found = solve(gl.triangles, (), {"per_vertex": True} if wanted else {}, asked)
    (answer,) = found.answers
    if wanted:
        facts = {"triangles": int(answer.reduce("plus").new().get(0)) // 3, "highest": list_highest(answer)}
    else:
        facts = {"triangles": answer}
    deliver(Solution(found.graph, found.answers, {**found.facts, **facts}), ("triangles",), -1, asked)
