"""Similarities by every method against sets of neighbours; the verifier against wrong answers."""

from __future__ import annotations

import math
import secrets
from typing import Any

import numpy as np
import pytest

import graphla as gl
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
from tests.graphla.algorithms.graphs import EDGELESS, draw_undirected, list_neighbours, make_undirected
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.similarity)
KINDS: dict[str, Any] = {
    "adamic_adar": lambda a, b, near: sum(1 / math.log(len(near[z])) for z in a & b if len(near[z]) > 1),
    "common_neighbors": lambda a, b, near: len(a & b),
    "cosine": lambda a, b, near: len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0,
    "hub_depressed": lambda a, b, near: len(a & b) / max(len(a), len(b), 1),
    "jaccard": lambda a, b, near: len(a & b) / max(1, len(a | b)),
    "overlap": lambda a, b, near: len(a & b) / max(1, min(len(a), len(b))),
    "preferential_attachment": lambda a, b, near: len(a) * len(b),
    "resource_allocation": lambda a, b, near: sum(1 / len(near[z]) for z in a & b),
    "sorensen": lambda a, b, near: 2 * len(a & b) / max(1, len(a) + len(b)),
}


def check(G: gl.Graph, name: str, engine: str, kind: Any, rng: Any) -> None:
    """Given pairs, in any order and more than once; those of a mask; and those that arcs join."""
    near, moved = list_neighbours(G), G.to(get_engine_named(engine))
    us, vs = rng.integers(0, G.n, (2, 150))
    us[-5:], vs[-5:] = us[:5], vs[:5]
    expected = [KINDS[kind](near[u], near[v], near) for u, v in zip(us, vs, strict=True)]
    found = gl.similarity(moved, (us, vs), kind=kind, method=name)
    assert (found.dtype, found.nvals) == ("FP64", us.size)
    np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-12)
    mask = gl.Matrix.from_coo(us, vs, 1, nrows=G.n, ncols=G.n, engine=moved.engine)
    for pairs, matrix in ((mask, mask), (None, G.A.select("offdiag").new())):
        scores = gl.similarity(moved, pairs, kind=kind, method=name)
        rows, cols, values = (G.engine.to_host(part) for part in scores.to("cpu").to_coo())
        assert scores.nvals == matrix.nvals
        right = [KINDS[kind](near[u], near[v], near) for u, v in zip(rows.tolist(), cols.tolist(), strict=True)]
        np.testing.assert_allclose(values, right, rtol=1e-12)
    gl.similarity.verify(moved, found, (us, vs), kind=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str, kind: str) -> None:
    seed = secrets.randbits(32)
    try:
        check(draw_undirected(seed), name, engine, kind, np.random.default_rng(seed))
    except AssertionError as error:
        raise AssertionError(f"seed {seed}") from error


def test_every_kind_is_tested() -> None:
    assert sorted(KINDS) == sorted(gl.algorithms.similarity.formulas.KINDS)


SHAPES = {
    **EDGELESS,
    "a star": (range(1, 120), [0] * 119, 120),
    "a long row, and a short one": ([0] * 119 + [1] * 2, [*range(1, 120), 60, 119], 120),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    G = make_undirected(tails, heads, n)
    moved = G.to(get_engine_named(engine))
    every = np.divmod(np.arange(n * n), max(n, 1))
    for pairs in (None, "two_hops", "distance_two", every, ([], [])):
        gl.similarity.verify(
            moved, gl.similarity(moved, pairs, kind="adamic_adar", method=name), pairs, kind="adamic_adar"
        )


def test_pairs_two_arcs_apart() -> None:
    G = draw_undirected(4)
    near = list_neighbours(G)
    found = gl.jaccard(G, "two_hops")
    apart = {(u, v) for u in range(G.n) for v in range(G.n) if u != v and near[u] & near[v]}
    assert set(zip(*(part.tolist() for part in found.to_coo()[:2]), strict=True)) == apart
    assert found.isequal(gl.similarity(G, "two_hops", method="algebraic"))
    unknown = gl.jaccard(G, "distance_two")
    assert set(zip(*(part.tolist() for part in unknown.to_coo()[:2]), strict=True)) == {
        (u, v) for u, v in apart if v not in near[u]
    }
    assert gl.similarity(G, "distance_two", top=2).nvals < unknown.nvals < found.nvals


def test_a_larger_graph() -> None:
    G = gl.generate.kronecker(10, engine="cpu")
    found = gl.similarity(G, kind="resource_allocation")
    gl.similarity.verify(G, found, kind="resource_allocation")
    assert found.isclose(gl.similarity(G, kind="resource_allocation", method="algebraic"), rel_tol=1e-12)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(seed: int) -> None:
    """Also with more pairs than warps."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    G = gl.generate.kronecker(7, engine="cpu").to(engine)
    for kind in ("jaccard", "adamic_adar"):
        gl.similarity.verify(G, gl.similarity(G, kind=kind, method="warps"), kind=kind)


def test_more_pairs_than_warps_of_a_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphla.algorithms.similarity import warps

    monkeypatch.setattr(warps, "MOST_BLOCKS", 2)
    G = draw_undirected(5).to(CudaEngine(np, make_loader(seed=1, resident=3)))
    gl.similarity.verify(G, gl.similarity(G))


def test_bad_input_is_refused() -> None:
    G = draw_undirected(1)
    for call in (gl.similarity, gl.jaccard):
        with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*similarities are of undirected graphs"):
            call(gl.Graph(([0, 1], [1, 2])))
        with pytest.raises(NotSupported, match="no method 'minhash'"):
            call(G, method="minhash")
        with pytest.raises(GraphlaError, match="int is no Graph"):
            call(3)  # type: ignore[call-overload]
        for pairs in ("all", 3, ([0, 1], [2]), ([0.5], [1]), [0, 1, 2], ([[0]], [[1]])):
            with pytest.raises(DimensionMismatch, match="pairs"):
                call(G, pairs)
        with pytest.raises(InvalidGraph, match=r"pairs: (99|-1) is no vertex"):
            call(G, ([0, 1], [1, secrets.choice([99, -1])]))
        with pytest.raises(DimensionMismatch, match=r"the matrix has shape \(2, 2\)"):
            call(G, gl.Matrix("INT32", 2, 2))
    with pytest.raises(InvalidOption, match="kind='tanimoto'"):
        gl.similarity(G, kind="tanimoto")  # type: ignore[call-overload]
    with pytest.raises(DimensionMismatch, match="give a score for each of"):
        gl.similarity.verify(G, gl.core_numbers(G))


def test_the_verifier_finds_wrong_scores() -> None:
    G = draw_undirected(3)
    scores = gl.similarity(G, ([0, 1, 2], [3, 0, 1]))
    scores[1] = scores[1].value + 0.1
    with pytest.raises(VerificationError, match=r"the pair \(1, 0\) has"):
        gl.similarity.verify(G, scores, ([0, 1, 2], [3, 0, 1]))


def test_a_comparison() -> None:
    for kind in ("jaccard", "adamic_adar"):
        found = gl.compare("similarity", draw_undirected(3), repeat=1, kind=kind)
        assert {row.status for row in found} == {"right"}, str(found)
        assert {row.name for row in found} >= {"algebraic", "rows", "NetworkX"}
