"""What NetworkX loads: conversions, what can and should be run, and the functions by their names."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from graphla.doors.networkx import colorings, flows, forests, matchings, trusses
from graphla.doors.networkx.acyclic import *  # noqa: F403
from graphla.doors.networkx.biconnected import *  # noqa: F403
from graphla.doors.networkx.centrality import *  # noqa: F403
from graphla.doors.networkx.clusters import *  # noqa: F403
from graphla.doors.networkx.colorings import *  # noqa: F403
from graphla.doors.networkx.communities import *  # noqa: F403
from graphla.doors.networkx.components import *  # noqa: F403
from graphla.doors.networkx.converted import ConvertedGraph, convert
from graphla.doors.networkx.cores import *  # noqa: F403
from graphla.doors.networkx.dense import *  # noqa: F403
from graphla.doors.networkx.dominance import *  # noqa: F403
from graphla.doors.networkx.eccentricities import *  # noqa: F403
from graphla.doors.networkx.flows import *  # noqa: F403
from graphla.doors.networkx.forests import *  # noqa: F403
from graphla.doors.networkx.gain import find_obstacle, find_reason
from graphla.doors.networkx.generic import *  # noqa: F403
from graphla.doors.networkx.links import *  # noqa: F403
from graphla.doors.networkx.matchings import *  # noqa: F403
from graphla.doors.networkx.negative import *  # noqa: F403
from graphla.doors.networkx.ranking import *  # noqa: F403
from graphla.doors.networkx.traversal import *  # noqa: F403
from graphla.doors.networkx.trusses import *  # noqa: F403
from graphla.doors.networkx.unweighted import *  # noqa: F403
from graphla.doors.networkx.weighted import *  # noqa: F403


def convert_from_nx(
    graph: Any, *, edge_attrs: Mapping[Any, Any] | None = None, preserve_edge_attrs: Any = False, **other: Any
) -> ConvertedGraph:
    """The graph as arrays, with the attributes that a function needs.

    Parameters
    ----------
    graph : networkx.Graph
        The graph.
    edge_attrs : mapping, optional
        The names of attributes, and the defaults of edges without them.
    preserve_edge_attrs : bool
        Whether all attributes may be asked for; they are read when they are.
    **other
        What else NetworkX says of the conversion, which needs no other data.
    """
    return graph if isinstance(graph, ConvertedGraph) else convert(graph, (edge_attrs or {}).items())


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """The NetworkX graph of a converted one; anything else as it is."""
    return result.origin if isinstance(result, ConvertedGraph) else result


def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """Whether a function answers these arguments, or the reason why not.

    The weight of the first edge tells of most graphs; the others are looked at when they are read.
    """
    asked = read_arguments(name, args, kwargs)
    graph = get_graph(asked)
    if name == "core_number" and graph.is_directed():
        return "degrees of a directed graph count arcs of either direction; graphla's cores are of undirected graphs"
    if name in colorings.__all__ and (reason := colorings.find_obstacle(graph, asked)):
        return reason
    if name in matchings.__all__ and (reason := matchings.find_obstacle(graph, asked)):
        return reason
    if name in trusses.__all__ and (reason := trusses.find_obstacle(graph, asked)):
        return reason
    if name in flows.__all__ and (reason := flows.find_obstacle(graph, asked)):
        return reason
    if name in forests.__all__ and (reason := forests.find_obstacle(graph, asked)):
        return reason
    return find_obstacle(graph, asked) or True


def should_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """Whether it gains anything, or the reason why not; NetworkX does not ask if the caller names the backend."""
    asked = read_arguments(name, args, kwargs)
    return find_reason(name, get_graph(asked), asked) or True


def get_graph(asked: Mapping[str, Any]) -> Any:
    """The graph among the arguments of a call."""
    return asked["flowG"] if "flowG" in asked else asked["G"]


def read_arguments(name: str, args: Any, kwargs: Any) -> Mapping[str, Any]:
    """The arguments of a call by their names, with defaults."""
    bound = signature(globals()[name]).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments
