"""Clocks of ranks that run a search or a Floyd–Warshall step by step: ``python -m graphla.mpi.simulate --help``.

Each rank has a clock. Work moves one clock, by what that rank has to do; a collective moves all clocks to the last one
and on by its cost. What a rank has to do in a search is counted in a real one: a Kronecker graph of a smaller scale is
built and searched level by level, and its vertices are cut into as many parts as there are ranks.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache

import numpy as np

from graphla.algorithms.bfs import bfs
from graphla.common.arguments import to_int
from graphla.graphs.graph import Graph
from graphla.graphs.reading import generate
from graphla.mpi.model import (
    BOX,
    MACHINES,
    Machine,
    Network,
    Row,
    choose_grid,
    fit,
    predict_pagerank,
    predict_pagerank_by_rows,
    read_rows,
)

SMALL_SCALE = 14
"""Of the graph that is really searched."""
ARCS_PER_VERTEX = 31
"""Stored arcs of a Kronecker graph of edge factor 16, without loops and repeats."""
BETA, GAMMA = 64, 4
"""When a level is pulled, as in the search of many ranks."""


@dataclass(frozen=True)
class Level:
    """What a level costs each rank: arcs that it looks at; and whether it is pushed."""

    arcs: np.ndarray
    pushed: bool


@cache
def count_levels(ranks: int, scale: int = SMALL_SCALE, seed: int = 1) -> tuple[list[Level], int, int]:
    """Search a Kronecker graph and count the arcs that each rank looks at; return vertices and arcs, too."""
    G = generate.kronecker(scale, seed=seed, engine="cpu")
    source = int(G.degrees.argmax())
    level = bfs(G, source).to_dense(-1)
    parts = np.arange(G.n) * ranks // G.n
    found, counted = 1, []
    for depth in range(int(level.max()) + 1):
        front = level == depth
        arcs = int(G.degrees[front].sum())
        pushed = found * BETA < G.n and arcs * GAMMA <= G.n
        looked = G.degrees * front if pushed else count_probes(G, level, depth)
        counted.append(Level(np.bincount(parts, looked, minlength=ranks), pushed))
        found = int((level == depth + 1).sum())
    return counted, G.n, G.nvals


def count_probes(G: Graph, level: np.ndarray, depth: int) -> np.ndarray:
    """Count the arcs of each vertex that a pull looks at: up to the first tail that is in the frontier or before."""
    csr = G.csc
    tails = np.repeat(np.arange(csr.nrows), np.diff(csr.indptr))
    hit = (level[csr.indices] >= 0) & (level[csr.indices] <= depth)
    places = np.arange(hit.size) - csr.indptr[tails]
    first = np.diff(csr.indptr).astype(np.int64)
    np.minimum.at(first, tails[hit], places[hit] + 1)
    return np.where((level < 0) | (level > depth), first, 0)


def simulate_bfs(machine: Machine, scale: float, ranks: int, network: Network, by_blocks: bool = False) -> float:
    """Return the seconds of a search of a Kronecker graph of a scale.

    The measured rate is of arcs of the graph, not of arcs that a search looks at: the shares of the levels and of the
    ranks are counted, the sum is that of the rate. By rows, as in graphla, a rank gets the bitmap of all vertices after
    each level, and in a push also the bits that others send it. By blocks of a grid, which is not built, it would get
    the bits of a row of the grid, and those of a column.
    """
    levels, n, nvals = count_levels(ranks)
    larger, line = 2.0**scale / n, machine.work["bfs"]
    looked, clocks = sum(level.arcs.sum() for level in levels), np.zeros(ranks)
    for level in levels:
        clocks += line.fixed / len(levels) + level.arcs / looked * nvals * larger / line.rate
        clocks[:] = clocks.max() + predict_bits(machine, n * larger / 8, ranks, network, level.pushed, by_blocks)
    return float(clocks.max())


def predict_bits(machine: Machine, nbytes: float, ranks: int, network: Network, pushed: bool, by_blocks: bool) -> float:
    """Return the seconds in which the bits of a level travel; in a box those of a push are few, in lists."""
    if not by_blocks and "peers" in machine.transfers and ranks <= BOX:
        return (2 if pushed else 1) * machine.predict_transfer("peers", 0 if pushed else nbytes, ranks, network)
    if not by_blocks:
        return (2 if pushed else 1) * machine.predict_transfer("all_gather", nbytes, ranks, network)
    rows, columns, together = choose_grid(ranks)
    along_row = machine.predict_transfer("all_gather", nbytes / rows, columns, network)
    return along_row + machine.predict_transfer("all_reduce", nbytes / columns, rows, network, together)


def simulate_floyd_warshall(machine: Machine, n: int, ranks: int, network: Network, side: int = 256) -> float:
    """Return the seconds of a blocked Floyd–Warshall with look-ahead, step by step."""
    rate, blocks = machine.work["floyd_warshall"].rate, -(-n // side)
    owners = np.arange(blocks) * ranks // blocks
    rows = np.bincount(owners, minlength=ranks) * float(side)
    sent = machine.predict_transfer("broadcast", 4.0 * side * n, ranks, network)
    clocks, arrived = np.zeros(ranks), 2.0 * side * side * n / rate + sent
    for step in range(blocks):
        clocks = np.maximum(clocks, arrived) + side * side * rows / rate  # the columns of each rank
        if step + 1 < blocks:
            arrived = clocks[owners[step + 1]] + 2.0 * side * side * n / rate + sent
        clocks = clocks + side * rows * float(n) / rate
    return float(clocks.max())


def predict(machine: Machine, row: Row) -> float:
    """Return the predicted seconds of a measured row of work."""
    n = row.size / ARCS_PER_VERTEX
    if row.name == "floyd_warshall":
        return simulate_floyd_warshall(machine, round(row.size ** (1 / 3)), row.ranks, Network())
    if row.name == "pagerank":
        return predict_pagerank(machine, round(n), row.size, row.ranks)
    if row.name == "pagerank_by_rows":
        return predict_pagerank_by_rows(machine, round(n), row.size, row.ranks)
    return simulate_bfs(machine, float(np.log2(n)), row.ranks, Network())


def check(machine: Machine) -> None:
    """Print what was measured on several ranks and what is predicted there."""
    print("            name  ranks            size  measured ms  predicted ms")
    for row in read_rows(machine.name):
        if row.kind == "work" and row.ranks > 1:
            measured, predicted = row.microseconds / 1e3, 1e3 * predict(machine, row)
            print(f"{row.name:>16} {row.ranks:6} {row.size:15.0f} {measured:12.3f} {predicted:13.3f}")


def main() -> None:
    """Print a table of predictions."""
    parser = argparse.ArgumentParser(prog="python -m graphla.mpi.simulate", description="Predict times on many ranks.")
    parser.add_argument("--machine", choices=MACHINES, default="h200")
    parser.add_argument("--scale", type=int, default=28, help="of the Kronecker graph on one rank; grows with ranks")
    parser.add_argument("--vertices", type=int, default=65536, help="of the Floyd–Warshall")
    parser.add_argument("--ranks", type=int, nargs="*", default=[1, 2, 8, 64, 256, 1024])
    parser.add_argument("--latency", type=float, default=Network.latency, help="of the network between boxes, seconds")
    parser.add_argument("--bandwidth", type=float, default=Network.bandwidth, help="of a rank to other boxes, bytes/s")
    parser.add_argument("--check", action="store_true", help="compare with what was measured on several ranks instead")
    asked = parser.parse_args()
    network, machine = Network(asked.latency, asked.bandwidth), fit(asked.machine)
    if asked.check:
        check(machine)
        return
    print(f"{machine.name}; boxes of {BOX}; between them {network.latency:g} s, {network.bandwidth:g} bytes/s per rank")
    print(
        " ranks  scale  bfs by rows ms  bfs by blocks ms  a round: by rows  by blocks ms  Floyd–Warshall s  efficiency"
    )
    alone = simulate_floyd_warshall(machine, asked.vertices, 1, network)
    for ranks in asked.ranks:
        scale = asked.scale + int(np.log2(to_int(ranks, "ranks", 1)))
        searches = [1e3 * simulate_bfs(machine, scale, ranks, network, by_blocks) for by_blocks in (False, True)]
        graph = 1 << scale, ARCS_PER_VERTEX * 2**scale, ranks, network
        rounds = [1e3 * rank(machine, *graph) for rank in (predict_pagerank_by_rows, predict_pagerank)]
        closed = simulate_floyd_warshall(machine, asked.vertices, ranks, network)
        shown = f"{ranks:6} {scale:6} {searches[0]:15.2f} {searches[1]:17.2f} {rounds[0]:17.2f} {rounds[1]:13.2f}"
        print(f"{shown} {closed:17.3f} {alone / closed / ranks:11.2f}", flush=True)


if __name__ == "__main__":
    main()
