"""Ctrl-C in long calls: within a second, and as KeyboardInterrupt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import graphla as gl
from graphla.common.interrupts import find_interrupt, show_interrupts
from graphla.containers import execute
from graphla.engine.cpu import threads
from semirings import plus_times
from tests.graphla.processes.long_calls import CALLS

OFTEN = ("leiden", "truss_numbers", "factorize", "product", "loop", "betweenness")
"""Those of `CALLS` that are tried in every run of the suite."""
SECONDS = 3
"""Of the processors, so that nothing else on the machine counts: a second, on each of a few threads."""


def read_seconds(process: int) -> float:
    """The time on processors of a process and of the children that it has waited for."""
    used = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else pytest.mark.slow) for name in CALLS]
)
def test_a_long_call_is_interrupted(name: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.graphla.processes.long_calls", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n", child.communicate()[1]
        time.sleep(0.7)
        sent = read_seconds(child.pid)
        child.send_signal(signal.SIGINT)
        said, errors = child.communicate(timeout=100)
    assert child.returncode == 0, errors
    assert float(said) - sent < SECONDS


def hide_interrupt(*_: Any, **__: Any) -> Any:
    """Fail as a compiled function does whose result is wrapped when a signal comes."""
    raise SystemError("CPUDispatcher(…) returned a result with an exception set") from KeyboardInterrupt()


G = gl.Graph(([0, 1], [1, 0], [1.0, 1.0]), engine="cpu")
BOUNDARIES: dict[str, tuple[str, Callable[[], Any]]] = {
    "problem": ("graphla.algorithms.bfs._direction_optimized_cpu.search", lambda: gl.bfs(G, 0)),
    "expression": ("graphla.engine.cpu.engine.CpuEngine.run", lambda: plus_times(G.A @ G.A).new()),
    "container": ("graphla.containers.matrix.sort_into_rows", lambda: gl.Graph(([1, 0], [0, 1]), engine="cpu")),
    "factorize": ("graphla.algorithms.apsp.elimination.factor.eliminate", lambda: gl.factorize(G)),
}


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_hidden_interrupt_is_shown(boundary: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, call = BOUNDARIES[boundary]
    monkeypatch.setattr(path, hide_interrupt)
    with pytest.raises(KeyboardInterrupt):
        call()


def test_another_system_error_stays_what_it_is() -> None:
    error = SystemError("something else")

    @show_interrupts
    def fail() -> None:
        raise error

    with pytest.raises(SystemError, match="something else"):
        fail()
    assert find_interrupt(error) is error
    assert execute.find_interrupt is find_interrupt


def test_a_long_kernel_runs_aside_of_the_main_thread_only() -> None:
    seen: list[threading.Thread] = []

    def kernel() -> None:
        seen.append(threading.current_thread())

    threads.run_aside(threads.WORTH_A_PASS, kernel)
    threads.run_aside(threads.WORTH_A_PASS - 1, kernel)
    aside = threading.Thread(target=threads.run_aside, args=(threads.WORTH_A_PASS, kernel))
    aside.start()
    aside.join()
    assert seen[0].name.startswith(threads.NAME)
    assert seen[1:] == [threading.main_thread(), aside]
