"""A program that uses the threads, makes processes and calls the same there: ``python -m … START``."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

import graphla as gl
from graphla.common.contexts import OpenHere
from graphla.engine.cpu import threads
from graphla.engine.cpu.jit import njit
from semirings import min_plus, plus_times

PATIENCE = 60


def count_rounds(G: gl.Graph) -> int:
    """The rounds of a loop until a token has reached every vertex."""
    level = gl.Vector.from_coo([0], [0], "INT32", size=G.n)
    rounds = 0
    while level.nvals < G.n and rounds < 20:
        level = min_plus(G.A.T @ level).new().ewise_add(level, "min").new()
        rounds += 1
    return rounds


CALLS: dict[str, Callable[[gl.Graph], Any]] = {
    "pagerank": lambda G: gl.pagerank(G).to_dense(),
    "betweenness": lambda G: gl.betweenness(G).to_dense(),
    "components": lambda G: gl.components(G).to_dense(),
    "triangles": gl.triangles,
    "sssp": lambda G: gl.sssp(G, 0).to_dense(-1),
    "bfs": lambda G: gl.bfs(G, 0, method="algebraic").to_dense(-1),
    "apsp": lambda G: gl.apsp(G, method="blocked_floyd_warshall").to_numpy(-1),
    "factorize": lambda G: gl.factorize(G)[0].to_dense(-1),
    "product": lambda G: plus_times(G.A @ G.A).new().to_numpy(0),
    "loop": count_rounds,
    "threads": lambda G: threads.run_for_each(abs, range(9)),
    "table": lambda G: gl.read(io.BytesIO(b"a,b\n0,1\n1,2\n"), format="csv").n,
}


def digest(answer: Any) -> str:
    return hashlib.sha256(np.round(np.asarray(answer, np.float64), 6).tobytes()).hexdigest()


def call(name: str, G: gl.Graph) -> str:
    return digest(CALLS[name](G))


def compare(start: str) -> None:
    """Call everything here, which starts the threads, and then in processes of two kinds of pools."""
    G = gl.generate.kronecker(10, 8, seed=1)
    here = {name: call(name, G) for name in CALLS}
    threads.run_for_each(time.sleep, [0.05] * 4)  # all of them have begun
    context = multiprocessing.get_context(start)
    with context.Pool(2) as pool:
        jobs = {name: pool.apply_async(call, (name, G)) for name in CALLS}
        assert {name: job.get(PATIENCE) for name, job in jobs.items()} == here
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        futures = {name: executor.submit(call, name, G) for name in CALLS}
        assert {name: future.result(PATIENCE) for name, future in futures.items()} == here


def run_in_child(act: Callable[[], Any]) -> None:
    """Fork; fail if the child does not end well in time."""
    child = os.fork()
    if not child:
        try:
            act()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    for _ in range(10 * PATIENCE):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0, status
            return
        time.sleep(0.1)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")


def make_kernel(number: int) -> Any:
    """A kernel that is not compiled yet."""
    text = f"def kernel(x):\n    for _ in range({number + 2}):\n        x = x * {number} + 1\n    return x\n"
    space: dict[str, Any] = {"__name__": "graphla_compiled.test"}
    exec(text, space)
    return njit()(space["kernel"])


def fork_while_compiling() -> None:
    """Fork while another thread compiles; the child compiles, too."""
    over = threading.Event()

    def compile_on() -> None:
        number = 0
        while not over.is_set():
            make_kernel(number)(1)
            number += 1

    compiler = threading.Thread(target=compile_on)
    compiler.start()
    try:
        for number in range(5):
            time.sleep(0.07)
            run_in_child(lambda number=number: make_kernel(1000 + number)(1.5))
    finally:
        over.set()
        compiler.join()


def fork_while_a_context_changes() -> None:
    """Fork while another thread holds the lock of what is open."""
    stack = OpenHere[int]("test")
    with stack._changing:
        run_in_child(lambda: stack.push(1))


def fork_while_methods_are_found() -> None:
    """Fork while another thread looks for the methods of another problem."""
    from graphla.problem import methods

    inside, over, listed = threading.Event(), threading.Event(), methods.list_method_modules

    def wait(package: str) -> Any:
        inside.set()
        over.wait(PATIENCE)
        return listed(package)

    methods.list_method_modules = wait
    finder = threading.Thread(target=lambda: gl.katz.methods.found)
    finder.start()
    inside.wait(PATIENCE)
    methods.list_method_modules = listed
    try:
        run_in_child(lambda: gl.bfs(gl.Graph(([0], [1])), 0))
    finally:
        over.set()
        finder.join()


def fork_in_a_with_block() -> None:
    """Settings that are open in the parent's thread hold in the child."""
    with gl.config.set(memory_limit=12345):

        def check() -> None:
            assert gl.config.memory_limit == 12345

        run_in_child(check)


PROGRAMS = {
    "compiling": fork_while_compiling,
    "context": fork_while_a_context_changes,
    "methods": fork_while_methods_are_found,
    "settings": fork_in_a_with_block,
    **{start: lambda start=start: compare(start) for start in ("fork", "spawn", "forkserver")},
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
