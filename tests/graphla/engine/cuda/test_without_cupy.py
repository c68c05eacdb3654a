"""What list kernels do in the place of CuPy's functions: the answers of the CPU."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from engines import get_engine_with_lists

import graphla as gl
from graphla import binary
from graphla.common.errors import InvalidOption, ValueOutOfRange

N = 300
DTYPES = "BOOL", "INT8", "INT32", "FP32", "FP64", "FC64"


@pytest.fixture(
    params=[pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    return get_engine_with_lists(request.param, monkeypatch)


def draw_vector(bits: np.random.Generator, share: float, dtype: str, engine: Any) -> gl.Vector:
    """A vector with entries at a share of the places, a third of them 0."""
    places = np.flatnonzero(bits.random(N) < share)
    return gl.Vector.from_coo(places, bits.integers(-1, 2, places.size), dtype, size=N, engine=engine)


def take_entries(vector: Any) -> list[Any]:
    return [part.tolist() for part in vector.to("cpu").to_coo()]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("share", [0.02, 0.6, 1.0])
def test_writes_of_vectors_under_masks(engine: Any, share: float, dtype: str) -> None:
    bits = np.random.default_rng(int(100 * share))
    for of, masked in itertools.product((0.02, 0.6, 1.0), repeat=2):
        drawn = [draw_vector(bits, each, dtype, "cpu") for each in (share, of, masked)]
        for kind, replace in itertools.product(("S", "V", "~S", "~V"), (False, True)):
            written = list[Any]()
            for place in ("cpu", engine):
                w, u, m = (one.to(place) for one in drawn)
                mask = getattr(m, kind[-1])
                mask = ~mask if kind[0] == "~" else mask
                w(mask, replace=replace) << u
                written.append([take_entries(w), take_entries(u.dup(mask=mask))])
            assert written[0] == written[1], (kind, replace, of, masked)


def test_first_values_of_rounds(engine: Any) -> None:
    G = gl.generate.kronecker(7, seed=1, weights=(1, 9), engine="cpu")
    H, bits = G.to(engine), np.random.default_rng(5)
    for start in (bits.random(G.n), bits.random(G.n).astype("float32"), bits.integers(0, 3, G.n)):
        for solve in (gl.pagerank, gl.eigenvector):
            expected = solve(G, start=start).to_dense(0)
            found = H.engine.to_host(solve(H, start=H.engine.asarray(start)).to_dense(0))
            np.testing.assert_allclose(found, expected, atol=1e-5)
        for value in (np.nan, np.inf, -1):
            bad = start.astype("float64")
            bad[7] = value
            with pytest.raises(InvalidOption, match="start"):
                gl.pagerank(H, start=H.engine.asarray(bad))
    with pytest.raises(InvalidOption, match="one is positive"):
        gl.pagerank(H, start=H.engine.asarray(np.zeros(G.n)))


def test_casts_of_matrices(engine: Any) -> None:
    values = np.array([[0.0, 1.5, np.inf], [0.1, 0.0, np.nan], [-0.0, 3.0, 2.0**-149]])
    for missing, dtype in itertools.product((None, 0), (None, "FP32", "FP64", "BOOL")):
        expected = gl.Matrix.from_dense(values, missing, dtype, engine="cpu").to_coo()
        found = gl.Matrix.from_dense(engine.asarray(values), missing, dtype, engine=engine).to("cpu").to_coo()
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other, strict=True)
    A = gl.Matrix.from_dense(engine.asarray(values), 0, engine=engine)
    np.testing.assert_array_equal(A.dup("FP32").to("cpu").to_coo()[2], values[values != 0].astype("float32"))
    values[1, 1] = 1e39
    for call in (
        lambda: gl.Matrix.from_dense(engine.asarray(values), 0, "FP32", engine=engine),
        lambda: gl.Matrix.from_dense(engine.asarray(values), 0, engine=engine).dup("FP32"),
    ):
        with pytest.raises(ValueOutOfRange, match="1e\\+39"):
            call()


def test_repeated_entries_and_factors(engine: Any) -> None:
    bits = np.random.default_rng(9)
    tails, heads, weights = bits.integers(0, 40, (2, 500)), bits.integers(0, 40, 500), bits.integers(1, 9, 500)
    made = [
        gl.Matrix.from_coo(tails[0], heads, weights, nrows=40, ncols=40, dup_op=binary.plus, engine=place)
        for place in ("cpu", engine)
    ]
    assert made[0].isequal(made[1].to("cpu"))
    found = [gl.roads.prepare(gl.Graph(each)).distances([0, 5], range(40)) for each in made]
    np.testing.assert_array_equal(found[0], engine.to_host(found[1]))
