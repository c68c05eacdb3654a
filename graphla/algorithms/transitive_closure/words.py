"""A row of bits for each strong component: its vertices, and the rows of the components that it has arcs to.

Tarjan's algorithm numbers the components such that arcs lead to smaller numbers, so that each row is complete when it
is needed. A component that is in the row already adds nothing, and is passed over.

Source: Purdom, "A Transitive Closure Algorithm", BIT 10, 1970; Nuutila, "Efficient Transitive Closure Computation in
Large Digraphs", 1995.
"""

from __future__ import annotations

from typing import Any

from graphla.algorithms.transitive_closure import Settings
from graphla.problem import Method


def run(G: Any, s: Settings) -> tuple[Any]:
    """An entry True for each pair of which the first reaches the second."""
    from graphla.algorithms.transitive_closure._words_cpu import close_by_words

    return (close_by_words(G, s.reflexive),)


method = Method(
    runs={"cpu": run},
    idea="a row of bits for each strong component, the union of the rows after it",
    source="Purdom, BIT 1970; Nuutila, 1995",
    rank=100,
)
