"""``graphla betweenness``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("betweenness", short_help="How many shortest paths lead over a vertex or an edge.")
@_options.add_solve_options
@click.option("--source", type=int, multiple=True, metavar="VERTEX", help="Begin paths there alone; may be repeated.")
@click.option("--sample", type=int, metavar="COUNT", help="Begin paths at so many random vertices.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which sample.")
@click.option("--weighted", is_flag=True, help="Weights are the lengths of arcs.")
@click.option("--normalized/--counts", default=True, help="Divide by the number of pairs.  [default: normalized]")
@click.option("--endpoints", is_flag=True, help="The ends of a path lie on it, too.")
@click.option("--edges", is_flag=True, help="Of edges instead of vertices.")
@click.option("--dtype", type=click.Choice(["FP32", "FP64"]), help="The dtype of the values.  [default: FP32]")
def command(source: tuple[int, ...], sample: int | None, **asked: Any) -> None:
    """Betweenness: the share of shortest paths that lead over each vertex, or over each edge.

    \b
    Examples:
      graphla betweenness kron:10
      graphla betweenness ny --sample 8 --output betweenness.npy
      graphla betweenness roads.gr --source 3 --source 8 --weighted --edges --output edges.csv
    """
    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, list_highest, solve

    if source and sample is not None:
        raise click.UsageError("--source and --sample: give the sources, or the number of a sample of them")
    given = ("seed", "normalized", "endpoints", "edges")
    extra = {**_options.take_given(asked, "dtype"), **{name: asked.pop(name) for name in given}}
    extra |= {"sources": list(source)} if source else {"sources": sample} if sample is not None else {}
    path = asked["output"] if extra["edges"] else None
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and edges are three: use .npz or .csv")
    found = solve(gl.betweenness, (), extra, asked)
    if not extra["edges"]:
        facts = {**found.facts, "highest": list_highest(found.answers[0])}
        return deliver(Solution(found.graph, found.answers, facts), ("values",), -1, asked)
    entries = dict(zip(("from", "to", "value"), found.answers[0].to_coo(), strict=True))
    host = {name: found.graph.engine.to_host(part) for name, part in entries.items()}
    first = [[int(host["from"][k]), int(host["to"][k])] for k in (-host["value"]).argsort(kind="stable")[:5]]
    if path is not None:
        write_entries(path, host)
    facts = {**found.facts, "highest": first}
    return deliver(Solution(found.graph, (), facts, in_file=path is not None), (), -1, asked)
