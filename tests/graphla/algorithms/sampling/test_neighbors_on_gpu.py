"""Sampled neighbourhoods on a GPU: those of the CPU, by one launch a hop and one wait."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.sampling import _hops_cuda, rooms
from graphla.algorithms.sampling.neighbors import Sample
from graphla.engine.cuda.device import HostDevice
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import load, make_loader
from tests.graphla.algorithms.sampling.test_neighbors import fresh
from tests.graphla.engine.engines import KERNEL_NAMES, get_engine_named


def require_equal(ours: Sample, theirs: Sample, engine: Any) -> None:
    """Assert that two samples are the same, those of dicts key by key."""
    for name in ("row", "col", "node", "edge", "batch"):
        expected, found = getattr(ours, name), getattr(theirs, name)
        assert (found is None) == (expected is None)
        typed = isinstance(expected, dict)
        for key in () if expected is None else expected if typed else (None,):
            left, right = (expected[key], found[key]) if typed else (expected, found)
            assert left.tolist() == engine.to_host(right).tolist(), (name, key)
    assert ours[5:7] == theirs[5:7]


@pytest.mark.parametrize("engine", KERNEL_NAMES)
def test_samples_are_the_same_on_both_engines(engine: str) -> None:
    seed = secrets.randbits(31)
    rng, G = np.random.default_rng(seed), fresh(seed)
    H, time, seeds = G.to(get_engine_named(engine)), rng.integers(0, 20, G.nvals), rng.permutation(G.n)[:12]
    timed: dict[str, Any] = {"time": time, "seed_time": rng.integers(0, 20, 12)}
    for options in (
        {},
        {"weights": True, "direction": "out"},
        {"replace": True, "disjoint": True},
        {"replace": True, "weights": True},
        timed,
        {**timed, "latest": True},
        {**timed, "weights": True, "direction": "out"},
        {"vertex_time": rng.random(G.n)},
        {"time": time, "seed_time": rng.random(12) * 22 - 1},
    ):
        for fanouts in ([3, 4], [-1, 2]):
            ours, theirs = (gl.sample_neighbors(each, seeds, fanouts, seed=seed, **options) for each in (G, H))
            require_equal(ours, theirs, H.engine)


@pytest.mark.emulated
@pytest.mark.parametrize("resident", [1, 3])
def test_the_kernel_in_any_order_of_threads(resident: int) -> None:
    engine = CudaEngine(np, make_loader(build="checked", seed=resident, resident=resident))
    G = gl.generate.kronecker(7, weights=(0, 9), engine="cpu")
    H = G.to(engine)
    for options in ({}, {"weights": True}, {"disjoint": True}, {"replace": True}):
        for fanouts in ([5, 3], [40, 2], [-1]):
            ours, theirs = (gl.sample_neighbors(each, range(30), fanouts, **options) for each in (G, H))
            require_equal(ours, theirs, engine)


@pytest.mark.parametrize("engine", KERNEL_NAMES)
def test_hops_that_draw_more_than_there_is_room_for_begin_again(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    G = gl.generate.kronecker(7, engine="cpu")
    H, planned = G.to(get_engine_named(engine)), []
    monkeypatch.setattr(rooms, "ROOM", 20)
    monkeypatch.setattr(_hops_cuda, "plan_steps", lambda *asked: planned.append(asked) or rooms.plan_steps(*asked))
    for fanouts in ([4, 4], [-1, 3], [3, -1, -1]):
        planned.clear()
        ours, theirs = (gl.sample_neighbors(each, range(9), fanouts) for each in (G, H))
        require_equal(ours, theirs, H.engine)
        assert len(planned) == 1 + sum(count > 20 for count in ours.num_sampled_edges) > 1


@pytest.mark.parametrize("engine", KERNEL_NAMES)
@pytest.mark.parametrize("direction", ["in", "out"])
def test_relations_are_sampled_alike_on_both_engines(engine: str, direction: str) -> None:
    rng, graphs = np.random.default_rng(secrets.randbits(31)), {}
    sizes = {"paper": 40, "author": 25, "topic": 6}
    for key in (("paper", "cites", "paper"), ("author", "writes", "paper"), ("paper", "has", "topic")):
        near, far = sizes[key[0]], sizes[key[2]]
        ends = rng.integers(0, near, 150), rng.integers(0, far, 150)
        graphs[key] = gl.Matrix.from_coo(*ends, 1, nrows=near, ncols=far, engine="cpu")
    held = {key: gl.Graph(A) if key[0] == key[2] else A for key, A in graphs.items()}
    to = get_engine_named(engine)
    moved = {key: gl.Graph(A).to(to) if key[0] == key[2] else A.to(to) for key, A in graphs.items()}
    fanouts = dict(zip(graphs, ([3, 2, 2], [2, -1], [0, 3, 1]), strict=True))
    for disjoint in (False, True):
        for seeds in ({"paper": [5, 1, 7]}, {"author": [1, 0], "topic": [2], "paper": [4]}):
            options: dict[str, Any] = {"disjoint": disjoint, "direction": direction, "seed": int(rng.integers(99))}
            ours, theirs = (gl.sample_neighbors(each, seeds, fanouts, **options) for each in (held, moved))
            require_equal(ours, theirs, to)


class Watched(HostDevice):
    """A host that counts how often the device is waited for."""

    waits = 0

    def to_host(self, array: Any) -> Any:
        self.waits += 1
        return super().to_host(array)


@pytest.mark.emulated
def test_a_hop_is_one_launch_and_a_sample_one_wait() -> None:
    launched: list[str] = []

    def load_counted(text: str, expression: str, **how: Any) -> Any:
        kernel = load(text, expression, **how)

        class Counted:
            resident_blocks = kernel.resident_blocks

            def __call__(self, *args: Any) -> None:
                launched.append(expression.partition("<")[0])
                kernel(*args)

        return Counted()

    engine = CudaEngine(np, load_counted)
    engine.device = Watched(np)
    G = gl.generate.kronecker(7, engine="cpu").to(engine)
    for options in ({}, {"disjoint": True}, {"replace": True}):
        gl.sample_neighbors(G, range(30), [5, 3, 2], **options)  # makes the rows
        launched.clear()
        engine.device.waits = 0
        gl.sample_neighbors(G, range(30), [5, 3, 2], **options)
        assert launched == ["hop"] * 3
        assert engine.device.waits == 1
