"""Triangles and clustering by every method against NetworkX and brute force; verifiers against wrong answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse

import graphla as gl
from graphla.algorithms.clustering import _verify as verify_clustering
from graphla.algorithms.shared import row_blocks
from graphla.algorithms.shared.undirected import count_ways
from graphla.algorithms.triangles import _verify, bitmap, bitmap_cpu
from graphla.algorithms.triangles.algebraic import EXPRESSIONS
from graphla.algorithms.triangles.oriented_cpu import orient
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption, NotSupported, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from graphla.storage import CompressedMatrix
from semirings import binary
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import to_networkx
from tests.graphla.engine.engines import get_engine_named


def fresh(seed: int, n: int = 50, arcs: int = 250) -> gl.Graph:
    """A random directed graph with loops, arcs that weigh nothing, and mostly small tails: hubs."""
    rng = np.random.default_rng(seed)
    cells = np.unique((rng.random(arcs) ** 2 * n).astype(int) * n + rng.integers(0, n, arcs))
    return gl.Graph((cells // n, cells % n, rng.integers(0, 3, cells.size).astype("int32")), n=n, engine="cpu")


def make_undirected(G: gl.Graph) -> gl.Graph:
    return gl.Graph(binary.any(G.A | G.A.T).new(), engine="cpu")


def compute_coefficients(G: gl.Graph) -> list[float]:
    """The definition of Graphalytics, vertex by vertex, on a dense matrix."""
    A = np.zeros((G.n, G.n), bool)
    A[G.A.to_coo()[:2]] = True
    np.fill_diagonal(A, False)
    near = [np.flatnonzero(row) for row in A | A.T]
    return [A[np.ix_(v, v)].sum() / max(1, v.size * (v.size - 1)) for v in near]


def shapes() -> dict[str, Any]:
    """Graphs with a corner each, as (tails, heads, n); their reverses are added."""
    path = np.arange(39)
    pairs = np.argwhere(~np.tri(40, dtype=bool))
    return {
        "empty": ([], [], 0),
        "one vertex": ([], [], 1),
        "a loop": ([0], [0], 1),
        "no arcs": ([], [], 5),
        "one edge": ([0], [1], 2),
        "a triangle and loops": ([0, 1, 2, 0, 1], [1, 2, 0, 0, 1], 4),
        "a path": (path + 1, path, 40),
        "a star": (path + 1, np.zeros(39, int), 40),
        "a wheel": (np.append(path + 1, path + 1), np.append(np.zeros(39, int), np.roll(path, 1) + 1), 40),
        "complete": (pairs[:, 0], pairs[:, 1], 40),
        "complete, apart": (3 * pairs[:, 0] + 1, 3 * pairs[:, 1] + 1, 130),
        "two of all parts": (np.repeat(np.arange(20), 20), 20 + np.tile(np.arange(20), 20), 40),
    }


def check(G: gl.Graph, name: str, engine: str) -> None:
    """The count, and the counts of the vertices."""
    expected = list(nx.triangles(to_networkx(G)).values())
    moved = G.to(get_engine_named(engine))
    counts = gl.triangles(moved, per_vertex=True, method=name)
    assert counts.dtype == "INT64"
    assert counts.to_numpy().tolist() == expected
    count = gl.triangles(moved, method=name)
    assert type(count) is int
    assert 3 * count == sum(expected)


def check_clustering(G: gl.Graph, name: str, engine: str) -> None:
    """Each coefficient, their mean, and the transitivity."""
    if gl.clustering.methods[name].refusal(G.to(get_engine_named(engine)), {}):
        G = make_undirected(G)
    moved, expected = G.to(get_engine_named(engine)), compute_coefficients(G)
    found = gl.clustering(moved, method=name)
    assert found.dtype == "FP64"
    np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-12)
    average = gl.clustering(moved, kind="average", method=name)
    assert average == pytest.approx(np.mean(expected) if G.n else 0)
    gl.clustering.verify(G, gl.clustering(moved, kind="transitivity", method=name), kind="transitivity")


def repeat_fresh(check: Callable[[gl.Graph], None], engine: str, name: str) -> None:
    for arcs in (40, 250, 900) * 4 if engine == "cpu" else (250,) if name == "algebraic" else (250, 900):
        seed = secrets.randbits(32)
        try:
            check(fresh(seed, arcs=arcs))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {arcs} arcs") from error


@pytest.mark.parametrize(("name", "engine"), list_cases(gl.triangles))
def test_random_graphs(name: str, engine: str) -> None:
    repeat_fresh(lambda G: check(make_undirected(G), name, engine), engine, name)


@pytest.mark.parametrize(("name", "engine"), list_cases(gl.clustering))
def test_coefficients_of_random_graphs(name: str, engine: str) -> None:
    repeat_fresh(lambda G: check_clustering(G, name, engine), engine, name)
    check_clustering(make_undirected(fresh(7)), name, engine)


@pytest.mark.parametrize("shape", shapes())
@pytest.mark.parametrize(("name", "engine"), list_cases(gl.triangles))
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = shapes()[shape]
    check(make_undirected(gl.Graph((tails, heads), n=n, engine="cpu")), name, engine)


@pytest.mark.parametrize("shape", shapes())
@pytest.mark.parametrize(("name", "engine"), list_cases(gl.clustering))
def test_coefficients_of_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = shapes()[shape]
    G = gl.Graph((tails, heads), n=n, engine="cpu")
    check_clustering(G, name, engine)
    check_clustering(make_undirected(G), name, engine)


def test_coefficients_of_networkx() -> None:
    G = make_undirected(fresh(secrets.randbits(32)))
    g = to_networkx(G)
    assert gl.clustering(G).to_numpy() == pytest.approx(list(nx.clustering(g).values()))
    assert gl.clustering(G, kind="average") == pytest.approx(nx.average_clustering(g))
    assert gl.clustering(G, kind="transitivity") == pytest.approx(nx.transitivity(g))


@pytest.mark.parametrize("order", ["degree", "given"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_expressions(expression: str, order: str) -> None:
    G = make_undirected(fresh(secrets.randbits(32)))
    expected = sum(nx.triangles(to_networkx(G)).values()) // 3
    assert gl.triangles(G, method="algebraic", expression=expression, order=order) == expected


@pytest.mark.parametrize(("hubs", "least_degree"), [(4096, 1), (70, 9), (10, 5), (100, 10**9)])
def test_rows_of_bits_and_lists_on_the_cpu(hubs: int, least_degree: int) -> None:
    """Every way in which the ends of an arc are compared, of directed and undirected graphs."""
    D = gl.Graph(fresh(secrets.randbits(32), n=300, arcs=6000).A.select("offdiag").new())
    joined = gl.Graph(count_ways(D))
    directed = orient(joined, hubs, least_degree, joined.csr.values.astype("uint8"))
    assert bitmap_cpu.count_closed(directed).tolist() == verify_clustering.count_arcs(D.csr)[0].tolist()
    counts, undirected = _verify.count_each(joined.csr), orient(joined, hubs, least_degree)
    assert bitmap_cpu.count_closed(undirected).tolist() == (2 * counts).tolist()
    assert bitmap_cpu.count_all(undirected) == counts.sum() // 3


def test_a_large_graph_on_all_cores() -> None:
    """Enough arcs for more than one thread, and vertices beyond the hubs."""
    G = gl.generate.kronecker(13, engine="cpu")
    for _ in range(3):
        found = {name: gl.triangles(G, per_vertex=True, method=name) for name in ("bitmap", "merge")}
        assert found["bitmap"].isequal(found["merge"])
        count = gl.triangles(G, method="bitmap")
        assert gl.triangles(G, method="merge") == count == found["merge"].reduce("plus").new().get(0) // 3
    gl.triangles.verify(G, found["bitmap"], per_vertex=True)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [0, 11])
def test_kernels_in_any_order_of_threads(seed: int) -> None:
    """Rows of bits, hubs that lanes own, lists, tables in parts, full counters; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    K, complete = gl.generate.kronecker(8, engine="cpu"), gl.Graph(np.ones((280, 280), bool), engine="cpu")
    few = make_undirected(fresh(secrets.randbits(32), n=150, arcs=1500))
    for G, options in [
        (K, {"hubs": 4096, "least_degree": 1}),
        (K, {"hubs": 9, "least_degree": 20}),
        (K, {"hubs": 40, "least_degree": 5}),
        (K, {"hubs": 4097, "least_degree": 1}),
        (few, {"least_degree": 1000}),
        (complete, {"hubs": 7, "least_degree": 1000}),
        (gl.Graph(np.ones((150, 150), bool), engine="cpu"), {"hubs": 4096, "least_degree": 1}),
    ]:
        counts, moved = _verify.count_each(G.csr), G.to(engine)
        assert gl.triangles(moved, method="bitmap", **options) == counts.sum() // 3
        found = gl.triangles(moved, per_vertex=True, method="bitmap", **options)
        assert found.to_numpy().tolist() == counts.tolist()
        assert gl.triangles(moved, method="merge", per_vertex=True).isequal(found)


@pytest.mark.emulated
@pytest.mark.parametrize(("hubs", "least_degree"), [(4096, 1), (40, 60), (10, 70), (100, 10**9)])
def test_arcs_of_directed_graphs_in_any_order_of_threads(
    monkeypatch: pytest.MonkeyPatch, hubs: int, least_degree: int
) -> None:
    """The same with two planes of bits."""
    monkeypatch.setattr(bitmap, "HUBS", {"cuda": hubs})
    monkeypatch.setattr(bitmap, "LEAST_DEGREE", {"cuda": least_degree})
    D = fresh(secrets.randbits(32), n=90, arcs=5000)
    for seed in (0, 11):
        moved = D.to(CudaEngine(np, make_loader(seed=seed, resident=3)))
        gl.clustering.verify(D, gl.clustering(moved, method="bitmap").to("cpu"))


@pytest.mark.emulated
def test_the_methods_by_degree() -> None:
    engine = get_engine_named("emulated")
    star, path = (make(200, engine=engine) for make in (gl.generate.star, gl.generate.path))
    for problem in (gl.triangles, gl.clustering):
        assert problem.choose(path, None, {}).name == "merge"
        assert problem.choose(star, None, {}).name == "bitmap"
    with pytest.raises(NotSupported, match="the graph is directed; method='bitmap' counts arcs"):
        gl.clustering(fresh(1).to(engine), method="merge")
    assert gl.clustering.choose(fresh(1).to(engine), None, {}).name == "bitmap"


@pytest.mark.parametrize("place", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_row_pointers_of_64_bits(place: str) -> None:
    engine, K = get_engine_named(place), gl.generate.kronecker(7, engine="cpu")
    for G in (K, gl.Graph(K.A.select("tril", -1).new())):
        parts = G.csr.indptr.astype("int64"), G.csr.indices, G.csr.values
        wide = gl.Graph(gl.Matrix._from_storage(CompressedMatrix(G.n, G.n, *parts), engine))
        gl.clustering.verify(G, gl.clustering(wide, method="bitmap").to("cpu"))
        if G is K:
            assert {gl.triangles(wide, method=name) for name in ("bitmap", "merge")} == {gl.triangles(K)}


@pytest.mark.emulated
def test_a_large_core_has_more_hubs(monkeypatch: pytest.MonkeyPatch) -> None:
    G = gl.generate.kronecker(6, engine="cpu").to(get_engine_named("emulated"))
    assert bitmap.choose_hubs(G, False) == bitmap.HUBS["cuda"]
    monkeypatch.setattr(bitmap, "CORE_DEGREE", 10)
    monkeypatch.setattr(bitmap, "MOST_HUBS", 16)
    moved = G.to("cpu").to(get_engine_named("emulated"))
    assert bitmap.choose_hubs(moved, False) == 16
    assert bitmap.choose_hubs(moved, True) == bitmap.HUBS["cuda"]
    gl.triangles.verify(moved, gl.triangles(moved, method="bitmap"))
    with pytest.raises(NotSupported, match="hubs=9000: with per_vertex=True up to 8192"):
        gl.triangles(moved, method="bitmap", per_vertex=True, hubs=9000)


def test_counts_beyond_32_bits() -> None:
    """A complete graph has more triangles at an arc than FP32 or INT8 can count; zero weights are arcs."""
    n = 400
    A = gl.Matrix.from_scipy_sparse(scipy.sparse.csr_array(np.ones((n, n), "int8")), engine="cpu")
    assert gl.triangles(gl.Graph(A), method="algebraic") == n * (n - 1) * (n - 2) // 6


def test_weights_may_differ_both_ways() -> None:
    G = gl.Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2], [1, 2, 3, 4, 0, 6]), engine="cpu")
    assert not G.symmetric
    assert gl.triangles(G) == 1
    gl.triangles.verify(G, 1)


def test_a_changed_graph_is_counted_anew() -> None:
    G = make_undirected(gl.Graph(([0, 1, 2, 2], [1, 2, 0, 3]), engine="cpu"))
    assert gl.triangles(G) == 1
    G.A[0, 3] = True
    with pytest.raises(InvalidGraph, match="the arc 0 → 3 has no reverse"):
        gl.triangles(G)
    G.A[3, 0] = True
    assert gl.triangles(G) == 2


def test_bad_input_is_refused() -> None:
    G, U = fresh(1), make_undirected(fresh(1))
    with pytest.raises(
        InvalidGraph, match=r"triangles: the graph is directed: the arc .* has no reverse.*undirected=True"
    ):
        gl.triangles(G)
    with pytest.raises(InvalidGraph, match="directed"):
        gl.triangles.verify(G, 0)
    with pytest.raises(InvalidOption, match="kind='mean': there are 'local', 'average', 'transitivity'"):
        gl.clustering(G, kind="mean")  # type: ignore[call-overload]
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.clustering(3)  # type: ignore[arg-type]
    with pytest.raises(NotSupported, match="'cohen' does not count a triangle at each of its vertices"):
        gl.triangles(U, per_vertex=True, method="algebraic", expression="cohen")
    with pytest.raises(NotSupported, match="the counts of the vertices take the order as it is given"):
        gl.triangles(U, per_vertex=True, method="algebraic", order="degree")
    with pytest.raises(InvalidOption, match="hubs='many': give a number from 1 to 16384"):
        gl.triangles(U, per_vertex=True, method="bitmap", hubs="many")
    with pytest.raises(NotSupported, match="expression"):
        gl.triangles(U, method="algebraic", expression="sandia")


def test_the_verifiers_find_wrong_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_blocks, "TERMS", 50)  # several blocks of rows
    G = make_undirected(fresh(3))
    counts, count, local = gl.triangles(G, per_vertex=True), gl.triangles(G), gl.clustering(G)
    gl.triangles.verify(G, counts, per_vertex=True)
    gl.triangles.verify(G, count)
    gl.clustering.verify(G, local)
    with pytest.raises(VerificationError, match=f"{count + 1} are counted, and there are {count}"):
        gl.triangles.verify(G, count + 1)
    counts[4] = counts[4].value + 1
    with pytest.raises(VerificationError, match=r"vertex 4: .* \(1 are wrong\)"):
        gl.triangles.verify(G, counts, per_vertex=True)
    local[5] = local[5].value + 1e-9
    with pytest.raises(VerificationError, match="vertex 5"):
        gl.clustering.verify(G, local)
    for kind in ("average", "transitivity"):
        gl.clustering.verify(G, gl.clustering(G, kind=kind), kind=kind)
        with pytest.raises(VerificationError, match=kind):
            gl.clustering.verify(G, gl.clustering(G, kind=kind) + 1e-9, kind=kind)


def test_the_verifier_of_directed_graphs() -> None:
    G = fresh(secrets.randbits(32))
    closed, possible = verify_clustering.count_arcs(G.csr)
    np.testing.assert_allclose(closed / np.maximum(possible, 1), compute_coefficients(G))


@pytest.mark.parametrize("request_", [{"per_vertex": False}, {"per_vertex": True}])
def test_a_comparison_of_triangles(request_: Any) -> None:
    found = gl.compare("triangles", make_undirected(fresh(3)), repeat=1, **request_)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "SciPy", "NetworkX"}


@pytest.mark.parametrize(("kind", "directed"), [("local", True), ("transitivity", False)])
def test_a_comparison_of_coefficients(kind: str, directed: bool) -> None:
    found = gl.compare("clustering", fresh(3) if directed else make_undirected(fresh(3)), kind=kind, repeat=1)
    assert {row.status for row in found} <= ({"right", "refused"} if directed else {"right"}), str(found)
    assert {row.name for row in found if row.status == "right"} >= {"algebraic", "SciPy"}
