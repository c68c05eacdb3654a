"""``graphla louvain``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("louvain", short_help="Communities by Louvain's method.")
@_options.add_solve_options
@_options.add_climb_options
def command(**asked: Any) -> None:
    """Communities: groups of vertices with more weight among them than chance would put there.

    \b
    Examples:
      graphla louvain ny
      graphla louvain kron:16 --resolution 0.5 --seed 3 --verify --output communities.npy
    """
    import graphla as gl
    from graphla.doors.cli._communities import report

    report(gl.louvain, asked)
