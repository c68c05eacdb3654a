"""``graphla convert``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from graphla.cli import _options, _show
from graphla.cli._output import Target


@click.command("convert", short_help="Write a graph in another format.")
@click.argument("source", metavar="INPUT")
@click.argument("output", type=Target(stdout=True))
@_options.reading
@click.option("--to", "to_format", help="The format of OUTPUT; by default its suffix tells.")
@_options.weights
@_options.as_json
def command(source: str, output: Path, **asked: Any) -> None:
    """Read a graph in one format and write it in another; .gz, .xz and .bz2 compress.

    INPUT is a file, a generator such as kron:4, a sample such as ny, or - for the standard input. OUTPUT appears once
    it is whole; if anything fails, what was there before stays. - writes to the standard output, and needs --to.

    \b
    Examples:
      graphla convert road.gr.gz road.npz
      graphla convert edges.txt graph.mtx --undirected --weights 1..255
      graphla convert ny ny.mtx
      zcat arcs.gz | graphla convert - - --from csv --to mtx --dup min
    """
    from graphla.cli._graphs import read_entries, replace_weights
    from graphla.cli._work import run_interruptibly
    from graphla.cli.generate import check_format
    from graphla.io import join_repeats, write_coo

    check_format(output, asked["to_format"])
    coo = read_entries(source, asked["from_format"], asked["undirected"])
    made = replace_weights(join_repeats(coo, asked["dup"]), asked["weights"])
    target = sys.stdout.buffer if str(output) == "-" else output
    run_interruptibly(f"writing {output}", lambda: write_coo(target, made, asked["to_format"]))
    facts = {"vertices": made.nrows, "arcs": int(made.rows.size), "written_to": str(output)}
    if str(output) != "-":
        _show.print_facts("", facts, asked["as_json"])
