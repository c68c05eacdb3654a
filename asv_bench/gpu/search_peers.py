"""One search by the GPUs of a box against `fused` on one of them: times, phases, and whether both find the same.

    mpirun -n 2 python asv_bench/gpu/search_peers.py kron:24 kron:26 uniform:20 grid:500 reduction

Every rank makes the whole graph on its own GPU for `fused`, and its rows for the search over peers. For each case: the
median over sources and repetitions until the last rank has finished, as the host sees it; the same per search for
searches that are launched one after the other without waiting; and where the time of a search goes. `compare=none`
leaves `fused` out, `sources=4` and `seed=2` choose the sources, `phases=4` says of how many the phases are printed.
`reduction` times the parts of an all-reduce of eight bytes, and `spread:24` a call of `gl.bfs` on the engine "mpi".
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from importlib import import_module
from itertools import pairwise

import cupy as cp
import numpy as np

import graphla as gl
from graphla.algorithms.bfs.ranks._peers import PeerLevels
from graphla.algorithms.bfs.ranks.rows import build_rows
from graphla.engine import get_engine
from semirings import monoid

graph500 = import_module("graphla.mpi.graph500")
WORLD = gl.mpi.get_world()
STARTED = time.perf_counter()
STEPS = {-1: "begin", 0: "stop", 1: "alone", 2: "push", 3: "push_bits", 4: "pull", 5: "queue"}


def say(text):
    if WORLD.rank == 0:
        print(f"[{time.perf_counter() - STARTED:5.1f} s] {text}", flush=True)


def make_kron(scale):
    rows, _, _ = graph500.build(WORLD, get_engine("cuda"), scale, 16, 1)
    return rows, partial(gl.generate.kronecker, scale, engine="cuda")


def spread(make):
    """The rows of a graph that each rank makes, and the maker."""
    G = make()
    tails, heads, _ = G.A.to_coo()
    own = slice(WORLD.rank * tails.size // WORLD.size, (WORLD.rank + 1) * tails.size // WORLD.size)

    def draw():
        yield cp.asarray(tails[own]).astype(np.int64), cp.asarray(heads[own]).astype(np.int64)

    return build_rows(WORLD, G.engine, G.n, draw, G.symmetric), lambda: G


MAKERS = {
    "kron": make_kron,
    "uniform": lambda scale: spread(lambda: gl.generate.uniform(1 << scale, 16, engine="cuda")),
    "sparse": lambda scale: spread(lambda: gl.generate.uniform(1 << scale, 3, engine="cuda")),
    "grid": lambda width: spread(lambda: gl.generate.grid2d(width, width, engine="cuda")),
}


def measure(work, repeats=5):
    """Milliseconds of each repetition, on the slowest rank, as the host sees it."""
    times = []
    for _ in range(repeats):
        cp.cuda.Device().synchronize()
        WORLD.barrier()
        start = time.perf_counter()
        result = work()
        cp.cuda.Device().synchronize()
        times.append(1e3 * (time.perf_counter() - start))
        del result
    return list(WORLD.all_reduce(np.array(times), monoid.max))


def measure_row(work, count=10):
    """Milliseconds per call of calls that are launched one after the other."""
    return measure(lambda: [work() for _ in range(count)], 1)[0] / count


def time_all(name, solve, sources):
    """Print the medians, and those of each source alone and in a row."""
    solve(sources[0])
    single = [measure(partial(solve, source)) for source in sources]
    row = [measure_row(partial(solve, source)) for source in sources]
    flat = [t for times in single for t in times]
    each = " ".join(f"{statistics.median(t):.3f}/{r:.3f}" for t, r in zip(single, row, strict=True))
    middle, in_row = statistics.median(flat), statistics.median(row)
    say(f"{name:<28} {middle:7.3f} ms (least {min(flat):.3f}), in a row {in_row:7.3f}: {each}")


def print_phases(peers, rows, source, keep):
    """Where the time of a search goes on this rank, in µs."""
    noted: list[tuple[int, int]] = []
    for _ in range(3):
        peers.search(rows.to_place(source), keep, timed=True)
        noted = peers.read_times()
        WORLD.barrier()
    clock = cp.cuda.Device().attributes["ClockRate"] / 1e3
    parts = ", ".join(
        f"{STEPS.get(step, step)} {(after - begin) / clock:.0f}" for (begin, step), (after, _) in pairwise(noted)
    )
    shown = WORLD.host.share_all(f"{(noted[-1][0] - noted[0][0]) / clock:.0f} = {parts}")
    for rank, text in enumerate(shown):
        say(f"    source {source}, rank {rank}: {text}")


def compare(rows, peers, G, sources):
    """Levels must be those of `fused`; parents must be a tree of them."""
    first = rows.first
    for source in sources:
        expected, _ = gl.bfs.methods["fused"].run(G, source)
        for keep in (False, True):
            levels, above = peers.search(rows.to_place(source), keep)
            wrong = int((levels != expected[first : first + rows.own]).sum())
            if wrong:
                print(f"WRONG: rank {WORLD.rank}, source {source}, keep {keep}: {wrong:,} levels differ", flush=True)
        graph500.check_tree(rows, source, levels, above)
    say(f"levels are those of fused, and parents are a tree, for {len(sources)} sources")


def run_case(asked, options):
    kind, size = asked.split(":")
    rows, make = MAKERS[kind](int(size))
    say(f"{asked}: rows made, {rows.n:,} vertices, {rows.nvals:,} arcs, {rows.in_indices.size:,} here")
    sources = graph500.choose_sources(rows, int(options.get("sources", 8)), int(options.get("seed", 1)))
    peers = PeerLevels(rows)
    peers.search(rows.to_place(sources[0]), False)
    cp.cuda.Device().synchronize()
    say("first search done")
    for keep in (False, True):
        name = f"{asked} {WORLD.size} ranks, {'parents' if keep else 'levels'}"
        time_all(name, lambda source, keep=keep: peers.search(rows.to_place(source), keep), sources)
    for source in sources[: int(options.get("phases", 4))]:
        print_phases(peers, rows, source, False)
    for source in sources[: int(options.get("phases", 4)) // 4]:
        print_phases(peers, rows, source, True)
    if options.get("compare") == "none":
        return
    G = make()
    say("whole graph made")
    for keep in (False, True):
        name, run = f"{asked} fused, {'parents' if keep else 'levels'}", gl.bfs.methods["fused"].run
        time_all(name, partial(run, G, parents=keep), sources)
    compare(rows, peers, G, sources)


def time_spread(scale):
    """`gl.bfs` of a graph on the engine "mpi" as a program calls it, against a graph on one GPU."""
    G = gl.generate.kronecker(scale, engine="mpi")
    say(f"graph in parts made: {gl.mpi.explain(G)}")
    alone = gl.generate.kronecker(scale, engine="cuda")
    sources = cp.asnumpy(cp.flatnonzero(alone.degrees > 0)[:4]).tolist()
    time_all(f"gl.bfs, kron:{scale} in parts", partial(gl.bfs, G), sources)
    time_all(f"gl.bfs, kron:{scale} on one GPU", partial(gl.bfs, alone), sources)
    for source in sources:
        levels, parents = gl.bfs(G, source, parents=True)
        whole = gl.bfs(alone, source)
        if not levels.to("cuda").isequal(whole):
            print(f"WRONG: rank {WORLD.rank}, source {source}", flush=True)
        if scale <= 20:  # on the host, half a minute per search of Kronecker 24
            gl.bfs.verify(alone, source, levels.to("cuda"), parents.to("cuda"))
    say("answers are the same")


def split_reduction():
    """Microseconds of the parts of an all-reduce of eight bytes, of calls that are made one after the other."""
    array = cp.ones(1)
    WORLD.all_reduce(array, monoid.plus)
    device = WORLD.device
    out = cp.empty_like(array)
    stream = cp.cuda.Stream(non_blocking=True)

    def call(pointer):
        device.comm.allReduce(array.data.ptr, out.data.ptr, 1, device.nccl.NCCL_FLOAT64, device.nccl.NCCL_SUM, pointer)

    works = {
        "communicator": lambda: WORLD.all_reduce(array, monoid.plus),
        "device transfers": lambda: device.all_reduce(array, "plus"),
        "NCCL, null stream": lambda: call(cp.cuda.Stream.null.ptr),
        "NCCL, own stream": lambda: call(stream.ptr),
        "empty_like": lambda: cp.empty_like(array),
        "host number": lambda: WORLD.all_reduce(1.0, monoid.plus),
    }
    for name, work in works.items():
        for waits in (False, True):
            for _ in range(20):
                work()
            cp.cuda.Device().synchronize()
            WORLD.barrier()
            start = time.perf_counter()
            for _ in range(200):
                work()
                if waits:
                    cp.cuda.get_current_stream().synchronize()
                    stream.synchronize()
            returned = time.perf_counter() - start
            cp.cuda.Device().synchronize()
            took = time.perf_counter() - start
            how = f"{name}{', waited for' if waits else ''}"
            say(f"8 bytes, {how}: {took / 200 * 1e6:.1f} µs (returned after {returned / 200 * 1e6:.1f})")


if __name__ == "__main__":
    options = dict(part.split("=") for part in sys.argv[1:] if "=" in part)
    say("begins")
    for asked in [part for part in sys.argv[1:] if "=" not in part]:
        if asked == "reduction":
            split_reduction()
        elif asked.startswith("spread:"):
            time_spread(int(asked.partition(":")[2]))
        else:
            run_case(asked, options)
        cp.get_default_memory_pool().free_all_blocks()
