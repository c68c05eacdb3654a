"""Time first calls: each in a process of its own, with empty caches and then with full ones.

    python asv_bench/first_calls.py
    python asv_bench/first_calls.py --engine cuda --only bfs sssp

For each call: the seconds of the first call with empty caches, those of the first call of a process that finds the
caches full, and those of a second call. On the CPU they are the process's own time, so that other programs disturb
little; on a GPU they are wall-clock times after the CUDA context and NVRTC have been loaded. The graph is Kronecker 10.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

SETUP = """
import graphla as gl
from graphla import binary, semiring, select
gl.config.engine = {engine!r}
G = gl.generate.kronecker(10, seed=1, weights=(1, 255), engine={engine!r})
A, C = G.A.dup(), G.A.dup()
x = gl.Vector.from_scalar(1.5, G.n)
I = list(range(0, 100, 3))
"""
CALLS = {
    "bfs": "gl.bfs(G, 0)",
    "sssp": "gl.sssp(G, 0)",
    "apsp": "gl.apsp(G)",
    "components": "gl.components(G)",
    "pagerank": "gl.pagerank(G)",
    "triangles": "gl.triangles(G)",
    "betweenness": "gl.betweenness(G, sources=[0])",
    "closeness": "gl.closeness(G, sources=[0])",
    "label_propagation": "gl.label_propagation(G, 3)",
    "bfs, algebraic": "gl.bfs(G, 0, method='algebraic')",
    "A @ x": "semiring.plus_times(A @ x).new()",
    "A @ A": "semiring.plus_times(A @ A).new()",
    "C(A.S) << A @ A": "C(A.S) << semiring.plus_pair(A @ A)",
    "A | C": "binary.plus(A | G.A.T).new()",
    "apply": "A.apply('ainv').new()",
    "select": "select.tril(A).new()",
    "reduce rows": "A.reduce_rowwise('plus').new()",
    "A[I, I]": "A[I, I].new()",
    "A[:, 5]": "A[:, 5].new()",
    "C(A.S) << A": "C(A.S) << A",
    "C[I, I] << 1": "C[I, I] << 1",
}
TIMED = """
import json, time
clock = time.process_time if {engine!r} == "cpu" else time.perf_counter
if {engine!r} == "cuda":
    import cupy
    cupy.RawKernel("extern \\"C\\" __global__ void nothing() {{}}", "nothing")((1,), (1,), ())
    wait = cupy.cuda.get_current_stream().synchronize
else:
    wait = lambda: None
times = []
for _ in range(2):
    begin = clock()
    {call}
    wait()
    times.append(clock() - begin)
print(json.dumps(times))
"""


def time_call(call: str, engine: str, folder: str) -> list[float]:
    """The seconds of the first and the second call in a process that keeps compiled code in the folder."""
    program = SETUP.format(engine=engine) + TIMED.format(engine=engine, call=call)
    environment = {**os.environ, "GRAPHLA_CACHE": folder, "CUPY_CACHE_DIR": folder}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{call}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--only", nargs="+", default=list(CALLS), help="names of calls")
    asked = parser.parse_args()
    begin = time.perf_counter()
    print(f"{'seconds':20} {'empty caches':>13} {'full caches':>13} {'second call':>13}")
    for name in asked.only:
        with tempfile.TemporaryDirectory() as folder:
            empty, _ = time_call(CALLS[name], asked.engine, folder)
            full, second = time_call(CALLS[name], asked.engine, folder)
        print(f"{name:20} {empty:13.2f} {full:13.3f} {second:13.4f}", flush=True)
    print(f"in {time.perf_counter() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
