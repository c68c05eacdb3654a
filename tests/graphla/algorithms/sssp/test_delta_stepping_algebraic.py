"""Delta-stepping as matrix expressions, against SciPy and against the verifier, on fresh graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import KINDS

import graphla as gl
from graphla.algorithms.shared.weights import distance_dtype
from graphla.algorithms.sssp import delta_stepping_algebraic as method
from graphla.algorithms.sssp._verify import compute_reference_distances
from graphla.common.errors import NotSupported

NAME = "delta_stepping_algebraic"
ENGINES = ["cpu", pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]


def make_graph(kind: str, dtype: str, on: str = "cpu", seed: int | None = None, factor: float = 1) -> gl.Graph:
    from tests.graphla.engine.engines import get_engine_named

    n, rows, cols, weights = KINDS[kind](np.random.default_rng(seed))
    return gl.Graph((rows, cols, (weights * factor).astype(dtype)), n=n, engine=get_engine_named(on))


def check(G: gl.Graph, source: int, **options: Any) -> None:
    """The distances are SciPy's, and walking back gives paths of that length."""
    d, p = gl.sssp(G, source, method=NAME, parents=True, **options)
    gl.sssp.verify(G, source, d, p)
    csr = [G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices, G.csr.values)]
    assert d.dtype.numpy == distance_dtype(csr[2].dtype).name
    wanted = compute_reference_distances(G.n, *csr, source)
    np.testing.assert_allclose(d.to_numpy(np.inf), wanted, rtol=1e-5)


@pytest.mark.parametrize("on", ENGINES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_graph(kind: str, on: str) -> None:
    G = make_graph(kind, "int32", on)
    if (G.min_weight or 0) < 0:
        with pytest.raises(NotSupported, match=r"smallest weight is -.*'algebraic' takes negative"):
            gl.sssp(G, 0, method=NAME)
    else:
        check(G, G.n // 3)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint32", "int64", "uint64", "float32", "float64"])
@pytest.mark.parametrize("kind", ["kron", "grid", "zeros"])
def test_every_dtype(kind: str, dtype: str) -> None:
    check(make_graph(kind, dtype, factor=0.3), 1)


@pytest.mark.parametrize("delta", [1e-3, 1, 17.5, 90, 1e9, float("inf")])
@pytest.mark.parametrize("kind", ["kron", "grid", "heavy_tail"])
def test_any_step(kind: str, delta: float) -> None:
    check(make_graph(kind, "int32"), 2, delta=delta)
    check(make_graph(kind, "float32", factor=1.1e-3), 2, delta=delta)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_large_random_graphs(seed: int, dtype: str) -> None:
    random = np.random.default_rng()
    n = int(random.integers(3000, 9000))
    rows, cols = random.integers(0, n, (2, n * (2 + seed)))
    weights = 10 ** random.uniform(0, 1 + 2 * seed, rows.size)
    G = gl.Graph((rows, cols, weights.astype(dtype)), n=n, dup="min", engine="cpu")
    check(G, int(rows[0]))


def test_heavy_arcs_wait_for_the_end_of_their_bucket() -> None:
    """The arcs are set apart: a light detour settles vertices before the heavy arc to them is looked at."""
    G = gl.Graph(([0, 0, 1, 2, 3, 0], [4, 1, 2, 3, 4, 5], [100, 1, 1, 1, 1, 90]), n=6, engine="cpu")
    check(G, 0, delta=10)
    tails = gl.generate.kronecker(9, weights=(1, 255), engine="cpu")
    arcs = method.split_arcs(tails, method.choose_step(tails))
    assert arcs.heavy is not None
    assert arcs.light.nvals + arcs.heavy.nvals == tails.nvals
    heaviest, lightest = (m.reduce_scalar(op).new().value for m, op in ((arcs.light, "max"), (arcs.heavy, "min")))
    assert heaviest <= arcs.step < lightest


def test_narrow_buckets_are_left_for_wider_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step far too small has a bucket for each vertex; it doubles after each that has next to nothing to do."""
    G = gl.Graph((np.arange(200), np.arange(1, 201), np.full(200, 50)), n=201, engine="cpu")
    ends: list[int] = []
    end_of = method.compute_bucket_end
    monkeypatch.setattr(method, "compute_bucket_end", lambda *given: ends.append(int(end := end_of(*given))) or end)
    check(G, 0, delta=1)
    assert len(ends) < 60
    assert ends == sorted(set(ends))


def test_negative_weights_are_refused_with_the_reason() -> None:
    G = gl.Graph(([0, 1], [1, 2], [1.0, -1.0]), n=3, engine="cpu")
    with pytest.raises(NotSupported, match=r"the smallest weight is -1.0; method 'algebraic' takes negative weights"):
        gl.sssp(G, 0, method=NAME)


def test_a_step_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="delta=0: the step must be greater"):
        gl.sssp(make_graph("grid", "int32"), 0, method=NAME, delta=0)


def test_it_is_not_the_default() -> None:
    assert gl.sssp.choose(make_graph("grid", "int32"), None, {"parents": False}).name == "delta_stepping"
