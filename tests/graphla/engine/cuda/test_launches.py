"""How many kernels an expression launches, and that nobody waits for a product before somebody reads it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cuda.device import HostDevice
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage import FullVector
from semirings import any_pair, min_plus
from tests.emulator import load

pytestmark = pytest.mark.emulated


class Asked(HostDevice):
    """A host that remembers how often a count was asked for."""

    asked = 0

    def first_number(self, array: Any, queue: Any) -> int:
        self.asked += 1
        return super().first_number(array, queue)


@pytest.fixture
def launches() -> list[str]:
    return []


@pytest.fixture
def engine(launches: list[str]) -> CudaEngine:
    """The kernels of the emulator, each launch told."""

    def load_counted(text: str, expression: str, **how: Any) -> Any:
        kernel = load(text, expression, **how)

        def launch(*args: Any) -> None:
            launches.append(expression.partition("<")[0])
            kernel(*args)

        return launch

    made = CudaEngine(np, load_counted)
    made.device = Asked(np)
    return made


def make_ring(engine: Any, size: int = 100) -> tuple[gl.Matrix, gl.Vector]:
    """Arcs from each vertex to the next four, and a number at each."""
    tails = np.arange(4 * size) // 4
    heads = (tails + 1 + np.arange(4 * size) % 4) % size
    A = gl.Matrix.from_coo(tails, heads, np.ones(4 * size, "float32"), nrows=size, ncols=size, engine=engine)
    return A, gl.Vector._from_storage(FullVector(np.arange(size, dtype="float32")), engine)


def test_a_product_with_a_full_vector_is_one_launch(engine: Any, launches: list[str]) -> None:
    A, v = make_ring(engine)
    min_plus(A @ v).new()  # arranges the rows of A, which stay so
    launches.clear()
    w = min_plus(A @ v).new()
    assert launches == ["pull"]
    assert w.nvals == 100
    assert engine.device.asked == 0, "how many entries there are is known beforehand"


@pytest.mark.parametrize(("direction", "wanted"), [("pull", ["spread", "pull"]), ("push", ["push_begin", "push"])])
def test_nobody_waits_for_a_product_that_nobody_reads(
    engine: Any, launches: list[str], direction: Any, wanted: list[str]
) -> None:
    A, _ = make_ring(engine)
    engine.transpose(A._storage)
    q = gl.Vector.from_coo([3], [True], size=100, engine=engine)
    gl.Vector("BOOL", 100, engine=engine)(direction=direction) << any_pair(A.T @ q)  # arranges rows
    launches.clear()
    engine.device.asked = 0
    w = gl.Vector("BOOL", 100, engine=engine)
    for _ in range(2):
        w(direction=direction) << any_pair(A.T @ q)
        assert (w.size, w.dtype.name) == (100, "BOOL")
    assert launches == 2 * wanted
    assert engine.device.asked == 0
    assert w.to_dict() == {4: True, 5: True, 6: True, 7: True}
    assert w.nvals == 4
    assert engine.device.asked == 1, "and then once"


def test_who_watches_is_told_the_count(engine: Any) -> None:
    A, _ = make_ring(engine)
    q = gl.Vector.from_coo([3], [True], size=100, engine=engine)
    with gl.trace() as seen:
        w = any_pair(A.T @ q).new()
    assert [step.result for step in seen.operations] == [4]
    assert w.nvals == 4


def test_a_result_in_another_dtype_and_one_that_is_written_over(engine: Any) -> None:
    """A cast and an accumulator look at the entries at once; a result that nobody read is written over unread."""
    A, _ = make_ring(engine)
    q = gl.Vector.from_coo([3], [2.0], size=100, dtype="FP32", engine=engine)
    w = gl.Vector("INT32", 100, engine=engine)
    w(direction="pull") << min_plus(A.T @ q)
    w(gl.binary.plus, direction="pull") << min_plus(A.T @ q)
    assert w.to_dict() == dict.fromkeys(range(4, 8), 6)
    u = gl.Vector("FP32", 100, engine=engine)
    before = engine.device.asked
    for _ in range(3):
        u(direction="pull") << min_plus(A.T @ q)
    assert engine.device.asked == before
    assert u.isequal(gl.Vector.from_coo(range(4, 8), 3.0, dtype="FP32", size=100, engine=engine))
