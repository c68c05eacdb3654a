"""An edge attribute of a NetworkX graph as weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphla.common.arguments import show, suggest
from graphla.common.errors import InvalidGraph

USUAL = "weight"
"""The attribute that edges may lack, as in NetworkX: they weigh 1 then."""
MISSING = object()
NUMBERS = int | float | complex | np.number | np.bool_


def read_attribute(source: Any, name: str) -> list[Any]:
    """Return the numbers of an attribute, one for each edge; refuse another one that an edge lacks."""
    values = [data.get(name, MISSING) for _, _, data in source.edges(data=True)]
    kinds = set(map(type, values))
    if type(MISSING) in kinds:
        if name != USUAL:
            refuse_missing(source, name, values)
        values = [1 if each is MISSING else each for each in values]
    wrong = tuple(kind for kind in kinds - {type(MISSING)} if not issubclass(kind, NUMBERS))
    bad = next((k for k, each in enumerate(values) if isinstance(each, wrong) or each != each), None)
    if bad is not None:
        raise InvalidGraph(
            f"weight={name!r}: the edge {name_edge(source, bad)} has {show(values[bad])}, and a weight is a number: "
            f"make it one, as nx.set_edge_attributes(g, {{edge: float(…), …}}, {name!r})"
        )
    return values


def refuse_missing(source: Any, name: str, values: list[Any]) -> None:
    """Refuse an attribute that some edges lack, or all."""
    lacking = sum(each is MISSING for each in values)
    if lacking < len(values):
        edge = name_edge(source, next(k for k, each in enumerate(values) if each is MISSING))
        raise InvalidGraph(
            f"weight={name!r}: the edge {edge} has none, nor {lacking - 1:,} others of {len(values):,}: give each one, "
            f"as nx.set_edge_attributes(g, …, {name!r})"
        )
    known = list_names(data for _, _, data in source.edges(data=True))
    there = f"they have {', '.join(map(repr, known))}" if known else "they have no attributes"
    raise InvalidGraph(f"weight={name!r}: no edge has this attribute; {there}{suggest(name, known)}")


def list_names(edges: Iterable[dict[Any, Any]]) -> list[str]:
    """Return the names of all attributes."""
    return sorted({str(name) for data in edges for name in data})


def name_edge(source: Any, number: int) -> str:
    """Return the ends of an edge."""
    tail, head = list(source.edges())[number]
    return f"{show(tail)} → {show(head)}"
