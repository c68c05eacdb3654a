"""``graphla convert``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graphla.doors.cli import _options, _show
from graphla.doors.cli._output import Target, is_stdout, list_names, write, write_graph


@click.command("convert", short_help="Write a graph in another format.")
@click.argument("source", metavar="INPUT")
@click.argument("output", type=Target(stdout=True))
@_options.add_reading_options
@click.option("--to", "to_format", help="The format of OUTPUT; by default its suffix tells.")
@_options.weights
@click.option("--relabel", is_flag=True, help="Number the vertices that have arcs from 0 on, in their order.")
@click.option(
    "--numbers",
    type=Target(".npy", ".txt"),
    help="Write to a file the old number of each vertex, counted from 0, of --relabel, or its name in a table.",
)
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
      graphla convert trades.parquet trades.npz --columns payer,payee,amount --dup sum --numbers names.txt
      graphla convert sparse-ids.el small.npz --relabel --numbers ids.txt
      zcat arcs.gz | graphla convert - - --from csv --to mtx --dup min
    """
    from graphla.doors.cli._graphs import read_entries, replace_weights
    from graphla.doors.cli.generate import check_format
    from graphla.graphs.io import join_repeats, relabel
    from graphla.graphs.reading.columns import find_kind
    from graphla.graphs.reading.saved import SUFFIX

    check_format(output, asked["to_format"])
    entries = read_entries(source, asked)
    named = entries.labels is not None
    if asked["numbers"] is not None and not asked["relabel"] and not named:
        raise click.UsageError("--numbers writes the old numbers of --relabel: give both")
    keeps = output.suffix == SUFFIX or find_kind(output, asked["to_format"], {}) is not None
    if asked["numbers"] is None and named and not keeps:
        raise click.UsageError(
            f"{source}: the vertices have names, which {output} cannot hold; --numbers writes them, and .parquet and "
            f"{SUFFIX} keep them"
        )
    coo = join_repeats(entries, asked["dup"])
    coo, numbers = relabel(coo) if asked["relabel"] else (coo, slice(None))
    numbers = list_names(coo.labels.array) if named else numbers
    made = replace_weights(coo, asked["weights"])
    write_graph(output, made if asked["numbers"] is None else replace(made, labels=None), asked["to_format"])
    if asked["numbers"] is not None:
        write_numbers(asked["numbers"], numbers)
    facts = {"vertices": made.nrows, "arcs": int(made.rows.size), "written_to": str(output)}
    _show.print_facts("", facts, asked["as_json"], err=is_stdout(output))


def write_numbers(path: Path, numbers: Any) -> None:
    """Write the old number or the name of each vertex, as an array (.npy) or one per line (.txt)."""
    import numpy as np

    def put(stream: Any) -> None:
        if path.suffix.lower() == ".npy":
            np.save(stream, numbers)
        else:
            stream.writelines(f"{each}\n".encode() for each in numbers.tolist())

    write(path, put)
