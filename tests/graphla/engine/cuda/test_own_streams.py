"""Threads on streams of their own share a graph: what launches write beside their answers belongs to a stream."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.bfs.many.multi_source import search_many
from graphla.engine.cuda.device import HostDevice
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import load
from tests.graphla.engine.engines import get_engine_named

PROGRAM = Path(__file__).parents[4] / "asv_bench" / "gpu" / "soak.py"


class Streamed(HostDevice):
    """A host with a current stream."""

    current = 0

    def stream(self) -> int:
        return self.current


@pytest.fixture
def engine() -> Any:
    made = CudaEngine(np, load)
    made.device = Streamed(np)
    return made


@pytest.mark.emulated
def test_each_stream_has_a_barrier(engine: Any) -> None:
    first = engine.get_barrier()
    engine.device.current = 7
    assert engine.get_barrier() is not first
    engine.device.current = 0
    assert engine.get_barrier() is first


CALLS: dict[str, tuple[Callable[[gl.Graph], Any], str]] = {
    "bfs": (lambda G: gl.bfs(G, 0), "bfs.fused.wide.{}"),
    "bfs of a grid": (lambda G: gl.bfs(G, 0), "bfs.fused.narrow.{}"),
    "bfs of many": (lambda G: search_many(G, range(20)), "bfs.many.{}"),
    "components": (gl.components, "components.largest.{}"),
}
"""A call, and under which name the graph keeps its scratch memory for a stream."""


@pytest.mark.emulated
@pytest.mark.parametrize("name", CALLS)
def test_scratch_memory_of_a_graph_belongs_to_a_stream(engine: Any, name: str) -> None:
    call, kept = CALLS[name]
    made = gl.generate.grid2d(40, 40, engine="cpu") if "grid" in name else gl.generate.kronecker(7, engine="cpu")
    G, scratch = made.to(engine), []
    for stream in (0, 7):
        engine.device.current = stream
        call(G)
        held = G.cached(kept.format(stream), lambda _: None)
        assert held is not None
        scratch.append(
            [each for each in getattr(held, "__dict__", {"": held}).values() if isinstance(each, np.ndarray)]
        )
    assert not any(np.shares_memory(a, b) for a in scratch[0] for b in scratch[1])


@pytest.mark.emulated
def test_each_stream_pushes_ranks_in_a_workspace(engine: Any) -> None:
    G = gl.generate.kronecker(7, engine="cpu").to(engine)
    for stream in (0, 7, 7):
        engine.device.current = stream
        gl.pagerank(G, personalization={0}, method="push", epsilon=1e-3)
    spaces = G.cached("pagerank.workspaces", lambda _: {})
    assert set(spaces) == {0, 7}
    assert not np.shares_memory(spaces[0].arrays.ranks, spaces[7].arrays.ranks)


@pytest.fixture
def soak(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program that plays a service."""
    spec: Any = spec_from_file_location("gpu_soak", PROGRAM)
    program: Any = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "gpu_soak", program)
    spec.loader.exec_module(program)
    return program


def test_a_service_answers_as_one_caller(soak: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.main(["--graph", "kron:9?weights=1..255", "--engine", "cpu", "--threads", "3", "--seconds", "1"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in ("bfs", "sssp", "pagerank, push", "sample_neighbors", "0 wrong"))


@pytest.mark.emulated
def test_a_service_sees_another_answer_and_an_error(soak: Any, capsys: pytest.CaptureFixture[str]) -> None:
    G = gl.generate.from_spec("kron:6?weights=1..255", engine="cpu").to(get_engine_named("emulated"))
    queries, asked = soak.make_queries(G, 1), []

    def differ() -> Any:
        asked.append(1)
        return (np.array(len(asked)),)

    def fail() -> Any:
        asked.append(1)
        return (np.array(1 if len(asked) <= soak.VARIANTS else 1 / 0),)

    for query, expected in ((queries["bfs"][0], "0 wrong"), (differ, "another answer"), (fail, "ZeroDivisionError")):
        asked.clear()
        played = soak.Soak(G.engine, {"asked": [query] * soak.VARIANTS}, 0.5)
        played.run(1)
        assert (played.report() == 0) == (expected == "0 wrong")
        assert expected in "".join(capsys.readouterr())
