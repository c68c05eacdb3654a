"""One pass over the vertices in an order: each gets the least color that no neighbour has."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cpu.jit import njit


@njit()
def color(order, indptr, indices, colors, latest):  # type: ignore[no-untyped-def]
    """Fill in the colors, which are -1 at first; `latest` says for each color which vertex has seen it last."""
    for i in range(order.size):
        v = order[i]
        for k in range(indptr[v], indptr[v + 1]):
            seen = colors[indices[k]]
            if seen >= 0:
                latest[seen] = v
        least = 0
        while latest[least] == v:
            least += 1
        colors[v] = least


def color_in_order(csr: Any, order: Any) -> Any:
    """The color of each vertex: int32."""
    colors = np.full(csr.nrows, -1, np.int32)
    color(order, csr.indptr, csr.indices, colors, np.full(csr.nrows + 1, -1, np.int32))
    return colors
