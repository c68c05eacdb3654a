"""What the small statements ask of a GPU: bounds of launches, and of reads that wait for it, for each."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cuda.device import HostCounter, HostDevice
from graphla.engine.cuda.engine import CudaEngine
from graphla.planning import degrees, schedules
from graphla.storage import list_kernels
from semirings import binary, plus_times
from tests.emulator import load

pytestmark = pytest.mark.emulated
BENCH = Path(__file__).parents[4] / "asv_bench"
BOUNDS = {
    "level(q.S) << d": (1, 1),
    "q(~level.S, replace) << any_pair(A.T @ q)": (3, 0),
    "w << plus_times(A @ x)": (1, 0),
    "w << plus(x & y)": (1, 0),
    "w << plus(x | q)": (1, 0),
    "w(min) << min_plus(A.T @ q)": (4, 0),
    "w(plus) << x": (1, 0),
    "w << x.apply(times, .85)": (1, 0),
    "x.reduce(plus)": (1, 1),
    "w[5] = 2": (0, 0),
    "x.get(7)": (0, 1),
    "x.dup()": (0, 0),
    "q.to_coo()": (1, 0),
    "x.isequal(y)": (1, 1),
    "C << plus(A | B)": (4, 1),
    "A[:10, :10]": (4, 2),
    "A.select(>, .5)": (4, 1),
    "A.reduce_rowwise(plus)": (1, 0),
}
"""Launches and reads of each at n = 100, once the layouts that its operands keep are made."""


class Told:
    """What was launched, and what was read, since it was last cleared."""

    def __init__(self) -> None:
        self.launches: list[str] = []
        self.reads: list[str] = []

    def clear(self) -> None:
        self.launches.clear()
        self.reads.clear()

    def load(self, text: str, expression: str, **how: Any) -> Any:
        """A kernel of the emulator that is told when it is launched."""
        kernel = load(text, expression, **how)

        def launch(*args: Any) -> None:
            self.launches.append(expression.partition("<")[0])
            kernel(*args)

        return launch


def make_engine(told: Told) -> CudaEngine:
    """The kernels of the emulator, where each launch and each way to read from the device is told."""

    class Counter(HostCounter):
        def read(self) -> list[int]:
            told.reads.append("counter")
            return super().read()

    class Device(HostDevice):
        counter = Counter

        def first_number(self, array: Any, queue: Any) -> int:
            told.reads.append("first_number")
            return super().first_number(array, queue)

        def last_number(self, array: Any) -> int:
            told.reads.append("last_number")
            return super().last_number(array)

        def read_places(self, place: int, *arrays: Any) -> list[Any]:
            told.reads.append("read_places")
            return super().read_places(place, *arrays)

    class Engine(CudaEngine):
        def to_host(self, array: Any) -> Any:
            told.reads.append("to_host")
            return super().to_host(array)

    made = Engine(np, told.load)
    made.device = Device(np)
    return made


@pytest.fixture(scope="module")
def bench() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        yield import_module("small_statements")


@pytest.fixture(scope="module")
def told() -> Told:
    return Told()


@pytest.fixture(scope="module")
def engine(told: Told) -> CudaEngine:
    return make_engine(told)


@pytest.fixture
def operands(bench: Any, engine: CudaEngine, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The operands of the bench, moved to the engine."""
    with gl.config.set(engine="cpu"):
        made = vars(bench.make_operands(bench.OURS, 100))
    monkeypatch.setitem(list_kernels._kernels, np.ndarray, engine.lists)
    return SimpleNamespace(**{name: move(held, engine) for name, held in made.items()})


def move(held: Any, engine: Any) -> Any:
    """A container on the engine, whose arrays are those of the host; anything else as it is."""
    return type(held)._from_storage(held._storage, engine) if isinstance(held, (gl.Matrix, gl.Vector)) else held


def test_every_statement_has_a_bound(bench: Any) -> None:
    assert set(BOUNDS) == set(bench.STATEMENTS)


@pytest.mark.parametrize("name", BOUNDS)
def test_a_statement_launches_and_reads_no_more_than_it_did(bench: Any, told: Told, operands: Any, name: str) -> None:
    for _ in range(2):
        bench.STATEMENTS[name](operands)
    told.clear()
    bench.STATEMENTS[name](operands)
    launches, reads = BOUNDS[name]
    assert len(told.launches) <= launches, told.launches
    assert len(told.reads) <= reads, told.reads


def test_a_round_of_ranks_reads_nothing(told: Told, engine: CudaEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain way: degrees with gaps, sums of FP64 onto ranks of FP32, and arcs divided evenly."""
    monkeypatch.setitem(list_kernels._kernels, np.ndarray, engine.lists)
    monkeypatch.setattr(schedules, "PULL_EVEN_ARCS", 1)
    monkeypatch.setattr(degrees, "ARCS_AT_ONCE", 0)
    monkeypatch.setattr(degrees, "UNSEEN_ARCS", 0)
    A = gl.generate.kronecker(8, seed=1, engine="cpu").to(engine).A
    lengths, ranks = A.reduce_rowwise("plus").new(), gl.Vector.from_scalar(1 / A.nrows, A.nrows, "FP32", engine=engine)
    for _ in range(2):
        told.clear()
        shares = binary.truediv(ranks & lengths).new()
        ranks << 0.15 / A.nrows
        ranks(binary.plus) << plus_times(A.T @ binary.times(shares, 0.85).new())
    assert told.reads == []
    assert told.launches == [
        "merge_vectors", "fill_all", "two", "begin_holes", "pull_hubs", "end_holes", "convert", "merge_vectors",
    ]  # fmt: skip
