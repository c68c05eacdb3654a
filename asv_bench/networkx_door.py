"""What the NetworkX backend costs and gains: ``python asv_bench/networkx_door.py [scale]``.

Times are those of the processor, on a warm process: kernels are compiled before. "First" includes the conversion of the
graph, "again" finds it in NetworkX's cache.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

CALLS: dict[str, Callable[..., Any]] = {
    "pagerank": lambda G, **b: nx.pagerank(G, **b),
    "betweenness_centrality(k=64)": lambda G, **b: nx.betweenness_centrality(G, k=64, seed=1, **b),
    "connected_components": lambda G, **b: list(nx.connected_components(G, **b)),
    "single_source_shortest_path_length": lambda G, **b: nx.single_source_shortest_path_length(G, 0, **b),
    "single_source_dijkstra_path_length": lambda G, **b: nx.single_source_dijkstra_path_length(G, 0, **b),
    "dijkstra_path": lambda G, **b: nx.dijkstra_path(G, 0, len(G) // 2, **b),
    "shortest_path": lambda G, **b: nx.shortest_path(G, 0, len(G) // 2, **b),
    "triangles": lambda G, **b: nx.triangles(G, **b),
    "clustering": lambda G, **b: nx.clustering(G, **b),
    "eigenvector_centrality": lambda G, **b: nx.eigenvector_centrality(G, max_iter=1000, **b),
    "katz_centrality(alpha=1e-4)": lambda G, **b: nx.katz_centrality(G, alpha=1e-4, **b),
    "hits": lambda G, **b: nx.hits(G, max_iter=1000, **b),
}
SMALL: dict[str, Callable[..., Any]] = {
    "closeness_centrality": lambda G, **b: nx.closeness_centrality(G, **b),
    "floyd_warshall_numpy": lambda G, **b: nx.floyd_warshall_numpy(G, **b),
    "johnson": lambda G, **b: nx.johnson(G, **b),
}


def make_graph(n: int, m: int, weighted: bool) -> Any:
    """A random undirected graph on the nodes 0 … n − 1."""
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, n, (2, m)).tolist()
    G = nx.Graph()
    G.add_nodes_from(range(n))
    if weighted:
        G.add_weighted_edges_from(zip(u, v, (1 + rng.random(m)).tolist(), strict=True))
    else:
        G.add_edges_from(zip(u, v, strict=True))
    return G


def clock(run: Callable[[], Any]) -> float:
    """Seconds of the processor."""
    began = time.process_time()
    run()
    return time.process_time() - began


def forget(G: Any) -> None:
    """Drop the conversions of a graph."""
    G.__networkx_cache__.clear()


def show_calls(title: str, G: Any, calls: dict[str, Callable[..., Any]]) -> None:
    """Print the times of NetworkX and of the backend, and how many times faster it is."""
    print(f"\n{title}: {len(G):,} nodes, {G.number_of_edges():,} edges")
    print(f"{'':36}{'NetworkX s':>12}{'first s':>10}{'again s':>10}{'first':>9}{'again':>9}", flush=True)
    for name, call in calls.items():
        theirs = clock(lambda call=call: call(G))
        forget(G)
        first = clock(lambda call=call: call(G, backend="graphla"))
        again = min(clock(lambda call=call: call(G, backend="graphla")) for _ in range(3))
        shown = f"{name:36}{theirs:12.3f}{first:10.4f}{again:10.4f}{theirs / first:8.1f}x{theirs / again:8.1f}x"
        print(shown, flush=True)


def show_conversion(scale: int) -> None:
    """Print the time of a conversion for each edge."""
    from graphla.doors.networkx.backend import convert_from_nx

    for weighted in (False, True):
        G = make_graph(1 << scale, 16 << scale, weighted)
        attributes = {"weight": 1} if weighted else None
        spent = min(clock(lambda G=G, a=attributes: convert_from_nx(G, edge_attrs=a)) for _ in range(2))
        kind = "with weights" if weighted else "without"
        print(f"conversion, 2**{scale} nodes, {kind:13} {1e6 * spent / G.number_of_edges():.2f} us an edge", flush=True)


IMPORT = """
import importlib.metadata, time
{patch}
began = time.process_time()
import networkx
print(time.process_time() - began)
"""
HIDE = """
find = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **asked: () if "networkx" in asked.get("group", "") else find(**asked)
"""


def time_import(patch: str) -> float:
    """The least seconds of ten imports of NetworkX."""
    command = [sys.executable, "-c", IMPORT.format(patch=patch)]
    return min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(10))


def show_import() -> None:
    """Print how long `import networkx` takes with the backend, and where it finds none."""
    ours, alone = time_import(""), time_import(HIDE)
    print(f"import networkx: {1000 * ours:.1f} ms with backends, {1000 * alone:.1f} ms without", flush=True)


def run_with_entry_points() -> int:
    """Run this again where NetworkX finds the backend of this tree, which is not installed."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.networkx_suite import make_environment

    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([sys.executable, *sys.argv], env=make_environment(Path(folder)), check=False).returncode


def main() -> None:
    """Print all."""
    warnings.simplefilter("ignore")
    if "graphla" not in nx.config.backends:
        sys.exit(run_with_entry_points())
    show_import()
    warm = make_graph(300, 1200, True)
    for call in (*CALLS.values(), *SMALL.values()):
        call(warm, backend="graphla")
    for weighted in (False, True):
        title = "weights" if weighted else "no weights"
        show_calls(f"100,000 edges, {title}", make_graph(20_000, 100_000, weighted), CALLS)
    show_calls("10,000 edges, weights", make_graph(1_000, 10_000, True), SMALL)
    show_conversion(int(sys.argv[1]) if len(sys.argv) > 1 else 18)


if __name__ == "__main__":
    main()
