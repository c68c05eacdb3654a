"""``graphla biconnected_components``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("biconnected_components", short_help="Biconnected components and bridges.")
@_options.add_solve_options
def command(**asked: Any) -> None:
    """Biconnected components: the number of each edge's component, of an undirected graph. A bridge is one alone.

    \b
    Examples:
      graphla biconnected_components ny
      graphla biconnected_components kron:12 --verify --output parts.csv
    """
    import numpy as np

    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    path = asked["output"]
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and edges are three: use .npz or .csv")
    found = solve(gl.biconnected_components, (), {}, asked)
    parts = (found.graph.engine.to_host(part) for part in found.answers[0].to_coo())
    host: dict[str, Any] = dict(zip(("from", "to", "value"), parts, strict=True))
    if path is not None:
        write_entries(path, host)
    sizes = np.bincount(host["value"]) // 2
    facts = {"components": sizes.size, "bridges": int((sizes == 1).sum()), "largest": int(sizes.max(initial=0))}
    deliver(Solution(found.graph, (), {**found.facts, **facts}, in_file=path is not None), (), -1, asked)
