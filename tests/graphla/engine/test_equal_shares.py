"""Products of every arc, of which all blocks take the same number: rows over several stretches, hubs, gaps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from operands import make_generator, make_skewed, make_vector
from products import check_matvec

import graphla as gl
from graphla.engine.cuda.matvec import pull_even
from graphla.planning.plan import make_plan
from semirings import semiring


@pytest.mark.parametrize("table", [0, 6000, 128 * 1024])
@pytest.mark.parametrize(("name", "dtype"), [("min_plus", "FP32"), ("plus_times", "INT64"), ("max_min", "INT16")])
def test_arcs_in_equal_shares(engine: Any, monkeypatch: Any, name: str, dtype: str, table: int) -> None:
    """Rows over several stretches of arcs, stretches over many rows, and rows without arcs between them.

    None, some or all of the columns are hubs, whose values stand in shared memory.
    """
    monkeypatch.setattr(pull_even, "TABLE_BYTES", table)
    rng = make_generator("even", name)
    A = make_skewed(engine, rng, dtype, (900, 5000), [0, 4900, 1, 0, 0, 2300, 700])
    for turned, left in ((False, False), (True, False), (False, True)):
        v = make_vector(engine, rng, dtype, 900 if turned != left else 5000, "full")
        check_matvec(engine, A, v, name, turned, left, "even", "none", "full")
    known = A.held._storage.cached("even_layouts", lambda _: {}).values()
    some = [layout.hubs.hub.size for layout in known if layout.hubs is not None]
    assert engine.name == "cpu" or (max(some, default=0) > 0) == (table > 0)


@pytest.mark.parametrize("table", [0, 6000])
@pytest.mark.parametrize(("name", "dtype"), [("min_plus", "FP32"), ("plus_times", "FP64"), ("plus_second", "FP32")])
def test_arcs_in_equal_shares_of_a_vector_with_gaps(
    engine: Any, monkeypatch: Any, name: str, dtype: str, table: int
) -> None:
    """Rows that find no entry have no result, also those over several stretches; an entry may be NaN."""
    monkeypatch.setattr(pull_even, "TABLE_BYTES", table)
    rng = make_generator("holes", name)
    A = make_skewed(engine, rng, dtype, (900, 5000), [0, 4900, 1, 0, 0, 2300, 700])
    for turned, left in ((False, False), (True, False), (False, True)):
        v = make_vector(engine, rng, dtype, 900 if turned != left else 5000, "bitmap")
        reading = "plus_first" if left and name == "plus_second" else name  # which reads the vector
        check_matvec(engine, A, v, reading, turned, left, "even", "none", "full")


def test_a_nan_that_looks_like_a_hole_is_an_entry(engine: Any) -> None:
    for dtype, bits in (("float32", np.uint32(0x7FE1A5C3)), ("float64", np.uint64(0x7FFE1A5C3D2B4F60))):
        size = 1100
        A = gl.Matrix.from_coo(np.arange(size), np.arange(size), np.ones(size, dtype), nrows=size, engine=engine)
        values = np.where(np.arange(1000) % 3 == 0, bits.view(dtype), np.ones(1, dtype))
        v = gl.Vector.from_coo(np.arange(1000), values, size=size, engine=engine)
        plan = make_plan(semiring.plus_second(A @ v), None, v.dtype, None, direction="pull")
        plan = replace(plan, step=replace(plan.step, schedule="edges"))
        w = gl.Vector._from_storage(engine.run(plan), engine)
        assert w.nvals == 1000
        np.testing.assert_array_equal(engine.to_host(w.to_coo()[1]), values)  # NaN where there was one
