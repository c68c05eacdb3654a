"""The connected pieces of communities of a graph whose rows are spread over ranks."""

from __future__ import annotations

from typing import Any

from graphla.algorithms.components import components
from graphla.algorithms.leiden._inside import split as split_alone
from graphla.algorithms.shared.communities.level import Level
from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from semirings import binary

Array = Any


def split(engine: Any, level: Level, labels: Array) -> Array:
    """The piece of its community that each vertex belongs to: those by the rows of the ranks, joined one by one."""
    ranks = level.slots.ranks
    own = pieces = split_alone(engine, level, labels)
    for rank in range(ranks.size):
        pieces = join(engine, pieces, ranks.world.broadcast(own, rank))
    return pieces


def join(engine: Any, pieces: Array, others: Array) -> Array:
    """The finest partition that neither of two divides, both named by smallest vertices."""
    xp, n = engine.xp, pieces.size
    vertices = xp.arange(n, dtype="int32")
    arcs = xp.concatenate([vertices, vertices]), xp.concatenate([pieces, others])
    ones = xp.ones(2 * n, bool)
    return components(Graph(Matrix.from_coo(*arcs, ones, nrows=n, ncols=n, dup_op=binary.any, engine=engine))).to_dense(
        -1
    )
