"""Options that name vertices by label, by number: what is compared is a graph without labels."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.common.arguments import find_int
from graphla.containers.matrix import Matrix
from graphla.containers.vector import Vector
from graphla.graphs.graph import Graph
from graphla.graphs.pairs import split_pairs

LISTS = "sources", "starts", "targets", "fixed"
WEIGHTS = "personalization", "dangling"


def number_vertices(G: Graph, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a call of a graph with labels, as they are without."""
    return options if G.labels is None else {name: to_numbers(G, name, value) for name, value in options.items()}


def to_numbers(G: Graph, name: str, value: Any) -> Any:
    """The value of an option with the numbers of its vertices."""
    if value is None or isinstance(value, str | Vector | Matrix) or find_int(value) is not None:
        return value
    if name in LISTS:
        return G.vertices(value, name)
    if name in WEIGHTS:
        listed = isinstance(value, list | tuple) and not all(isinstance(each, int | float) for each in value)
        if listed:
            return [to_weights(G, name, each) for each in value]
        return to_weights(G, name, value) if isinstance(value, Mapping | set | frozenset) else value
    if name == "pairs":
        return tuple(G.vertices(part, name) for part in split_pairs(value, name))
    return value


def to_weights(G: Graph, name: str, value: Any) -> Any:
    """A set of vertices, a list that is one of several, or weights of some, by number."""
    if isinstance(value, Mapping):
        return {G.vertex(v, name): weight for v, weight in value.items()}
    if isinstance(value, set | frozenset):
        return {G.vertex(v, name) for v in value}
    return G.vertices(value, name) if isinstance(value, list | tuple | range | np.ndarray) else value
