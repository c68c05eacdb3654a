"""Which methods find which matchings."""

from __future__ import annotations

from typing import Any


def refuse_maximum(graph: Any, request: Any) -> str | None:
    """The refusal of a method that finds maximal matchings."""
    if request.get("kind") == "maximum":
        return "it finds maximal matchings; 'hopcroft_karp' (cpu), 'searches' (cuda) and 'algebraic' find maximum ones"
    return None


def refuse_maximal(graph: Any, request: Any) -> str | None:
    """The refusal of a method that finds maximum matchings."""
    if request.get("kind", "maximal") == "maximal":
        return "it finds maximum matchings of bipartite graphs: kind='maximum'; method 'suitor' finds maximal ones"
    return None
