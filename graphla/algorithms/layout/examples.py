"""A call of the layout, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from graphla.algorithms.layout.arrange import layout

EXAMPLES = {"layout": lambda G: layout(G, steps=3, seed=1)}
