"""Communities within communities until none is too large, with the call and the answer of graspologic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graphla.algorithms.leiden import leiden
from graphla.common.arguments import show, to_bool, to_int, to_real
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported
from graphla.common.typing import NetworkXGraph, SparseMatrix
from graphla.graphs.graph import Graph

Array = Any


class HierarchicalCluster(NamedTuple):
    """A vertex in a cluster of some level.

    Attributes
    ----------
    node : object
        The vertex by its name, or by its number if the graph has no names.
    cluster : int
        The number of the cluster, unique among all levels.
    parent_cluster : int or None
        The cluster of the level before that it is a part of.
    level : int
        From 0 on.
    is_final_cluster : bool
        Whether the cluster is not divided again.

    Examples
    --------
    >>> from graphla.communities import HierarchicalCluster
    >>> HierarchicalCluster("a", 3, 0, 1, True).parent_cluster
    0
    """

    node: Any
    cluster: int
    parent_cluster: int | None
    level: int
    is_final_cluster: bool


class HierarchicalClusters(list[HierarchicalCluster]):
    """The clusters of all levels, one record for each vertex and cluster.

    Parameters
    ----------
    iterable : iterable of HierarchicalCluster, optional
        The records.

    Examples
    --------
    >>> from graphla.communities import hierarchical_leiden
    >>> found = hierarchical_leiden([("a", "b", 1), ("b", "c", 1), ("x", "y", 1)])
    >>> found.first_level_hierarchical_clustering()
    {'a': 0, 'b': 0, 'c': 0, 'x': 1, 'y': 1}
    """

    def first_level_hierarchical_clustering(self) -> dict[Any, int]:
        """The clusters of the graph as a whole.

        Returns
        -------
        dict
            The cluster of each vertex.

        Examples
        --------
        >>> from graphla.communities import hierarchical_leiden
        >>> hierarchical_leiden([(0, 1, 1)]).first_level_hierarchical_clustering()
        {0: 0, 1: 0}
        """
        return {each.node: each.cluster for each in self if each.level == 0}

    def final_level_hierarchical_clustering(self) -> dict[Any, int]:
        """The clusters that are not divided again.

        Returns
        -------
        dict
            The cluster of each vertex.

        Examples
        --------
        >>> from graphla.communities import hierarchical_leiden
        >>> hierarchical_leiden([(0, 1, 1)], max_cluster_size=2).final_level_hierarchical_clustering()
        {0: 0, 1: 0}
        """
        return {each.node: each.cluster for each in self if each.is_final_cluster}


def hierarchical_leiden(
    graph: Graph | NetworkXGraph | SparseMatrix | np.ndarray[Any, Any] | Sequence[tuple[Any, Any, float]],
    max_cluster_size: int = 1000,
    starting_communities: Mapping[Any, int] | None = None,
    extra_forced_iterations: int = 0,
    resolution: float = 1.0,
    randomness: float = 0.001,
    use_modularity: bool = True,
    random_seed: int | None = None,
    weight_attribute: str = "weight",
    is_weighted: bool | None = None,
    weight_default: float = 1.0,
    check_directed: bool = True,
) -> HierarchicalClusters:
    """Communities within communities by the Leiden method: those of too many vertices are divided again.

    The call is that of graspologic, as GraphRAG uses it. A too large cluster is clustered as a graph of its own,
    until all are small enough, or the modularity of no division is above zero.

    Parameters
    ----------
    graph : Graph, NetworkX graph, sparse matrix, array or list of (tail, head, weight)
        An undirected graph: of a list each edge once, of a matrix both of its entries.
    max_cluster_size : int
        The most vertices of a cluster that is not divided.
    starting_communities : mapping, optional
        A whole number for each vertex, to begin level 0 with.
    extra_forced_iterations : int
        Iterations beyond two.
    resolution : float
        As `graphla.leiden` takes it.
    randomness : float
        0.001 alone: nothing is drawn but the order of moves, so it has no effect.
    use_modularity : bool
        Whether modularity is to be high; else the constant Potts model.
    random_seed : int, optional
        The seed; by default 0, so that two calls agree.
    weight_attribute : str
        The attribute of the edges of a NetworkX graph that is their weight.
    is_weighted : bool, optional
        False if all edges of a NetworkX graph weigh `weight_default`.
    weight_default : float
        The weight of an edge of a NetworkX graph without the attribute.
    check_directed : bool
        Whether to refuse a matrix that differs from its transpose; else its entries are arcs.

    Returns
    -------
    HierarchicalClusters
        A list of (node, cluster, parent_cluster, level, is_final_cluster), level by level, the largest cluster first.

    Raises
    ------
    InvalidGraph
        If it is no graph, is directed, has an edge twice, or a weight is negative or infinite.
    InvalidOption
        If another argument is none of those that are allowed.
    NotSupported
        If `randomness` is not 0.001.

    See Also
    --------
    graphla.leiden : The levels of one climb, whose sizes nothing limits, or communities with a largest size.

    Examples
    --------
    >>> from graphla.communities import hierarchical_leiden
    >>> edges = [(v, v + 1, 1.0) for v in range(20)]
    >>> found = hierarchical_leiden(edges, max_cluster_size=4)
    >>> sizes = np.bincount(list(found.final_level_hierarchical_clustering().values()))
    >>> int(sizes.max()), max(each.level for each in found)
    (4, 1)
    """
    if to_real(randomness, "randomness") != 0.001:
        raise NotSupported(f"randomness={randomness}: joins are not drawn; leave it out, and give random_seed=")
    most, extra = (
        to_int(max_cluster_size, "max_cluster_size", 1),
        to_int(extra_forced_iterations, "extra_forced_iterations", 0),
    )
    weigh = (
        weight_attribute,
        to_real(weight_default, "weight_default"),
        is_weighted is None or to_bool(is_weighted, "is_weighted"),
    )
    G = read_graph(graph, weigh)
    if to_bool(check_directed, "check_directed") and not G.symmetric:
        raise InvalidGraph(
            "the graph is directed: add its transpose, or give check_directed=False to take its arcs as they are"
        )
    asked: dict[str, Any] = {
        "resolution": resolution,
        "seed": 0 if random_seed is None else to_int(random_seed, "random_seed", 0),
        "iterations": 2 + extra,
        "quality": "modularity" if to_bool(use_modularity, "use_modularity") else "cpm",
    }
    names = np.arange(G.n) if G.labels is None else G.labels
    start = None if starting_communities is None else read_start(starting_communities, names.tolist())
    return divide(G, names.tolist(), leiden(G, start=start, **asked).to_numpy(), most, asked)


def read_graph(graph: Any, weigh: tuple[str, float, bool]) -> Graph:
    """The graph of a caller; the names of its vertices are its labels."""
    if hasattr(graph, "adjacency"):
        attribute, default, weighted = weigh
        if graph.is_directed():
            raise InvalidGraph("the graph is directed: give graph.to_undirected()")
        edges = [(u, v, data.get(attribute, default) if weighted else default) for u, v, data in graph.edges(data=True)]
        return join_edges(edges, list(graph))
    if isinstance(graph, list | tuple):
        return join_edges(graph, [])
    return graph if isinstance(graph, Graph) else Graph(graph)


def join_edges(edges: Sequence[Any], nodes: list[Any]) -> Graph:
    """The graph of edges, each once, whose ends have names."""
    if any(not isinstance(edge, list | tuple) or len(edge) != 3 for edge in edges):
        raise InvalidGraph(f"graph={show(edges)}: give edges as (tail, head, weight)")
    try:
        number = {
            node: k for k, node in enumerate(dict.fromkeys([*nodes, *(end for edge in edges for end in edge[:2])]))
        }
    except TypeError as error:
        raise InvalidGraph(f"graph={show(edges)}: the name of a vertex has no hash: {error}") from None
    ends = np.array([[number[end] for end in edge[:2]] for edge in edges], np.int64).reshape(-1, 2)
    weights = np.array([to_real(edge[2], "a weight") for edge in edges], float)
    tails, heads = ends.min(1, initial=2**62), ends.max(1, initial=-1)
    apart = tails != heads
    arcs = np.concatenate([tails, heads[apart]]), np.concatenate([heads, tails[apart]])
    labels: list[Any] = list(number)
    plain = labels == list(range(len(labels)))
    return Graph((*arcs, np.concatenate([weights, weights[apart]])), n=len(labels), labels=None if plain else labels)


def read_start(given: Any, names: list[Any]) -> Array:
    """The numbers of the communities to begin with, in the order of the vertices."""
    if not isinstance(given, Mapping):
        raise InvalidOption(f"starting_communities={show(given)}: give a mapping with a number for each vertex")
    missing = [name for name in names if name not in given]
    if missing:
        raise InvalidOption(f"starting_communities has nothing for {show(missing[0])}: give a number for each vertex")
    return np.array([to_int(given[name], "starting_communities") for name in names], np.int64)


def divide(G: Graph, names: list[Any], labels: Array, most: int, asked: dict[str, Any]) -> HierarchicalClusters:
    """The clusters of the graph, and of each one that is too large."""
    found, number, level = HierarchicalClusters(), 0, 0
    waiting: list[tuple[int | None, Array, Array]] = [(None, np.arange(G.n), labels)]
    while waiting:
        following: list[tuple[int | None, Array, Array]] = []
        for parent, vertices, numbers in waiting:
            for members in split_by(vertices, numbers):
                parts = None
                if members.size > most:
                    parts = leiden(Graph(G.A[members, members].new()), **asked).to_numpy()
                whole = parts is None or not parts.max()
                found += [HierarchicalCluster(names[v], number, parent, level, whole) for v in members.tolist()]
                if not whole:
                    following.append((number, members, parts))
                number += 1
        waiting, level = following, level + 1
    return found


def split_by(vertices: Array, numbers: Array) -> list[Array]:
    """The vertices of each number."""
    order = np.argsort(numbers, kind="stable")
    return np.split(vertices[order], np.cumsum(np.bincount(numbers))[:-1]) if numbers.size else []
