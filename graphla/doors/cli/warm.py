"""``graphla warm``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from graphla.doors.cli import _options, _show
from graphla.doors.cli._work import run_with_progress


@click.command("warm", short_help="Compile what is called later, and keep it.")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@_options.engine
@_options.as_json
def command(names: tuple[str, ...], engine: Any, as_json: bool) -> None:
    """Compile what problems, other functions and ordinary statements need, once for this machine.

    Names are those of problems, of functions such as "factorize", "roads" and "laplacian_eigenvectors", and
    "statements"; without names all of them, which takes some minutes. What is compiled is kept in the user's cache
    folder (GRAPHLA_CACHE names another; `graphla cache` shows it), so that first calls do not wait: for the image of a
    container, the nodes of a cluster, a lesson. Ctrl-C keeps what is done.

    \b
    Examples:
      graphla warm
      graphla warm bfs pagerank statements --engine cpu
      graphla warm factorize laplacian_eigenvectors
    """
    from graphla.measuring.caching import warm

    done = run_with_progress("compiling", lambda tell: warm(engine=engine, only=list(names) or None, progress=tell))
    if as_json:
        click.echo(json.dumps([asdict(each) for each in done]))
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for head, justify in (("name", "left"), ("engine", "left"), ("calls", "right"), ("compiling", "right")):
        table.add_column(head, justify=justify)  # type: ignore[arg-type]
    table.add_column("refused")
    for each in done:
        refused = f"{len(each.refused)}: {each.refused[0]}" if each.refused else ""
        table.add_row(each.name, each.engine, str(each.calls), _show.format_duration(each.compiling), refused)
    _show.make_console().print(table)
