"""Every method of all pairs on every engine it claims: against the books, and by the verifier."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from apsp_graphs import GRAPHS, NONE, SIGNED, compute_expected, make_graph, make_random, to_cells

import graphla as gl
from graphla.algorithms.apsp import tiles
from graphla.algorithms.shared.weights import infinity
from graphla.common.errors import DomainMismatch, NegativeCycle, NotSupported, OutOfMemory, Overflow
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader


@cache
def get_engine_named(name: str) -> Any:
    return get_engine("cpu") if name == "cpu" else CudaEngine(np, make_loader(build="plain"))


CASES = [
    pytest.param(name, on, id=f"{name}-{on}", marks=[pytest.mark.emulated] if on == "cuda" else [])
    for name, method in gl.apsp.methods.items()
    if name != "algebraic"
    for on in method.engines
]
DTYPES = ("float32", "int32", "float64", "int64", "uint32")


def check_solution(name: str, W: np.ndarray, weights: str, on: str, /, **request: Any) -> None:
    """Solve and compare; a method may refuse, with a reason."""
    G = make_graph(W, weights, get_engine_named(on))
    why_not = gl.apsp.methods[name].refusal(G, request)
    if why_not:
        with pytest.raises(NotSupported, match="cannot answer"):
            gl.apsp(G, method=name, **request)
        return
    result = gl.apsp(G, method=name, **request)
    distances, hops = result if isinstance(result, tuple) else (result, None)
    wanted = compute_expected(W, distances.dtype.numpy)
    np.testing.assert_array_equal(to_cells(distances), wanted)
    paths = int((wanted != infinity(wanted.dtype)).sum())
    assert [each.nvals for each in (distances, hops) if each is not None] == [paths] * (1 if hops is None else 2)
    gl.apsp.verify(G, distances, hops)


@pytest.mark.parametrize("next_hops", [False, True])
@pytest.mark.parametrize(("name", "on"), CASES)
def test_every_graph(name: str, on: str, next_hops: bool) -> None:
    for W in GRAPHS.values():
        check_solution(name, W, "float32", on, next_hops=next_hops)


@pytest.mark.emulated
@pytest.mark.parametrize(
    ("dtype", "options"), [("float32", {}), ("float64", {}), ("int32", {"dtype": "INT16"})], ids=str
)
def test_wide_pivot_blocks(dtype: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "WIDE_FROM", 257)
    check_solution("blocked_floyd_warshall", make_random(450, 0.03, seed=9), dtype, "cuda", **options)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("name", "on"), CASES)
def test_every_dtype(name: str, on: str, dtype: str) -> None:
    check_solution(name, GRAPHS["over a tile"], dtype, on)
    check_solution(name, GRAPHS["zeros"], dtype, on, next_hops=True)


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
@pytest.mark.parametrize(("name", "on"), CASES)
def test_negative_weights(name: str, on: str, dtype: str) -> None:
    for W in SIGNED.values():
        check_solution(name, W, dtype, on)
        check_solution(name, W, dtype, on, next_hops=True)


@pytest.mark.parametrize(("name", "on"), CASES)
def test_int16_only_if_asked(name: str, on: str) -> None:
    check_solution(name, GRAPHS["over a tile"], "int32", on, dtype="INT16")
    check_solution(name, GRAPHS["zeros"], "int32", on, dtype="INT16", next_hops=True)
    check_solution(name, SIGNED["tilted"], "int32", on, dtype="INT16")


@pytest.mark.parametrize(("name", "on"), CASES)
def test_a_negative_cycle_is_reported_with_its_vertices(name: str, on: str) -> None:
    for dtype in ("float32", "int32"):
        W = np.array([[NONE, 1, 5, 2], [NONE, NONE, -2, NONE], [NONE, -1, NONE, NONE], [9, NONE, NONE, NONE]])
        G = make_graph(W, dtype, get_engine_named(on))
        if gl.apsp.methods[name].refusal(G, {}):
            continue
        with pytest.raises(NegativeCycle) as caught:
            gl.apsp(G, method=name)
        assert set(caught.value.vertices) == {1, 2}


@pytest.mark.parametrize(("name", "on"), [*CASES, pytest.param("algebraic", "cpu", id="algebraic-cpu")])
def test_a_negative_cycle_through_every_vertex(name: str, on: str) -> None:
    for n in (1, 2, 3, 4, 5, 9, 65):
        here = np.arange(n)
        G = gl.Graph(
            (here, (here + 1) % n, np.where(here == n // 2, -n, 1).astype("int32")), n=n, engine=get_engine_named(on)
        )
        if gl.apsp.methods[name].refusal(G, {}):
            continue
        with pytest.raises(NegativeCycle) as caught:
            gl.apsp(G, method=name)
        assert set(caught.value.vertices) == set(range(n))


@pytest.mark.parametrize("name", ["algebraic", "blocked_floyd_warshall"])
def test_a_dtype_that_does_not_hold_a_weight_is_refused(name: str) -> None:
    G = gl.Graph(([0, 1, 1], [1, 0, 2], [40_000, 5, -1]), engine=get_engine_named("cpu"))
    with pytest.raises(DomainMismatch, match=r"40000 .* does not fit INT16, .* take a wider dtype"):
        gl.apsp(G, method=name, dtype="INT16")
    with pytest.raises(NotSupported, match="smallest weight is -1"):
        gl.apsp(G, method=name, dtype="UINT32")
    H = gl.Graph(([0, 1], [1, 2], [1e200, np.inf]), engine=get_engine_named("cpu"))
    with pytest.raises(DomainMismatch, match=r"1e\+200 is out of bounds for FP32: take FP64"):
        gl.apsp(H, method=name, dtype="FP32")


def test_potentials_that_would_wrap_are_refused() -> None:
    top = np.iinfo("int64").max - 3
    far, endless = ([top, -10], "'blocked_floyd_warshall' takes"), ([1.0, -np.inf], "potentials must be finite")
    for weights, why in (far, endless):
        G = gl.Graph(([0, 2], [1, 1], np.array(weights)), n=3, engine=get_engine_named("cpu"))
        with pytest.raises(NotSupported, match=why):
            gl.apsp(G, method="johnson")
        assert gl.apsp(G, dense=True)[[0, 2], 1].tolist() == weights


@pytest.mark.parametrize("on", ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
def test_int16_up_to_its_end(on: str) -> None:
    arcs, weights = ([0, 1, 2, 3], [1, 2, 3, 4]), np.array([20_000, 12_700, 50, 16])
    G = gl.Graph((*arcs, weights), n=5, engine=get_engine_named(on))
    D = gl.apsp(G, method="blocked_floyd_warshall", dtype="INT16", dense=True)
    assert D[0].tolist() == [0, 20_000, 32_700, 32_750, 32_766]
    assert D[4, 3] == 32_767
    G.A[3, 4] = 17
    with pytest.raises(Overflow, match=r"arc 3 → 4 of weight 17 does not fit INT16: ask for dtype='INT64'"):
        gl.apsp(G, method="blocked_floyd_warshall", dtype="INT16")


@pytest.mark.parametrize(("name", "on"), [*CASES, pytest.param("algebraic", "cpu", id="algebraic-cpu")])
def test_entries_are_where_paths_are(name: str, on: str) -> None:
    G = gl.Graph(([0, 1, 1], [1, 1, 2], np.array([4, 1, 3], "int32")), n=4, engine=get_engine_named(on))
    D, H = gl.apsp(G, method=name, next_hops=True)
    assert D.to_dicts() == {0: {0: 0, 1: 4, 2: 7}, 1: {1: 0, 2: 3}, 2: {2: 0}, 3: {3: 0}}
    assert H.to_dicts() == {0: {0: 0, 1: 1, 2: 1}, 1: {1: 1, 2: 2}, 2: {2: 2}, 3: {3: 3}}
    assert D.isequal(gl.sssp(G, sources=range(4)), check_dtype=True)
    filled, hops = gl.apsp(G, method=name, next_hops=True, dense=True)
    top = np.iinfo("int32").max
    assert filled.tolist() == [[0, 4, 7, top], [top, 0, 3, top], [top, top, 0, top], [top, top, top, 0]]
    assert hops.tolist() == [[0, 1, 1, -1], [-1, 1, 2, -1], [-1, -1, 2, -1], [-1, -1, -1, 3]]
    gl.apsp.verify(G, filled, hops)


def test_dense_is_the_array_that_the_method_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a copy, and of floats with inf where there is no path."""
    made: list[Any] = []
    method = gl.apsp.methods["sssp_sweep"]
    run = method.runs["cpu"]

    def remember(*args: Any, **options: Any) -> Any:
        made.extend(run(*args, **options))
        return tuple(made)

    monkeypatch.setitem(method.runs, "cpu", remember)
    G = gl.Graph(([0], [1], [0.5]), n=3, engine=get_engine_named("cpu"))
    D, H = gl.apsp(G, method="sssp_sweep", next_hops=True, dense=True)
    assert D is made[0]
    assert H is made[1]
    assert D.tolist() == [[0, 0.5, np.inf], [np.inf, 0, np.inf], [np.inf, np.inf, 0]]


@pytest.mark.parametrize(("name", "on"), CASES)
def test_no_vertices(name: str, on: str) -> None:
    G = gl.Graph(([], []), n=0, engine=get_engine_named(on))
    assert gl.apsp(G, method=name).shape == (0, 0)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [1, 2])
def test_no_race_in_any_order_of_threads(seed: int) -> None:
    shuffled = CudaEngine(np, make_loader(build="checked", seed=seed))
    for W, dtype, options in (
        (GRAPHS["over a tile"], "float32", {}),
        (GRAPHS["zeros"], "int32", {"dtype": "INT16"}),
        (GRAPHS["zeros"], "float32", {"next_hops": True}),
        (SIGNED["tilted"], "int32", {"next_hops": True}),
    ):
        G = make_graph(W, dtype, shuffled)
        found = gl.apsp(G, method="blocked_floyd_warshall", **options)
        D = found[0] if isinstance(found, tuple) else found
        np.testing.assert_array_equal(to_cells(D), compute_expected(W, D.dtype.numpy))


def test_what_fits_nowhere_is_refused() -> None:
    G = make_graph(GRAPHS["ragged"], "float32", get_engine_named("cpu"))
    with gl.config.set(memory_limit=5000), pytest.raises(OutOfMemory, match=r"5,476 bytes.*output='file.npy'"):
        gl.apsp(G, method="blocked_floyd_warshall")


@pytest.mark.parametrize(
    ("dtype", "why"),
    [("INT8", "distances are"), ("half", "distances are"), ("INT32", "ask for FP32"), ("UINT32", "ask for FP32")],
)
def test_a_dtype_that_does_not_suit_is_refused(dtype: str, why: str) -> None:
    with pytest.raises(NotSupported, match=why):
        gl.apsp(
            make_graph(GRAPHS["ragged"], "float32", get_engine_named("cpu")),
            method="blocked_floyd_warshall",
            dtype=dtype,
        )
