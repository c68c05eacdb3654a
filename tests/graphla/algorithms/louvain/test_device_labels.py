"""Labels and merged levels by kernels: those of the array module, to the bit."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.louvain.algebraic import Algebra
from graphla.algorithms.shared.communities import grid, labels
from graphla.algorithms.shared.communities.device_labels import DeviceLabels
from graphla.algorithms.shared.communities.grid import Grid
from graphla.algorithms.shared.communities.level import Level, make_level
from graphla.algorithms.shared.communities.rounds import Rounds
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage.list_kernels import register_list_kernels
from tests.cupy_modules import Recorded, make_recorded_engine, record_modules
from tests.emulator import make_loader
from tests.graphla.algorithms.louvain.test_communities import PROBLEMS, make_planted

pytestmark = pytest.mark.emulated
ENGINE = CudaEngine(np, make_loader(seed=3))


@pytest.mark.parametrize("n", [1, 2, 7, 300, 5000])
def test_labels_get_the_same_numbers(n: int) -> None:
    seed = secrets.randbits(32)
    rng, device = np.random.default_rng(seed), DeviceLabels(ENGINE)
    for groups in sorted({1, -(-n // 9), n}):
        given = rng.integers(0, groups, n).astype(np.int32)
        numbers, count = labels.renumber(np, given)
        found, many = device.renumber(given)
        assert (found.tolist(), many) == (numbers.tolist(), count), seed
        first = labels.name_by_smallest(np, numbers, count)
        assert device.name_by_smallest(found, many).tolist() == first.tolist(), seed
        in_order = labels.renumber(np, first)
        assert device.rank_by_size(*in_order).tolist() == labels.number_by_size(np, given).tolist(), seed
        owners = rng.permutation(n).astype(np.int32)[given]
        assert device.lift(found, owners, many).tolist() == labels.lift(np, numbers, owners, count).tolist(), seed
    assert device.count_up(np.empty(n, np.int32)).tolist() == list(range(n))


@pytest.mark.parametrize("directed", [False, True])
def test_a_merged_level_is_that_of_the_algebra(directed: bool) -> None:
    """Of few groups and of many; all in one has no arcs."""
    seed = secrets.randbits(32)
    G = make_planted(seed, directed=directed, weights=np.sqrt)
    level, rounds = make_level(G), Rounds(get_engine("cpu"), Algebra(get_engine("cpu")).propose)
    for groups in (1, 2, 9, G.n):
        given = np.random.default_rng(seed).integers(0, groups, G.n).astype(np.int32)
        numbers, count = labels.renumber(np, given)
        found, expected = (way.merge(level, numbers, count) for way in (Grid(ENGINE), rounds))
        assert list_parts(found) == list_parts(expected), seed


def list_parts(level: Level) -> list[Any]:
    """All that two levels must have in common."""
    rows = level.rows
    return [
        level.strengths.tolist(),
        level.total,
        *(each.tolist() for each in (rows.indptr, rows.indices, rows.values)),
    ]


@contextmanager
def move_to_device(G: gl.Graph) -> Iterator[tuple[gl.Graph, set[str]]]:
    """The graph where arrays are those of a device, and the names of the kernels that are used meanwhile."""
    engine, noted = make_recorded_engine()
    register_list_kernels(Recorded, engine.lists)
    with record_modules():
        names = set[str]()
        yield G.to(engine), names
        names.update(name for _, name in noted.used)


@pytest.mark.parametrize("directed", [False, True])
def test_a_device_makes_the_same_level(directed: bool) -> None:
    """Of weights near the ends of the range of FP64, zeros and loops among them."""
    seed = secrets.randbits(32)
    for power in (-1060, -1, 0, 40, 1010):
        G = make_planted(seed, directed=directed, weights=lambda pairs, power=power: np.ldexp(pairs % 7 / 3, power))
        with move_to_device(G) as (H, names):
            assert list_parts(make_level(H)) == list_parts(make_level(G)), (seed, power)
        assert {"scale_twice", "round_scaled", "add_to"} <= names


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_climb_on_a_device_ends_where_the_algebra_does(problem: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a start with fixed vertices, too."""
    monkeypatch.setattr(grid, "THREADS", 64)
    monkeypatch.setattr(grid, "BLOCK_ROW", 128)
    seed = secrets.randbits(32)
    G = make_planted(seed, 150, directed=True, weights=np.sqrt)
    for asked in ({}, {"start": np.arange(G.n) // 2, "fixed": [3, 7, 9], "levels": True, "threshold": 1e-6}):
        expected = problem(G, seed=seed, method="algebraic", **asked)
        with move_to_device(G) as (H, names):
            found = problem(H, seed=seed, method="parallel", **asked)
            one, other = (each if isinstance(each, tuple) else (each,) for each in (found, expected))
            assert one[0].to_numpy().tolist() == other[0].to_numpy().tolist(), seed
            assert gl.modularity(H, one[0]) == pytest.approx(gl.modularity(G, other[0]), rel=1e-12), seed
        assert {"move<int>", "pack<int>", "rank", "add_apart", "multiply"} <= names
