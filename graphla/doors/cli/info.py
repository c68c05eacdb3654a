"""``graphla info``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options, _show


@click.command("info", short_help="Facts about a graph, or about this machine.")
@click.argument("graph", required=False)
@_options.add_reading_options
@_options.engine
@_options.as_json
def command(graph: str | None, as_json: bool, **asked: Any) -> None:
    """Facts about a graph; without one, about this machine and what is installed.

    \b
    Examples:
      graphla info
      graphla info ny
      graphla info kron:16 --json
    """
    found = collect_machine_facts() if graph is None else collect_graph_facts(graph, asked)
    _show.print_facts("", found, as_json)


def collect_graph_facts(text: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Size, weights and shape of a graph."""
    from graphla.doors.cli._graphs import open_graph
    from graphla.doors.cli._work import run_interruptibly

    G = open_graph(text, asked)
    symmetric = run_interruptibly("comparing the graph with its transpose", lambda: G.symmetric)
    return {
        "graph": text,
        "vertices": G.n,
        "arcs": G.nvals,
        "symmetric": symmetric,
        "loops": count_loops(G),
        "mean_degree": round(G.nvals / max(1, G.n), 2),
        "largest_degree": G.max_degree,
        "vertices_without_arcs": int((G.degrees == 0).sum()),
        "weights": G.dtype.name if G.dtype.kind != "b" else "none (a pattern)",
        "smallest_weight": None if G.dtype.kind == "b" else G.min_weight,
        "largest_weight": None if G.dtype.kind == "b" else G.max_weight,
        "bytes": sum(part.nbytes for part in (G.csr.indptr, G.csr.indices, G.csr.values)),
        "engine": G.engine.name,
    }


def count_loops(G: Any) -> int:
    """Arcs from a vertex to itself."""
    xp = G.engine.xp
    rows = xp.searchsorted(G.csr.indptr, xp.arange(G.nvals), side="right") - 1
    return int((rows == G.csr.indices).sum())


def collect_machine_facts() -> dict[str, Any]:
    """Versions, engines and what else is installed."""
    from graphla.measuring.machine import collect_facts

    return collect_facts()
