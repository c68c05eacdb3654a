"""What a command prints: a table of facts for people, or one object of JSON for programs."""

from __future__ import annotations

import json
from typing import Any

import click


def facts(title: str, found: dict[str, Any], as_json: bool) -> None:
    """Print facts about something, a line each."""
    if as_json:
        click.echo(json.dumps(found))
        return
    from rich.table import Table

    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 2))
    for name, value in found.items():
        table.add_row(name.replace("_", " "), shown(name, value))
    console().print(table)


def shown(name: str, value: Any) -> str:
    """A value as people read it."""
    if name.endswith("seconds") and value is not None:
        return duration(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "–" if value is None else str(value)


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.2f} s"


def console() -> Any:
    """Where tables go: standard output, wide enough not to cut names where it is no terminal."""
    import sys

    from rich.console import Console

    return Console(file=sys.stdout, width=None if sys.stdout.isatty() else 140, highlight=False)
