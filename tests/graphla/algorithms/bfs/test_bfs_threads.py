"""The threads of the CPU's search: levels shared by several threads give what one thread gives."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.bfs import _direction_optimized_cpu
from graphla.engine.cpu import threads


@pytest.fixture(scope="module")
def G() -> gl.Graph:
    return gl.generate.kronecker(13, seed=5)


@pytest.mark.parametrize("never_pull", [False, True])
def test_several_threads_find_the_levels_of_one(G: gl.Graph, monkeypatch: pytest.MonkeyPatch, never_pull: bool) -> None:
    source = int(np.argmax(np.diff(G.csr.indptr)))
    alone = gl.bfs(G, source).to_numpy(-1)
    shared = []
    monkeypatch.setattr(_direction_optimized_cpu, "ARCS_A_THREAD", 1)
    monkeypatch.setattr(_direction_optimized_cpu, "count_workers", lambda: 3)
    monkeypatch.setattr(threads, "count_workers", lambda: 3)
    together = _direction_optimized_cpu.run_together
    monkeypatch.setattr(
        _direction_optimized_cpu, "run_together", lambda *call: (shared.append(call[:2]), together(*call))
    )
    if never_pull:
        monkeypatch.setattr(_direction_optimized_cpu, "ALPHA", 0)
    levels, parents = gl.bfs(G, source, parents=True)
    assert levels.to_numpy(-1).tolist() == alone.tolist()
    gl.bfs.verify(G, source, levels, parents)
    kernel = _direction_optimized_cpu._push_part if never_pull else _direction_optimized_cpu._pull_part
    assert (3, kernel) in shared


def test_a_thread_of_the_pool_does_not_wait_for_the_pool() -> None:
    def run_within(k: int) -> list[int]:
        return threads.run_for_each(lambda i: 10 * k + i, range(3))

    assert threads.run_for_each(run_within, range(50)) == [[10 * k, 10 * k + 1, 10 * k + 2] for k in range(50)]


def test_errors_of_other_threads_are_raised() -> None:
    def fail(seen: list[int]) -> None:
        seen.append(1)
        if threads.is_worker():
            raise ValueError("in another thread")

    with pytest.raises(ValueError, match="in another thread"):
        threads.run_together(2, fail, [])
