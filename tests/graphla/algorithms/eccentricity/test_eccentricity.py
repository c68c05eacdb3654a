"""Eccentricities and diameters by every method against SciPy's distances; the verifiers against wrong answers."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

import graphla as gl
from graphla.algorithms.eccentricity import _bounds
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import EDGELESS, make_directed
from tests.graphla.engine.engines import get_engine_named


def fresh(seed: int, kind: str = "int32", directed: bool = True, n: int = 40) -> gl.Graph:
    """A random graph of several components, with loops, hubs and vertices without an arc."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(2 * n) ** 2 * n).astype(int), rng.integers(0, n, 2 * n)
    weights = (rng.random(2 * n) * 9).astype(kind)
    if not directed:
        tails, heads, weights = np.r_[tails, heads], np.r_[heads, tails], np.r_[weights, weights]
    return gl.Graph((tails, heads, weights), n=n + 3, dup="min", engine="cpu")


def measure(G: gl.Graph, weights: bool) -> Any:
    """The largest finite entry of each row of SciPy's distances; explicit zeros are arcs."""
    A = G.A.to_scipy_sparse("csr").astype(float)
    if not weights:
        A.data[:] = 1
    D = shortest_path(A, unweighted=not weights)
    return np.where(np.isfinite(D), D, 0).max(axis=1)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("name", "engine"), list_cases(gl.eccentricity))
def test_random_graphs(name: str, engine: str, directed: bool) -> None:
    for kind, weights in (("int32", False), ("int32", True), ("float32", True)):
        seed = secrets.randbits(31)
        G = fresh(seed, kind, directed)
        expected, moved = measure(G, weights), G.to(get_engine_named(engine))
        found = gl.eccentricity(moved, weights=weights, method=name)
        assert found.dtype == ("INT32" if not weights else "INT64" if kind == "int32" else "FP64")
        np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-9, err_msg=f"seed {seed}")
        some = gl.eccentricity(moved, [3, 0, 3], weights=weights, method=name)
        assert sorted(some.to_dict()) == [0, 3]
        np.testing.assert_allclose([some[0].value, some[3].value], expected[[0, 3]], rtol=1e-9, err_msg=f"seed {seed}")


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("name", "engine"), list_cases(gl.diameter))
def test_diameters(name: str, engine: str, directed: bool) -> None:
    for kind, weights in (("int32", False), ("int32", True), ("float32", True)):
        seed = secrets.randbits(31)
        G = fresh(seed, kind, directed)
        expected = measure(G, weights).max()
        found = gl.diameter(G.to(get_engine_named(engine)), weights=weights, method=name)
        assert type(found) is (float if weights and kind == "float32" else int)
        assert found == pytest.approx(expected, rel=1e-9), seed


SHAPES = {
    **EDGELESS,
    "an arc": ([0], [1], 3),
    "a path": (range(1, 90), range(89), 90),
    "a ring": (range(61), np.roll(range(61), 1), 61),
    "a star": (range(1, 70), [0] * 69, 70),
    "a shallow tree, and a deep one": (range(1, 200), [*(np.arange(1, 100) // 9), *range(100, 200)], 201),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", gl.eccentricity.methods)
def test_corners(shape: str, name: str) -> None:
    tails, heads, n = SHAPES[shape]
    one = make_directed(tails, heads, n)
    both = gl.Graph(gl.binary.any(one.A | one.A.T).new())
    for G in (one, both):
        expected = measure(G, False) if n else np.zeros(0)
        assert gl.eccentricity(G, method=name).to_numpy().tolist() == expected.tolist()
        assert gl.eccentricity(G, [], method=name).nvals == 0
        largest = expected.max(initial=0)
        if name in list(gl.diameter.methods):
            assert gl.diameter(G, method=name) == largest
        assert gl.radius(G, method=name) == (expected.min() if n else 0)
        assert (
            sorted(gl.center(G, method=name).to_dict()) == np.flatnonzero(expected == expected.min(initial=n)).tolist()
        )
        assert sorted(gl.periphery(G, method=name).to_dict()) == np.flatnonzero(expected == largest).tolist()


def test_larger_graphs_and_many_searches_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods agree; the general bounds are used in the place of those of the CPU, too."""
    K, R = gl.generate.kronecker(9, engine="cpu"), gl.generate.road(600, engine="cpu")
    D = gl.Graph(gl.select.triu(K.A, 1).new())
    for G in (K, R, D):
        expected = gl.eccentricity(G, method="searches")
        assert gl.eccentricity(G).isequal(expected)
        s = gl.eccentricity.resolve(G)
        bounds = _bounds.begin(G, s)
        _bounds.search_until(G, s, bounds, largest=False)
        assert np.array_equal(bounds.low, expected.to_numpy())
        assert gl.diameter(G) == int(expected.to_numpy().max())


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("name", "engine"), list_cases(gl.eccentricity))
def test_sums_that_leave_a_dtype_in_one_direction(name: str, engine: str, turned: bool) -> None:
    """Distances from the vertices need INT64, those to them may not, or the other way round."""
    ends = ([3, 0, 3, 4, 0, 0, 2, 4], [1, 1, 2, 4, 4, 3, 1, 0])
    weights = np.array([2, 2, 3, 2, 2, 2**31 - 1, 1, 2**31 - 1], "int32")
    G = gl.Graph((*ends[:: -1 if turned else 1], weights), n=5, engine="cpu")
    found = gl.eccentricity(G.to(get_engine_named(engine)), weights=True, method=name)
    np.testing.assert_array_equal(found.to("cpu").to_numpy(0), measure(G, weights=True).astype("int64"))


def test_bounds_by_sweeps() -> None:
    for seed in range(6):
        weights = bool(seed % 2)
        G = fresh(secrets.randbits(31), ("int32", "float64")[seed // 3], directed=bool(seed // 2 % 2))
        exact = measure(G, weights).max()
        last = (0.0, np.inf)
        for sweeps in (1, 2, 5, 50, 500):
            low, high = gl.diameter(G, weights=weights, sweeps=sweeps)
            assert last[0] <= low <= exact * (1 + 1e-12)
            assert exact * (1 - 1e-12) <= high <= last[1]
            last = low, high
        assert low == pytest.approx(exact)
        assert high == pytest.approx(exact)
    assert gl.diameter(gl.Graph(([], []), n=3), sweeps=1) == (0, 0)
    assert gl.diameter(gl.generate.path(100), sweeps=2) == (99, 99)


def test_the_bounds_of_a_graph_whose_distances_nearly_fill_64_bits() -> None:
    G = gl.Graph(([0, 1], [1, 2], np.array([2**62, 2**62 - 5])), engine="cpu")
    for name in ("algebraic", "searches", "bounding"):
        assert gl.eccentricity(G, weights=True, method=name).to_numpy().tolist() == [2**63 - 5, 2**62 - 5, 0]
    G = gl.Graph(([0], [1], np.array([2**63 + 5], "uint64")), engine="cpu")
    with pytest.raises(NotSupported, match="'searches' of eccentricity adds none"):
        gl.eccentricity(G, weights=True, method="bounding")


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    for call in (gl.eccentricity, gl.diameter, gl.radius, gl.center, gl.periphery):
        with pytest.raises(NotSupported, match="no method 'ifub'"):
            call(G, method="ifub")
        with pytest.raises(GraphlaError, match="int is no Graph"):
            call(3)  # type: ignore[arg-type]
        with pytest.raises(InvalidGraph, match="the smallest weight is -4"):
            call(gl.Graph(([0], [1], [-4])), weights=True)
        with pytest.raises(InvalidOption, match="weights='km'"):
            call(G, weights="km")  # type: ignore[arg-type]
    with pytest.raises(InvalidGraph, match="sources=99 is no vertex"):
        gl.eccentricity(G, [0, 99])
    with pytest.raises(InvalidOption, match="sweeps=0"):
        gl.diameter(G, sweeps=0)
    with pytest.raises(NotSupported, match="bounds have one method"):
        gl.diameter(G, sweeps=3, method="algebraic")  # type: ignore[call-overload]
    with pytest.raises(DimensionMismatch, match="values=3"):
        gl.eccentricity.verify(G, 3)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="value='far'"):
        gl.diameter.verify(G, "far")  # type: ignore[arg-type]


def test_the_verifiers_find_wrong_answers() -> None:
    G = fresh(3)
    values = gl.eccentricity(G)
    values[2] = values[2].value + 1
    with pytest.raises(VerificationError, match=r"vertex 2 has .* instead of"):
        gl.eccentricity.verify(G, values)
    with pytest.raises(VerificationError, match=r"vertex 1 has nan"):
        gl.eccentricity.verify(G, gl.eccentricity(G, [0]), [0, 1])
    with pytest.raises(VerificationError, match="diameter: 99 instead of"):
        gl.diameter.verify(G, 99)


def test_comparisons() -> None:
    for problem, name, options in (
        ("eccentricity", "searches", {"weights": True}),
        ("eccentricity", "bounding", {"sources": [1, 4]}),
        ("diameter", "bounding", {}),
    ):
        found = gl.compare(problem, fresh(3), repeat=1, **options)
        assert {row.status for row in found} == {"right"}, str(found)
        assert {row.name for row in found} >= {"algebraic", name, "NetworkX"}
