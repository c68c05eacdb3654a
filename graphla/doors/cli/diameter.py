"""``graphla diameter``."""

from __future__ import annotations

from typing import Any

import click

from graphla.doors.cli import _options


@click.command("diameter", short_help="The largest distance between two vertices, or bounds of it.")
@_options.add_solve_options
@click.option("--weighted", is_flag=True, help="Weights are the lengths of arcs.")
@click.option("--sweeps", type=click.IntRange(1), help="Search at most so often, and print bounds.")
def command(weighted: bool, sweeps: int | None, **asked: Any) -> None:
    """Diameter: the largest distance between two vertices that a path connects.

    \b
    Examples:
      graphla diameter ny --weighted
      graphla diameter kron:18 --sweeps 4
    """
    import graphla as gl
    from graphla.doors.cli._graphs import open_graph
    from graphla.doors.cli._show import print_facts
    from graphla.doors.cli._solve import solve

    if asked["output"] is not None:
        raise click.UsageError(f"{asked['output']}: a diameter is one number, which is printed; leave out --output")
    if sweeps is None:
        found = solve(gl.diameter, (), {"weights": weighted}, asked)
        print_facts("", {**found.facts, "diameter": found.answers[0]}, asked["as_json"])
        return
    if asked["method"] is not None or asked["verify"] or asked["settings"] or asked["trace"] or asked["trace_to"]:
        raise click.UsageError("--sweeps gives bounds, by one method that is not verified; leave out the others")
    G = open_graph(asked["graph"], asked)
    low, high = gl.diameter(G, weights=weighted, sweeps=sweeps)
    facts = {"problem": "diameter", "graph": G.name, "engine": G.engine.name, "sweeps": sweeps}
    print_facts("", {**facts, "at_least": low, "at_most": high}, asked["as_json"])
