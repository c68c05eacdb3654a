"""``graphla max_flow``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("max_flow", short_help="A maximum flow and a minimum cut.")
@_options.add_solve_options
@_options.add_source_option
@click.option("--sink", type=int, required=True, help="The vertex to which it flows.")
def command(source: int, sink: int, **asked: Any) -> None:
    """Maximum flow between two vertices, and the minimum cut, whose arcs take as much.

    Weights are capacities. The output holds the flow along each arc, where that is more than nothing.

    \b
    Examples:
      graphla max_flow ny --sink 9000 --verify
      graphla max_flow kron:16?weights=1..255 --source 3 --sink 5 --output flow.csv
    """
    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    path = asked["output"]
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and flows are three: use .npz or .csv")
    found = solve(gl.max_flow, (source,), {"sink": sink}, asked)
    answer = found.answers[0]
    parts = (found.graph.engine.to_host(part) for part in answer.flow.to_coo())
    if path is not None:
        write_entries(path, dict(zip(("from", "to", "value"), parts, strict=True)))
    side = int(answer.cut.to_numpy(False).sum())
    facts = {"source": source, "sink": sink, "flow": answer.value, "arcs_used": answer.flow.nvals, "source_side": side}
    deliver(Solution(found.graph, (), {**found.facts, **facts}, in_file=path is not None), (), -1, asked)
