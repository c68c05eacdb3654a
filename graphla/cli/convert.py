"""``graphla convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphla.cli import _options, _show
from graphla.cli._output import Target


@click.command("convert", short_help="Write a graph in another format.")
@click.argument("source", metavar="INPUT")
@click.argument("output", type=Target())
@click.option("--from", "from_format", help="The format of INPUT; by default its suffix and its beginning tell.")
@click.option("--to", "to_format", help="The format of OUTPUT; by default its suffix tells.")
@click.option("--undirected", is_flag=True, help="Add the reverse of every arc.")
@_options.weights
@_options.as_json
def command(source: str, output: Path, **asked: Any) -> None:
    """Read a graph in one format and write it in another; .gz, .xz and .bz2 compress.

    OUTPUT appears once it is whole; if anything fails, what was there before stays.

    \b
    Examples:
      graphla convert road.gr.gz road.npz
      graphla convert edges.txt graph.mtx --undirected --weights 1..255
      graphla convert data.bin graph.mtx --from snap
    """
    from graphla.cli._graphs import replace_weights
    from graphla.cli._work import run_interruptibly
    from graphla.cli.generate import check_format
    from graphla.io import read_coo, write_coo

    check_format(output, asked["to_format"])
    coo = run_interruptibly(
        f"reading {source}", lambda: read_coo(source, asked["from_format"], undirected=asked["undirected"])
    )
    made = replace_weights(coo, asked["weights"])
    run_interruptibly(f"writing {output}", lambda: write_coo(output, made, asked["to_format"]))
    facts = {"vertices": made.nrows, "arcs": int(made.rows.size), "written_to": str(output)}
    _show.print_facts("", facts, asked["as_json"])
