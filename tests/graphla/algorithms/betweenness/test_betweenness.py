"""Betweenness by every method against NetworkX, and the verifier against wrong answers."""

from __future__ import annotations

import itertools
import random
import secrets
import time
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.betweenness import _brandes_cpu
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported, VerificationError
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.betweenness)
N = 40


def make_network(seed: int, directed: bool) -> Any:
    """A random graph with whole lengths, which make ties, a loop, and vertices that no path joins."""
    chosen = random.Random(seed)
    found = nx.gnm_random_graph(N, chosen.choice([20, 50, 120]), seed=seed, directed=directed)
    for u, v in found.edges:
        found[u][v]["weight"] = chosen.randint(1, 4)
    found.add_edge(3, 3, weight=2)
    return found


def compute_expected(network: Any, edges: bool, k: int | None, **how: Any) -> Any:
    """What NetworkX finds: an array by vertex, or a dictionary by pair."""
    if edges:
        return nx.edge_betweenness_centrality(network, k=k, seed=5, **how)
    found = nx.betweenness_centrality(network, k=k, seed=5, **how)
    return np.array([found[v] for v in range(N)])


def check(network: Any, G: gl.Graph, name: str, edges: bool, k: int | None, request: dict[str, Any]) -> None:
    """Compare one answer with that of NetworkX, and let the verifier see it."""
    how = {key: value for key, value in request.items() if key in ("normalized", "endpoints")}
    weight = "weight" if request["weights"] else None
    expected = compute_expected(network, edges, k, weight=weight, **how)
    asked = {"sources": k, "seed": 5, "edges": edges, "directed": network.is_directed(), **request}
    found = gl.betweenness(G, method=name, **asked)
    exact = request["dtype"] == "FP64"
    assert found.dtype == request["dtype"]
    if edges:
        cells = {(u, v): value for u, row in found.to_dicts().items() for v, value in row.items()}
        assert len(cells) == G.nvals
        pairs = np.array([[cells[pair], value] for pair, value in expected.items()])
    else:
        pairs = np.stack([found.to_numpy(np.nan), expected], axis=1)
    np.testing.assert_allclose(pairs[:, 0], pairs[:, 1], rtol=1e-9 if exact else 1e-4, atol=1e-14 if exact else 1e-7)
    gl.betweenness.verify(G, found, **asked)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str, directed: bool) -> None:
    seed = secrets.randbits(32)
    network = make_network(seed, directed)
    G = gl.Graph(network, engine=get_engine_named(engine))
    choices = itertools.product((False, True), (False, True), (False, True), ("FP32", "FP64"), (None, 7))
    asked = list(choices)
    if engine != "cpu":
        few = [choice for choice in asked if name != "algebraic" or choice[-1] == 7]
        asked = random.Random(seed).sample(few, 1 if name == "algebraic" else 4)
    for weights, edges, normalized, dtype, k in asked:
        request = {"weights": weights, "normalized": normalized, "dtype": dtype}
        request |= {} if edges else {"endpoints": normalized != weights}
        if gl.betweenness.methods[name].refusal(G, {"edges": edges, "weights": weights}) is None:
            try:
                check(network, G, name, edges, k, request)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, edges {edges}, k {k}, {request}") from error


def list_shapes() -> dict[str, Any]:
    """Graphs with a corner each, as (tails, heads, n)."""
    path, ring = np.arange(39), np.arange(40)
    bridge = np.zeros((19, 19), bool)
    bridge[:12, :12] = bridge[13:, 13:] = True
    bridge[[0, 12, 12], [12, 13, 14]] = True
    return {
        "empty": ([], [], 0),
        "one vertex": ([], [], 1),
        "a loop": ([0], [0], 1),
        "two vertices": ([0, 1], [1, 0], 2),
        "no arcs": ([], [], 5),
        "a path": (np.append(path, path + 1), np.append(path + 1, path), 40),
        "a ring one way": (ring, (ring + 1) % 40, 40),
        "a star": (np.append(path + 1, 0 * path), np.append(0 * path, path + 1), 40),
        "a bridge between two cliques": (*np.nonzero((bridge | bridge.T) & ~np.eye(19, dtype=bool)), 19),
        "two parts": ([0, 1, 1, 2, 4, 5], [1, 0, 2, 1, 5, 4], 7),
    }


@pytest.mark.parametrize("shape", list_shapes())
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = list_shapes()[shape]
    G = gl.Graph((tails, heads), n=n, engine=get_engine_named(engine))
    for edges in (False, True):
        if gl.betweenness.methods[name].refusal(G, {"edges": edges}) is None:
            sources = None if engine == "cpu" else list(range(min(n, 3)))
            found = gl.betweenness(G, sources=sources, edges=edges, method=name)
            gl.betweenness.verify(G, found, sources=sources, edges=edges)
            assert found.nvals == (G.nvals if edges else n)


def make_grid(width: int, height: int, engine: Any = "cpu") -> gl.Graph:
    """A grid, with an arc one way of each edge: it has binomial(w + h − 2, w − 1) paths between two corners."""
    v = np.arange(width * height).reshape(height, width)
    tails = np.concatenate([v[:, :-1].ravel(), v[:-1].ravel()])
    heads = np.concatenate([v[:, 1:].ravel(), v[1:].ravel()])
    return gl.Graph((tails, heads), n=v.size, engine=engine)


def test_more_paths_than_a_float_holds() -> None:
    """10³⁴⁰ of them between two corners; the dependencies of each step along the diagonals add up all the same."""
    side = 570
    G = make_grid(side, side)
    found = gl.betweenness(G, sources=[0], normalized=False, dtype="FP64").to_numpy().reshape(side, side)
    assert np.isfinite(found).all()
    assert found[1, 0] == pytest.approx(found[0, 1])
    assert found[1, 0] + found[0, 1] == pytest.approx(side * side - 3)  # each target but these two is behind them
    weighted = gl.betweenness(G, sources=[0], weights=True, edges=True, normalized=False, dtype="FP64")
    assert weighted.to_dicts()[0][1] == pytest.approx((side * side - 1) / 2)
    with pytest.raises(NotSupported, match="more than 1e\\+290 shortest paths; method 'brandes' counts them"):
        gl.betweenness(make_grid(500, 490), sources=[0], method="algebraic")


def test_a_worker_goes_on_after_too_many_paths() -> None:
    """A source whose paths are counted with powers leaves nothing behind for the next one."""
    G = make_grid(530, 530)
    near = [G.n - 1100, G.n - 3]
    together = gl.betweenness(G, sources=[near[0], 0, near[1]], normalized=False, endpoints=True, dtype="FP64")
    alone = [gl.betweenness(G, sources=[v], normalized=False, endpoints=True, dtype="FP64") for v in (0, *near)]
    np.testing.assert_allclose(together.to_numpy(), sum(each.to_numpy() for each in alone), rtol=1e-12)


def test_workers_stop_after_an_error() -> None:
    """An interrupted call leaves no thread behind that goes on with the other sources."""
    seen: list[int] = []

    def add(_: Any, item: int) -> None:
        seen.append(item)
        time.sleep(0.001)
        if item == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _brandes_cpu.add_sources(np.zeros(1), SimpleNamespace, list(range(3000)), add, 10**6)
    count = -1
    while len(seen) > count:  # one that goes on is waited for
        count = len(seen)
        time.sleep(0.1)
    assert count < 3000


@pytest.mark.parametrize("asked", [
    {}, {"weights": True}, {"edges": True}, {"endpoints": True, "sources": 100}, {"sources": 3}, {"sources": [5, 5, 9]},
    {"edges": True, "weights": True, "sources": 70},
], ids=str)  # fmt: skip
def test_sums_are_the_same_bits_on_any_number_of_threads(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    G = gl.generate.kronecker(9, weights=(1, 5), engine="cpu")
    found = []
    for threads in (1, 2, 3, 2):
        monkeypatch.setattr(_brandes_cpu, "count_workers", lambda threads=threads: threads)
        monkeypatch.setattr("graphla.engine.cpu.threads.count_workers", lambda threads=threads: threads)
        answer = gl.betweenness(G, dtype="FP64", method="brandes", **asked)
        found.append(answer.to_coo()[-1].tobytes())
    assert len(set(found)) == 1


def test_unit_lengths_are_none() -> None:
    K = gl.generate.kronecker(8, engine="cpu")
    rows, cols, _ = K.A.to_coo()
    G = gl.Graph((rows, cols, np.ones(rows.size, "int16")), n=K.n, engine="cpu")
    plain, given = (gl.betweenness(G, dtype="FP64", weights=weights).to_numpy() for weights in (False, True))
    np.testing.assert_allclose(given, plain, rtol=1e-12)


def test_sources_as_networkx_counts_them() -> None:
    network = make_network(secrets.randbits(32), directed=True)
    G = gl.Graph(network, engine="cpu")
    for chosen in ([4], [1, 2, 2, 9]):
        expected = nx.betweenness_centrality_subset(network, chosen, list(network), normalized=True)
        found = gl.betweenness(G, sources=chosen, dtype="FP64")
        np.testing.assert_allclose(found.to_numpy(), [expected[v] for v in range(N)], atol=1e-14)
    assert gl.betweenness(G, sources=[]).to_numpy().tolist() == [0] * N
    assert gl.betweenness(G, sources=N + 0).isequal(gl.betweenness(G))
    one = gl.betweenness(G, sources=1, seed=3).to_numpy()
    assert np.isnan(one).sum() == 1
    assert not np.isnan(gl.betweenness(G, sources=1, seed=3, endpoints=True).to_numpy()).any()


def test_lengths_of_32_bits_are_added_in_64() -> None:
    """Two paths whose lengths differ by less than FP32 tells apart."""
    w = np.array([1, 1, 1, 1 + 2.0**-23], "float32")
    G = gl.Graph(([0, 1, 0, 2], [1, 3, 2, 3], w), n=4, engine="cpu")
    assert gl.betweenness(G, weights=True, normalized=False).to_dense().tolist() == [0, 1, 0, 0]


def test_bad_input_is_refused() -> None:
    G = gl.Graph(([0, 1], [1, 2], [1.0, 0.0]), engine="cpu")
    for wrong, what in (
        ({"weights": True}, "the smallest weight is 0.0"),
        ({"sources": [7]}, "sources=7 is no vertex"),
        ({"sources": 4}, "sources=4: it goes from 1 to 3"),
        ({"sources": 0}, "sources=0: it goes from 1 to 3"),
        ({"sources": "all"}, "sources='all'"),
        ({"seed": -1}, "seed=-1"),
        ({"edges": True, "endpoints": True}, "give one"),
        ({"directed": False}, "does not equal its transpose"),
        ({"dtype": "INT8"}, "FP32 or FP64"),
        ({"normalized": "yes"}, "normalized='yes'"),
    ):
        with pytest.raises((InvalidGraph, InvalidOption), match=what):
            gl.betweenness(G, **wrong)
    with pytest.raises(InvalidGraph, match="smallest weight is -1"):
        gl.betweenness(gl.Graph(([0], [1], [-1]), engine="cpu"), weights=True)
    with pytest.raises(InvalidGraph, match="lost beside a distance"):
        gl.betweenness(gl.Graph(([0, 1], [1, 2], [1e20, 1.0]), engine="cpu"), weights=True)
    assert gl.betweenness(gl.Graph(([0, 1], [1, 2], [np.inf, 1.0]), engine="cpu"), weights=True).to_numpy().max() == 0


@pytest.mark.parametrize("method", ["brandes", "algebraic"])
def test_lengths_beyond_float64(method: str) -> None:
    """Of two paths from 0 to 2 the one by 1 is shorter by 2, which float64 does not tell; nor did the verifier."""
    base = 2**53
    arcs = (0, 1, base + 1), (1, 2, base), (0, 3, base + 1), (3, 2, base + 2)
    tails, heads, weights = (np.array(side) for side in zip(*arcs, strict=True))
    G = gl.Graph((tails, heads, weights.astype("uint64")), n=4, engine="cpu")
    request = {"weights": True, "dtype": "FP64", "sources": [0], "normalized": False, "directed": True}
    found = gl.betweenness(G, method=method, **request)
    assert found.to_numpy(0).tolist() == [0, 1, 0, 0]
    gl.betweenness.verify(G, found, **request)


@pytest.mark.parametrize("edges", [False, True])
def test_the_verifier_finds_wrong_values(edges: bool) -> None:
    G = gl.Graph(make_network(7, directed=False), engine="cpu")
    right = gl.betweenness(G, edges=edges)
    wrong = right.dup()
    at = (int(right.to_coo()[0][4]), int(right.to_coo()[1][4])) if edges else int(right.to_numpy().argmax())
    wrong[at] = right[at].new().value * 1.001 + 1e-6
    with pytest.raises(VerificationError, match=f"{'arc' if edges else 'vertex'} .* has .* instead of .*1 differ"):
        gl.betweenness.verify(G, wrong, edges=edges)
    with pytest.raises(VerificationError, match="give a value for each"):
        gl.betweenness.verify(G, gl.Vector("FP32", 3, engine="cpu"), edges=edges)


@pytest.mark.parametrize("request_", [{}, {"sources": 9, "weights": True}, {"sources": [1, 2]}])
def test_a_comparison_asks_the_same_of_everyone(request_: dict[str, Any]) -> None:
    found = gl.compare("betweenness", gl.Graph(make_network(3, directed=True), engine="cpu"), repeat=1, **request_)
    assert {row.status for row in found} <= {"right", "refused"}, str(found)
    assert {row.name for row in found if row.status == "right"} >= {"algebraic", "brandes", "NetworkX"}
