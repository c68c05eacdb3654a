"""What a caller waits for on a GPU: ranks of queries, samples, embeddings, communities, graphs that come and change.

    python asv_bench/gpu/questions.py [GROUP ...] [--road road-FLA.pace.gr.xz]

Wall time until the device has finished: the first call, and the median of five more. Without a group all are run:
queries, communities, change, tables, corners, paths.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np

import graphla as gl
from graphla import binary, monoid, replace
from semirings import any_pair, min_plus, plus_times

Case = tuple[str, Callable[[], Any]] | tuple[str, Callable[[], Any], Callable[[Any], bool]]
REPEATS = 5


def measure(name: str, call: Callable[[], Any], check: Callable[[Any], bool] | None = None) -> None:
    """Print the milliseconds of the first call, and the median of the others; and whether the last answer is right."""
    took, found = [], None
    for _ in range(REPEATS + 1):
        begun = time.perf_counter()
        try:
            found = call()
        except gl.errors.GraphlaError as error:
            print(f"  {name:56} {type(error).__name__}: {error}", flush=True)
            return
        cp.cuda.Stream.null.synchronize()
        took.append(1e3 * (time.perf_counter() - begun))
    verdict = "" if check is None else ", right" if check(found) else ", WRONG"
    print(f"  {name:56} {np.median(took[1:] or took):10.3f} ms, first {took[0]:10.1f}{verdict}", flush=True)


def make_points(count: int, neighbours: int = 15) -> gl.Graph:
    """The nearest neighbours of random points around 60 centres in eight dimensions, in both directions."""
    from scipy.spatial import cKDTree

    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 8))[rng.integers(0, 60, count)] * 2 + rng.normal(size=(count, 8))
    near = cKDTree(points).query(points, neighbours + 1, workers=-1)[1][:, 1:]
    tails = np.repeat(np.arange(count), neighbours)
    return gl.Graph((tails, near.reshape(-1)), n=count, undirected=True, dup="first", engine="cpu").to("cuda")


def make_graph(scale: int, weights: str = "1..255") -> gl.Graph:
    return gl.generate.from_spec(f"kron:{scale}?weights={weights}").to("cuda")


def ask_queries(_: str) -> Iterator[Case]:
    """Ranks, samples, embeddings, similarities."""
    G, rng = make_graph(22), np.random.default_rng(2)
    known = np.flatnonzero(cp.asnumpy(cp.asarray(G.degrees)) > 0)
    seeds = [{int(v)} for v in rng.choice(known, 32, replace=False)]
    yield "kron22: 32 personalised ranks", lambda: gl.pagerank(G, personalization=seeds)
    yield "kron22: one of them", lambda: gl.pagerank(G, personalization=seeds[0])
    yield from ask_what_is_near(G, known, rng)
    yield from ask_samples(G, rng.choice(known, 1024, replace=False))
    G = make_graph(20)
    yield "kron20: fastrp, 128 columns, 4 rounds", lambda: gl.fastrp(G, 128, (0.0, 1.0, 1.0, 1.0))
    starts = np.arange(1_000_000)
    yield "kron20: walks of 80 steps from a million, p .5 q 2", lambda: gl.random_walks(G, 80, starts, p=0.5, q=2.0)
    yield "kron20: walks of 80 steps from a million", lambda: gl.random_walks(G, 80, starts)
    points = make_points(500_000)
    yield "points 500,000: two-step top 10", lambda: gl.similarity(points, "two_hops", top=10)


def ask_what_is_near(G: gl.Graph, known: Any, rng: Any) -> Iterator[Case]:
    """Pushes from one seed and from a thousand: no rank above that of rounds until they are settled."""
    seeds = rng.choice(known, 1000, replace=False).tolist()

    def repeats(found: gl.Vector, asked: dict[str, Any]) -> bool:
        return bool((gl.pagerank(G, method="push", **asked).to_numpy(0) == found.to_numpy(0)).all())

    for epsilon, top in ((1e-4, 100), (1e-6, 100), (1e-7, 100), (1e-6, None)):
        asked: dict[str, Any] = {"personalization": {seeds[0]}, "epsilon": epsilon, "top": top}

        def check(found: gl.Vector, asked: Any = asked) -> bool:
            over = found.to_numpy(0) - gl.pagerank(G, personalization={seeds[0]}, tolerance=1e-7).to_numpy(0)
            return bool(found.nvals and over.max() < 1e-6) and repeats(found, asked)

        name = f"kron22: push from one seed, epsilon {epsilon:g}, top {top}"
        yield name, lambda asked=asked: gl.pagerank(G, method="push", **asked), check

    many: dict[str, Any] = {"epsilon": 1e-6, "top": 100}

    def check_first(found: gl.Matrix) -> bool:
        first = gl.pagerank(G, method="push", personalization={seeds[0]}, **many)
        return bool((found[0, :].new().to_numpy(0) == first.to_numpy(0)).all())

    sets = [[v] for v in seeds]
    yield (
        "kron22: push from 1,000 seeds, epsilon 1e-6, top 100",
        lambda: gl.pagerank(G, method="push", personalization=sets, **many),
        check_first,
    )


def ask_samples(G: gl.Graph, seeds: Any) -> Iterator[Case]:
    """Samples that must be those of the CPU."""
    host = G.to("cpu")
    for options in ({}, {"weights": True}, {"replace": True}, {"disjoint": True}, {"direction": "out"}):
        asked = {"seeds": seeds, "fanouts": [15, 10, 5], **options}

        def check(found: gl.Sample, asked: Any = asked) -> bool:
            expected = gl.sample_neighbors(host, **asked)
            return all((a == cp.asnumpy(b)).all() for a, b in zip(expected[:4], found[:4], strict=True))

        name = f"kron22: 15·10·5 neighbours of 1,024{''.join(f', {each}' for each in options)}"
        yield name, lambda asked=asked: gl.sample_neighbors(G, **asked), check
    yield "kron22: all neighbours of 64", lambda: gl.sample_neighbors(G, seeds[:64], [-1])


def ask_communities(_: str) -> Iterator[Case]:
    """Leiden and Louvain, and where to draw vertices."""
    ends = np.random.default_rng(4).integers(0, 100_000, (2, 500_000))
    drawn = gl.Graph(tuple(ends), n=100_000, undirected=True, dup="first", engine="cpu").to("cuda")
    yield "100,000 vertices, a million arcs: layout, 200 steps", lambda: gl.layout(drawn, steps=200)
    for count in (500_000, 1_000_000):
        points = make_points(count)
        yield f"points {count:,}: leiden", lambda points=points: gl.leiden(points)
        yield f"points {count:,}: louvain", lambda points=points: gl.louvain(points)
    for scale in (20, 22):
        G = make_graph(scale)
        yield f"kron{scale}: leiden", lambda G=G: gl.leiden(G)
        yield f"kron{scale}: louvain", lambda G=G: gl.louvain(G)


def ask_change(road: str) -> Iterator[Case]:
    """A graph after an update, and answers that follow."""
    G, rng = make_graph(22), np.random.default_rng(3)
    ends, weights = rng.integers(0, G.n, (2, 500_000)), rng.integers(1, 255, 500_000)
    old = G.A.to_coo()
    which = cp.asarray(rng.choice(G.nvals, 500_000, replace=False))
    gone = tuple(cp.asnumpy(part[which]) for part in old[:2])
    host = {"insert": (*ends, weights.astype(np.float32)), "delete": gone}
    device = {name: tuple(map(cp.asarray, parts)) for name, parts in host.items()}
    del old
    how = {"undirected": True, "dup": "first", "missing": "ignore"}
    yield "kron22: a million arcs from the host", lambda: G.update(**host, **how)
    yield "kron22: a million arcs on the device", lambda: G.update(**device, **how)
    yield "kron22: half a million to delete alone, on the device", lambda: G.update(delete=device["delete"])
    H = G.update(**device, **how)
    ranks = gl.pagerank(G)
    yield "kron22: pagerank from nothing", lambda: gl.pagerank(H)
    yield "kron22: pagerank from the last answer", lambda: gl.pagerank(H, start=ranks)
    yield "kron22: components from nothing", lambda: gl.components(H)
    path = Path(tempfile.mkdtemp()) / "graph.gla"
    gl.save(G.to("cpu"), path)
    yield "kron22: load a saved graph", lambda: gl.load(path, engine="cuda")


def ask_tables(_: str) -> Iterator[Case]:
    """Graphs of 134 million edges."""
    bits = cp.random.RandomState(1)
    m, n = 1 << 26, 1 << 22
    tails, heads = (bits.randint(0, n, m, dtype=cp.int32) for _ in range(2))
    both = {"undirected": True, "dup": "first"}
    yield "67 M edges int32, both directions", lambda: gl.Graph((tails, heads), n=n, **both).A
    wide = [part.astype(cp.int64) * 1_000_003 for part in (tails, heads)]
    yield "67 M edges int64 with gaps, both directions", lambda: number(wide, both)


def number(ends: list[Any], options: dict[str, Any]) -> gl.Graph:
    """A graph of a table whose ids are numbered."""
    table = {"source": ends[0], "target": ends[1]}
    return gl.Graph.from_arrow(table, relabel=True, engine="cuda", **options)


def ask_corners(road: str) -> Iterator[Case]:
    """Slow corners."""
    grid = gl.generate.grid3d(215, 215, 215).to("cuda")
    yield "grid 215³: core numbers", lambda: gl.core_numbers(grid)
    if road:
        here = gl.read(road, engine="cpu")
        half = np.random.default_rng(1).random(here.nvals) < 0.75
        tails, heads, _ = here.A.to_coo()
        directed = gl.Graph((tails[half], heads[half]), n=here.n, engine="cpu").to("cuda")
        there = here.to("cuda")
        yield "road, arcs left out: strong components", lambda: gl.components(directed, kind="strong")
        sources = np.random.default_rng(2).integers(0, here.n, 32)
        yield "road: betweenness of 32 sources", lambda: gl.betweenness(there, sources=sources)
        yield "road: bfs by frontiers", lambda: gl.bfs(there, 0, method="frontier")
        yield "road: bfs by statements", lambda: search(there, 0)
    G = make_graph(20)
    hubs = cp.asnumpy(cp.argsort(cp.asarray(G.degrees))[-2:]).tolist()
    yield "kron20: max_flow, hub to hub", lambda: gl.max_flow(G, *hubs)
    L = G.A.select("tril").new()
    yield "kron20: L.S << L @ L.T", lambda: count_triangles(L)
    yield "kron20: pagerank by statements, 20 rounds", lambda: rank(G.A)
    A, q = G.A, gl.Vector.from_scalar(1.0, G.n, dtype="FP32")
    w = gl.Vector.from_coo(np.flatnonzero(np.random.default_rng(1).random(G.n) < 0.62), 1.0, size=G.n, dtype="FP32")
    A, w = G.A.dup("FP32"), w.to("cuda") if hasattr(w, "to") else w
    yield "kron20: plus_times of a full vector", lambda: plus_times(A.T @ q).new()
    yield "kron20: plus_times of one of 62 %", lambda: plus_times(A.T @ w).new()
    yield "kron20: min_plus of one of 62 %", lambda: min_plus(A.T @ w).new()


def ask_paths(road: str) -> Iterator[Case]:
    """The k shortest paths and A*, beside the CPU, whose answer must be the same."""
    roads = {"New York": gl.read(gl.datasets.new_york(), engine="cpu")}
    if road:
        roads["road"] = gl.read(road, engine="cpu")
    for name, here in {**roads, "kron20": gl.generate.from_spec("kron:20?weights=1..255", engine="cpu")}.items():
        known = np.flatnonzero(np.asarray(here.degrees) > 0)
        source, target = known[np.random.default_rng(4).integers(0, known.size, 2)].tolist()
        for engine, G in (("CPU", here), ("GPU", here.to("cuda"))):
            for case, *rest in ask_paths_between(here, G, source, target):
                yield (f"{name}: {case}, {engine}", *rest)  # type: ignore[misc]


def ask_paths_between(here: gl.Graph, G: gl.Graph, source: int, target: int) -> Iterator[Case]:
    """Paths of a graph on an engine."""
    for k in (10, 100):
        paths, lengths = gl.k_shortest_paths(here, source, target, k)

        def check(found: Any, paths: Any = paths, lengths: Any = lengths) -> bool:
            return found[0] == paths and bool((found[1] == lengths).all())

        yield f"{k} shortest paths", lambda k=k: gl.k_shortest_paths(G, source, target, k), check
    far = gl.sssp(gl.Graph(here.A.T.new(), engine="cpu"), target).to_numpy(np.inf)
    for share in (0.0, 0.9):
        bounds = np.where(np.isfinite(far), share * np.where(np.isfinite(far), far, 0), np.inf)
        path = gl.shortest_path(here, source, target, heuristic=bounds)
        name = f"a path by {share:g} of what is to go"
        yield (
            name,
            lambda bounds=bounds: gl.shortest_path(G, source, target, heuristic=bounds),
            lambda found, path=path: found == path,
        )


def search(G: gl.Graph, source: int) -> gl.Vector:
    """Breadth-first search, in the ten lines of the README."""
    level, q = gl.Vector("INT32", G.n), gl.Vector("BOOL", G.n)
    q[source], depth = True, 0
    while q.nvals:
        level(q.S) << depth
        q(~level.S, replace) << any_pair(G.A.T @ q)
        depth += 1
    return level


def count_triangles(L: gl.Matrix) -> gl.Matrix:
    """Triangles of each edge."""
    from semirings import plus_pair

    C = gl.Matrix("INT32", L.nrows, L.ncols)
    C(L.S) << plus_pair(L @ L.T)
    return C


def rank(A: gl.Matrix) -> gl.Vector:
    """PageRank, the plain way."""
    d = A.reduce_rowwise(monoid.plus).new()
    r = gl.Vector.from_scalar(1 / A.nrows, A.nrows, dtype="FP32")
    for _ in range(20):
        w = binary.truediv(r & d).new()
        r << 0.15 / A.nrows
        r(binary.plus) << plus_times(A.T @ binary.times(w, 0.85).new())
    return r


GROUPS = {
    "queries": ask_queries,
    "communities": ask_communities,
    "change": ask_change,
    "tables": ask_tables,
    "corners": ask_corners,
    "paths": ask_paths,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, []], default=[])
    parser.add_argument("--road", default="")
    asked = parser.parse_args()
    gl.config.set(engine="cuda")
    for group in asked.groups or GROUPS:
        print(group, flush=True)
        for case in GROUPS[group](asked.road):
            measure(*case)
        gc.collect()
        cp.get_default_memory_pool().free_all_blocks()
