"""Walks in batches: a corpus for skip-gram that needs the memory of one batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.algorithms.random_walks.settings import Settings
from graphla.algorithms.random_walks.walkers import method
from graphla.algorithms.shared.random_words import draw, make_keys
from graphla.common.arguments import to_bool, to_int
from graphla.common.errors import NotSupported
from graphla.common.memory import require
from graphla.common.typing import Vertices
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import order_stably


class WalkBatches:
    """Random walks, node2vec's among them, batch by batch: a corpus that can be iterated over again and again.

    The walks are those of `random_walks` with the same arguments.

    Parameters
    ----------
    G : Graph
        The graph. Of a directed one walks go along the arcs.
    length : int
        The number of steps, from 0 on.
    starts : sequence of vertices, optional
        Where walks begin; by default at all vertices.
    batch_size : int
        How many walks a batch has; the last one may have fewer.
    shuffle : bool
        Whether walks come in a random order, as learning needs it, rather than start by start.
    walks : int
        The number of walks from each start.
    weights : bool
        Whether arcs are drawn in proportion to their weights.
    p, q : float
        The parameters of node2vec, as of `random_walks`.
    seed : int
        Which walks, and which order.

    Raises
    ------
    InvalidGraph
        If a start is no vertex of G, or weights count and one is negative or infinite.
    InvalidOption
        If an argument is out of range.
    NotSupported
        If the graph is spread over ranks.
    OutOfMemory
        If a batch does not fit in memory.

    See Also
    --------
    random_walks : All walks as one matrix.

    Notes
    -----
    Each batch is an int32 array of shape (b, length + 1) on the engine of G: a row per walk, with -1 after its end. For
    gensim, whose sentences are lists of words, ``[walk[walk >= 0].tolist() for batch in corpus for walk in batch]``.

    Examples
    --------
    >>> import graphla as gl
    >>> corpus = gl.WalkBatches(gl.generate.path(4, engine="cpu"), 2, batch_size=3, p=0.5)
    >>> [batch.shape for batch in corpus], len(corpus)
    ([(3, 3), (1, 3)], 2)
    """

    def __init__(
        self,
        G: Graph,
        length: int,
        starts: Vertices | None = None,
        *,
        batch_size: int = 1 << 16,
        shuffle: bool = False,
        walks: int = 1,
        weights: bool = False,
        p: float = 1.0,
        q: float = 1.0,
        seed: int = 0,
    ) -> None:
        require_graph(G)
        if G.engine.name == "mpi":
            raise NotSupported("WalkBatches: this graph is spread over ranks: G.to('cpu') collects it")
        asked = {"length": length, "starts": starts, "walks": walks, "weights": weights, "p": p, "q": q, "seed": seed}
        self._starts, each, self._settings = Settings.read(G, asked)
        self._graph, self._count = G, int(self._starts.size) * each
        self._size, self._shuffled = to_int(batch_size, "batch_size", 1), to_bool(shuffle, "shuffle")
        require(8 * min(self._size, self._count) * (length + 1), "a batch of walks", G.engine.xp, "give a smaller one")

    def __len__(self) -> int:
        """The number of batches."""
        return -(-self._count // self._size)

    def __iter__(self) -> Iterator[Any]:
        """The batches, the same each time."""
        xp, s = self._graph.engine.xp, self._settings
        order = None
        if self._shuffled:
            require(24 * self._count, "the order of the walks", xp, "leave out shuffle=, or give fewer walks")
            numbers = xp.arange(self._count, dtype=np.uint64)
            order = numbers[order_stably(draw(make_keys(s.seed, numbers), 2**63))]
        for first in range(0, self._count, self._size):
            last = min(first + self._size, self._count)
            numbers = xp.arange(first, last, dtype=np.uint64) if order is None else order[first:last]
            starts = self._starts[(numbers % np.uint64(self._starts.size)).astype("int64")]
            yield method.runs[self._graph.engine.name](self._graph, replace(s, starts=starts, numbers=numbers))[0]
