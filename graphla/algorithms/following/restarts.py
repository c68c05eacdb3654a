"""Problems that are solved in rounds, and begin with the last answer: `start` of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphla.common.errors import NotConverged
from graphla.containers.vector import Vector
from graphla.graphs.changes import Change
from graphla.graphs.graph import Graph
from graphla.problem import get_problem
from graphla.storage.convert import are_equal

FROM_NOTHING = frozenset({"rounds", "top", "method", "levels"})
"""Options with which an answer depends on where rounds begin, does not tell all values, or takes no `start`."""
Options = Mapping[str, Any]


def restart(name: str, made: Graph, start: Any, options: Options) -> Vector | None:
    """The answer in rounds from some values on; None if they do not settle, or the options ask for others."""
    if not start.size or options.keys() & FROM_NOTHING:
        return None
    problem: Any = get_problem(name)
    try:
        return problem(made, **{**options, "start": start})
    except NotConverged:
        return None


def extend(made: Graph, old: Vector) -> Any:
    """The last values; vertices that are new have their mean."""
    values = old.to_dense(0)
    if not 0 < old.size < made.n:
        return values
    longer = made.engine.xp.full(made.n, float(values.mean()), values.dtype)
    longer[: old.size] = values
    return longer


def rank_again(before: Graph, made: Graph, old: Vector, change: Change, options: Options) -> Vector | None:
    """PageRank from the last ranks on."""
    return restart("pagerank", made, extend(made, old), options)


def count_walks_again(before: Graph, made: Graph, old: Vector, change: Change, options: Options) -> Vector | None:
    """Katz centrality from the last values on."""
    return restart("katz", made, extend(made, old), options)


def turn_again(before: Graph, made: Graph, old: Vector, change: Change, options: Options) -> Vector | None:
    """Eigenvector centrality from the last values on; None where there may be several, and a start chooses one."""
    return restart("eigenvector", made, extend(made, old), options) if has_one_part(made) else None


def has_one_part(G: Graph) -> bool:
    """Whether there are arcs, and all vertices that they leave or enter are strongly connected."""
    find: Any = get_problem("components")
    labels = find(G, kind="weak" if G.symmetric else "strong").to_dense(0)
    some = labels[(G.degrees > 0) | (G.in_degrees > 0)]
    return bool(some.size) and are_equal(some, G.engine.xp.full_like(some, some[0]))


def move_again(name: str, made: Graph, old: Vector, options: Options) -> Vector | None:
    """Communities by moves from the last ones on; a vertex that is new is one by itself."""
    labels = made.engine.xp.arange(made.n, dtype="int32")
    labels[: old.size] = old.to_dense(0)
    return restart(name, made, labels, options)


def louvain_again(before: Graph, made: Graph, old: Vector, change: Change, options: Options) -> Vector | None:
    """Louvain's communities from the last ones on."""
    return move_again("louvain", made, old, options)


def leiden_again(before: Graph, made: Graph, old: Vector, change: Change, options: Options) -> Vector | None:
    """Leiden's communities from the last ones on."""
    return move_again("leiden", made, old, options)
