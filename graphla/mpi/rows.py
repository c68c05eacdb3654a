"""Rows of a result, of which each rank holds some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphla.common.errors import InvalidGraph, NotSupported
from graphla.containers.matrix import Matrix
from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.world import get_world
from graphla.graphs.graph import Graph
from graphla.problem import require_graph


@dataclass(frozen=True, eq=False)
class Rows:
    """A matrix with a row per source, whose rows are spread over the ranks in the order of the sources.

    Attributes
    ----------
    local : Matrix
        The rows of this rank.
    bounds : tuple of int
        Rank r holds the rows ``bounds[r]`` to ``bounds[r + 1] - 1``.
    world : Communicator
        The ranks.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.bfs(gl.Graph(([0, 1], [1, 2])), [0, 1])
    <Rows 0 to 1 of 2 × 3 INT32>
    """

    local: Matrix
    bounds: tuple[int, ...]
    world: Communicator

    def __repr__(self) -> str:
        first, last = self.bounds[self.world.rank : self.world.rank + 2]
        return f"<Rows {first} to {last - 1} of {self.shape[0]} × {self.shape[1]} {self.local.dtype}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole."""
        return self.bounds[-1], self.local.ncols

    @property
    def own(self) -> range:
        """The numbers of the rows of this rank."""
        return range(*self.bounds[self.world.rank : self.world.rank + 2])

    def gather(self) -> Matrix:
        """The whole matrix, on every rank; all ranks call this.

        Returns
        -------
        Matrix
            All rows, on the engine of `local`.

        Examples
        --------
        >>> import graphla as gl
        >>> G = gl.Graph(([0, 1], [1, 2]))
        >>> gl.mpi.bfs(G, [0, 1]).gather().to_dicts()
        {0: {0: 0, 1: 1, 2: 2}, 1: {1: 0, 2: 1}}
        """
        rows, columns, values = self.local.to_coo()
        parts: list[Any] = [self.world.all_gather(part) for part in (rows + self.own.start, columns, values)]
        return Matrix.from_coo(*parts, nrows=self.shape[0], ncols=self.shape[1], engine=self.local.engine)


def split_rows(count: int, ranks: int, together: int = 1) -> tuple[int, ...]:
    """Return the bounds of the rows of each rank: as even as whole groups of `together` rows allow.

    Fewer groups than ranks are cut, so that no rank is idle while another has rows to spare.
    """
    if count < together * ranks:
        together = 1
    groups = -(-count // together)
    return tuple(int(bound) for bound in np.minimum(np.arange(ranks + 1) * groups // ranks * together, count))


def require_one_graph(G: Graph) -> Communicator:
    """Return the world; refuse a graph that is not the same on all ranks, as far as sizes and engines tell."""
    require_graph(G)
    if G.engine.name == "mpi":
        raise NotSupported(
            "G is spread over the ranks, and here each rank solves its part of the sources on the whole graph: give "
            "each rank the whole, as gl.Graph(G.A.to('cpu')), if it fits"
        )
    world = get_world()
    facts = [world.share_object((G.n, G.nvals, G.dtype.name, G.engine.name), rank) for rank in range(world.size)]
    odd = next((rank for rank, each in enumerate(facts) if each != facts[0]), None)
    if odd is not None:
        raise InvalidGraph(
            f"G: rank 0 has a graph of (vertices, arcs, dtype, engine) {facts[0]}, rank {odd} one of {facts[odd]}: "
            "give the same graph on every rank"
        )
    return world
