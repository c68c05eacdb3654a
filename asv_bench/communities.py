"""Leiden beside igraph, leidenalg and NetworKit: modularity, seconds and how alike five runs are.

    python asv_bench/communities.py                               all graphs that it makes itself
    python asv_bench/communities.py kronecker12 --enron email-Enron.txt.gz

Two threads. Each library runs five times with one seed, and five times with seeds of 0 to 4. Printed are the mean
modularity and the least seconds over the seeds, and the mean adjusted Rand index of the runs of one seed: 1 if they are
alike. Libraries that are not installed are left out (extra ``peers``).
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("GRAPHLA_THREADS", "OMP_NUM_THREADS"), "2")

import numpy as np

import graphla as gl

RUNS = 5
Cluster = Callable[[int], Any]


def make_near(n: int = 5000, near: int = 15) -> gl.Graph:
    """The nearest neighbours of points in 30 clouds of eight dimensions."""
    from scipy.spatial import cKDTree

    rng = np.random.default_rng(1)
    points = rng.normal(0, 1.5, (30, 8))[rng.integers(0, 30, n)] + rng.normal(0, 0.6, (n, 8))
    heads = cKDTree(points).query(points, k=near + 1)[1][:, 1:].ravel()
    tails = np.repeat(np.arange(n), near)
    return gl.Graph((np.r_[tails, heads], np.r_[heads, tails]), n=n, dup="first", engine="cpu")


def make_planted(n: int = 10_000, groups: int = 50) -> gl.Graph:
    """Groups with more arcs within them."""
    rng = np.random.default_rng(1)
    group, (tails, heads) = rng.integers(0, groups, n), rng.integers(0, n, (2, 240 * n))
    kept = ((group[tails] == group[heads]) | (rng.random(tails.size) < 0.02)) & (tails != heads)
    tails, heads = tails[kept], heads[kept]
    return gl.Graph((np.r_[tails, heads], np.r_[heads, tails]), n=n, dup="first", engine="cpu")


GRAPHS: dict[str, Callable[[], gl.Graph]] = {
    "kronecker12": lambda: gl.generate.kronecker(12, engine="cpu"),
    "kronecker16": lambda: gl.generate.kronecker(16, engine="cpu"),
    "near5000": make_near,
    "grid150": lambda: gl.generate.grid2d(150, 150, engine="cpu"),
    "geometric14": lambda: gl.generate.rgg(14, engine="cpu"),
    "planted": make_planted,
}


def list_libraries(G: gl.Graph) -> Iterator[tuple[str, Cluster]]:
    """Each library that is installed, and its call with a seed."""
    yield "graphla", lambda seed: gl.leiden(G, seed=seed)
    yield "graphla, sequential", lambda seed: gl.leiden(G, seed=seed, method="sequential")
    tails, heads = G.A.to_coo()[:2]
    edges = np.column_stack([tails, heads])[tails < heads]
    try:
        import random

        import igraph
    except ImportError:
        return
    g = igraph.Graph(n=G.n, edges=edges)

    def run_igraph(seed: int) -> Any:
        igraph.set_random_number_generator(random.Random(seed))
        return g.community_leiden("modularity", n_iterations=2).membership

    yield "igraph", run_igraph
    try:
        import leidenalg

        kind = leidenalg.ModularityVertexPartition
        yield "leidenalg", lambda seed: leidenalg.find_partition(g, kind, seed=seed, n_iterations=2).membership
        import networkit as nk
    except ImportError:
        return
    N = nk.GraphFromCoo((edges[:, 0].astype(np.uint64), edges[:, 1].astype(np.uint64)), n=G.n, directed=False)

    def run_networkit(seed: int) -> Any:
        nk.setNumberOfThreads(2)
        nk.setSeed(seed, True)
        found = nk.community.ParallelLeiden(N, randomize=True, iterations=2)
        return found.run().getPartition().getVector()

    yield "NetworKit", run_networkit


def measure(G: gl.Graph, cluster: Cluster) -> tuple[float, float, float]:
    """Modularity, seconds, and how alike runs of one seed are."""
    cluster(0)
    seconds, reached = [], []
    for seed in range(RUNS):
        begun = time.perf_counter()
        found = cluster(seed)
        seconds.append(time.perf_counter() - begun)
        reached.append(gl.modularity(G, np.asarray(found) if isinstance(found, list) else found))
    same = [gl.compare_partitions(a, b).ari for a, b in combinations([cluster(7) for _ in range(RUNS)], 2)]
    return float(np.mean(reached)), min(seconds), float(np.mean(same))


def main() -> None:
    """Print a row for each graph and library."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="*", default=[], help=f"by default all of {', '.join(GRAPHS)}")
    parser.add_argument("--enron", type=Path, help="the graph of SNAP as well, which does not ship")
    asked = parser.parse_args()
    chosen = {name: GRAPHS[name] for name in asked.graphs or GRAPHS}
    if asked.enron:
        chosen["enron"] = lambda: gl.read(asked.enron, engine="cpu")
    print("| graph | library | modularity | seconds | five runs of a seed, ARI |\n|---|---|---|---|---|")
    for name, make in chosen.items():
        G = gl.Graph(make().A.select("offdiag").new())
        for library, cluster in list_libraries(G):
            print("| {} | {} | {:.4f} | {:.3f} | {:.3f} |".format(name, library, *measure(G, cluster)), flush=True)


if __name__ == "__main__":
    main()
