"""Print the results of a command: as a table for people, or as one JSON object for programs."""

from __future__ import annotations

import json
from typing import Any

import click


def print_facts(title: str, found: dict[str, Any], as_json: bool, *, err: bool = False) -> None:
    """Print facts, one per line, or as JSON; on standard error if the answer itself goes to standard output."""
    if as_json:
        click.echo(json.dumps(found), err=err)
        return
    from rich.table import Table

    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 2))
    for name, value in found.items():
        table.add_row(name_fact(name), format_value(name, value))
    make_console(err).print(table)


def name_fact(name: str) -> str:
    """Return the name of a fact for people; the value of a time has its unit."""
    compiling = name == "of_which_compiling_seconds"
    return "of which compiling or loading kernels" if compiling else name.removesuffix("_seconds").replace("_", " ")


def format_value(name: str, value: Any) -> str:
    """Format a value for people."""
    if name.endswith("seconds") and value is not None:
        return format_duration(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def format_duration(seconds: float) -> str:
    """Format seconds in a suitable unit."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.2f} s"


def make_console(err: bool = False) -> Any:
    """Make a console on standard output, or on standard error, wide enough not to cut names if that is no terminal."""
    import sys

    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else 140, highlight=False)
