"""Products over equal shares of arcs, whatever the order in which warps come to theirs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from operands import make_generator, make_skewed, make_vector

import graphla as gl
from graphla.engine.cuda.engine import CudaEngine
from graphla.planning.plan import make_plan
from graphla.planning.schedules import (
    PULL_EVEN_ARCS,
    PULL_MANY_ARCS,
    PULL_ROWS_DEGREE,
    PULL_ROWS_DEGREE_OF_MANY,
    choose_pull_schedule,
)
from graphla.storage import BitmapVector, FullVector
from semirings import plus_first, plus_times
from semirings.dtypes import lookup
from tests.emulator import make_loader

pytestmark = pytest.mark.emulated


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_warps_take_several_stretches_in_any_order(seed: int) -> None:
    """Rows that reach into the next stretch are joined with what another warp may have written before."""
    engine, rng = CudaEngine(np, make_loader(seed=seed)), make_generator("hubs")
    engine.device.processors = lambda: 1
    A = make_skewed(engine, rng, "INT64", (400, 900), [900, 200, 0, 300] + 70 * [150])
    v = make_vector(engine, rng, "INT64", 900, "full")
    expression = plus_times(A.held @ v.held)
    plan = make_plan(expression, None, expression.dtype, None, direction="pull")
    plan = replace(plan, step=replace(plan.step, schedule="edges"))
    found = gl.Vector._from_storage(engine.run(plan), engine)
    (layout,) = A.held._storage.cached("even_layouts", lambda _: {}).values()
    assert layout.hubs is not None
    assert A.held.nvals > 32 * 256
    assert found.isequal(plus_times(A.held.to("cpu") @ v.held.to("cpu")).new().to(engine))


def test_short_rows_are_divided_by_rows() -> None:
    """From the same number of arcs on, rows of many arcs are divided evenly."""
    vector = FullVector(np.ones(8, "float32"))

    def choose(arcs: int, rows: int) -> str:
        shape = SimpleNamespace(nvals=arcs, shape=(rows, rows))
        return choose_pull_schedule(shape, vector, plus_times, lookup("FP32"), None)  # type: ignore[arg-type]

    assert choose(PULL_EVEN_ARCS, PULL_EVEN_ARCS // PULL_ROWS_DEGREE) == "edges"
    assert choose(PULL_EVEN_ARCS, PULL_EVEN_ARCS // PULL_ROWS_DEGREE + 1) == "rows"
    assert choose(PULL_EVEN_ARCS - 1, 1) == "rows"
    assert choose(PULL_MANY_ARCS, PULL_MANY_ARCS // PULL_ROWS_DEGREE_OF_MANY) == "edges"
    assert choose(PULL_MANY_ARCS, PULL_MANY_ARCS // PULL_ROWS_DEGREE_OF_MANY + 1) == "rows"
    assert choose(PULL_MANY_ARCS - 1, PULL_MANY_ARCS // PULL_ROWS_DEGREE_OF_MANY) == "rows"


def test_gaps_are_read_where_they_are_few_and_floats_are() -> None:
    """A vector whose values ⊗ does not read, or of integers, has no value to spare for a gap."""
    shape = SimpleNamespace(nvals=PULL_EVEN_ARCS, shape=(8, 8))

    def choose(there: int, dtype: str, semiring: Any, flip: bool = False) -> str:
        vector = BitmapVector(np.arange(8) < there, np.ones(8, dtype), there)
        return choose_pull_schedule(shape, vector, semiring, vector.type, None, flip)  # type: ignore[arg-type]

    assert [choose(there, "float32", plus_times) for there in (1, 2, 7)] == ["rows", "edges", "edges"]
    assert choose(7, "int64", plus_times) == "rows"
    assert [choose(7, "float64", plus_first, flip) for flip in (False, True)] == ["rows", "edges"]
