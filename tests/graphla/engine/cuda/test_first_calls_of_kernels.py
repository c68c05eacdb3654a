"""How many modules a first call compiles on a GPU, and how many one after the other: of CuPy's none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import binary, select, semiring
from graphla.engine.cuda.lists import FOLLOWING, TOGETHER
from graphla.graphs.batches import FEW_ARCS
from graphla.measuring.caching.warming import find_needed
from graphla.problem import all_examples, all_problems
from tests.cupy_modules import XP, record_modules, trace_modules, wrap

pytestmark = pytest.mark.emulated

PART = list(range(0, 100, 3))


def make_operands(engine: Any) -> dict[str, Any]:
    """Graphs from the host, undirected, directed and without cycles, an arc, two copies of a matrix, two vectors."""
    G = gl.generate.kronecker(9, seed=1, weights=(1, 255), engine="cpu").to(engine)
    x = gl.Vector.from_dense(np.linspace(0, 1, G.n), engine=engine)
    q = gl.Vector.from_coo(PART, np.ones(len(PART)), size=G.n, engine=engine)
    tails, heads, _ = G.A.to("cpu").to_coo()
    kept = (5 * tails + 3 * heads) % 7 < 2
    D = gl.Graph((tails[kept], heads[kept]), n=G.n, engine="cpu")
    T = gl.Graph(select.triu(D.A).new())
    return {
        "D": D.to(engine),
        "T": T.to(engine),
        "G": G,
        "S": gl.generate.grid2d(30, 30, weights=(1, 255), engine="cpu").to(engine),
        "A": G.A.dup(),
        "C": G.A.dup(),
        "x": x,
        "q": q,
        "arc": (tails[:1], heads[:1]),
        "engine": engine,
    }


def measure_rest(G: gl.Graph) -> Any:
    """The distances to a vertex of an undirected graph, from the CPU."""
    return gl.sssp(G.to("cpu"), 5).to_numpy(np.inf)


def write_masked(C: Any, A: Any, **_: Any) -> Any:
    C(A.S) << semiring.plus_pair(A @ A)
    return C


def copy_masked(C: Any, A: Any, **_: Any) -> Any:
    C(A.S) << A
    return C


def fill_part(C: Any, **_: Any) -> Any:
    C[PART, PART] << 1
    return C


def make_matrix(engine: Any, **_: Any) -> Any:
    return gl.Matrix.from_coo(PART, PART[::-1], 1.5, nrows=100, ncols=100, engine=engine)


def insert_many(G: gl.Graph, **_: Any) -> Any:
    numbers = np.arange(2 * FEW_ARCS)
    return G.update(insert=(numbers % 512, numbers // 16, numbers), dup="first")


def make_dense(engine: Any, missing: Any = None, dtype: Any = None, whole: bool = False) -> Any:
    values = np.eye(50, dtype="int64" if whole else "float64")
    return gl.Graph(gl.Matrix.from_dense(values, missing, dtype, engine=engine))


def write_part(x: Any, q: Any, **_: Any) -> Any:
    x(q.S) << 1
    return x


CALLS: dict[str, tuple[Any, int, int]] = {
    "bfs": (lambda G, **_: gl.bfs(G, 0), 4, 0),
    "bfs, algebraic": (lambda G, **_: gl.bfs(G, 0, method="algebraic"), 4, 3),
    "sssp": (lambda G, **_: gl.sssp(G, 0), 4, 0),
    "k_shortest_paths": (lambda G, **_: gl.k_shortest_paths(G, 0, 5, 9), 8, 1),
    "shortest_path by bounds": (lambda G, **_: gl.shortest_path(G, 0, 5, heuristic=measure_rest(G)), 4, 2),
    "shortest_path without bounds": (lambda G, **_: gl.shortest_path(G, 0, 5, heuristic=np.zeros(G.n)), 7, 2),
    "pagerank": (lambda G, **_: gl.pagerank(G), 6, 0),
    "pagerank of many": (lambda G, **_: gl.pagerank(G, personalization=[[0], [1]]), 7, 2),
    "pagerank of the highest": (lambda G, **_: gl.pagerank(G, top=5), 7, 1),
    "components": (lambda G, **_: gl.components(G), 3, 2),
    "independent_set": (lambda G, **_: gl.independent_set(G), 3, 2),
    "betweenness": (lambda G, **_: gl.betweenness(G, sources=[0]), 11, 1),
    "max_flow": (lambda G, **_: gl.max_flow(G, 0, 5), 12, 6),
    "similarity": (lambda G, **_: gl.similarity(G), 6, 4),
    "similarity by degrees": (lambda G, **_: gl.similarity(G, kind="adamic_adar"), 6, 4),
    "clustering": (lambda G, **_: gl.clustering(G), 9, 5),
    "clustering of arcs": (lambda D, **_: gl.clustering(D), 14, 10),
    "average clustering": (lambda G, **_: gl.clustering(G, kind="average"), 9, 5),
    "transitivity": (lambda G, **_: gl.clustering(G, kind="transitivity"), 9, 5),
    "spanning_forest": (lambda G, **_: gl.spanning_forest(G), 4, 2),
    "biconnected_components": (lambda G, **_: gl.biconnected_components(G), 9, 4),
    "transitive_closure": (lambda G, **_: gl.transitive_closure(G), 10, 1),
    "transitive_closure of arcs": (lambda D, **_: gl.transitive_closure(D), 15, 3),
    "topological_order": (lambda T, **_: gl.topological_order(T), 3, 3),
    "dominators": (lambda G, **_: gl.dominators(G, 0), 1, 1),
    "matching": (lambda G, **_: gl.matching(G), 3, 2),
    "louvain": (lambda G, **_: gl.louvain(G), 9, 3),
    "leiden": (lambda G, **_: gl.leiden(G), 12, 3),
    "closeness": (lambda G, **_: gl.closeness(G, sources=[0]), 5, 1),
    "closeness of all": (lambda G, **_: gl.closeness(G), 9, 3),
    "eccentricity": (lambda G, **_: gl.eccentricity(G), 14, 3),
    "diameter": (lambda G, **_: gl.diameter(G), 7, 1),
    "coloring": (lambda G, **_: gl.coloring(G), 4, 3),
    "core_numbers": (lambda G, **_: gl.core_numbers(G), 3, 2),
    "truss_numbers": (lambda G, **_: gl.truss_numbers(G), 17, 9),
    "k_truss": (lambda G, **_: gl.k_truss(G, 4), 19, 11),
    "label_propagation": (lambda G, **_: gl.label_propagation(G, 3), 12, 5),
    "widest_paths": (lambda G, **_: gl.widest_paths(G, 0), 3, 3),
    "A @ x": (lambda A, x, **_: semiring.plus_times(A @ x).new(), 2, 1),
    "A @ A": (lambda A, **_: semiring.plus_times(A @ A).new(), 6, 1),
    "C(A.S) << A @ A": (write_masked, 9, 1),
    "C(A.S) << A": (copy_masked, 4, 0),
    "x + x": (lambda x, **_: (x + x).new(), 1, 1),
    "reduce x": (lambda x, **_: x.reduce("plus").new(), 1, 1),
    "reduce rows": (lambda A, **_: A.reduce_rowwise("plus").new(), 2, 1),
    "x[part]": (lambda x, **_: x[PART].new(), 1, 1),
    "A[part, part]": (lambda A, **_: A[PART, PART].new(), 5, 0),
    "C[part, part] << 1": (fill_part, 2, 0),
    "A[5, :]": (lambda A, **_: A[5, :].new(), 1, 1),
    "dup to FP64": (lambda A, **_: A.dup(dtype="FP64"), 1, 1),
    "A[:, 5]": (lambda A, **_: A[:, 5].new(), 2, 2),
    "A | Aᵀ": (lambda A, **_: binary.plus(A | A.T).new(), 4, 2),
    "x | q": (lambda x, q, **_: binary.plus(x | q).new(), 2, 2),
    "q | q": (lambda q, **_: binary.plus(q | q).new(), 2, 2),
    "x(q.S) << 1": (write_part, 2, 2),
    "reduce q": (lambda q, **_: q.reduce("plus").new(), 2, 2),
    "push": (lambda A, q, **_: semiring.plus_times(A.T @ q).new(), 8, 5),
    "mean": (lambda x, **_: x.reduce(gl.agg.mean).new(), 1, 1),
    "mean of rows": (lambda A, **_: A.reduce_rowwise(gl.agg.mean).new(), 6, 5),
    "select x": (lambda x, **_: x.select(">", 0.5).new(), 2, 2),
    "from_coo": (make_matrix, 4, 4),
    "apply": (lambda A, **_: A.apply("ainv").new(), 1, 1),
    "select": (lambda A, **_: select.tril(A).new(), 2, 1),
    "sample_negative_edges": (lambda G, **_: gl.sample_negative_edges(G, 50), 8, 8),
    "sample_negative_edges of some": (lambda D, **_: gl.sample_negative_edges(D, 5, [0, 1, 1]), 8, 8),
    "update": (lambda G, arc, **_: G.update(insert=([0], [G.n], [1]), delete=arc, undirected=True), 3, 3),
    "update of weights": (lambda G, arc, **_: G.update(weights=(*arc, [9]), n=600), 3, 3),
}
"""A call, the most modules that it may compile, and after how many of them it may wait for another one."""


@pytest.mark.parametrize("name", CALLS)
def test_a_first_call_compiles_few_modules(name: str) -> None:
    call, most, awaited = CALLS[name]
    modules = trace_modules(make_operands, lambda operands: getattr(call(**operands), "nvals", None))
    assert modules.cupy == []
    assert len(modules.own) <= most, f"{len(modules.own)} modules, by their first kernels: {modules.own}"
    assert len(modules.awaited) <= awaited, f"nobody began to compile {modules.awaited}"
    assert {*modules.in_vain} <= {TOGETHER[group][0] for groups in FOLLOWING.values() for group in groups}


STILL_CUPY: dict[str, tuple[Any, int]] = {
    "katz": (lambda G, **_: gl.katz(G, alpha=1e-4), 2),
    "hits": (lambda G, **_: gl.hits(G), 2),
    "eigenvector": (lambda G, **_: gl.eigenvector(G), 3),
    "random_walks": (lambda G, **_: gl.random_walks(G, 5), 0),
    "random_walks of some": (lambda G, **_: gl.random_walks(G, 5, [0, 1]), 0),
    "sample_neighbors": (lambda D, **_: gl.sample_neighbors(D, [0, 1], [3, 2]), 0),
    "fastrp": (lambda G, **_: gl.fastrp(G, 8, seed=1), 0),
    "propagate": (lambda G, x, **_: gl.propagate(G, x.engine.asarray(np.ones((G.n, 8), "float32"))), 1),
    "similar": (lambda engine, **_: gl.similar(np.ones((40, 3), "float32"), 2, engine=engine).scores, 0),
    "similar to some": (
        lambda engine, **_: gl.similar(np.eye(9), 2, queries=[1], metric="dot", engine=engine).scores,
        0,
    ),
    "layout": (lambda G, **_: gl.layout(G, steps=3, seed=1), 0),
    "contract": (lambda G, **_: gl.contract(G, gl.louvain(G)), 0),
    "factorize": (lambda S, **_: all_examples()["factorize"](S), 0),
    "roads": (lambda S, **_: all_examples()["roads"](S), 5),
    "sample_neighbors with the arcs": (lambda D, **_: gl.sample_neighbors(D, [0, 1], [3, 2], direction="out"), 0),
    "follow": (lambda G, arc, **_: gl.follow("pagerank", G).update(delete=arc).values, 0),
    "update of many arcs": (insert_many, 16),
    "sample_neighbors by weights": (lambda G, **_: gl.sample_neighbors(G, [0, 1], [3, 2], weights=True), 1),
    "sample_negative_edges of most": (lambda G, **_: gl.sample_negative_edges(G, 600, [0, 1]), 23),
    "graph of a dense array": (lambda engine, **_: make_dense(engine, 0), 0),
    "dense array in FP32": (lambda engine, **_: make_dense(engine, dtype="FP32"), 0),
    "dense array of whole numbers in FP32": (lambda engine, **_: make_dense(engine, dtype="FP32", whole=True), 0),
}
"""Calls for which CuPy still compiles, and at most how many modules."""


SLOW = "reduce", "bincount", "array_equal", "isclose", "count_nonzero"
"""What CuPy compiles from CUB's block primitives, or ends in such a reduction: one to four seconds each."""


@pytest.mark.parametrize("name", STILL_CUPY)
def test_no_first_call_has_cupy_compile_more_than_now(name: str) -> None:
    call, most = STILL_CUPY[name]
    modules = trace_modules(make_operands, lambda operands: call(**operands))
    assert len(modules.cupy) <= most, modules.cupy
    assert [one for one in modules.cupy if one.startswith(SLOW)] == []


@pytest.mark.parametrize("name", all_problems())
def test_no_first_call_waits_for_a_reduction_of_cupy(name: str) -> None:
    problem = all_problems()[name]
    options = {"alpha": 1e-4} if name == "katz" else {}

    def call(operands: dict[str, Any]) -> Any:
        A = operands["A"]
        G = gl.Graph(select.triu(A).new()) if problem.domain == "acyclic" else gl.Graph(A)
        solve: Any = problem
        return solve(G, **find_needed(problem), **options)

    modules = trace_modules(make_operands, call)
    assert [one for one in modules.cupy if one.startswith(SLOW)] == []


def test_triangles_compile_no_module_of_cupy() -> None:
    modules = trace_modules(make_operands, lambda operands: gl.triangles(operands["G"]))
    assert modules.cupy == []
    assert len(modules.awaited) <= 2


def test_a_search_of_a_grid_compiles_no_module_of_cupy() -> None:
    grid = gl.generate.grid2d(30, 40, engine="cpu")
    modules = trace_modules(lambda engine: grid.to(engine), lambda G: gl.bfs(G, 0))
    assert modules.cupy == []
    assert len(modules.own) <= 4
    assert modules.in_vain == []


def test_what_cupy_would_compile_is_seen() -> None:
    with record_modules() as compiled:
        x = wrap(np.arange(6, dtype="int32"))
        _ = (x[1:] > x[:-1]).all(), XP.flatnonzero(x), x[x], x.astype("int64"), XP.ones(3)
        x[:] = 0
        XP.sort(x)
        assert x.max() == 0
    assert compiled == [
        "greater(int32, int32)", "reduce logical_and(bool)", "flatnonzero(int32)", "flatnonzero1(int32)",
        "flatnonzero2(int32)", "take(int32, int32)", "copy(int32, int64)", "ones(float64)", "fill(int32)",
        "copy(int32, int32)",
    ]  # fmt: skip
