"""Maximum flows and minimum cuts, with NetworkX's names and exceptions."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np

from graphla.algorithms.max_flow import MaxFlow, max_flow
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.containers.matrix import Matrix
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.engine import get_engine
from graphla.graphs.graph import Graph

__all__ = ["maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"]


def maximum_flow(
    flowG: ConvertedGraph, _s: Any, _t: Any, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> tuple[Any, dict[Any, dict[Any, Any]]]:
    """`networkx.maximum_flow`; it may find another flow of the same value."""
    found = solve(flowG, _s, _t, capacity)
    tails, heads, flows = (found.flow.engine.to_host(part) for part in found.flow.to_coo())
    moved = {v: dict.fromkeys(flowG.origin._adj[v], 0) for v in flowG.nodes}
    for u, v, amount in zip(flowG.name(tails), flowG.name(heads), to_python(flowG, capacity, flows), strict=True):
        moved[u][v] = amount
    return to_python(flowG, capacity, np.array([found.value]))[0], moved


def maximum_flow_value(
    flowG: ConvertedGraph, _s: Any, _t: Any, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> Any:
    """`networkx.maximum_flow_value`."""
    return to_python(flowG, capacity, np.array([solve(flowG, _s, _t, capacity).value]))[0]


def minimum_cut(
    flowG: ConvertedGraph, _s: Any, _t: Any, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any
) -> tuple[Any, tuple[set[Any], set[Any]]]:
    """`networkx.minimum_cut`."""
    found = solve(flowG, _s, _t, capacity)
    cut = np.asarray(found.cut.to_numpy(False), bool)
    sides = tuple(set(flowG.name(np.flatnonzero(side))) for side in (cut, ~cut))
    return to_python(flowG, capacity, np.array([found.value]))[0], sides  # type: ignore[return-value]


minimum_cut_value = maximum_flow_value


def solve(G: ConvertedGraph, s: Any, t: Any, capacity: Any) -> MaxFlow:
    """The flow between two nodes."""
    ends = find_node(G, s), find_node(G, t)
    if ends[0] == ends[1]:
        raise nx.NetworkXError("source and sink are the same node")
    if G.multigraph:
        raise nx.NetworkXError("MultiGraph and MultiDiGraph not supported (yet).")
    try:
        return max_flow(make_capacities(G, capacity), *ends)
    except InvalidGraph:
        raise nx.NetworkXUnbounded("Infinite capacity path, flow unbounded above.") from None
    except NotSupported as error:
        raise NotImplementedError(str(error)) from None


def find_node(G: ConvertedGraph, node: Any) -> int:
    """The number of a node."""
    number = G.find(node)
    if number is None:
        raise nx.NetworkXError(f"node {node!s} not in graph")
    return number


def make_capacities(G: ConvertedGraph, capacity: Any) -> Graph:
    """The graph with capacities: infinite ones of edges without the attribute, and nothing for negative ones.

    Raises
    ------
    NotImplementedError
        If the values of the attribute are no numbers, or whole numbers too large for float64 where it is needed.
    """
    found = G.read(capacity, math.inf)
    if found is None:
        found = np.ones(G.out.indices.size, np.int64)
    if isinstance(found, str):
        raise NotImplementedError(found.replace("weight=", "capacity="))
    if found.dtype.kind == "f" and (np.isnan(found).any() or (np.isfinite(found) & (abs(found) > 2**53)).any()):
        raise NotImplementedError(f"capacity={capacity!r}: an edge has the capacity None, or one beyond 2**53")
    storage = G.out.sort(np.maximum(found, 0))
    return Graph(Matrix._from_storage(storage, get_engine("cpu"))).to(get_engine(None))


def to_python(G: ConvertedGraph, capacity: Any, amounts: Any) -> list[Any]:
    """Amounts as ints, unless a finite capacity is a float; 0 is an int, for NetworkX adds nothing to it."""
    if amounts.dtype.kind == "f" and all(is_whole(data.get(capacity)) for data in G.data()):
        return [int(each) for each in amounts.tolist()]
    return [each or 0 for each in amounts.tolist()]


def is_whole(value: Any) -> bool:
    """Whether a capacity is none, infinite or an int."""
    return value is None or isinstance(value, int | np.integer) or value == math.inf
