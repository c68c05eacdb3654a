"""Random graphs of NetworkX: of every class, with odd labels and weights, as they are or as views of others."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
LABELS: tuple[Callable[[int], Any], ...] = (
    int,
    int,
    lambda v: 7 * v - 3,
    lambda v: f"v{v}",
    lambda v: (v, str(v)),
    lambda v: frozenset([v]),
    lambda v: (v % 2 == 0, v + 0.5, f"{v}", (v,))[v % 4] if v > 3 else v,
    np.int64,
)
WEIGHTS: dict[str, Callable[[random.Random], Any]] = {
    "small": lambda r: r.randint(1, 4),
    "whole": lambda r: r.randint(0, 9),
    "real": lambda r: r.choice((0.1, 0.2, 0.3, 0.7, 1.5)),
    "mixed": lambda r: r.choice((1, 2, 3, 0.5, 1.0, 2.0)),
    "negative": lambda r: r.randint(-1, 9),
    "mostly": lambda r: r.choice((1, 2, 3, None)),
    "none": lambda r: r.choice((1, 2.5, None)),
    "large": lambda r: 2**53 + r.randint(-2, 2),
    "huge": lambda r: r.choice((2**62, 2**63 - 1, 2**70)),
    "bool": lambda r: r.random() < 0.7,
    "int8": lambda r: np.int64(r.randint(1, 90)),
    "float32": lambda r: np.float32(r.random()),
    "fraction": lambda r: Fraction(r.randint(1, 9), 3),
    "decimal": lambda r: Decimal(r.randint(1, 9)),
    "infinite": lambda r: r.choice((1.0, 2.0, float("inf"))),
    "nan": lambda r: r.choice((1.0, float("nan"))),
    "tiny": lambda r: r.choice((1e-300, 1e-17, 1.0, 5e-324)),
    "text": lambda r: "far",
}
COMMON = ("small", "whole", "real", "mixed", "bool", "negative")


def draw(r: random.Random) -> tuple[Any, Any]:
    """A graph, and the one that it is a view of, or itself."""
    kind, label = r.choice(KINDS), r.choice(LABELS)
    n = r.choice((0, 1, 2, 3, 5, 8, 12, 20))
    numbers = list(range(n))
    if r.random() < 0.5:
        r.shuffle(numbers)
    base = kind()
    if r.random() < 0.2:
        base.graph["name"] = "a graph"
    base.add_nodes_from(map(label, numbers))
    for _ in range(int(n * r.choice((0.3, 1, 2, 4)))):
        add_edge(r, base, r.choice(list(WEIGHTS) if r.random() < 0.1 else COMMON))
    set_weights(r, base)
    if r.random() < 0.4:
        base.remove_edges_from(list(nx.selfloop_edges(base)))
    return (view(r, base), base) if r.random() < 0.25 else (base, base)


def add_edge(r: random.Random, G: Any, kind: str) -> None:
    """An edge between nodes that are there; now and then a path or a cycle of new edges."""
    nodes = list(G)
    if nodes:
        u, v = r.choice(nodes), r.choice(nodes)
        G.add_edge(u, v, **({"weight": WEIGHTS[kind](r)} if r.random() < 0.2 else {}))


def set_weights(r: random.Random, G: Any) -> None:
    """Weights of one kind for all edges, some, or none."""
    kind = r.choice(COMMON if r.random() < 0.7 else list(WEIGHTS))
    share = r.choice((0, 0.8, 1, 1))
    for *_, data in G.edges(data=True):
        data.clear()
        if r.random() < share:
            data["weight"] = WEIGHTS[kind](r)
        if r.random() < 0.3:
            data["capacity"] = r.randint(0, 5)
    G.__networkx_cache__.clear()


def view(r: random.Random, G: Any) -> Any:
    """A view of a graph."""
    nodes = [v for v in G if r.random() < 0.8]
    views = [
        lambda: G.subgraph(nodes),
        lambda: G.edge_subgraph([e for e in G.edges if r.random() < 0.8]),
        lambda: nx.restricted_view(G, nodes[:2], []),
        lambda: G.to_undirected(as_view=True),
        lambda: G.to_directed(as_view=True),
        lambda: nx.freeze(G.copy()),
    ]
    if G.is_directed():
        views.append(lambda: G.reverse(copy=False))
    return r.choice(views)()


def change(r: random.Random, G: Any) -> None:
    """Change a graph by its methods."""
    nodes, edges = list(G), list(G.edges)
    way = r.randrange(6)
    if way == 0 and edges:
        G.remove_edge(*r.choice(edges))
    elif way == 1 and nodes:
        G.remove_node(r.choice(nodes))
    elif way == 2:
        G.add_node("new")
    elif way == 3:
        nx.set_edge_attributes(G, WEIGHTS[r.choice(COMMON)](r), "weight")
    elif way == 4:
        set_weights(r, G)
    else:
        add_edge(r, G, r.choice(COMMON))
