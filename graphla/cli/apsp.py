"""``graphla apsp``."""

from __future__ import annotations

from typing import Any

import click

from graphla.cli import _options


@click.command("apsp", short_help="Shortest paths between all pairs of vertices.")
@_options.solving
@click.option("--next-hops", is_flag=True, help="Give the vertex after i on a shortest path to j, too.")
def command(next_hops: bool, **asked: Any) -> None:
    """Shortest paths between all pairs of vertices: a distance for each of n × n cells.

    The answer needs n × n numbers, so this is for graphs of some ten thousand vertices at most.

    \b
    Examples:
      graphla apsp grid2d:30 --weights 1..9
      graphla apsp small.mtx --next-hops --output all.npz
    """
    import graphla as gl
    from graphla.algorithms.sssp._weights import infinity
    from graphla.cli._solve import Solution, delivered, solved

    found = solved(gl.apsp, (), {"next_hops": True} if next_hops else {}, asked)
    distances = found.answers[0]
    absent = infinity(distances.dtype.numpy)
    facts = {**found.facts, "pairs_with_a_path": int((distances.to_dense() != absent).sum())}
    delivered(Solution(found.graph, found.answers, facts), ("distances", "next_hops"), absent, asked)
