"""``graphla graph500``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphla.common.typing import EngineName
from graphla.doors.cli import _options
from graphla.doors.cli._output import Target, write

if TYPE_CHECKING:
    from graphla.measuring.graph500 import Graph500


@click.command("graph500", short_help="Run the Graph500 benchmark.")
@click.option("--scale", type=click.IntRange(1), required=True, help="The graph has 2^scale vertices.")
@click.option("--edge-factor", type=click.IntRange(1), default=16, show_default=True, help="Edges for each vertex.")
@click.option("--sources", type=click.IntRange(1), default=64, show_default=True, help="How many searches.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed makes another graph.")
@click.option("--method", help="A method of bfs that gives parents; by default the best.")
@click.option("--no-validation", is_flag=True, help="Leave out the check of each search by the five rules.")
@click.option("--output", type=Target(".txt"), help="Write the report to a file, too.")
@_options.engine
@_options.as_json
def command(
    scale: int,
    edge_factor: int,
    sources: int,
    seed: int,
    method: str | None,
    no_validation: bool,
    output: Path | None,
    engine: EngineName | None,
    as_json: bool,
) -> None:
    """The Graph500 benchmark: build a Kronecker graph, search it, validate, report traversed edges a second.

    \b
    Examples:
      graphla graph500 --scale 16
      graphla graph500 --scale 24 --engine cuda --output report.txt
      mpiexec -n 2 graphla graph500 --scale 18
    """
    from graphla.doors.cli._work import run_with_progress
    from graphla.engine.mpi.world import count_started, get_world
    from graphla.measuring.graph500 import run

    if count_started() > 1:
        options = {"edge_factor": edge_factor, "engine": engine, "seed": seed, "sources": sources}
        found = run_on_ranks(scale, method, {**options, "validate": not no_validation})
        if get_world().rank == 0:
            show(found, output, as_json)
        return
    found = run_with_progress(
        f"graph500, scale {scale}",
        lambda tell: run(
            scale,
            edge_factor=edge_factor,
            engine=engine,
            method=method,
            seed=seed,
            sources=sources,
            validate=not no_validation,
            progress=tell,
        ),
    )
    show(found, output, as_json)


def run_on_ranks(scale: int, method: str | None, options: dict[str, Any]) -> Graph500:
    """Run on all ranks of mpiexec; there is one method."""
    from graphla.mpi import graph500

    if method is not None:
        raise click.UsageError(f"--method {method}: on many ranks there is one search; leave it out")
    return graph500(scale, **options)


def show(found: Graph500, output: Path | None, as_json: bool) -> None:
    """Print the report, and write it to a file if that is wanted."""
    report = "\n".join(found.format_lines())
    if output is not None:
        write(output, lambda stream: stream.write(f"{report}\n".encode()))
    click.echo(json.dumps(dict(line.split(":", 1) for line in squeeze(report))) if as_json else report)


def squeeze(report: str) -> list[str]:
    """Lines without the blanks that align them."""
    return ["".join(line.split()) for line in report.splitlines()]
