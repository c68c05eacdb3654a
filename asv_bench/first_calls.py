"""Time first calls: each in a process of its own, with empty caches and then with full ones.

    python asv_bench/first_calls.py
    python asv_bench/first_calls.py --engine cuda --only bfs sssp --kernels --jobs 4

For each call: the seconds of the first call with empty caches, those of the first call of a process that finds the
caches full, and those of a second call. On the CPU they are the process's own time, so that other programs disturb
little; on a GPU they are wall-clock times after the CUDA context and NVRTC have been loaded. The graph is Kronecker 10,
for functions that are no problems (`all_examples`) a grid of 900 vertices; it is made on the CPU and moved, so that the
operands leave no compiled kernels behind but those that move them. With --kernels each module that the first call
compiles on a GPU follows, with its seconds and its kernel: those with `graphla` in front are ours, the others are
CuPy's.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from graphla.problem import Problem, all_examples, all_problems

SETUP = """
import numpy as np
import graphla as gl
from graphla import binary, semiring, select
from graphla.problem import all_examples
EXAMPLES = all_examples()
S = gl.generate.grid2d(30, 30, weights=(1, 255), engine="cpu").to({engine!r})
G = gl.generate.kronecker(10, seed=1, weights=(1, 255), engine="cpu").to({engine!r})
gl.config.engine = {engine!r}
A, C = G.A.dup(), G.A.dup()
x = gl.Vector.from_scalar(1.5, G.n)
D = np.ones((200, 200)) + 200 * np.eye(200)
I = list(range(0, 100, 3))
"""
ACYCLIC = """
tails, heads, _ = G.to("cpu").A.to_coo()
G = gl.Graph((tails[tails < heads], heads[tails < heads]), n=G.n, engine="cpu").to({engine!r})
"""
WHOLE = 3
"""What stands for an argument that is no vertex and has no default, such as the length of a walk."""


def write_call(problem: Problem) -> str:
    """Write the call of a problem with what it needs."""
    signature = inspect.signature(type(problem).__call__).parameters.values()
    needed = [p.name for p in signature if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    values = dict.fromkeys(needed[2:], WHOLE) | {name: place for place, name in enumerate(problem.takes)}
    return f"gl.{problem.name}({', '.join(['G', *(f'{name}={value}' for name, value in values.items())])})"


PROBLEMS = {name: write_call(problem) for name, problem in all_problems().items()}
ON_ACYCLIC = {name for name, problem in all_problems().items() if problem.domain == "acyclic"}
CALLS = {
    **PROBLEMS,
    **{name: f"EXAMPLES[{name!r}](S)" for name in all_examples()},
    "betweenness": "gl.betweenness(G, sources=[0])",
    "closeness": "gl.closeness(G, sources=[0])",
    "k_shortest_paths, Kronecker": "gl.k_shortest_paths(G, 0, 5, 9)",
    "katz": "gl.katz(G, alpha=1e-5)",
    "label_propagation": "gl.label_propagation(G, 3)",
    "eigenvectors, Kronecker": "gl.laplacian_eigenvectors(G, 4)",
    "shortest_path, Kronecker": "gl.shortest_path(G, 0, 5, heuristic=np.zeros(G.n))",
    "solve": "gl.factorize(gl.Graph(D), semiring='plus_times').solve(np.ones((200, 8)))",
    "solve in FP32": "gl.factorize(gl.Graph(D), semiring='plus_times', dtype='FP32').solve(np.ones((200, 8)))",
    "bfs, algebraic": "gl.bfs(G, 0, method='algebraic')",
    "A @ x": "semiring.plus_times(A @ x).new()",
    "A @ A": "semiring.plus_times(A @ A).new()",
    "C(A.S) << A @ A": "C(A.S) << semiring.plus_pair(A @ A)",
    "x + y": "(x + x).new()",
    "reduce x": "x.reduce('plus').new()",
    "x[I]": "x[I].new()",
    "from_coo": "gl.Matrix.from_coo(I, I[::-1], 1.5, nrows=100, ncols=100)",
    "vector from_coo": "gl.Vector.from_coo(I, 1.5, size=100)",
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
import json, re, time
clock = time.process_time if {engine!r} == "cpu" else time.perf_counter
compiled = []
if {engine!r} == "cuda":
    import cupy
    from cupy.cuda import compiler

    def watch(compile):
        def watched(source, *arguments, **options):
            begin = clock()
            made = compile(source, *arguments, **options)
            names = options.get("name_expressions") or (arguments[3] if len(arguments) > 3 else None)
            plain = re.findall(r"__global__ void[^(]*?(\\w+) *[(]", source + "__global__ void unnamed(")[0]
            name = "graphla " + names[0] if names else plain
            compiled.append((clock() - begin, name))
            return made
        return watched

    cupy.RawKernel("extern \\"C\\" __global__ void nothing() {{}}", "nothing")((1,), (1,), ())
    names = "_compile_using_nvrtc_no_warning", "compile_using_nvrtc"  # CuPy 14.2 calls the former
    one = next(name for name in names if hasattr(compiler, name))
    setattr(compiler, one, watch(getattr(compiler, one)))
    wait = cupy.cuda.get_current_stream().synchronize
else:
    wait = lambda: None
wait()
times = []
for _ in range(2):
    begin = clock()
    {call}
    wait()
    times.append(clock() - begin)
print(json.dumps([*times, compiled]))
"""


def write_setup(call: str, engine: str) -> str:
    """Write what makes the operands of a call on an engine."""
    acyclic = call in {PROBLEMS[name] for name in ON_ACYCLIC}
    return (SETUP + ACYCLIC * acyclic).format(engine=engine)


def time_call(call: str, engine: str, folder: str) -> tuple[float, float, list[tuple[float, str]]]:
    """Return the seconds of the first and the second call in a process that keeps compiled code in the folder.

    The third item lists the modules that NVRTC compiled, each with its seconds.
    """
    program = write_setup(call, engine) + TIMED.format(engine=engine, call=call)
    caches = dict.fromkeys(("GRAPHLA_CACHE", "CUPY_CACHE_DIR", "CUDA_CACHE_PATH"), folder)
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | caches, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{call}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def time_with_both_caches(name: str, engine: str, kernels: bool) -> str:
    """Return the row of a call, and the lines of the modules that it compiles."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            empty, _, compiled = time_call(CALLS[name], engine, folder)
            full, second, _ = time_call(CALLS[name], engine, folder)
        except RuntimeError as failure:
            return f"{name:24} FAILED {failure}"
    counts = "" if engine == "cpu" else f" {len(compiled):4} modules, {sum(s for s, _ in compiled):5.2f} s"
    lines = [f"{name:24} {empty:13.2f} {full:13.3f} {second:13.4f}{counts}"]
    return "\n".join(lines + [f"    {s:6.3f} {kernel}" for s, kernel in compiled if kernels])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--only", nargs="+", default=list(CALLS), help="names of calls")
    parser.add_argument("--kernels", action="store_true", help="list the modules that a first call compiles on a GPU")
    parser.add_argument("--jobs", type=int, default=1, help="calls that are timed at the same time")
    asked = parser.parse_args()
    begin = time.perf_counter()
    print(f"{'seconds':24} {'empty caches':>13} {'full caches':>13} {'second call':>13}")
    with ThreadPoolExecutor(asked.jobs) as pool:
        for row in pool.map(lambda name: time_with_both_caches(name, asked.engine, asked.kernels), asked.only):
            print(row, flush=True)
    print(f"in {time.perf_counter() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
