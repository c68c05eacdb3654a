"""Differences that docs/networkx.md states: where NetworkX is wrong."""

from __future__ import annotations

from typing import Any

import networkx as nx


def is_exempt(name: str, G: Any, arguments: dict[str, Any], expected: Any, found: Any) -> bool:
    """Whether two answers may differ."""
    if name == "negative_edge_cycle":  # NetworkX adds a node to the graph
        return nx.is_frozen(G) and isinstance(expected, nx.NetworkXError)
    return name.startswith("louvain") and isinstance(expected, ZeroDivisionError)  # all weights are 0
