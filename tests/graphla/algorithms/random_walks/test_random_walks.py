"""Random walks: the same by every method and engine, drawn as often as they should be, and checked by the verifier."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest
from scipy import stats

import graphla as gl
from graphla.algorithms.shared.random_words import multiply_high
from graphla.algorithms.shared.weight_sums import add_up_weights
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import make_directed
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.random_walks)
UNLIKELY = 1e-7
"""A fair draw fails a test of so small a level once in ten million runs."""


def fresh(seed: int, kind: str = "int32", n: int = 60, arcs: int = 300) -> gl.Graph:
    """A random graph with hubs, loops, weights of zero, and vertices without an arc."""
    rng = np.random.default_rng(seed)
    tails, heads = (rng.random(arcs) ** 2 * n).astype(int), rng.integers(0, n, arcs)
    weights = (rng.random(arcs) ** 3 * 9).astype(kind)
    return gl.Graph((tails, heads, weights), n=n + 3, dup="first", engine="cpu")


@pytest.mark.parametrize("kind", ["int32", "float32"])
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_walks_are_the_same_everywhere(name: str, engine: str, kind: str) -> None:
    seed = secrets.randbits(31)
    G = fresh(seed, kind)
    for options in ({}, {"weights": True}, {"walks": 3, "starts": [5, 0, 5]}):
        expected = gl.random_walks(G, 9, seed=seed, method="walkers", **options)
        found = gl.random_walks(G.to(get_engine_named(engine)), 9, seed=seed, method=name, **options)
        assert (found.dtype, found.shape) == ("INT32", expected.shape)
        assert found.to("cpu").isequal(expected), seed
        gl.random_walks.verify(G, expected, 9, **options)


@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_walks_with_p_and_q_are_the_same_on_both_engines(engine: str) -> None:
    seed = secrets.randbits(31)
    G = fresh(seed)
    for options in ({"p": 4.0, "q": 0.5}, {"p": 0.25, "q": 2.0, "weights": True}):
        expected = gl.random_walks(G, 12, seed=seed, **options)
        assert gl.random_walks(G.to(get_engine_named(engine)), 12, seed=seed, **options).to("cpu").isequal(expected)
        gl.random_walks.verify(G, expected, 12, weights="weights" in options)
        assert not expected.isequal(gl.random_walks(G, 12, seed=seed, weights="weights" in options))


def test_arcs_are_drawn_by_their_weights() -> None:
    weights = np.array([1, 5, 0, 2, 12], "int32")
    G = gl.Graph(([0] * 5, range(1, 6), weights), engine="cpu")
    seed = secrets.randbits(31)
    for options, share in (({}, np.full(5, 0.2)), ({"weights": True}, weights / weights.sum())):
        found = gl.random_walks(G, 1, [0], walks=40_000, seed=seed, **options).to_dense(-1)[:, 1]
        counts = np.bincount(found, minlength=6)[1:]
        assert counts[share == 0].sum() == 0
        expected = share[share > 0] * found.size
        assert stats.chisquare(counts[share > 0], expected).pvalue > UNLIKELY, seed


def test_steps_of_node2vec_are_drawn_by_their_factors() -> None:
    """From 0 to 1; back to 0 counts 1 / p, on to 2, which 0 has an arc to, 1, and to 3 and 4 1 / q each."""
    edges = np.array([(0, 1), (1, 2), (0, 2), (1, 3), (1, 4)]).T
    G = gl.Graph(tuple(np.concatenate([edges, edges[::-1]], axis=1)), engine="cpu")
    p, q, seed = 4.0, 0.5, secrets.randbits(31)
    found = gl.random_walks(G, 2, [0], walks=60_000, p=p, q=q, seed=seed).to_dense(-1)
    counts = np.bincount(found[found[:, 1] == 1, 2], minlength=5)[[0, 2, 3, 4]]
    factors = np.array([1 / p, 1, 1 / q, 1 / q])
    assert stats.chisquare(counts, factors / factors.sum() * counts.sum()).pvalue > UNLIKELY, seed


def test_walks_do_not_depend_on_each_other_and_differ() -> None:
    G = gl.generate.kronecker(8, engine="cpu")
    hub = int(G.degrees.argmax())
    walks = gl.random_walks(G, 30, [hub], walks=200).to_dense(-1)
    assert np.unique(walks, axis=0).shape[0] == 200
    assert (gl.random_walks(G, 10, [hub], walks=50).to_dense(-1) == walks[:50, :11]).all()
    other = gl.random_walks(G, 30, [hub], walks=200, seed=1).to_dense(-1)
    assert (other[:, 1] != walks[:, 1]).any()


def test_sums_of_weights_are_exact_and_fill_their_words() -> None:
    rng = np.random.default_rng(3)
    weights = 10.0 ** rng.uniform(-30, 30, 400)
    G = gl.Graph((rng.integers(0, 20, 400), rng.integers(0, 90, 400), weights), n=90, dup="first", engine="cpu")
    sums = add_up_weights(G)
    for u in range(20):
        row = slice(G.csr.indptr[u], G.csr.indptr[u + 1])
        mine = np.diff(sums[row].astype(object), prepend=0).astype(float)
        np.testing.assert_allclose(mine / mine.sum(), G.csr.values[row] / G.csr.values[row].sum(), atol=1e-14)
        assert 2**55 < int(sums[row][-1]) < 2**62


def test_products_of_words() -> None:
    rng = np.random.default_rng(secrets.randbits(31))
    a, b = rng.integers(0, 2**64, 500, np.uint64), rng.integers(0, 2**63, 500, np.uint64)
    right = [int(x) * int(y) >> 64 for x, y in zip(a, b, strict=True)]
    assert multiply_high(a, b).tolist() == right


SHAPES = {"empty": ([], [], 0), "no arcs": ([], [], 4), "a loop": ([0], [0], 1), "a path": (range(9), range(1, 10), 10)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    G = make_directed(tails, heads, n).to(get_engine_named(engine))
    for length in (0, 1, 12):
        found = gl.random_walks(G, length, method=name)
        assert found.shape == (n, length + 1)
        gl.random_walks.verify(G, found, length)
    assert gl.random_walks(G, 3, [], method=name).shape == (0, 4)
    nothing = gl.Graph(([0], [1], [0]), engine="cpu").to(get_engine_named(engine))
    assert gl.random_walks(nothing, 2, weights=True, method=name).to_dicts() == {0: {0: 0}, 1: {0: 1}}


@pytest.mark.emulated
def test_the_kernel_in_any_order_of_threads() -> None:
    engine = CudaEngine(np, make_loader(build="checked", seed=0, resident=3))
    G = gl.generate.kronecker(7, weights=(1, 9), engine="cpu")
    options: dict[str, Any] = {"weights": True, "p": 2.0, "q": 0.5, "walks": 2}
    assert gl.random_walks(G.to(engine), 6, **options).to("cpu").isequal(gl.random_walks(G, 6, **options))


def test_bad_input_is_refused() -> None:
    G = fresh(1)
    for options, message in (
        ({"length": -1}, "length=-1"),
        ({"length": 1.5}, "length=1.5"),
        ({"walks": 0}, "walks=0"),
        ({"p": 0}, "p=0: give a number above 0"),
        ({"q": "far"}, "q='far'"),
        ({"p": 1e9}, r"may differ by a factor of 2\*\*20"),
        ({"seed": -1}, "seed=-1"),
        ({"weights": "km"}, "weights='km'"),
    ):
        with pytest.raises(InvalidOption, match=message):
            gl.random_walks(G, **{"length": 3, **options})
    with pytest.raises(InvalidGraph, match="starts=99 is no vertex"):
        gl.random_walks(G, 3, [99])
    for weight, message in ((-4, "a weight is -4"), (np.inf, "a weight is inf")):
        with pytest.raises(InvalidGraph, match=message):
            gl.random_walks(gl.Graph(([0], [1], [weight])), 3, weights=True)
    with pytest.raises(NotSupported, match="method 'walkers' takes them"):
        gl.random_walks(G, 3, p=2, method="algebraic")
    with pytest.raises(NotSupported, match="no method 'alias'"):
        gl.random_walks(G, 3, method="alias")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.random_walks(3, 3)  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="give a matrix of shape"):
        gl.random_walks.verify(G, gl.random_walks(G, 3), 4)


def test_the_verifier_finds_what_is_no_walk() -> None:
    G = gl.Graph(([0, 1, 2, 3], [1, 2, 0, 0], [1, 1, 1, 0]), n=5, engine="cpu")
    for row, message in (
        ([0, 2, 0], "walk 0 goes 0 → 2, which is no arc"),
        ([1, 2, 0], "walk 0 begins at 1 instead of 0"),
        ([0, 1, -1], "walk 0 ends at 1, from which an arc leads on"),
        ([4, -1, 1], "walk 0 goes on after its end"),
    ):
        found = gl.Matrix._from_sentinel(np.array([row], "int32"), -1, G.engine)
        with pytest.raises(VerificationError, match=message):
            gl.random_walks.verify(G, found, 2, [4 if row[0] == 4 else 0])
    found = gl.Matrix._from_sentinel(np.array([[3, 0, 1]], "int32"), -1, G.engine)
    gl.random_walks.verify(G, found, 2, [3])
    with pytest.raises(VerificationError, match="3 → 0, which is no arc"):
        gl.random_walks.verify(G, found, 2, [3], weights=True)


def test_a_comparison() -> None:
    found = gl.compare("random_walks", fresh(3), repeat=1, length=4, weights=True, seed=3)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} == {"algebraic", "walkers"}
