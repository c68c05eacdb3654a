"""Modularity: the share of weight within communities, less the share that chance would put there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from graphla.algorithms.shared.communities.device_labels import find_device_labels
from graphla.algorithms.shared.communities.labels import to_labels
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.algorithms.shared.communities.null_models import QUALITIES, Quality, weigh
from graphla.common.arguments import show, to_choice, to_real
from graphla.common.errors import InvalidOption
from graphla.common.typing import ArrayLike
from graphla.engine.cpu.threads import run_over_rows
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, expand_rows, tally

if TYPE_CHECKING:
    from graphla.containers.vector import Vector

Array = Any


def modularity(
    G: Graph, labels: Vector | ArrayLike, resolution: float = 1.0, *, quality: Quality = "modularity"
) -> float:
    """Modularity of a partition: the share of weight within communities, less the share expected by chance.

    Q = Σ_c w_c / m − γ out_c in_c / m², where w_c is the weight of the arcs within community c, out_c and in_c are
    those of the arcs that leave and that enter its vertices, m is the weight of all arcs, and γ the resolution.

    Parameters
    ----------
    G : Graph
        The graph, directed or not, with weights of zero or more. Each arc counts once, a loop too: libraries that count
        both ends of a loop give it twice its weight.
    labels : Vector or array
        A whole number for each vertex; those with the same number are a community.
    resolution : float
        γ: above one small communities are better, below one large ones.
    quality : {"modularity", "cpm", "erdos_renyi"}
        What is expected by chance within a community of k vertices: as above; γ k² (CPM, the constant Potts model); or
        γ p k² where p is the mean weight between two vertices (Reichardt and Bornholdt's model with the null model of
        Erdős and Rényi). Q = Σ_c (w_c − what is expected) / m in any case; of CPM that is igraph's ``quality``.

    Returns
    -------
    float
        At most 1; of modularity at least −γ; NaN if no arc has a weight.

    Raises
    ------
    DimensionMismatch
        If `labels` are no whole number for each vertex.
    InvalidGraph
        If a weight is negative or infinite.
    InvalidOption
        If `resolution` is no finite number of zero or more, or there is no such `quality`.

    See Also
    --------
    louvain : Communities of high modularity.
    leiden : The same, connected and better.

    Notes
    -----
    O(V log V + E). Of directed graphs it is that of Leicht and Newman [2]_; of undirected ones, where arcs of both
    directions are stored, it is that of Newman and Girvan [1]_. Leidenalg's ``RBConfigurationVertexPartition`` has m
    times this value; its ``CPMVertexPartition`` and ``RBERVertexPartition`` have γ n and γ p n more than m times this
    value, for they do not pair vertices with themselves.

    References
    ----------
    .. [1] M. Newman, M. Girvan, "Finding and evaluating community structure in networks", Physical Review E 69, 2004.
    .. [2] E. Leicht, M. Newman, "Community Structure in Directed Networks", Physical Review Letters 100, 2008.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.Graph(([0, 1, 2, 3], [1, 0, 3, 2]))
    >>> gl.modularity(G, [0, 0, 1, 1]), gl.modularity(G, [0, 0, 0, 0])
    (0.5, 0.0)
    """
    require_graph(G)
    _, numbers = G.engine.xp.unique(to_labels(G, labels), return_inverse=True)
    named, value = to_choice(quality, "quality", QUALITIES), to_resolution(resolution)
    return measure(
        G.engine.xp, weigh(G.engine.xp, make_level(G), named, value), cast_indices(numbers.reshape(-1), "int32")
    )


def measure(xp: Any, level: Level, numbers: Array) -> float:
    """The quality of communities with numbers from 0 on."""
    if not level.total:
        return math.nan
    m, count = level.total, int(numbers.max()) + 1
    between = level.add_up(add_between(xp, level.rows, numbers))
    crossing = between if level.strengths.shape[1] == 1 else between / 2
    return (m - crossing) / m - level.scale * multiply_strengths(level, numbers, count)


def multiply_strengths(level: Level, numbers: Array, count: int) -> float:
    """The sum over communities of out-strength times in-strength, over the weight of all arcs."""
    if kernels := find_device_labels(numbers):
        sums = kernels.add_strengths(numbers, count, level.strengths)
        return kernels.multiply_strengths(sums, level.total)
    sides = [tally(numbers, count, np.ascontiguousarray(side)) for side in level.strengths.T]
    return float((sides[0] * (sides[-1] / level.total)).sum())


def add_between(xp: Any, rows: CompressedMatrix, numbers: Array) -> float:
    """The weight of entries between communities."""
    if kernels := find_device_labels(numbers):
        return kernels.add_apart(rows, numbers)
    if xp is not np or not rows.nvals:
        return float(rows.values[numbers[expand_rows(rows)] != numbers[rows.indices]].sum())
    from graphla.algorithms.shared.communities.queue import add_inside

    inside, parts = np.empty(rows.nrows), (rows.indptr, rows.indices, rows.values)
    run_over_rows(add_inside, rows.indptr, rows.nvals, parts, numbers, inside)
    return float(rows.values.sum()) - float(inside.sum())


def to_resolution(resolution: Any, name: str = "resolution") -> float:
    """A resolution."""
    value = to_real(resolution, name, 0.0)
    if not math.isfinite(value):
        raise InvalidOption(f"resolution={show(resolution)}: give a finite number")
    return value
