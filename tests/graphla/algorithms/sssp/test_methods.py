"""Every method that the folder holds, on every engine it claims and can be had, against SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import KINDS
from standin import SmallGraph, engine

import graphla as gl
from graphla.algorithms.shared.weights import distance_dtype, infinity
from graphla.algorithms.sssp._verify import compute_reference_distances, verify

METHODS = gl.sssp.methods
PAIRS = [
    pytest.param(name, on, marks=[pytest.mark.emulated] if on == "cuda" else [])
    for name, method in METHODS.items()
    for on in method.engines
    if "algebraic" not in name  # they want a real graph: test_delta_stepping_algebraic.py, test_algebraic.py
]
DTYPES = ("int32", "float32", "float64", "int64", "uint32")


def make_graph(kind: str, dtype: str, on: str, seed: int = 0) -> SmallGraph:
    n, rows, cols, weights = KINDS[kind](np.random.default_rng(seed))
    return SmallGraph(n, rows, cols, weights.astype(dtype), engine(on))


def check(G: SmallGraph, source: int, answer: tuple[Any, Any]) -> None:
    """Equal to SciPy's distances, and a fixed point with a tree of parents."""
    d, p = (None if part is None else np.asarray(part) for part in answer)
    csr, none = G.csr, infinity(distance_dtype(G.weights.dtype))
    verify(G.n, csr.indptr, csr.indices, csr.values, source, d, p)
    expected = compute_reference_distances(G.n, csr.indptr, csr.indices, csr.values, source)
    assert d.dtype == distance_dtype(G.weights.dtype)
    np.testing.assert_allclose(np.where(d == none, np.inf, d.astype(float)), expected, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "on"), PAIRS)
def test_distances_on_every_kind_of_graph(name: str, on: str, kind: str) -> None:
    G = make_graph(kind, "int32", on)
    method = METHODS[name]
    if why := method.refusal(G, {}):
        pytest.skip(why)
    for source in {0, G.n - 1, G.n // 3}:
        check(G, source, method.run(G, source))


@pytest.mark.parametrize("kind", ["kron", "grid", "heavy_tail", "zeros", "zero_cycles", "core_with_tail"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "on"), PAIRS)
def test_parents_in_every_dtype(name: str, on: str, dtype: str, kind: str) -> None:
    G = make_graph(kind, dtype, on, seed=1)
    method = METHODS[name]
    extra = "parents" in method.also
    if why := method.refusal(G, {}):
        pytest.skip(why)
    check(G, 1, method.run(G, 1, parents=extra))


@pytest.mark.parametrize(("name", "on"), PAIRS)
def test_fractional_weights_over_six_orders_of_magnitude(name: str, on: str) -> None:
    for dtype in ("float32", "float64"):
        G = make_graph("heavy_tail", dtype, on, seed=2)
        G.weights[:] = G.weights * G.weights.dtype.type(1.1e-3)
        check(G, 3, METHODS[name].run(G, 3))


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32"])
@pytest.mark.parametrize(("name", "on"), PAIRS)
def test_a_method_takes_a_sum_that_overflows_for_no_path(name: str, on: str, dtype: str) -> None:
    none = int(np.iinfo(dtype).max)
    rows, cols = np.array([0, 1, 1, 2, 2, 3]), np.array([1, 0, 2, 1, 3, 2])
    weights = np.array([none - 10, none - 10, 9, 9, 1, 1])
    G = SmallGraph(5, rows, cols, weights.astype(dtype), engine(on))
    d, _ = METHODS[name].run(G, 0)
    assert np.asarray(d).tolist() == [0, none - 10, none - 1, none, none]


@pytest.mark.parametrize(("name", "on"), PAIRS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16"])
def test_narrow_weights_give_int32_distances(name: str, on: str, dtype: str) -> None:
    G = make_graph("grid", "int32", on)
    G = SmallGraph(G.n, G.rows, G.cols, (G.weights % 100 + 1).astype(dtype), engine(on))
    check(G, 0, METHODS[name].run(G, 0))


@pytest.mark.parametrize(("name", "on"), PAIRS)
@pytest.mark.parametrize("step", [1e-3, 1, 17.5, 1e9, float("inf")])
def test_any_step_gives_the_same_distances(name: str, on: str, step: float) -> None:
    if "delta" not in METHODS[name].options:
        pytest.skip("it has no step")
    for kind in ("kron", "grid"):
        G = make_graph(kind, "int32", on)
        check(G, 2, METHODS[name].run(G, 2, delta=step))


@pytest.mark.parametrize("step", [0, -1.5, float("nan"), "wide", True])
def test_a_step_that_is_none_is_refused(step: Any) -> None:
    G = make_graph("grid", "int32", "cpu")
    with pytest.raises(ValueError, match="step"):
        METHODS["delta_stepping"].run(G, 0, delta=step)


@pytest.mark.parametrize(("name", "on"), PAIRS)
def test_negative_and_nan_weights_are_refused(name: str, on: str) -> None:
    G = make_graph("grid", "float32", on)
    G.weights[3] = -1
    assert "algebraic" in (METHODS[name].refusal(G, {}) or "")
    G = make_graph("grid", "float32", on)
    G.weights[3] = np.nan
    assert "NaN" in (METHODS[name].refusal(G, {}) or "")
