"""Loops, traces and settings belong to the thread, or the asyncio task, that opened them."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest

import graphla as gl
from graphla.common.errors import GraphlaError
from graphla.engine import tracing
from graphla.language import recording
from semirings import plus_times


def run_in_thread(act: Callable[[], Any]) -> Any:
    """What `act` gives in a thread of its own; its error is raised here."""
    answers: list[Any] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(act())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return answers[0]


def make_count(value: int = 0) -> gl.Vector:
    return gl.Vector.from_coo([0], [value], "INT64", size=1, engine="cpu")


def test_a_statement_of_another_thread_does_not_land_in_a_loop() -> None:
    here, there = make_count(), make_count()

    def elsewhere() -> int:
        there << there.apply("plus", right=1)
        return there.apply("plus", right=1).new().nvals

    def body(_: Any) -> None:
        assert run_in_thread(elsewhere) == 1
        here << here.apply("plus", right=1)

    assert gl.loop(body, times=5).rounds == 5
    assert (here.to_dict(), there.to_dict()) == ({0: 5}, {0: 1})


def test_a_loop_in_another_thread_while_one_is_recorded() -> None:
    here, there = make_count(), make_count()

    def body(_: Any) -> None:
        run_in_thread(lambda: gl.loop(lambda _: there << there.apply("plus", right=1), times=3))
        here << here.apply("plus", right=1)

    gl.loop(body, times=2)
    assert (here.to_dict(), there.to_dict()) == ({0: 2}, {0: 3})
    assert recording.recorders.anywhere == []


def test_a_body_that_fails_leaves_nothing_open() -> None:
    with pytest.raises(ZeroDivisionError):
        gl.loop(lambda _: 1 // 0, times=1)
    assert recording.recorders.anywhere == []
    assert make_count(3).nvals == 1


def test_a_trace_does_not_see_other_threads() -> None:
    G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=4, engine="cpu")

    def work() -> int:
        plus_times(G.A @ G.A).new()
        gl.bfs(G, 0)
        with gl.trace() as inner:
            gl.sssp(G, 0)
        return len(inner)

    with gl.trace() as outer:
        assert run_in_thread(work) == 1
        assert len(outer) == 0
        plus_times(G.A @ G.A).new()
    assert [step.kind for step in outer] == ["matmat"]


def test_a_loop_runs_as_one_kernel_while_another_thread_traces() -> None:
    v = make_count()
    with gl.trace() as t:
        run_in_thread(lambda: gl.loop(lambda _: v << v.apply("plus", right=1), times=3))
        assert len(t) == 0
    assert v.to_dict() == {0: 3}


def test_a_trace_that_another_thread_ends_is_over_here() -> None:
    t = gl.trace()
    t.__enter__()
    run_in_thread(lambda: t.__exit__())
    plus_times(make_count() @ make_count()).new()
    assert len(t) == 0
    assert tracing.watchers.anywhere == []


def test_a_trace_belongs_to_its_task() -> None:
    A = gl.Graph(([0, 1], [1, 0]), engine="cpu").A

    async def trace() -> int:
        with gl.trace() as t:
            await asyncio.sleep(0)
            plus_times(A @ A).new()
            await asyncio.sleep(0)
        return len(t)

    async def work_untraced() -> None:
        for _ in range(3):
            plus_times(A @ A).new()
            await asyncio.sleep(0)

    async def both() -> int:
        return (await asyncio.gather(trace(), work_untraced()))[0]

    assert asyncio.run(both()) == 1


def test_settings_of_a_block_belong_to_its_thread() -> None:
    begun, over = Event(), Event()

    def other() -> int | None:
        with gl.config.set(memory_limit=2_000):
            begun.set()
            over.wait(10)
            return gl.config.memory_limit

    found: list[int | None] = []
    thread = Thread(target=lambda: found.append(other()))
    thread.start()
    begun.wait(10)
    assert gl.config.memory_limit is None
    with gl.config.set(memory_limit=1_000):
        over.set()
        thread.join()
        assert gl.config.memory_limit == 1_000
        assert run_in_thread(lambda: gl.config.memory_limit) is None
        handed_on = contextvars.copy_context()
        assert run_in_thread(lambda: handed_on.run(lambda: gl.config.memory_limit)) == 1_000
    assert (found, gl.config.memory_limit) == ([2_000], None)


def test_an_assignment_holds_for_its_block_or_for_the_process() -> None:
    with gl.config.set(engine="cpu"):
        gl.config.memory_limit = 3_000
        assert gl.config.memory_limit == 3_000
        with gl.config.set(engine=None):
            assert (gl.config.engine, gl.config.memory_limit) == (None, 3_000)
    assert gl.config.memory_limit is None
    gl.config.memory_limit = 4_000
    try:
        assert run_in_thread(lambda: gl.config.memory_limit) == 4_000
    finally:
        gl.config.memory_limit = None
    for wrong in ({"memory_limit": True}, {"engine": "tpu"}, {"speed": 1}):
        with pytest.raises(GraphlaError, match=next(iter(wrong))), gl.config.set(**wrong):
            pass
