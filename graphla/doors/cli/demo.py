"""``graphla demo``."""

from __future__ import annotations

from pathlib import Path

import click

from graphla.doors.cli._main import FAILED


@click.command("demo", short_help="See it work on the roads of New York.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-output"),
    show_default=True,
    help="The folder for what it writes.",
)
def command(output: Path) -> None:
    """Search the roads of New York as semiring products and by compiled kernels, verify, time, draw.

    The first run compiles the kernels, which takes some seconds; they are kept on disk.

    \b
    Example:
      graphla demo --output demo-output
    """
    from graphla.measuring.demo import demonstrate

    if not demonstrate(output):
        raise click.exceptions.Exit(FAILED)
