"""Data sets of LDBC Graphalytics of our own, with reference output by plain Python and NetworkX.

    python tests/graphla/benchmarks/graphalytics_data.py FOLDER [SEED]

The answers follow the definitions of the specification (arXiv:2011.15028, section 2.3) as loops over vertices; nothing
of graphla is used.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx

DAMPING, RANK_ROUNDS, LABEL_ROUNDS = 0.85, 12, 6
Name = Any


def make_graph(seed: int, directed: bool, names: Callable[[random.Random, int], list[Name]]) -> Any:
    """A random graph with weights, with parts, and with vertices that have no edge."""
    draw = random.Random(seed)
    vertices = names(draw, 40)
    G = nx.DiGraph() if directed else nx.Graph()
    G.add_nodes_from(vertices)
    for _ in range(110):
        u, v = draw.sample(vertices[:30], 2)
        G.add_edge(u, v, weight=round(draw.uniform(0.01, 3), 4))
    for u, v in pairwise(vertices[30:37]):
        G.add_edge(u, v, weight=0.5)
    return G


def draw_sparse(draw: random.Random, count: int) -> list[int]:
    """Numbers far apart, beyond 32 bits, in any order."""
    return draw.sample(range(10**11), count)


def draw_words(draw: random.Random, count: int) -> list[str]:
    """Words."""
    return [f"v{number}" for number in draw.sample(range(10**4), count)]


def compute_levels(G: Any, source: Name) -> dict[Name, int]:
    reached = nx.single_source_shortest_path_length(G, source)
    return {v: reached.get(v, 2**63 - 1) for v in G}


def compute_ranks(G: Any) -> dict[Name, float]:
    n = len(G)
    D = G.to_directed()
    ranks = dict.fromkeys(D, 1 / n)
    for _ in range(RANK_ROUNDS):
        dangling = sum(ranks[v] for v in D if D.out_degree(v) == 0)
        ranks = {
            v: (1 - DAMPING) / n + DAMPING * (sum(ranks[u] / D.out_degree(u) for u in D.pred[v]) + dangling / n)
            for v in D
        }
    return ranks


def compute_components(G: Any) -> dict[Name, Name]:
    """The largest vertex of each component, which another program need not choose."""
    return {v: max(each) for each in nx.connected_components(G.to_undirected()) for v in each}


def compute_labels(G: Any) -> dict[Name, Name]:
    labels = {v: v for v in G}
    for _ in range(LABEL_ROUNDS):
        counts = {v: Counter(labels[u] for u in ([*G.pred[v], *G.succ[v]] if G.is_directed() else G[v])) for v in G}
        labels = {v: min(c, key=lambda x, c=c: (-c[x], x)) if c else labels[v] for v, c in counts.items()}
    return labels


def compute_coefficients(G: Any) -> dict[Name, float]:
    D = G.to_directed()
    found = {}
    for v in D:
        around = ({*D.pred[v]} | {*D.succ[v]}) - {v}
        joined = sum(D.has_edge(u, w) for u in around for w in around if u != w)
        found[v] = joined / (len(around) * (len(around) - 1)) if len(around) > 1 else 0.0
    return found


def compute_distances(G: Any, source: Name) -> dict[Name, float]:
    reached = nx.single_source_dijkstra_path_length(G, source)
    return {v: reached.get(v, float("inf")) for v in G}


def write_dataset(folder: Path, name: str, G: Any, seed: int) -> None:
    """Write a graph, its properties and its reference output."""
    draw = random.Random(seed)
    vertices, edges = list(G), [f"{u} {v} {w}" for u, v, w in G.edges(data="weight")]
    source = vertices[0]
    draw.shuffle(edges)
    (folder / f"{name}.v").write_text("".join(f"{v}\n" for v in vertices))
    (folder / f"{name}.e").write_text("".join(f"{line}\n" for line in edges))
    properties = {
        "vertex-file": f"{name}.v",
        "edge-file": f"{name}.e",
        "meta.vertices": len(vertices),
        "meta.edges": len(edges),
        "directed": str(G.is_directed()).lower(),
        "edge-properties.names": "weight",
        "edge-properties.types": "real",
        "algorithms": "bfs, cdlp, lcc, pr, sssp, wcc",
        "bfs.source-vertex": source,
        "cdlp.max-iterations": LABEL_ROUNDS,
        "pr.damping-factor": DAMPING,
        "pr.num-iterations": RANK_ROUNDS,
        "sssp.weight-property": "weight",
        "sssp.source-vertex": source,
    }
    lines = [f"graph.{name}.{key} = {value}\n" for key, value in properties.items()]
    (folder / f"{name}.properties").write_text(f"# A data set of our own\n\n{''.join(lines)}")
    answers = {
        "BFS": compute_levels(G, source),
        "PR": compute_ranks(G),
        "WCC": compute_components(G),
        "CDLP": compute_labels(G),
        "LCC": compute_coefficients(G),
        "SSSP": compute_distances(G, source),
    }
    for algorithm, answer in answers.items():
        draw.shuffle(vertices)
        text = "".join(f"{v} {'infinity' if answer[v] == float('inf') else answer[v]}\n" for v in vertices)
        (folder / f"{name}-{algorithm}").write_text(text)


def write_all(folder: Path, seed: int) -> None:
    """Write a directed and an undirected data set, and one whose vertices are words."""
    for name, directed, names in (
        ("ours-directed", True, draw_sparse),
        ("ours-undirected", False, draw_sparse),
        ("ours-words", True, draw_words),
    ):
        write_dataset(folder, name, make_graph(seed, directed, names), seed)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(exist_ok=True)
    write_all(target, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
