"""Modularity: the share of weight within communities, less the share that chance would put there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from graphla.algorithms.shared.communities.labels import to_labels
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.common.arguments import show, to_real
from graphla.common.errors import InvalidOption
from graphla.graphs.graph import Graph
from graphla.problem import require_graph
from graphla.storage.convert import expand_rows

if TYPE_CHECKING:
    from graphla.containers.vector import Vector

Array = Any


def modularity(G: Graph, labels: Vector | Any, resolution: float = 1.0) -> float:
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

    Returns
    -------
    float
        Between −γ and 1; NaN if no arc has a weight.

    Raises
    ------
    DimensionMismatch
        If `labels` are no whole number for each vertex.
    InvalidGraph
        If a weight is negative or infinite.
    InvalidOption
        If `resolution` is no finite number of zero or more.

    See Also
    --------
    louvain : Communities of high modularity.
    leiden : The same, connected and better.

    Notes
    -----
    O(V log V + E). Of directed graphs it is that of Leicht and Newman [2]_; of undirected ones, where arcs of both
    directions are stored, it is that of Newman and Girvan [1]_.

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
    return measure(G.engine.xp, make_level(G), numbers.reshape(-1), to_resolution(resolution))


def measure(xp: Any, level: Level, numbers: Array, resolution: float) -> float:
    """The modularity of communities with numbers from 0 on."""
    if not level.total:
        return math.nan
    rows, m = level.rows, level.total
    between = float(rows.values[numbers[expand_rows(rows)] != numbers[rows.indices]].sum())
    sides = [xp.bincount(numbers, side) for side in level.strengths.T]
    crossing = between if len(sides) == 1 else between / 2
    return (m - crossing) / m - resolution * float((sides[0] / m * (sides[-1] / m)).sum())


def to_resolution(resolution: Any, name: str = "resolution") -> float:
    """A resolution."""
    value = to_real(resolution, name, 0.0)
    if not math.isfinite(value):
        raise InvalidOption(f"resolution={show(resolution)}: give a finite number")
    return value
