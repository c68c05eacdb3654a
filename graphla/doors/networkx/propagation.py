"""NetworkX's label propagation: all nodes of a color at once, colors as NetworkX colors them."""

# pyright: reportCallIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any

import numpy as np

from graphla.doors.networkx.colorings import greedy_color
from graphla.doors.networkx.converted import ConvertedGraph
from graphla.engine.cpu.jit import njit

__all__ = ["label_propagation_communities"]


def label_propagation_communities(G: ConvertedGraph) -> Any:
    """`networkx.community.label_propagation_communities`: the same ones, in its order."""
    colors = greedy_color(G)
    order = np.array([G.number[node] for node in sorted(colors, key=colors.__getitem__)], np.int64)
    labels = np.arange(len(G))
    spread(G.out.indptr, G.out.indices, order, labels, np.zeros(len(G), np.int64))
    found: dict[int, set[Any]] = {}
    for node, label in zip(G.name(np.arange(len(G))), labels.tolist(), strict=True):
        found.setdefault(label, set()).add(node)
    return found.values()


@njit()
def choose(indptr, indices, labels, counts, v):  # type: ignore[no-untyped-def]
    """The label of a node if none is more frequent around it, else the largest of the most frequent ones."""
    best, most = -1, 0
    for k in range(indptr[v], indptr[v + 1]):
        label = labels[indices[k]]
        counts[label] += 1
        if counts[label] > most or (counts[label] == most and label > best):
            best, most = label, counts[label]
    stays = counts[labels[v]] == most
    for k in range(indptr[v], indptr[v + 1]):
        counts[labels[indices[k]]] = 0
    return labels[v] if stays else best


@njit()
def spread(indptr, indices, order, labels, counts):  # type: ignore[no-untyped-def]
    """Rounds over all nodes until one changes nothing; `counts` are zero before and after."""
    changed = True
    while changed:
        changed = False
        for v in order:
            label = choose(indptr, indices, labels, counts, v)
            if label != labels[v]:
                labels[v] = label
                changed = True
