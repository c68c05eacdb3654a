"""``graphla similarity``."""

from __future__ import annotations

from typing import Any

import click

from graphla.algorithms.similarity.formulas import KINDS
from graphla.doors.cli import _options


@click.command("similarity", short_help="How alike vertices are, by the neighbours that they have in common.")
@_options.add_solve_options
@click.option("--kind", type=click.Choice(KINDS), default="jaccard", show_default=True, help="Which similarity.")
@click.option("--pair", type=int, nargs=2, multiple=True, metavar="U V", help="Two vertices; may be repeated.")
@click.option("--two-hops", is_flag=True, help="All pairs with a neighbour in common; by default those arcs join.")
def command(kind: str, pair: tuple[tuple[int, int], ...], two_hops: bool, **asked: Any) -> None:
    """Similarity of pairs of vertices of an undirected graph: Jaccard's coefficient, Adamic and Adar's, and others.

    \b
    Examples:
      graphla similarity ny --pair 0 1 --pair 5 9
      graphla similarity kron:12 --kind adamic_adar --two-hops --output scores.npz
    """
    import graphla as gl
    from graphla.doors.cli._output import write_entries
    from graphla.doors.cli._solve import Solution, deliver, solve

    path = asked["output"]
    if path is not None and path.suffix.lower() == ".npy":
        raise click.UsageError(f"{path}: .npy holds one array, and pairs with scores are three: use .npz or .csv")
    if pair and two_hops:
        raise click.UsageError("--pair and --two-hops are both given: give one of them")
    pairs: Any = tuple(zip(*pair, strict=True)) if pair else "two_hops" if two_hops else None
    found = solve(gl.similarity, (), {"kind": kind}, {**asked, "verify": False}, pairs=pairs)
    (scores,) = found.answers
    if asked["verify"]:
        gl.similarity.verify(found.graph, scores, pairs, kind=kind)
    to_host = found.graph.engine.to_host
    values = to_host(scores.to_coo()[-1])
    ends = pairs if pair else (to_host(part) for part in scores.to_coo()[:2])
    host = {name: _as_array(part) for name, part in zip(("from", "to", "value"), (*ends, values), strict=True)}
    if path is not None:
        write_entries(path, host)
    best = sorted(set(values.tolist()), reverse=True)[:1]
    facts = {**found.facts, **({"verified": True} if asked["verify"] else {}), "kind": kind, "pairs": values.size}
    facts |= {"scores": values.tolist()} if pair else {"highest": best[0] if best else 0.0}
    deliver(Solution(found.graph, (), facts, in_file=path is not None), (), -1, asked)


def _as_array(values: Any) -> Any:
    """Vertices or scores as an array."""
    import numpy as np

    return np.asarray(values)
