"""What `_graphla_networkx.backend` calls when graphla answers: conversions, and the functions by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from _graphla_networkx.functions import FUNCTIONS
from graphla.common.errors import InvalidGraph, NotSupported, Overflow
from graphla.doors.networkx.acyclic import *  # noqa: F403
from graphla.doors.networkx.biconnected import *  # noqa: F403
from graphla.doors.networkx.centrality import *  # noqa: F403
from graphla.doors.networkx.clusters import *  # noqa: F403
from graphla.doors.networkx.colorings import *  # noqa: F403
from graphla.doors.networkx.communities import *  # noqa: F403
from graphla.doors.networkx.components import *  # noqa: F403
from graphla.doors.networkx.converted import ConvertedGraph, convert
from graphla.doors.networkx.cores import *  # noqa: F403
from graphla.doors.networkx.currents import *  # noqa: F403
from graphla.doors.networkx.dense import *  # noqa: F403
from graphla.doors.networkx.dominance import *  # noqa: F403
from graphla.doors.networkx.eccentricities import *  # noqa: F403
from graphla.doors.networkx.flows import *  # noqa: F403
from graphla.doors.networkx.forests import *  # noqa: F403
from graphla.doors.networkx.generic import *  # noqa: F403
from graphla.doors.networkx.links import *  # noqa: F403
from graphla.doors.networkx.matchings import *  # noqa: F403
from graphla.doors.networkx.negative import *  # noqa: F403
from graphla.doors.networkx.propagation import *  # noqa: F403
from graphla.doors.networkx.ranking import *  # noqa: F403
from graphla.doors.networkx.traversal import *  # noqa: F403
from graphla.doors.networkx.trusses import *  # noqa: F403
from graphla.doors.networkx.unweighted import *  # noqa: F403
from graphla.doors.networkx.weighted import *  # noqa: F403


def leave(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that leaves to NetworkX what graphla refuses: weights that it would round, numbers that do not fit."""

    @wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (InvalidGraph, NotSupported, Overflow) as error:
            raise NotImplementedError(str(error)) from error

    return answer


globals().update({name: leave(globals()[name]) for name in FUNCTIONS})


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
