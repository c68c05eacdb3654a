"""Components by every method against SciPy and NetworkX, and the verifier against wrong answers."""

from __future__ import annotations

import secrets
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.components import _verify, forward_backward
from graphla.algorithms.components.forward_backward import choose_pivot
from graphla.common.errors import InvalidGraph, InvalidOption, NotSupported, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from semirings import binary
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

CASES = [
    case
    for kind in ("weak", "strong")
    for case in list_cases(
        gl.components,
        kind,
        only=lambda method, engine, kind=kind: (
            method.refuses(SimpleNamespace(engine=SimpleNamespace(name=engine), symmetric=False), {"kind": kind})
            is None
        ),
    )
]


def fresh(seed: int, engine: Any = "cpu", n: int = 60, arcs: int = 70) -> gl.Graph:
    """A random directed graph with loops, with vertices that have no arc, and with arcs that weigh nothing."""
    rng = np.random.default_rng(seed)
    cells = np.unique(rng.integers(0, n * n, arcs))
    weights = rng.integers(0, 3, cells.size).astype("int32")
    return gl.Graph((cells // n, cells % n, weights), n=n, engine=engine)


def make_undirected(seed: int, engine: Any = "cpu", n: int = 60, arcs: int = 50) -> gl.Graph:
    G = fresh(seed, "cpu", n, arcs)
    return gl.Graph(binary.plus(G.A | G.A.T).new(), engine="cpu").to(engine)


def shapes() -> dict[str, Any]:
    """Graphs with a corner each, as (tails, heads, n)."""
    path, ring = np.arange(39), np.arange(40)
    return {
        "empty": ([], [], 0),
        "one vertex": ([], [], 1),
        "a loop": ([0], [0], 1),
        "no arcs": ([], [], 5),
        "a path against the numbers": (path + 1, path, 40),
        "a ring": (ring, (ring + 1) % 40, 40),
        "a star inwards": (path + 1, np.zeros(39, int), 40),
        "two rings and a bridge": ([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], 7),
        "pairs": (2 * np.arange(50) + 1, 2 * np.arange(50), 101),
    }


def compute_expected(G: gl.Graph, kind: str) -> list[int]:
    """The smallest vertex of each component, by NetworkX."""
    D = nx.DiGraph()
    D.add_nodes_from(range(G.n))
    D.add_edges_from(zip(*(part.tolist() for part in G.to("cpu").A.to_coo()[:2]), strict=True))
    find = nx.strongly_connected_components if kind == "strong" else nx.weakly_connected_components
    label = {v: min(each) for each in find(D) for v in each}
    return [label[v] for v in range(G.n)]


def check(G: gl.Graph, kind: str, name: str) -> None:
    labels, sizes = gl.components(G, kind=kind, method=name, sizes=True)
    found = labels.to_numpy().tolist()
    assert labels.dtype == "INT32"
    assert found == compute_expected(G, kind)
    assert sizes.to_dict() == {v: found.count(v) for v in sorted(set(found))}
    gl.components.verify(G, labels, sizes, kind=kind)


@pytest.mark.parametrize(("kind", "name", "engine"), CASES)
@pytest.mark.parametrize("make", [fresh, make_undirected])
def test_random_graphs(make: Any, kind: str, name: str, engine: str) -> None:
    for arcs in (5, 30, 90) * 5 if engine == "cpu" else (30,) if name == "algebraic" else (30, 90):
        seed = secrets.randbits(32)
        try:
            check(make(seed, get_engine_named(engine), arcs=arcs), kind, name)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {arcs} arcs") from error


@pytest.mark.parametrize("shape", shapes())
@pytest.mark.parametrize(("kind", "name", "engine"), CASES)
def test_corners(shape: str, kind: str, name: str, engine: str) -> None:
    tails, heads, n = shapes()[shape]
    check(gl.Graph((tails, heads), n=n, engine=get_engine_named(engine)), kind, name)


def test_a_large_graph_on_all_cores() -> None:
    """Enough arcs for more than one thread, and a component outside the largest one."""
    K = gl.generate.kronecker(13, engine="cpu")
    rows, cols, _ = K.A.to_coo()
    far = np.arange(K.n, K.n + 500)
    G = gl.Graph((np.append(rows, far[1:]), np.append(cols, far[:-1])), n=K.n + 501, engine="cpu")
    for _ in range(5):
        gl.components.verify(K, *gl.components(K, sizes=True))
        gl.components.verify(G, *gl.components(G, sizes=True))


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [0, 11])
@pytest.mark.parametrize("kind", ["weak", "strong"])
def test_kernels_in_any_order_of_threads(kind: str, seed: int) -> None:
    """Long rows, hubs, paths, and components beside the largest; the emulator reports races that are not meant."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    K, path = gl.generate.kronecker(8, engine="cpu"), gl.generate.path(300, engine="cpu")
    rows, cols, _ = K.A.to_coo()
    far, ring = np.arange(K.n, K.n + 40), np.arange(K.n + 40, K.n + 90)
    tails = np.concatenate([rows, far[1:], ring])
    heads = np.concatenate([cols, far[:-1], np.roll(ring, 1)])
    beside = gl.Graph((tails, heads), n=K.n + 91, engine="cpu")
    sparse = make_undirected(secrets.randbits(32), n=30, arcs=45)
    rare = fresh(secrets.randbits(32), n=300, arcs=420)
    for G in (K, path, beside, sparse, rare, fresh(secrets.randbits(32), n=200, arcs=2500)):
        gl.components.verify(G, gl.components(G.to(engine), kind=kind).to("cpu"), kind=kind)


@pytest.mark.emulated
@pytest.mark.parametrize(("few", "long_row"), [(16, 64), (1, 2), (3, 1)])
def test_passes_over_lists(few: int, long_row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings and trees where few learn in a pass; lists that are too short, and rows that are too long for a lane."""
    monkeypatch.setattr(forward_backward, "FEW", few)
    monkeypatch.setattr(forward_backward, "LONG_ROW", long_row)
    engine, rng = CudaEngine(np, make_loader(seed=5, resident=3)), np.random.default_rng(secrets.randbits(32))
    place = rng.permutation(1200)
    around = place[:900].reshape(9, 100)
    tails, heads = (part.ravel() for part in (around, np.roll(around, 1, axis=1)))
    more = rng.integers(0, 1200, (2, 6))
    rings = gl.Graph((np.append(tails, more[0]), np.append(heads, more[1])), n=1200, dup="first", engine="cpu")
    grid = gl.generate.grid2d(40, 25, engine="cpu").A.to_coo()
    kept = rng.random(grid[0].size) < 0.6
    for G in (rings, gl.Graph((place[grid[0][kept]], place[grid[1][kept]]), n=1200, engine="cpu")):
        gl.components.verify(G, gl.components(G.to(engine), kind="strong").to("cpu"), kind="strong")


def test_the_methods_by_kind() -> None:
    G = fresh(1)
    assert gl.components.choose(G, None, {"kind": "weak"}).name == "afforest"
    assert gl.components.choose(G, None, {"kind": "strong"}).name == "tarjan"
    assert gl.components.choose(make_undirected(1), None, {"kind": "strong"}).name == "afforest"
    check(make_undirected(2), "strong", "afforest")
    with pytest.raises(NotSupported, match="'tarjan' finds strong components"):
        gl.components(G, kind="strong", method="afforest")
    with pytest.raises(NotSupported, match="'afforest' finds weak ones"):
        gl.components(G, method="tarjan")


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidOption, match="kind='week': there are 'weak', 'strong'"):
        gl.components(fresh(1), kind="week")  # type: ignore[arg-type]
    with pytest.raises(gl.errors.GraphlaError, match="int is no Graph"):
        gl.components(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidGraph, match="occurs"):
        gl.components(gl.Graph(([0, 0], [1, 1]), engine="cpu"))


@pytest.mark.parametrize(
    ("kind", "labels", "what"),
    [
        ("weak", [0, 0, 0, 3, 0, 5], "leads from it to a vertex of another component"),
        ("weak", [0, 0, 0, 0, 0, 5], "1 components are told apart|2 components are told apart, and there are 3"),
        ("weak", [1, 1, 1, 3, 3, 5], "vertex 0: its label is larger than itself"),
        ("weak", [0, 0, 1, 3, 3, 5], "the vertex that is its label has another one"),
        ("weak", [0, 0, -1, 3, 3, 5], "its label is no vertex"),
        ("weak", [0, 0, 0, 3, 3], "has shape"),
        ("strong", [0, 0, 0, 3, 3, 5], "vertex 3: its label is not|vertex 4: its label is not"),
        ("strong", [0, 1, 1, 3, 4, 5], "is not the smallest vertex of its strong component"),
    ],
)
def test_the_verifier_finds_wrong_labels(kind: str, labels: list[int], what: str) -> None:
    G = gl.Graph(([0, 1, 2, 3], [1, 2, 0, 4]), n=6, engine="cpu")
    with pytest.raises(VerificationError, match=what):
        _verify.verify(G.csr, np.array(labels, np.int32), None, kind)


def test_the_verifier_finds_wrong_sizes() -> None:
    G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
    labels = gl.components(G)
    with pytest.raises(VerificationError, match="vertex 0: the size there"):
        gl.components.verify(G, labels, gl.Vector.from_coo([0, 3], [2, 1], "INT64", size=4, engine="cpu"))


@pytest.mark.parametrize("kind", ["weak", "strong"])
def test_a_comparison_asks_the_same_of_everyone(kind: str) -> None:
    found = gl.compare("components", fresh(3), kind=kind, repeat=1)
    assert {row.status for row in found} <= {"right", "refused"}, str(found)
    assert {row.name for row in found if row.status == "right"} >= {"algebraic", "SciPy", "NetworkX"}


@pytest.mark.emulated
def test_the_pivot_is_the_first_with_most_paths() -> None:
    rng = np.random.default_rng(secrets.randbits(31))
    tails, heads = rng.integers(0, 600, (2, 1500))
    G = gl.Graph((tails, heads), n=600, dup="first", engine="cpu")
    through = np.diff(G.csr.indptr).astype(int) * np.diff(G.csc.indptr)
    assert choose_pivot(G.to(CudaEngine(np, make_loader(seed=0, resident=3)))) == through.argmax()
