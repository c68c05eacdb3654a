"""Samples, embeddings and answers that follow a graph, on the CPU, beside others: ``python asv_bench/samples.py``.

With pyg-lib installed its sampler is measured, too.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

import graphla as gl

REPEATS = 25
UNDIRECTED = "core_numbers", "louvain", "leiden", "pagerank"
"""Problems whose graphs lose as many edges as they get."""


def measure(repeats: int, **calls: Callable[[], Any]) -> str:
    """The median milliseconds of each call, in turn; the first round does not count."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats + 1):
        for name, call in calls.items():
            begun = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - begun)
    return ", ".join(f"{name} {1e3 * np.median(taken[1:]):.3g}" for name, taken in times.items())


def list_peers(G: gl.Graph, draw_seeds: Callable[[], Any]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """pyg-lib's sampler, where it is installed."""
    try:
        import pyg_lib  # noqa: F401
        import torch
    except ImportError:
        return
    indptr, indices = (torch.from_numpy(part.astype(np.int64)) for part in (G.csr.indptr, G.csr.indices))
    rest = [None] * 4, [True, False, True, False, "uniform", True]
    sampler = torch.ops.pyg.neighbor_sample
    yield "pyg_lib", lambda: sampler(indptr, indices, torch.from_numpy(draw_seeds()), [15, 10, 5], *rest[0], *rest[1])


def compare_samples(scale: int) -> None:
    G, rng = gl.generate.kronecker(scale, engine="cpu"), np.random.default_rng(0)
    known, numbers = np.flatnonzero(G.degrees > 0), itertools.count()

    def draw_seeds() -> Any:
        return rng.choice(known, 1024, replace=False)

    def sample() -> Any:
        return gl.sample_neighbors(G, draw_seeds(), [15, 10, 5], seed=next(numbers))

    calls = {"ours": sample, **dict(list_peers(G, draw_seeds))}
    print(f"15, 10, 5 neighbours of 1,024 seeds, Kronecker {scale}:", measure(REPEATS, **calls))


def compare_projections(scale: int) -> None:
    G = gl.generate.kronecker(scale, engine="cpu")
    A = sparse.csr_array((np.ones(G.nvals, "float32"), G.csr.indices, G.csr.indptr), shape=(G.n, G.n))

    def project() -> Any:
        P = sparse.diags_array(1 / np.maximum(A.sum(axis=1), 1).astype("float32")) @ A
        X, total = np.random.default_rng(0).choice([-1, 1], (G.n, 128)).astype("float32"), 0
        for share in (0, 1, 1, 1):
            X = P @ X
            total = total + share * X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-30)
        return total

    print(f"FastRP, 128 columns, Kronecker {scale}:", measure(3, ours=lambda: gl.fastrp(G), scipy=project))
    if scale == 14:
        X, walks = gl.fastrp(G), {"walks": 2, "p": 0.5, "q": 2.0}
        print("10 most alike of each, Kronecker 14:", measure(3, ours=lambda: gl.similar(X, 10, engine="cpu")))
        print("2 walks of 80 steps each:", measure(3, ours=lambda: sum(map(len, gl.WalkBatches(G, 80, **walks)))))


def compare_updates(problem: str, G: gl.Graph, count: int, **asked: Any) -> None:
    """The time that an answer takes beyond that of the update of its graph, and that of the answer from nothing."""
    plain, spent = gl.Graph._update, [0.0]

    def update_and_time(G: gl.Graph, *given: Any) -> Any:
        begun = time.perf_counter()
        found = plain(G, *given)
        spent[0] = time.perf_counter() - begun
        return found

    gl.Graph._update = update_and_time
    rng, follower, taken = np.random.default_rng(0), gl.follow(problem, G, **asked), {"ours": [], "from nothing": []}
    for _ in range(7):
        rows, cols, values = follower.graph.A.to_coo()
        chosen = rng.choice(rows.size, count, replace=False)
        update: dict[str, Any] = {"weights": (rows[chosen], cols[chosen], np.maximum(values[chosen] // 2, 1))}
        if problem != "sssp":
            update = {"insert": tuple(rng.integers(0, G.n, (2, count))), "dup": "first"}
        if problem in UNDIRECTED:
            update |= {"delete": (rows[chosen], cols[chosen]), "undirected": True, "missing": "ignore"}
        begun = time.perf_counter()
        follower.update(**update)
        taken["ours"].append(time.perf_counter() - begun - spent[0])
        getattr(gl, problem)(follower.graph, **asked)
        begun = time.perf_counter()
        getattr(gl, problem)(follower.graph, **asked)
        taken["from nothing"].append(time.perf_counter() - begun)
    gl.Graph._update = plain
    shown = ", ".join(f"{name} {1e3 * np.median(times):.3g}" for name, times in taken.items())
    print(f"{problem} after {count:,} changes of {G}: {shown}")


if __name__ == "__main__":
    for scale in (16, 18, 20):
        compare_samples(scale)
    for scale in (14, 16):
        compare_projections(scale)
    compare_updates("components", gl.generate.kronecker(18, engine="cpu"), 1000)
    compare_updates("bfs", gl.generate.road(500_000, engine="cpu"), 1000, source=0)
    weighted = gl.generate.kronecker(17, weights=(1, 255), engine="cpu")
    compare_updates("sssp", weighted, 10_000, source=int(weighted.degrees.argmax()))
    compare_updates("sssp", gl.generate.road(500_000, weights=(1, 99), engine="cpu"), 100, source=0)
    for count in (100, 1000):
        compare_updates("core_numbers", gl.generate.kronecker(18, engine="cpu"), count)
        compare_updates("core_numbers", gl.generate.road(500_000, engine="cpu"), count)
    communities = gl.generate.planted_partition(100_000, 1000, 0.1, 1e-5, engine="cpu")
    for problem in ("louvain", "leiden", "pagerank"):
        compare_updates(problem, communities, 100)
