"""Loops whose entries come and go, in `gl.loop` and by the same statements from Python, beside the named methods.

    python asv_bench/gpu/flag_loops.py kron:20 road-FLA.pace.gr.xz

For each graph: many searches at once, both halves of betweenness, distances and parents by two products, both ends of
a path, ranks of several restarts. Milliseconds as a whole (the second call and later ones, median, least and most),
beside the same body by statements, of which a road with many levels is measured once. Answers of both are compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import cupy as cp
import numpy as np
from bfs import read

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, replace
from semirings import any_pair, any_secondi, min_plus, plus_first


class Case:
    """A body, what it writes, and how long it runs."""

    def __init__(
        self,
        body: Callable[[Any], Any],
        kept: tuple[Any, ...],
        live: Any = None,
        times: int | None = None,
        named: Callable[[], Any] | None = None,
    ) -> None:
        self.body, self.kept, self.live, self.times, self.named = body, kept, live, times, named

    def run(self) -> Any:
        return gl.loop(self.body, while_entries=self.live, times=self.times)

    def run_in_python(self, most: int = 1 << 30) -> int:
        depth = 0
        while depth < most and (self.live.nvals if self.times is None else depth < self.times):
            self.body(depth)
            depth += 1
        return depth


@cache
def make_sources(G: gl.Graph, k: int) -> Any:
    """Vertices with arcs."""
    return np.random.default_rng(7).choice(cp.asnumpy(cp.flatnonzero(G.degrees)), k, replace=False)


def make_searches(G: gl.Graph, k: int) -> Case:
    F = Matrix.from_coo(range(k), make_sources(G, k), True, nrows=k, ncols=G.n, engine=G.engine)
    level = Matrix("INT32", k, G.n, engine=G.engine)

    def body(depth: Any) -> None:
        level(F.S) << depth
        F(~level.S, replace) << any_pair(F @ G.A)

    return Case(body, (level,), F, named=lambda: gl.bfs(G, sources=make_sources(G, k).tolist()))


def make_forward(G: gl.Graph, k: int) -> Case:
    F = Matrix.from_coo(range(k), make_sources(G, k), np.ones(k, "float32"), nrows=k, ncols=G.n, engine=G.engine)
    paths, level = F.dup(), Matrix("INT32", k, G.n, engine=G.engine)
    level(F.S) << 0

    def body(depth: Any) -> None:
        F(~paths.S, replace) << plus_first(F @ G.A)
        paths(F.S) << F
        level(F.S) << depth

    return Case(body, (paths, level), F, named=lambda: gl.betweenness(G, sources=make_sources(G, k).tolist()))


def make_backward(G: gl.Graph, k: int) -> Case:
    forward = make_forward(G, k)
    forward.run()
    paths, level = forward.kept
    most = level.reduce_scalar("max").new().value
    depth, share = Scalar("INT64", most), Matrix("FP32", k, G.n, engine=G.engine)
    share(paths.S) << 1
    W, here = Matrix("FP32", k, G.n, engine=G.engine), Matrix("BOOL", k, G.n, engine=G.engine)

    def body(_: Any) -> None:
        here << (level == depth)
        W(here.V, replace) << share / paths
        depth << depth - 1
        here << (level == depth)
        W(here.V, replace) << plus_first(W @ G.A.T)
        share(binary.plus) << W * paths

    return Case(body, (share,), None, most)


@cache
def get_weights(G: gl.Graph) -> Matrix:
    """The matrix as numbers."""
    return G.A if G.A.dtype.kind != "b" else G.A.dup("FP32")


def make_distances(G: gl.Graph, _: int) -> Case:
    A, source = get_weights(G), int(make_sources(G, 1)[0])
    make = {"size": G.n, "engine": G.engine}
    d, q = Vector.from_coo([source], [0.0], A.dtype, **make), Vector.from_coo([source], [0.0], A.dtype, **make)
    t, falls = Vector(A.dtype, G.n, engine=G.engine), Vector("BOOL", G.n, engine=G.engine)
    parent = Vector("INT64", G.n, engine=G.engine)
    end = {"i": 2**31 - 1, "f": np.inf, "u": 2**31 - 1, "b": 1}[A.dtype.kind]

    def body(_: Any) -> None:
        parent(q.S) << any_secondi(A.T @ q)
        t << min_plus(A.T @ q)
        falls(t.S, replace) << t.ewise_union(d, binary.lt, end, end)
        q(falls.V, replace) << t
        d(q.S) << q

    return Case(body, (d,), q, named=lambda: gl.sssp(G, source))


def make_both_ends(G: gl.Graph, _: int) -> Case:
    ends = make_sources(G, 2)
    q, p = (Vector.from_coo([int(v)], [True], size=G.n, engine=G.engine) for v in ends)
    level, back = (Vector("INT32", G.n, engine=G.engine) for _ in range(2))

    def body(depth: Any) -> None:
        level(q.S) << depth
        back(p.S) << depth
        q(~level.S, replace) << any_pair(G.A.T @ q)
        p(~back.S, replace) << any_pair(G.A @ p)

    return Case(body, (level, back), q)


def make_ranks(G: gl.Graph, k: int) -> Case:
    """Twenty rounds of ranks with k restarts."""
    out = cp.asarray(G.degrees)
    share = cp.where(out > 0, 0.85 / cp.maximum(out, 1), 0).astype("float32")
    S = Matrix.from_dense(cp.broadcast_to(share, (k, G.n)).copy(), engine=G.engine)
    start = cp.zeros((k, G.n), "float32")
    start[cp.arange(k), cp.asarray(make_sources(G, k))] = 0.15
    T, r = Matrix.from_dense(start, engine=G.engine), Matrix.from_dense(start.copy(), engine=G.engine)

    w = r.dup()

    def body(_: Any) -> None:
        w << r * S
        r << T
        r(binary.plus) << plus_first(w @ G.A)

    return Case(body, (r,), None, 20)


CASES = {
    "4 searches": (make_searches, 4),
    "32 searches": (make_searches, 32),
    "64 searches": (make_searches, 64),
    "forward, 4 sources": (make_forward, 4),
    "forward, 32 sources": (make_forward, 32),
    "backward, 4 sources": (make_backward, 4),
    "distances and parents": (make_distances, 1),
    "both ends": (make_both_ends, 1),
    "ranks, 1 restart, 20 rounds": (make_ranks, 1),
    "ranks, 4 restarts, 20 rounds": (make_ranks, 4),
    "ranks, 32 restarts, 20 rounds": (make_ranks, 32),
}


def seconds(solve: Callable[[], Any]) -> float:
    cp.cuda.Device().synchronize()
    begin = time.perf_counter()
    solve()
    cp.cuda.Device().synchronize()
    return time.perf_counter() - begin


def read_values(container: Any) -> Any:
    dense = container.to_dense(0)
    return cp.asnumpy(cp.asarray(dense)).astype("float64")


def report(name: str, make: Callable[[gl.Graph, int], Case], G: gl.Graph, k: int, repeats: int, most: int) -> None:
    """Measure a case, and compare its answers."""
    make(G, k).run()
    times, done, case = [], None, None
    for _ in range(repeats):
        case = make(G, k)
        begin = time.perf_counter()
        done = case.run()
        cp.cuda.Device().synchronize()
        times.append(1e3 * (time.perf_counter() - begin))
    make(G, k).run_in_python(min(most, 8))  # which compiles
    other = make(G, k)
    rounds = 0

    def solve() -> None:
        nonlocal rounds
        rounds = other.run_in_python(most)

    slow = 1e3 * seconds(solve)
    named = ""
    if case is not None and case.named is not None:
        case.named()
        named = f"; by name {1e3 * min(seconds(case.named) for _ in range(3)):.3f}"
    assert done is not None
    assert case is not None
    said = f"{rounds} of the rounds"
    if rounds == done.rounds:
        pairs = zip(case.kept, other.kept, strict=True)
        same = all(np.allclose(read_values(a), read_values(b), rtol=1e-3, atol=1e-6) for a, b in pairs)
        said = "right" if same else "WRONG"
    each = 1e3 * float(np.median(times)) / max(1, done.rounds)
    print(
        f"  {name:32} {np.median(times):9.3f} ({min(times):.3f} to {max(times):.3f}) ms, {done.rounds} rounds, "
        f"{each:.1f} us each; by statements {slow:.1f}, {1e3 * slow / max(1, rounds):.0f} us each{named}; "
        f"{done.plan[:40]}; {said}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--most", type=int, default=60, help="Rounds by statements at most.")
    asked = parser.parse_args()
    for graph in asked.graphs:
        G = read(graph)
        print(f"{graph}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
        for name, (make, k) in CASES.items():
            if asked.only in name:
                report(name, make, G, k, asked.repeats, asked.most)


if __name__ == "__main__":
    main()
