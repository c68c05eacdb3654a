"""A service for a while: threads that ask one graph, each on a stream of its own, and what comes of answers and memory.

    python asv_bench/gpu/soak.py [--graph kron:20] [--threads 8] [--seconds 60] [--engine cuda]

Searches, shortest paths, ranks near to a seed and sampled neighbourhoods, drawn at random. Every query is answered
once before; each answer of the threads must be the same. Prints of each kind how many there were, and the milliseconds
of the median, of the slowest hundredth and of the slowest, call and wait included. Ends with status 1 if an answer
differs, or if memory has grown since a quarter of the time had passed.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

import graphla as gl

Query = Callable[[], Any]
VARIANTS = 16
"""Queries of each kind, from as many sources."""
ALLOWED_GROWTH = 32 << 20
"""Bytes: blocks of memory pools, and lists of the host."""


def make_queries(G: gl.Graph, seed: int) -> dict[str, list[Query]]:
    """Queries by kind."""
    rng, degrees = np.random.default_rng(seed), G.engine.to_host(G.degrees)
    sources = rng.choice(np.flatnonzero(degrees > 0), VARIANTS).tolist()

    def rank(source: int) -> Any:
        return gl.pagerank(G, personalization={source}, method="push", epsilon=1e-5, top=20, dtype="FP64").to_coo()

    def sample(source: int) -> Any:
        return gl.sample_neighbors(G, [source], [10, 5, 5], seed=source)[:4]

    kinds: dict[str, Callable[[int], Any]] = {
        "bfs": lambda source: (gl.bfs(G, source).to_dense(fill_value=-1),),
        "sssp": lambda source: gl.sssp(G, source).to_coo(),
        "pagerank, push": rank,
        "sample_neighbors": sample,
    }
    return {name: [(lambda s=s, ask=ask: ask(s)) for s in sources] for name, ask in kinds.items()}


def digest(engine: Any, parts: Any) -> bytes:
    """A fingerprint of arrays."""
    found = blake2b()
    for part in parts:
        found.update(np.ascontiguousarray(engine.to_host(part)).tobytes())
    return found.digest()


@contextlib.contextmanager
def own_stream(engine: Any) -> Iterator[Callable[[], None]]:
    """A stream of this thread, where the engine has streams; what is given waits for it."""
    if engine.xp.__name__ != "cupy":
        yield lambda: None
        return
    with engine.xp.cuda.Stream(non_blocking=True) as stream:
        yield stream.synchronize


def measure_memory(engine: Any) -> int:
    """The bytes of this process on the host, and those in use on the device."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    on_device = engine.xp.get_default_memory_pool().used_bytes() if engine.xp.__name__ == "cupy" else 0
    return 4096 * pages + on_device


@dataclass(eq=False)
class Soak:
    """What threads have seen.

    Parameters
    ----------
    engine : Engine
        Where the graph is.
    queries : dict
        Queries by kind.
    seconds : float
        How long threads ask.
    """

    engine: Any
    queries: dict[str, list[Query]]
    seconds: float
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    def run(self, threads: int) -> None:
        """Answer all once, then let threads ask."""
        self.expected = {
            name: [digest(self.engine, each()) for each in queries] for name, queries in self.queries.items()
        }
        begun = time.perf_counter()
        workers = [threading.Thread(target=self.ask, args=(number, begun)) for number in range(threads)]
        for worker in workers:
            worker.start()
        for share in (0.25, 1):
            time.sleep(max(0, begun + share * self.seconds - time.perf_counter()))
            self.memory.append(measure_memory(self.engine))
        for worker in workers:
            worker.join()

    def ask(self, number: int, begun: float) -> None:
        """Ask at random on a stream of this thread; all kinds of query first."""
        rng, names = np.random.default_rng(number), list(self.queries)
        with own_stream(self.engine) as wait:
            order = iter(names)
            while time.perf_counter() < begun + self.seconds:
                name, which = next(order, None) or names[rng.integers(len(names))], int(rng.integers(VARIANTS))
                started = time.perf_counter()
                try:
                    found = self.queries[name][which]()
                    wait()
                    self.took[name].append(time.perf_counter() - started)
                    right = digest(self.engine, found) == self.expected[name][which]
                except Exception as error:  # a thread that ends in silence would look like a quiet service
                    self.wrong.append(f"{name} {which}: {type(error).__name__}: {error}")
                    return
                if not right:
                    self.wrong.append(f"{name} {which}: another answer")

    def report(self) -> int:
        """Print it; the status."""
        for name, took in self.took.items():
            middle, late, last = 1e3 * np.percentile(took, [50, 99, 100])
            print(f"{name:20}{len(took):9,} queries {middle:9.3f} {late:9.3f} {last:9.3f} ms")
        grown = self.memory[-1] - self.memory[0]
        print(f"{sum(map(len, self.took.values())):,} queries, {len(self.wrong)} wrong, memory grew by {grown:,} bytes")
        for each in self.wrong[:10]:
            print(each, file=sys.stderr)
        return int(bool(self.wrong) or grown > ALLOWED_GROWTH)


def main(arguments: list[str] | None = None) -> int:
    """Run it as the command line says; the status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", default="kron:20?weights=1..255")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--engine", choices=("cpu", "cuda"), default="cuda")
    asked = parser.parse_args(arguments)
    G = gl.generate.from_spec(asked.graph, engine=asked.engine)
    soak = Soak(G.engine, make_queries(G, 1), asked.seconds)
    soak.run(asked.threads)
    return soak.report()


if __name__ == "__main__":
    sys.exit(main())
