"""``graphla generate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphla.doors.cli import _options, _show
from graphla.doors.cli._output import Target, is_stdout, write_graph


@click.command("generate", short_help="Make a graph, or list the generators.")
@click.argument("graph", required=False)
@click.argument("output", type=Target(stdout=True), required=False)
@click.option("--format", "format_name", help="The format of the file; by default its suffix tells.")
@_options.weights
@_options.as_json
def command(graph: str | None, output: Path | None, format_name: str | None, weights: Any, as_json: bool) -> None:
    """Make a graph and write it to a file; without arguments, list the generators.

    The same text makes the same graph everywhere; ?seed=N makes another of its kind. OUTPUT - writes to the standard
    output, and needs --format.

    \b
    Examples:
      graphla generate
      graphla generate kron:16 kron16.npz
      graphla generate "grid3d:20?seed=2" grid.mtx.gz --weights 1..255
      graphla generate rmat:10 - --format mtx
    """
    if graph is None:
        print_generators()
        return
    from graphla.doors.cli._graphs import replace_weights
    from graphla.doors.cli._work import run_interruptibly
    from graphla.graphs.generators import from_spec

    if output is None:
        raise click.UsageError("name the file to write, as in: graphla generate kron:16 kron16.npz")
    check_format(output, format_name)
    coo = replace_weights(run_interruptibly(f"generating {graph}", lambda: from_spec(graph)), weights)
    write_graph(output, coo, format_name)
    facts = {"graph": graph, "vertices": coo.nrows, "arcs": int(coo.rows.size), "written_to": str(output)}
    _show.print_facts("", facts, as_json, err=is_stdout(output))


def check_format(path: Path, format_name: str | None) -> None:
    """Refuse an unknown format before the work."""
    from graphla.graphs.io.format import choose_target_format, find_format
    from graphla.graphs.reading.columns import find_kind
    from graphla.graphs.reading.saved import SUFFIX

    if is_stdout(path) and not format_name:
        raise click.UsageError("the standard output has no suffix: name a format, such as mtx (--to, or --format)")
    if find_kind(path, format_name, {}) is None and (format_name or path.suffix != SUFFIX):
        _ = find_format(format_name) if format_name else choose_target_format(path)


def print_generators() -> None:
    """A table of the generators."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from graphla.graphs.generators import generators

    table = Table(box=SIMPLE_HEAD)
    for head in ("generator", "example", "what it makes"):
        table.add_column(head)
    for generator in generators().values():
        table.add_row(generator.name, generator.example, generator.title)
    _show.make_console().print(table)
