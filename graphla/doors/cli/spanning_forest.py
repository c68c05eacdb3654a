"""``graphla spanning_forest``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("spanning_forest", short_help="A minimum or maximum spanning forest.")
@_options.add_solve_options
@click.option(
    "--kind",
    type=click.Choice(["minimum", "maximum"]),
    default="minimum",
    show_default=True,
    help="Of the least or of the greatest weight.",
)
def command(kind: str, **asked: Any) -> None:
    """Spanning forest: edges without a cycle that connect what an undirected graph connects.

    \b
    Examples:
      graphla spanning_forest ny
      graphla spanning_forest kron:16?weights=1..255 --kind maximum --verify
      graphla spanning_forest roads.csv --undirected --output forest.csv
    """
    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    path = asked["output"]
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and edges are three: use .npz or .csv")
    found = solve(gl.spanning_forest, (), {"kind": kind}, asked)
    parts = (found.graph.engine.to_host(part) for part in found.answers[0].to_coo())
    host: dict[str, Any] = dict(zip(("from", "to", "value"), parts, strict=True))
    upper, edges = host["from"] < host["to"], host["from"].size // 2
    if path is not None:
        write_entries(path, host)
    facts = {"kind": kind, "edges": edges, "trees": found.graph.n - edges, "weight": host["value"][upper].sum().item()}
    deliver(Solution(found.graph, (), {**found.facts, **facts}, in_file=path is not None), (), -1, asked)
