"""PageRank by every method against NetworkX and a dense iteration, its conventions, and what it refuses."""

from __future__ import annotations

import pickle
import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotConverged, VerificationError
from tests.graphla.engine.engines import get_engine_named

PLACES = ["cpu", pytest.param("emulated", marks=pytest.mark.emulated), pytest.param("cuda", marks=pytest.mark.gpu)]
METHODS = [name for name in gl.pagerank.methods if name not in ("push", "conjugate")]
"""Those that rank all vertices of any graph in rounds; `push` and `conjugate` have their own tests."""
REQUESTS: dict[str, dict[str, Any]] = {
    "default": {},
    "rounds": {"rounds": 5},
    "no rounds": {"rounds": 0},
    "gap": {"convention": "gap"},
    "graphalytics": {"convention": "graphalytics", "rounds": 7},
    "networkx": {"convention": "networkx", "tolerance": 1e-9},
    "weights": {"weights": True, "damping": 0.5},
    "to vertices": {"personalization": {0: 2, 3: 1}, "dangling": {1: 1.0}, "rounds": 4},
    "double": {"dtype": "FP64", "tolerance": 1e-12, "max_rounds": 300},
    "no arcs followed": {"damping": 0, "dangling": "ignore"},
}


def fresh(seed: int, engine: Any = "cpu", n: int = 40, arcs: int = 90, dtype: str = "int32") -> gl.Graph:
    """A random directed graph with loops and with dangling and isolated vertices."""
    rng = np.random.default_rng(seed)
    cells = np.unique(rng.integers(0, n * n, arcs)) if arcs else np.zeros(0, int)
    return gl.Graph((cells // n, cells % n, rng.integers(1, 9, cells.size).astype(dtype)), n=n, engine=engine)


def compute_expected(G: gl.Graph, count: int, start: Any = None, **asked: Any) -> np.ndarray:
    """So many rounds over a dense float64 matrix, written out."""
    host = G.to("cpu")
    A = np.zeros((G.n, G.n))
    rows, cols, values = host.A.to_coo()
    A[rows, cols] = values if asked.get("weights") or asked.get("convention") == "networkx" else 1
    damping = asked.get("damping", 0.85)
    p = spread(G.n, asked.get("personalization"))
    dangling = "ignore" if asked.get("convention") == "gap" else asked.get("dangling", "teleport")
    q = p if dangling == "teleport" else 0 * p if dangling == "ignore" else spread(G.n, dangling)
    out = A.sum(axis=1)
    ranks = np.full(G.n, 1 / max(1, G.n)) if start is None else start
    for _ in range(count):
        shared = sum((ranks[u] * A[u] / out[u] for u in range(G.n) if out[u]), np.zeros(G.n))
        ranks = (1 - damping) * p + damping * (shared + ranks[out == 0].sum() * q)
    return ranks


def spread(n: int, weights: Any) -> np.ndarray:
    full = np.array([weights.get(v, 0) for v in range(n)], float) if weights else np.ones(n)
    return full / max(1, full.sum())


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("request_name", REQUESTS)
@pytest.mark.parametrize("name", METHODS)
def test_random_graphs(name: str, request_name: str, place: str) -> None:
    asked = REQUESTS[request_name]
    for arcs in (0, 20, 90) * (3 if place == "cpu" else 1):
        seed = secrets.randbits(32)
        G = fresh(seed, get_engine_named(place), arcs=arcs)
        ranks = gl.pagerank(G, method=name, **asked)
        double = asked.get("dtype") == "FP64" or asked.get("convention") in ("graphalytics", "networkx")
        assert ranks.dtype == ("FP64" if double else "FP32")
        gl.pagerank.verify(G, ranks, **asked)
        wanted = compute_expected(G, asked.get("rounds", 400), **asked)
        allowed = 1e-6 if "rounds" in asked else {"gap": 1e-3}.get(asked.get("convention", ""), 1e-5)
        assert np.abs(ranks.to_numpy() - wanted).sum() < allowed, f"seed {seed}, {arcs} arcs"


@pytest.mark.parametrize("name", METHODS)
def test_networkx_agrees(name: str) -> None:
    G = fresh(secrets.randbits(32))
    D = nx.DiGraph()
    D.add_nodes_from(range(G.n))
    D.add_weighted_edges_from(zip(*(part.tolist() for part in G.A.to_coo()), strict=True))
    start, end = {0: 3, 7: 1}, {5: 1, 6: 1}
    theirs = nx.pagerank(D, 0.7, personalization=start, dangling=end, tol=1e-10)
    ours = gl.pagerank(
        G, 0.7, personalization=start, dangling=end, tolerance=1e-10, convention="networkx", method=name
    ).to_dict()
    assert ours == pytest.approx(theirs, abs=1e-8)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("n", [0, 1])
def test_no_arcs_and_one_vertex(n: int, name: str) -> None:
    assert gl.pagerank(gl.Graph(([], []), n=n, engine="cpu"), method=name).to_dense().tolist() == [1.0] * n
    if n:
        loop = gl.Graph(([0], [0]), engine="cpu")
        assert gl.pagerank(loop, method=name).to_dict() == pytest.approx({0: 1.0})
        lost = gl.pagerank(gl.Graph(([], []), n=1, engine="cpu"), method=name, convention="gap")
        assert lost.to_dict() == pytest.approx({0: 0.15})


@pytest.fixture
def no_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small graphs be ranked in rounds, as large ones are."""
    monkeypatch.setattr("graphla.algorithms.pagerank._sweeps_cpu.WORTH_A_PASS", 0)


@pytest.mark.usefixtures("no_sweeps")
@pytest.mark.parametrize("name", METHODS)
def test_both_methods_stop_after_the_same_round(name: str) -> None:
    G = gl.generate.kronecker(8, engine="cpu")
    one, other = (gl.pagerank(G, tolerance=1e-5, dtype="FP64", method=m).to_numpy() for m in (name, "algebraic"))
    np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.emulated
def test_a_gpu_stops_after_the_same_round() -> None:
    """Rounds run ahead of the host, and those beyond the last one change nothing."""
    K = gl.generate.kronecker(6, engine="cpu")
    for tolerance in (1e-2, 1e-4, 1e-7):
        one = gl.pagerank(K, tolerance=tolerance, dtype="FP64", method="algebraic").to_numpy()
        other = gl.pagerank(
            K.to(get_engine_named("emulated")), tolerance=tolerance, dtype="FP64", method="fused"
        ).to_numpy()
        np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.usefixtures("no_sweeps")
@pytest.mark.parametrize("place", PLACES[:2])
@pytest.mark.parametrize("name", METHODS)
def test_what_does_not_settle_says_so(name: str, place: str) -> None:
    G = gl.Graph(([0, 1, 1, 2], [1, 0, 2, 0]), n=3, engine=get_engine_named(place))
    with pytest.raises(
        NotConverged, match=r"max_rounds=4: the last round changed the ranks by .*tolerance=1e-09; give"
    ) as caught:
        gl.pagerank(G, max_rounds=4, tolerance=1e-9, method=name)
    assert caught.value.residual == pytest.approx(
        np.abs(compute_expected(G, 4) - compute_expected(G, 3)).sum(), rel=1e-3
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.residual) == (str(caught.value), caught.value.residual)


@pytest.mark.parametrize("name", METHODS)
def test_slow_graphs_settle_without_a_number_of_rounds(name: str) -> None:
    ring = np.arange(50)
    G = gl.Graph((np.append(ring, 0), np.append((ring + 1) % 50, 25)), n=50, engine="cpu")
    for damping in (0.85, 0.97):
        gl.pagerank.verify(
            G,
            gl.pagerank(G, damping, tolerance=1e-10, dtype="FP64", method=name),
            damping=damping,
            tolerance=1e-10,
            dtype="FP64",
        )
    with pytest.raises(NotConverged, match=r"dtype='FP64': with damping=0\.85 rounding of FP32 alone"):
        gl.pagerank(G, tolerance=1e-12, max_rounds=60, dtype="FP32")


@pytest.mark.parametrize(
    ("asked", "error", "what"),
    [
        ({"damping": 1.5}, InvalidOption, "damping=1.5: give the probability"),
        ({"damping": True}, InvalidOption, "damping=True"),
        ({"damping": float("nan")}, InvalidOption, "damping=nan"),
        ({"tolerance": 0}, InvalidOption, "tolerance=0: give a positive number"),
        ({"rounds": -1}, InvalidOption, "rounds=-1"),
        ({"rounds": 2.0}, InvalidOption, "rounds=2.0"),
        ({"max_rounds": 0}, InvalidOption, "max_rounds=0"),
        ({"rounds": 3, "tolerance": 1e-3}, InvalidOption, "rounds=3 and tolerance=0.001: give one of them"),
        ({"convention": "gaps"}, InvalidOption, "convention='gaps' is none of 'gap'"),
        ({"convention": "graphalytics"}, InvalidOption, "counts rounds: give rounds="),
        ({"dtype": "INT32"}, InvalidOption, "dtype='INT32': ranks are computed in FP32 or FP64"),
        ({"dtype": np.arange(3.0)}, GraphlaError, "dtype"),
        ({"dtype": ""}, GraphlaError, "dtype"),
        ({"weights": "yes"}, InvalidOption, "weights='yes'"),
        ({"dangling": "drop"}, InvalidOption, "dangling='drop': give 'teleport', 'ignore'"),
        ({"personalization": {0: -1}}, InvalidOption, "personalization={0: -1}: the weights"),
        ({"personalization": {}}, InvalidOption, "personalization={} holds no vertex"),
        ({"personalization": [1, 2]}, InvalidOption, "of shape"),
        ({"dangling": {99: 1}}, InvalidGraph, "dangling=99 is no vertex"),
    ],
)
def test_bad_options_are_refused(asked: dict[str, Any], error: type[Exception], what: str) -> None:
    with pytest.raises(error, match=what):
        gl.pagerank(fresh(1), **asked)


@pytest.mark.parametrize(
    ("weight", "what"), [(0, "the smallest weight is 0"), (-2, "-2"), (np.inf, "largest weight is inf")]
)
def test_weights_that_divide_nothing_are_refused(weight: float, what: str) -> None:
    G = gl.Graph(([0, 1], [1, 0], np.array([1, weight], "float32")), engine="cpu")
    with pytest.raises(InvalidGraph, match=f"weights=True: .*{what}"):
        gl.pagerank(G, weights=True)
    assert gl.pagerank(G).to_dict() == pytest.approx({0: 0.5, 1: 0.5})


def test_a_repeated_call_follows_a_changed_graph() -> None:
    G = gl.Graph(([0, 1, 2], [1, 2, 0]), n=3, engine="cpu")
    before = gl.pagerank(G).to_dict()
    G.A[0, 2] = 1
    gl.pagerank.verify(G, gl.pagerank(G))
    assert gl.pagerank(G).to_dict() != before


def test_the_verifier_finds_wrong_ranks() -> None:
    G = fresh(5)
    ranks = gl.pagerank(G).to_numpy()
    with pytest.raises(VerificationError, match=r"most at vertex 3: .* instead of"):
        gl.pagerank.verify(G, gl.Vector.from_dense(ranks + np.float32(0.01) * (np.arange(G.n) == 3), engine="cpu"))
    with pytest.raises(VerificationError, match="differ from those of 2 rounds by"):
        gl.pagerank.verify(G, gl.pagerank(G, rounds=3), rounds=2)
    with pytest.raises(VerificationError, match="vertex 0 has rank -1"):
        gl.pagerank.verify(G, gl.Vector.from_dense(np.full(G.n, -1.0), engine="cpu"))


def test_a_comparison_asks_the_same_of_everyone() -> None:
    found = gl.compare("pagerank", fresh(3), tolerance=1e-6, personalization={1: 1}, repeat=1)
    assert {row.status for row in found if row.name != "conjugate"} == {"right"}, str(found)
    assert found["conjugate"].status == "refused"
    assert {row.name for row in found} >= {"algebraic", "fused", "NetworkX"}
    found = gl.compare("pagerank", fresh(3), rounds=3, repeat=1)
    assert found["NetworkX"].status == "refused"
    assert found.ok
