"""Distances that leave the dtype of the weights: no vertex is lost in silence, by any method on any engine."""

from __future__ import annotations

import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.apsp import _streamed, batches
from graphla.algorithms.shared import distance_range
from graphla.common import errors as common_errors
from graphla.common.errors import Overflow, VerificationError
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.measuring.peers.peer import convert_distances
from tests.emulator import make_loader

TOP = 2**31 - 1  # no path, in INT32
ENGINES = ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)]


@cache
def get_engine_named(name: str) -> Any:
    return get_engine("cpu") if name == "cpu" else CudaEngine(np, make_loader(build="plain"))


def list_methods(problem: Any) -> list[Any]:
    """A case for each method and engine."""
    return [
        pytest.param(name, on, id=f"{name}-{on}", marks=[pytest.mark.emulated] if on == "cuda" else [])
        for name, method in problem.methods.items()
        for on in method.engines
        if not ("algebraic" in name and on == "cuda")  # the same expressions
    ]


def make_path(weights: Any, on: str, dtype: str | None = None) -> gl.Graph:
    """A path with these weights, and a vertex apart."""
    values = np.array(weights, dtype)
    here = np.arange(values.size)
    return gl.Graph((here, here + 1, values), n=values.size + 2, engine=get_engine_named(on))


def list_fitting(problem: Any, G: gl.Graph) -> list[Any]:
    """The methods that take this graph."""
    return [(name, method) for name, method in problem.methods.items() if not method.refusal(G, {})]


@pytest.mark.parametrize(
    "problem", [gl.betweenness, gl.closeness, gl.eccentricity, gl.radius, gl.center, gl.periphery, gl.diameter]
)
def test_what_weighs_paths_says_that_they_may_be_too_long(problem: Any) -> None:
    G = make_path([2**62, 2**62, 2**62], "cpu", "int64")
    G = gl.Graph(gl.binary.max(G.A | G.A.T).new())
    with pytest.raises(gl.errors.Overflow):
        problem(G, weights=True)
    text = problem.__doc__ if inspect.isfunction(problem) else type(problem).__call__.__doc__
    assert "Overflow" in text.split("Raises")[1]


def test_every_error_is_found_where_users_look() -> None:
    made = [value for value in vars(common_errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert {error.__name__ for error in made} == set(gl.errors.__all__)


def to_row(distances: Any) -> dict[int, Any]:
    return distances.to_dict()


@pytest.mark.parametrize(("name", "on"), list_methods(gl.sssp))
@pytest.mark.parametrize(("dtype", "weight"), [("int32", 2**30 + 7), ("uint32", 2**31 + 7), ("float32", 2.0**127)])
def test_searches_widen(name: str, on: str, dtype: str, weight: Any) -> None:
    G = make_path([weight] * 4, on, dtype)
    d, parents = gl.sssp(G, 0, method=name, parents=True)
    assert d.dtype.name == ("FP64" if dtype == "float32" else "INT64")
    assert to_row(d) == {k: k * weight for k in range(5)}
    gl.sssp.verify(G, 0, d, parents)
    near = gl.sssp(G, 3, method=name)
    assert (near.dtype.numpy, to_row(near)) == (dtype, {3: 0, 4: weight})


OTHERS = [("uint32", 2**31 + 7, "sssp_sweep"), ("float32", 2.0**127, "johnson"), ("float32", 2.0**127, "algebraic")]


@pytest.mark.parametrize(
    ("name", "on", "dtype", "weight"),
    [pytest.param(*case.values, "int32", 2**30 + 7, id=case.id, marks=case.marks) for case in list_methods(gl.apsp)]
    + [pytest.param(name, "cpu", dtype, weight, id=f"{name}-{dtype}") for dtype, weight, name in OTHERS],
)
def test_all_pairs_widen(name: str, on: str, dtype: str, weight: Any) -> None:
    G = make_path([weight] * 4, on, dtype)
    D, H = gl.apsp(G, method=name, next_hops=True)
    assert D.dtype.name == ("FP64" if dtype == "float32" else "INT64")
    assert D.to_dicts() == {**{i: {j: (j - i) * weight for j in range(i, 5)} for i in range(5)}, 5: {5: 0}}
    gl.apsp.verify(G, D, H)


@pytest.mark.parametrize("on", ENGINES)
def test_what_fits_stays(on: str) -> None:
    """Up to the last number before infinity; also where heavy arcs are of no use, or vertices out of reach."""
    for weights in ([TOP - 11, 5, 5], [TOP - 1]):
        d = gl.sssp(make_path(weights, on, "int32"), 0)
        assert (d.dtype.name, d.to_dict()[len(weights)]) == ("INT32", TOP - 1)
    d = gl.sssp(make_path([TOP - 11, 5, 6], on, "int32"), 0)
    assert (d.dtype.name, d.to_dict()[3]) == ("INT64", TOP)
    heavy = gl.Graph(([0, 1, 0], [1, 2, 2], np.array([7, TOP - 3, 9], "int32")), n=5, engine=get_engine_named(on))
    assert not distance_range.fits(heavy, np.dtype("int32"))
    assert gl.sssp(heavy, 0).dtype.name == gl.apsp(heavy).dtype.name == "INT32"


@pytest.mark.parametrize("on", ENGINES)
def test_a_path_of_five_thousand_arcs(on: str) -> None:
    n = 5001 if on == "cpu" else 2500
    G = gl.Graph(
        (np.arange(n - 1), np.arange(1, n), np.full(n - 1, 1_000_000, "int32")), n=n, engine=get_engine_named(on)
    )
    d = gl.sssp(G, 0)
    assert d.to_numpy().tolist() == [v * 1_000_000 for v in range(n)]
    gl.sssp.verify(G, 0, d)
    assert gl.shortest_path(G, 0, n - 1) == list(range(n))


@pytest.mark.parametrize("on", ENGINES)
def test_many_sources_widen_together(on: str) -> None:
    G = make_path([2**30 + 7] * 3, on, "int32")
    d, parents = gl.sssp(G, sources=[2, 0], parents=True)
    assert (d.dtype.name, d.to_dicts()) == (
        "INT64",
        {0: {2: 0, 3: 2**30 + 7}, 1: {k: k * (2**30 + 7) for k in range(4)}},
    )
    assert parents.to_dicts()[1] == {0: 0, 1: 0, 2: 1, 3: 2}
    assert gl.sssp(G, sources=[2, 0], method="algebraic").isequal(d)
    assert gl.sssp(G, sources=[2, 3]).dtype.name == "INT32"


def make_signed(on: str) -> gl.Graph:
    """The way to 2 leaves INT32 and comes back; that to 4 leaves it at the other end."""
    arcs = [0, 1, 0, 3, 4], [1, 2, 3, 4, 5]
    weights = [TOP - 5, 10, -TOP, -TOP, 2 * 10**9]
    return gl.Graph((*arcs, np.array(weights, "int32")), n=6, engine=get_engine_named(on))


@pytest.mark.parametrize("name", ["algebraic", "many"])
def test_negative_weights_widen(name: str) -> None:
    G, right = make_signed("cpu"), {0: 0, 1: TOP - 5, 2: TOP + 5, 3: -TOP, 4: -2 * TOP, 5: 2 * 10**9 - 2 * TOP}
    if name == "many":
        assert gl.sssp(G, sources=[0]).to_dicts() == {0: right}
        return
    d, parents = gl.sssp(G, 0, method=name, parents=True)
    assert (d.dtype.name, to_row(d)) == ("INT64", right)
    gl.sssp.verify(G, 0, d, parents)


@pytest.mark.parametrize(("name", "on"), [case for case in list_methods(gl.apsp) if case.values[0] != "sssp_sweep"])
def test_all_pairs_with_negative_weights_widen(name: str, on: str) -> None:
    G = make_signed(on)
    D, H = gl.apsp(G, method=name, next_hops=True)
    assert D.dtype.name == "INT64"
    assert D.to_dicts()[0] == {0: 0, 1: TOP - 5, 2: TOP + 5, 3: -TOP, 4: -2 * TOP, 5: 2 * 10**9 - 2 * TOP}
    gl.apsp.verify(G, D, H)


@pytest.mark.parametrize(("dtype", "weight"), [("int64", 2**62 + 7), ("uint64", 2**63 + 7), ("float64", 1e308)])
@pytest.mark.parametrize("on", ENGINES)
def test_what_fits_nowhere_is_refused_with_the_arc(on: str, dtype: str, weight: Any) -> None:
    G = make_path([weight] * 3, on, dtype)
    calls = [
        lambda: gl.sssp(G, 0),
        lambda: gl.sssp(G, sources=[2, 0]),
        lambda: gl.shortest_path(G, 0, 3),
        *(lambda name=name: gl.apsp(G, method=name) for name, method in list_fitting(gl.apsp, G)),
    ]
    for call in calls if on == "cpu" else calls[:4]:
        with pytest.raises(Overflow, match=r"arc \d → \d of weight .* does not fit \w+: make the weights smaller"):
            call()
    assert gl.sssp(G, 2).to_dict() == {2: 0, 3: weight}
    if dtype == "int64":
        assert gl.sssp(gl.Graph(G.A.dup("FP64")), 0).to_dict()[3] == pytest.approx(3 * weight)


def test_an_arc_that_is_turned_round_is_named_as_it_stands() -> None:
    with pytest.raises(Overflow, match=r"arc (0 → 1|1 → 2)"):
        gl.apsp(make_path([2**62 + 7] * 2, "cpu", "int64"), method="sssp_sweep", next_hops=True)


@pytest.mark.parametrize("on", ENGINES)
def test_an_arc_of_infinite_weight_leads_nowhere(on: str) -> None:
    G = gl.Graph(([0, 1, 2], [1, 2, 3], np.array([1, np.inf, 2])), n=5, engine=get_engine_named(on))
    assert gl.sssp(G, 0).to_dict() == {0: 0, 1: 1}
    assert gl.apsp(G).to_dicts() == {0: {0: 0, 1: 1}, 1: {1: 0}, 2: {2: 0, 3: 2}, 3: {3: 0}, 4: {4: 0}}
    gl.sssp.verify(G, 0, gl.sssp(G, 0))
    gl.apsp.verify(G, gl.apsp(G))


def test_the_largest_integer_is_a_weight_like_others() -> None:
    G = make_path([TOP, 4], "cpu", "int32")
    assert gl.sssp(G, 0).to_dict() == {0: 0, 1: TOP, 2: TOP + 4}
    assert gl.apsp(G).to_dicts()[0] == {0: 0, 1: TOP, 2: TOP + 4}
    with pytest.raises(Overflow, match=r"arc 0 → 1 of weight 9223372036854775807"):
        gl.sssp(make_path([2**63 - 1], "cpu", "int64"), 0)


def test_verifiers_find_lost_vertices() -> None:
    G = make_path([2**30 + 7] * 3, "cpu", "int32")
    raw, _ = gl.sssp.methods["delta_stepping"].run(G, 0)
    assert raw.tolist() == [0, 2**30 + 7, TOP, TOP, TOP]
    with pytest.raises(VerificationError, match=r"vertex 2: has no distance, but the arc from 1 of weight 1073741831"):
        gl.sssp.verify(G, 0, gl.Vector._from_sentinel(raw, TOP, G.engine))
    D = gl.apsp(G, dense=True)
    D[D > TOP] = np.iinfo("int64").max
    with pytest.raises(VerificationError, match=r"no distance, but the arc 1 → 2"):
        gl.apsp.verify(G, gl.Matrix._from_sentinel(D.clip(None, TOP).astype("int32"), TOP, G.engine))


def test_peers_answer_in_the_same_dtype() -> None:
    for dtype, far, wide in (("int32", TOP, "int64"), ("float32", 1e39, "float64")):
        weights = np.ones(1, dtype)
        assert convert_distances([0.0, 5.0, np.inf], weights).dtype == dtype
        assert convert_distances([0.0, float(far), np.inf], weights).tolist()[1] == far
        assert convert_distances([0.0, float(far), np.inf], weights).dtype == wide


FILES = ["blocked_floyd_warshall", "sssp_sweep", "johnson"]


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_written_in_the_wider_dtype(name: str, tmp_path: Path) -> None:
    G, output = make_path([2**30 + 7] * 6, "cpu", "int32"), tmp_path / "d.npy"
    D = gl.apsp(G, method=name, output=output)
    assert D.dtype.name == np.load(output).dtype.name.upper() == "INT64"
    assert np.load(output)[0, 6] == 6 * (2**30 + 7)
    assert [each.name for each in tmp_path.iterdir()] == ["d.npy"]


class Stop(Exception):
    """The run is stopped from outside."""


@pytest.mark.parametrize("name", ["blocked_floyd_warshall", "sssp_sweep"])
def test_a_wider_run_that_was_stopped_goes_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    G, output, parts = make_path([2**30 + 7] * 130, "cpu", "int32"), tmp_path / "d.npy", list[int]()
    monkeypatch.setattr(batches, "CELLS", 132 * 40)

    def stop(done: int, total: int) -> None:
        note = tmp_path / "d.npy.unfinished.json"
        if json.loads(note.read_text())["dtype"] == "int64" and done > total // 2:
            raise Stop

    with pytest.raises(Stop):
        gl.apsp(G, method=name, output=output, progress=stop)
    assert json.loads((tmp_path / "d.npy.unfinished.json").read_text())["dtype"] == "int64"
    D = gl.apsp(G, method=name, output=output, progress=lambda done, total: parts.append(done))
    assert parts[0] > 40
    assert D.dtype.name == "INT64"
    assert np.load(output)[0, 130] == 130 * (2**30 + 7)


@pytest.mark.emulated
def test_streamed_through_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    n, streamed, dtypes = 700, _streamed.close_blocks, list[str]()

    def close(engine: Any, D: Any, *rest: Any) -> int:
        dtypes.append(D.dtype.name)
        return streamed(engine, D, *rest)

    monkeypatch.setattr(_streamed, "close_blocks", close)
    here = np.append(np.arange(23), 23 + np.arange(0, n - 23, 31))
    G = gl.Graph((here[:-1], here[1:], np.full(here.size - 1, 2**28, "int32")), n=n, engine=get_engine_named("cuda"))
    with gl.config.set(memory_limit=7_300_000):
        D = gl.apsp(G, method="blocked_floyd_warshall", dense=True)
    assert dtypes == ["int32", "int64"]
    assert D[0, here].tolist() == [k * 2**28 for k in range(here.size)]


def test_rows_are_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distance_range, "CELLS", 7)
    assert gl.apsp(make_path([2**30 + 7] * 4, "cpu", "int32")).to_dicts()[0][4] == 4 * (2**30 + 7)


@pytest.mark.parametrize("seed", range(6))
def test_random_weights_near_the_end_of_the_type(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = 12, 26
    rows, cols = rng.integers(0, n, (2, m))
    G = gl.Graph((rows, cols, rng.integers(1, TOP, m).astype("int32")), n=n, dup="min", engine="cpu")
    right = {0: 0}
    arcs = list(zip(*(part.tolist() for part in G.A.to_coo()), strict=True))
    for _ in range(n):
        for u, v, w in arcs:
            if u in right:
                right[v] = min(right.get(v, right[u] + w), right[u] + w)
    for name, _ in list_fitting(gl.sssp, G):
        d = gl.sssp(G, 0, method=name)
        assert (d.to_dict(), d.dtype.name) == (right, "INT64" if max(right.values()) >= TOP else "INT32")
