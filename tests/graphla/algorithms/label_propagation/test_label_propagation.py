"""Label propagation by every method against plain Python, and the verifier against wrong answers."""

from __future__ import annotations

import secrets
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.label_propagation import _row_hash_cuda, _verify
from graphla.algorithms.label_propagation._row_hash_cuda import divide
from graphla.algorithms.label_propagation._ties import order_vertices
from graphla.common.errors import GraphlaError, InvalidOption, NotSupported, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from semirings import binary
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.label_propagation)


def make_directed(seed: int, arcs: int, n: int = 60) -> gl.Graph:
    """A random directed graph with loops, arcs both ways, vertices without arcs, and weights."""
    rng = np.random.default_rng(seed)
    cells = np.unique(rng.integers(0, n * n, arcs))
    return gl.Graph((cells // n, cells % n, rng.integers(0, 3, cells.size).astype("int32")), n=n, engine="cpu")


def make_undirected(seed: int, arcs: int, n: int = 60) -> gl.Graph:
    G = make_directed(seed, arcs, n)
    return gl.Graph(binary.plus(G.A | G.A.T).new(), engine="cpu")


def shapes() -> dict[str, Any]:
    """Graphs with a corner each, as (tails, heads, n)."""
    ring, leaves = np.arange(40), np.arange(1, 40)
    return {
        "empty": ([], [], 0),
        "one vertex": ([], [], 1),
        "a loop": ([0], [0], 1),
        "no arcs": ([], [], 5),
        "two that swap": ([0, 1], [1, 0], 2),
        "a directed ring": (ring, (ring + 1) % 40, 40),
        "a star inwards": (leaves, 0 * leaves, 40),
        "a loop beside an arc": ([0, 1, 1], [1, 1, 2], 3),
        "an arc both ways counts twice": ([0, 3, 1, 2], [3, 0, 3, 3], 4),
    }


def propagate(G: gl.Graph, rounds: int, labels: list[int] | None = None) -> list[int]:
    """The definition of LDBC Graphalytics, in plain Python."""
    rows, cols, _ = G.A.to_coo()
    around: list[list[int]] = [[] for _ in range(G.n)]
    for u, v in zip(rows.tolist(), cols.tolist(), strict=True):
        around[u].append(v)
        around[v].append(u)
    labels = list(range(G.n)) if labels is None else labels
    for _ in range(rounds):
        counts = [Counter(labels[u] for u in each) for each in around]
        labels = [min(c, key=lambda x: (-c[x], x)) if c else labels[v] for v, c in enumerate(counts)]
    return labels


def check(G: gl.Graph, rounds: int, name: str, engine: Any) -> None:
    labels = gl.label_propagation(G.to(engine), rounds, method=name).to("cpu")
    assert labels.dtype == "INT32"
    assert labels.to_numpy(-1).tolist() == propagate(G, rounds)
    gl.label_propagation.verify(G, labels, rounds)


@pytest.mark.parametrize(("name", "engine"), CASES)
@pytest.mark.parametrize("make", [make_directed, make_undirected])
def test_a_seed_breaks_ties_by_an_order_of_the_vertices(make: Any, name: str, engine: str) -> None:
    G, seed = make(secrets.randbits(32), 90), secrets.randbits(32)
    rank, vertices = order_vertices(np, G.n, seed)
    assert (vertices[rank] == np.arange(G.n)).all()
    assert (rank != np.arange(G.n)).any()
    for rounds in (0, 1, 4):
        expected = [int(vertices[label]) for label in propagate(G, rounds, rank.tolist())]
        found = gl.label_propagation(G.to(get_engine_named(engine)), rounds, seed=seed, method=name).to("cpu")
        assert found.to_numpy(-1).tolist() == expected
        gl.label_propagation.verify(G, found, rounds, seed=seed)
    with pytest.raises(VerificationError):
        gl.label_propagation.verify(G, found, 4)


@pytest.mark.parametrize(("name", "engine"), CASES)
@pytest.mark.parametrize("make", [make_directed, make_undirected])
def test_random_graphs(make: Any, name: str, engine: str) -> None:
    for arcs in (30, 90, 900) * (4 if engine == "cpu" else 1):
        seed = secrets.randbits(32)
        for rounds in (1, 2, 5, 40) if engine == "cpu" else (2, 25):
            try:
                check(make(seed, arcs), rounds, name, get_engine_named(engine))
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, {arcs} arcs, {rounds} rounds") from error


@pytest.mark.parametrize("shape", shapes())
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = shapes()[shape]
    G = gl.Graph((tails, heads), n=n, engine="cpu")
    for rounds in (0, 1, 3):
        check(G, rounds, name, get_engine_named(engine))


@pytest.mark.parametrize("histogram", [None, "product", "build"])
@pytest.mark.parametrize("make", [make_directed, make_undirected])
def test_either_form_of_the_histograms(make: Any, histogram: str | None) -> None:
    for arcs in (40, 900):
        seed = secrets.randbits(32)
        G = make(seed, arcs)
        found = gl.label_propagation(G, 8, method="algebraic", histogram=histogram).to_numpy(-1).tolist()
        assert found == propagate(G, 8), f"seed {seed}, {arcs} arcs"


def test_a_large_graph_on_all_cores() -> None:
    """Enough arcs for more than one thread; later rounds run on few vertices."""
    K = gl.generate.kronecker(13, engine="cpu")
    for rounds in (2, 10):
        gl.label_propagation.verify(K, gl.label_propagation(K, rounds), rounds)


def make_hubs(seed: int, directed: bool) -> gl.Graph:
    """Rows of every length up to some thousand neighbours, whose labels differ for some rounds."""
    n, rng = 4000, np.random.default_rng(seed)
    degrees = 3500, 2500, 2049, 2048, 600, 512, 513, 300, 129, 128, 90, 33, 32
    tails = np.repeat(np.arange(len(degrees)), degrees)
    heads = np.concatenate([13 + rng.choice(n - 13, count, replace=False) for count in degrees])
    few = rng.integers(13, n, (2, 5000))
    ends = np.concatenate([tails, few[0]]), np.concatenate([heads, few[1]])
    pairs = np.stack(ends if directed else (np.concatenate(ends), np.concatenate(ends[::-1])))
    return gl.Graph(tuple(np.unique(pairs, axis=1)), n=n, engine="cpu")


def make_chain(seed: int) -> gl.Graph:
    """Cliques of many sizes, one arc apart, so that labels change at few places, round after round, and hubs beside."""
    sizes = np.random.default_rng(seed).permutation([3, 4, 6, 9, 20, 35, 140])
    starts = np.cumsum([0, *sizes])
    tails, heads = [], []
    for begin, end in pairwise(starts):
        u, v = np.meshgrid(np.arange(begin, end), np.arange(begin, end))
        tails += [u[u < v], [end - 1]]
        heads += [v[u < v], [end]]
    pairs = np.concatenate(tails), np.concatenate(heads)
    path = np.arange(starts[-1], starts[-1] + 40)
    both = np.concatenate([*pairs, path, path + 1]), np.concatenate([*pairs[::-1], path + 1, path])
    return gl.Graph(both, n=int(path[-1]) + 2, engine="cpu")


def make_stars(seed: int) -> gl.Graph:
    """Stars, whose centres swap labels with their leaves for ever, beside a clique that settles at once."""
    sizes = np.random.default_rng(seed).permutation([5, 20, 100, 300, 1000, 2600])
    starts = np.cumsum([0, *(sizes + 1)])
    centres = np.repeat(starts[:-1], sizes)
    leaves = np.concatenate([np.arange(begin + 1, end) for begin, end in pairwise(starts)])
    u, v = (each.ravel() + starts[-1] for each in np.meshgrid(np.arange(200), np.arange(200)))
    pairs = np.concatenate([centres, leaves, u[u != v]]), np.concatenate([leaves, centres, v[u != v]])
    return gl.Graph(pairs, n=int(starts[-1]) + 200, engine="cpu")


@pytest.mark.emulated
@pytest.mark.parametrize("make", [make_chain, make_stars])
def test_only_those_who_are_awake_count_again(make: Any) -> None:
    engine = CudaEngine(np, make_loader(seed=5, resident=3))
    fresh = secrets.randbits(32)
    G = make(fresh)
    for rounds in (7, 18):
        expected = propagate(G, rounds)
        assert gl.label_propagation(G, rounds).to_numpy(-1).tolist() == expected
        assert gl.label_propagation(G.to(engine), rounds).to("cpu").to_numpy(-1).tolist() == expected, f"seed {fresh}"


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [0, 11])
@pytest.mark.parametrize("directed", [False, True])
def test_kernels_in_any_order_of_threads(directed: bool, seed: int, monkeypatch: Any) -> None:
    """Every class of rows, hubs in two batches; the emulator reports races that are not meant."""
    monkeypatch.setattr(_row_hash_cuda, "TABLE_BYTES", 4 * 2 * _row_hash_cuda.PIECE * _row_hash_cuda.SLOT_BYTES)
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    fresh = secrets.randbits(32)
    G = make_hubs(fresh, directed)
    D = G.to(engine)
    for labels, rounds in ((4000, 5), (300, 1), (20, 1)):
        start = np.random.default_rng(fresh).integers(0, labels, G.n).astype("int32")
        expected = propagate(G, rounds, start.tolist())
        found = _row_hash_cuda.propagate(D, start, rounds)
        assert found.tolist() == expected, f"seed {fresh}, {labels} labels"
    classes = D.cached("label_propagation.classes", _row_hash_cuda.sort_rows)
    assert all(rows.size for rows in classes.rows)
    assert len(classes.batches) >= 2


def test_tables_of_hubs_in_batches() -> None:
    assert divide([], 4) == []
    assert divide([2, 4, 5, 11, 12], 4) == [(0, 4), (4, 5), (5, 11), (11, 12)]


def test_bad_input_is_refused() -> None:
    G = make_directed(1, 30)
    for rounds in (-1, 1.5, None):
        with pytest.raises(InvalidOption, match=f"rounds={rounds}"):
            gl.label_propagation(G, rounds)  # type: ignore[arg-type]
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.label_propagation(3)  # type: ignore[arg-type]
    with pytest.raises(GraphlaError, match="no option 'damping'"):
        gl.label_propagation(G, damping=3)
    with pytest.raises(NotSupported, match="no method 'louvain'"):
        gl.label_propagation(G, method="louvain")


@pytest.mark.parametrize(("at", "label"), [(0, 1), (3, 2), (5, 4)])
def test_the_verifier_finds_wrong_labels(at: int, label: int) -> None:
    G = gl.Graph(([0, 1, 2, 2, 3], [1, 2, 0, 3, 4]), n=6, engine="cpu")
    labels = gl.label_propagation(G, 3).to_numpy(-1)
    labels[at] = label if labels[at] != label else 0
    with pytest.raises(VerificationError, match=f"vertex {at} has label {labels[at]} after 3 rounds"):
        _verify.verify(G.csr, labels, 3)
    with pytest.raises(VerificationError, match="has shape"):
        _verify.verify(G.csr, labels[:4], 3)


def test_a_comparison_asks_the_same_of_everyone() -> None:
    found = gl.compare("label_propagation", make_directed(3, 90), rounds=4, repeat=1)
    assert {row.name for row in found if row.status == "right"} >= {"algebraic", "row_hash"}, str(found)
