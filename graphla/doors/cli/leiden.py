"""``graphla leiden``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("leiden", short_help="Communities by the Leiden method, connected.")
@_options.add_solve_options
@_options.add_climb_options
@click.option("--iterations", type=click.IntRange(1), default=2, show_default=True, help="How often to climb.")
def command(**asked: Any) -> None:
    """Communities: connected groups of vertices with more weight among them than chance would put there.

    \b
    Examples:
      graphla leiden ny
      graphla leiden kron:16 --resolution 0.5 --seed 3 --verify --output communities.npy
    """
    import graphla as gl
    from graphla.doors.cli._communities import report

    report(gl.leiden, asked)
