"""The connected pieces of communities of a graph whose rows are spread over ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.components import components
from graphla.algorithms.leiden._inside import split as split_alone
from graphla.algorithms.shared.communities.level import Level
from graphla.containers.matrix import Matrix
from graphla.engine.cuda.blocks import make_launch
from graphla.graphs.graph import Graph
from semirings import binary

Array = Any
KERNELS = "join_pieces", "compress"
launch = make_launch(Path(__file__).with_name("pieces.cuh"), KERNELS)


def split(engine: Any, level: Level, labels: Array) -> Array:
    """The piece of its community that each vertex belongs to: those by the rows of the ranks, joined one by one."""
    ranks = level.slots.ranks
    own = split_alone(engine, level, labels)
    others = [ranks.world.broadcast(own, rank) for rank in range(ranks.size)]
    if engine.name == "cuda":
        return join_all(engine, own, others)
    for pieces in others:
        own = join(engine, own, pieces)
    return own


def join_all(engine: Any, own: Array, others: list[Array]) -> Array:
    """The finest partition that none of several divides, all named by smallest vertices, on a GPU."""
    n, parent = own.size, own.copy()
    for pieces in others:
        launch(engine, "join_pieces", n, np.int32(n), pieces, parent)
    launch(engine, "compress", n, np.int32(n), parent)
    return parent


def join(engine: Any, pieces: Array, others: Array) -> Array:
    """The finest partition that neither of two divides, both named by smallest vertices."""
    xp, n = engine.xp, pieces.size
    vertices = xp.arange(n, dtype="int32")
    arcs = xp.concatenate([vertices, vertices]), xp.concatenate([pieces, others])
    ones = xp.ones(2 * n, bool)
    return components(Graph(Matrix.from_coo(*arcs, ones, nrows=n, ncols=n, dup_op=binary.any, engine=engine))).to_dense(
        -1
    )
