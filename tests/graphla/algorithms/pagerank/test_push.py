"""Ranks of what is near: the residual that is left certifies them, and the highest that are certain are right."""

from __future__ import annotations

import secrets
import threading
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.pagerank import _push_cuda, push
from graphla.common.errors import DimensionMismatch, InvalidOption, NotSupported
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.engine.engines import KERNEL_NAMES, NAMES, get_engine_named

N = 60
PLACES = NAMES
REQUESTS: dict[str, dict[str, Any]] = {
    "usual": {},
    "weights": {"weights": True, "damping": 0.6},
    "lost": {"dangling": "ignore"},
    "to vertices": {"dangling": {3: 1, 9: 2}},
}


def draw(seed: int, engine: Any = "cpu", arcs: int = 150, undirected: bool = False, **how: Any) -> gl.Graph:
    """A random graph with loops, weights and vertices without leaving arcs."""
    bits = np.random.default_rng(seed)
    ends, weights = bits.integers(0, N, (2, arcs)), bits.integers(1, 9, arcs).astype(float)
    made = gl.Graph((*ends, weights), n=N, dup="first", engine="cpu")
    if undirected:
        A = made.A.to_numpy(0.0)
        made = gl.Graph(np.maximum(A, A.T), engine="cpu")
    return gl.Graph(made, **how).to(engine if engine == "cpu" else get_engine_named(engine))


def make_dense(G: gl.Graph, seeds: Any, asked: dict[str, Any]) -> tuple[Any, Any, Any]:
    """d P of the surfer with where dangling ranks go, (1 − d) t, and the leaving arcs, written out."""
    A = G.to("cpu").A.to_numpy(0.0).astype(float)
    out = np.maximum((A > 0).sum(axis=1), 1)
    if not asked.get("weights"):
        A = (A > 0).astype(float)
    d, t, q = asked.get("damping", 0.85), spread(seeds), asked.get("dangling", "teleport")
    q = t if q == "teleport" else np.zeros(N) if q == "ignore" else spread(q)
    sums = A.sum(axis=1, keepdims=True)
    P = np.where(sums > 0, A / np.where(sums > 0, sums, 1), q).T
    return d * P, (1 - d) * t, out


def spread(weights: Any) -> Any:
    full = np.zeros(N)
    for v in weights:
        full[v] = weights[v] if isinstance(weights, dict) else 1
    return full / full.sum()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("epsilon", [1e-1, 1e-3, 1e-6, 1e-12])
def test_no_residual_is_larger_than_epsilon_per_arc(name: str, epsilon: float, place: str) -> None:
    for arcs in (0, 20, 150, 150):
        G, asked = draw(seed := secrets.randbits(32), place, arcs), REQUESTS[name]
        seeds = {int(v): 1.0 + k for k, v in enumerate(np.random.default_rng(seed).integers(0, N, 3))}
        found = gl.pagerank(G, personalization=seeds, method="push", epsilon=epsilon, dtype="FP64", **asked)
        gl.pagerank.verify(G, found, personalization=seeds, epsilon=epsilon, dtype="FP64", **asked)
        p, (B, b, out) = found.to_numpy(0), make_dense(G, seeds, asked)
        r = b + B @ p - p
        assert r.min() > -1e-15, f"seed {seed}"
        assert (r <= epsilon * out + 1e-15).all(), f"seed {seed}"
        missing = np.linalg.solve(np.eye(N) - B, b) - p
        assert missing.min() > -1e-14, f"seed {seed}"
        assert missing.sum() <= r.sum() / (1 - asked.get("damping", 0.85)) + 1e-13, f"seed {seed}"


def test_undirected_ranks_lack_at_most_epsilon_per_arc() -> None:
    for _ in range(5):
        G = draw(seed := secrets.randbits(32), undirected=True)
        p = gl.pagerank(G, personalization={7}, method="push", epsilon=1e-3, dtype="FP64").to_numpy(0)
        B, b, out = make_dense(G, {7: 1}, {})
        missing = np.linalg.solve(np.eye(N) - B, b) - p
        assert (missing <= 1e-3 * out / 0.15 + 1e-14).all(), f"seed {seed}"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("patience", [0, 0.25, 1e9])
def test_without_epsilon_the_tolerance_is_that_of_all_methods(
    name: str, patience: float, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "WALKS", patience)
    G, asked = draw(secrets.randbits(32), place), {**REQUESTS[name], "personalization": {2: 1, 5: 3}, "tolerance": 1e-9}
    found = gl.pagerank(G, method="push", dtype="FP64", **asked)
    gl.pagerank.verify(G, found, dtype="FP64", **asked)
    many = gl.pagerank(G, method="push", dtype="FP64", **{**asked, "personalization": [{2: 1, 5: 3}, [4]]})
    np.testing.assert_allclose(many.to_numpy(0)[0], found.to_numpy(0), atol=1e-8)


@pytest.mark.parametrize("place", PLACES)
def test_many_seed_sets_are_as_each_alone(place: str) -> None:
    G, bits = draw(secrets.randbits(32), place), np.random.default_rng(3)
    seeds = [bits.choice(N, 1 + k % 3, replace=False).tolist() for k in range(25)]
    for asked in (
        {"epsilon": 1e-3},
        {"epsilon": 1e-2, "dangling": "ignore", "weights": True},
        {"epsilon": 1e-3, "top": 4},
    ):
        many = gl.pagerank(G, personalization=seeds, method="push", **asked).to_numpy(0)
        for row, each in zip(many, seeds, strict=True):
            alone = gl.pagerank(G, personalization=dict.fromkeys(each, 1), method="push", **asked).to_numpy(0)
            np.testing.assert_allclose(row, alone, atol=1e-7)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", REQUESTS)
def test_the_highest_are_right(name: str, place: str) -> None:
    asked = REQUESTS[name]
    for top in (1, 3, 10, N, N + 5):
        G = draw(seed := secrets.randbits(32), place)
        seeds = np.random.default_rng(seed).choice(N, 3, replace=False).tolist()
        B, b, _ = make_dense(G, seeds, asked)
        x = np.linalg.solve(np.eye(N) - B, b)
        for method in (None, "push"):
            how = {"personalization": set(seeds), "top": top, **asked}
            found = gl.pagerank(G, method=method, dtype="FP64", tolerance=1e-11, **how)
            chosen, scores = (part.tolist() for part in found.to_coo())
            assert (np.array(scores) > 1e-9).sum() == min(top, (x > 1e-9).sum()), f"seed {seed}"
            assert len(chosen) <= top
            others = np.delete(x, chosen)
            assert x[chosen].min() >= others.max(initial=0) - 1e-10, f"seed {seed}"
            assert (np.array(scores) <= x[chosen] + 1e-10).all()
            gl.pagerank.verify(G, found, dtype="FP64", tolerance=1e-11, **how)


@pytest.mark.parametrize("place", PLACES)
def test_the_highest_end_a_push_early(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A star of which each leaf has one arc: the seed leads for certain after a push."""
    monkeypatch.setattr(push, "WALKS", 1e9)
    G = gl.Graph((np.zeros(N - 1, int), np.arange(1, N)), n=N, undirected=True, engine="cpu").to(
        get_engine_named(place)
    )
    first = gl.pagerank(G, personalization={0}, method="push", top=1, dtype="FP64")
    exact = gl.pagerank(G, personalization={0}, dtype="FP64")
    assert list(first.to_dict()) == [0]
    assert 0 < first.to_dict()[0] < exact.to_dict()[0] - 1e-3


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", REQUESTS)
def test_what_ends_a_push_early_is_certain(name: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "WALKS", 1e9)
    asked, early = REQUESTS[name], 0
    for top in (1, 2, 5, 10, 20):
        G = draw(seed := secrets.randbits(32), place)
        seeds = np.random.default_rng(seed).choice(N, 3, replace=False).tolist()
        B, b, _ = make_dense(G, seeds, asked)
        x = np.linalg.solve(np.eye(N) - B, b)
        how = {"personalization": [seeds], "method": "push", "dtype": "FP64", "tolerance": 1e-13, **asked}
        whole, found = gl.pagerank(G, **how).to_numpy(0)[0], gl.pagerank(G, top=top, **how).to_numpy(0)[0]
        chosen = np.flatnonzero(found)
        others = np.delete(x, chosen)
        assert (found <= x + 1e-13).all(), f"seed {seed}"
        assert x[chosen].min(initial=1) >= others.max(initial=0) - 1e-12, f"seed {seed}"
        early += bool(abs(found - whole)[chosen].max(initial=0) > 1e-9)
    assert early > 1


def test_labels_and_equal_ranks() -> None:
    G = gl.Graph(([0, 0, 0], [1, 2, 3]), labels=["hub", "a", "b", "c"], engine="cpu")
    assert gl.pagerank(G, personalization={"hub"}, top=2).to_arrow().to_pydict()["vertex"] == ["hub", "a"]
    table = gl.pagerank(G, personalization=[["hub"], {"a": 1}], top=2, method="push").to_arrow().to_pydict()
    assert (table["query"], table["vertex"]) == ([0, 0, 1], ["hub", "a", "a"])


def test_threads_share_a_graph_and_leave_no_trace() -> None:
    G, seen = draw(5), list[bool]()
    right = {v: gl.pagerank(G, personalization={v}, method="push", epsilon=1e-3).to_numpy(0) for v in range(N)}

    def ask(first: int) -> None:
        for v in (*range(first, N), *range(first)):
            found = gl.pagerank(G, personalization={v}, method="push", epsilon=1e-3).to_numpy(0)
            seen.append(bool((found == right[v]).all()))

    threads = [threading.Thread(target=ask, args=(15 * k,)) for k in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(seen) == 4 * N
    assert all(seen)


def test_a_graph_that_changes_is_asked_anew() -> None:
    G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
    before = gl.pagerank(G, personalization={0}, method="push")
    G.A[1, 3] = 1
    assert 3 not in before.to_dict()
    assert 3 in gl.pagerank(G, personalization={0}, method="push").to_dict()


@pytest.mark.parametrize(
    ("asked", "error", "text"),
    [
        ({"rounds": 3}, NotSupported, "rounds=3: it pushes"),
        ({"max_rounds": 3}, NotSupported, "max_rounds=3: it pushes"),
        ({"damping": 1}, NotSupported, "damping=1"),
        ({"epsilon": 1e-3, "tolerance": 1e-3}, NotSupported, "give one of them"),
        ({"epsilon": 0}, InvalidOption, "epsilon=0: give a positive number"),
        ({"epsilon": "low"}, InvalidOption, "epsilon='low': give a positive number"),
        ({"epsilon": float("nan")}, InvalidOption, "epsilon=nan"),
        ({"top": 0}, InvalidOption, "top=0"),
        ({"top": 1.5}, InvalidOption, "top=1.5"),
    ],
)
def test_what_push_refuses(asked: dict[str, Any], error: type[Exception], text: str) -> None:
    for seeds in ({0}, [[0], [1]]):
        with pytest.raises(error, match=text):
            gl.pagerank(draw(1), personalization=seeds, method="push", **asked)


def test_the_verifier_knows_residuals() -> None:
    G, seeds = draw(2, arcs=300), {"personalization": {1, 2, 3}, "dtype": "FP64"}
    found = gl.pagerank(G, epsilon=1e-3, **seeds)
    for asked in ({"epsilon": 1e-6}, {}):
        with pytest.raises(gl.errors.VerificationError):
            gl.pagerank.verify(G, found, **seeds, **asked)
    for top in (None, 3):
        part = gl.pagerank(G, epsilon=1e-3, top=top, **seeds)
        gl.pagerank.verify(G, part, epsilon=1e-3, top=top, **seeds)
        with pytest.raises(gl.errors.VerificationError, match="is off by"):
            gl.pagerank.verify(G, (part + part).new(), epsilon=1e-3, top=top, **seeds)


def test_rounds_end_by_no_residual() -> None:
    for method in ("fused", "algebraic"):
        with pytest.raises(NotSupported, match="method='push' alone"):
            gl.pagerank(draw(1), epsilon=1e-3, method=method)


def test_the_verifier_knows_the_highest() -> None:
    G = draw(2)
    found = gl.pagerank(G, personalization={0}, top=5)
    wrong = gl.Vector.from_coo(*(part[1:] for part in found.to_coo()), size=N, engine="cpu")
    for given in (wrong, (found + found).new()):
        with pytest.raises(gl.errors.VerificationError):
            gl.pagerank.verify(G, given, personalization={0}, top=5)
    with pytest.raises(DimensionMismatch):
        gl.pagerank.verify(G, gl.Vector("FP32", 3, engine="cpu"), personalization={0}, top=5)


@pytest.mark.parametrize("n", [0, 1])
def test_graphs_without_arcs(n: int) -> None:
    G = gl.Graph(([], []), n=n, engine="cpu")
    assert gl.pagerank(G, method="push").to_numpy(0).tolist() == [1.0] * n
    assert gl.pagerank(G, method="push", top=2).nvals == n
    assert gl.pagerank(G, top=2).nvals == n


def test_numbers_beyond_all_bounds() -> None:
    G = draw(3)
    for method in (None, "push"):
        first, every = (gl.pagerank(G, personalization={0}, top=top, method=method) for top in (N, 2**70))
        assert every.isequal(first)
        assert gl.pagerank(G, personalization={0}, tolerance=float("inf"), method=method).size == N


def test_every_epsilon_is_reached() -> None:
    """Where dangling ranks return, the threshold is a quotient, which may be met in its last digit alone."""
    G = gl.Graph(([0, 0, 1, 2], [1, 2, 3, 0]), n=5, engine="cpu")
    B, b = np.zeros((5, 5)), np.zeros(5)
    B[1, 0] = B[2, 0] = 0.425
    B[3, 1] = B[0, 2] = B[0, 3] = B[0, 4] = 0.85
    b[0] = 0.15
    for epsilon in np.random.default_rng(7).uniform(1e-6, 1e-2, 2000).tolist():
        p = gl.pagerank(G, personalization={0}, method="push", epsilon=epsilon, dtype="FP64").to_numpy(0)
        assert ((b + B @ p - p) <= epsilon * np.array([2, 1, 1, 1, 1]) + 1e-15).all()


@pytest.mark.emulated
def test_a_gpu_gives_the_same_bits_in_any_order_of_threads() -> None:
    bits, answers = np.random.default_rng(secrets.randbits(32)), []
    held = draw(int(bits.integers(99)), undirected=True)
    seeds = [bits.choice(N, 2, replace=False).tolist() for _ in range(3)]
    for resident, seed in ((1, 0), (3, 1), (4, 2)):
        G = held.to(CudaEngine(np, make_loader(build="checked", seed=seed, resident=resident)))
        for asked in ({}, {"top": 7}, {"top": 7, "weights": True, "dangling": {3: 1, 9: 2}}):
            found = gl.pagerank(G, personalization=seeds, method="push", epsilon=1e-4, dtype="FP64", **asked)
            answers.append([part.tolist() for part in found.to_coo()])
    assert answers[:3] == answers[3:6] == answers[6:]


@pytest.mark.parametrize("engine", KERNEL_NAMES)
def test_a_gpu_keeps_the_highest_of_what_it_found(engine: str) -> None:
    """Of equal ranks those of the lower vertices: leaves of a star are alike."""
    star = gl.Graph((np.zeros(40, int), np.arange(1, 41)), n=N, undirected=True, engine="cpu")
    for held in (star, draw(secrets.randbits(32), arcs=400)):
        G = held.to(get_engine_named(engine))
        how = {"personalization": {0: 2, 5: 1}, "method": "push", "epsilon": 1e-5, "dtype": "FP64"}
        everything = gl.pagerank(G, **how).to_dict()
        order = sorted(everything, key=lambda v: (-everything[v], v))
        for top in (1, 2, 5, 20, 39, N):
            assert gl.pagerank(G, top=top, **how).to_dict() == {v: everything[v] for v in order[:top]}


@pytest.mark.parametrize("engine", KERNEL_NAMES)
def test_a_query_on_a_gpu_leaves_its_workspace_clear(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for walks in (0.25, 1e9):
        monkeypatch.setattr(push, "WALKS", walks)
        G = draw(secrets.randbits(32)).to(get_engine_named(engine))
        for top in (None, 3):
            gl.pagerank(G, personalization={1, 2}, method="push", top=top)
            [work] = G.cached("pagerank.workspaces", lambda _: {}).values()
            assert not any(
                G.engine.to_host(part).any()
                for part in (work.arrays.ranks, work.arrays.residuals, work.arrays.histograms)
            )


@pytest.mark.emulated
def test_a_list_of_queries_on_a_gpu_is_one_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    launched, G = [], draw(secrets.randbits(32)).to(get_engine_named("emulated"))
    plain = _push_cuda.Queries.launch
    monkeypatch.setattr(_push_cuda.Queries, "launch", lambda *asked: launched.append(asked[2:]) or plain(*asked))
    how = {"personalization": [[v] for v in range(11)], "method": "push", "epsilon": 1e-3}
    top = gl.pagerank(G, top=5, **how)
    assert launched == [(0, 11)]
    every = gl.pagerank(G, **how)
    assert launched[1:] == [(k, 1) for k in range(11)]
    for row, whole in zip(top.to_numpy(0), every.to_numpy(0), strict=True):
        chosen = sorted(range(N), key=lambda v: (-whole[v], v))[:5]
        assert (row[chosen] == whole[chosen]).all()
        assert np.count_nonzero(row) == np.count_nonzero(whole[chosen])
