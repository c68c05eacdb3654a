"""Orders by nested dissection: of every shape, as good as those of METIS, and the same on any number of threads."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial import Delaunay, cKDTree

import graphla as gl
from graphla.algorithms.apsp.elimination import structure
from graphla.algorithms.apsp.elimination.bisect import bisect
from graphla.algorithms.apsp.elimination.dissect import dissect
from graphla.algorithms.apsp.elimination.minimum_degree import order_by_degree
from graphla.algorithms.apsp.elimination.order import compute_order
from graphla.algorithms.apsp.elimination.refine import SHARE
from graphla.engine.cpu.jit import njit


@njit()
def bisect_alone(start, heads, side):
    return bisect(start, heads, side)


@njit()
def order_alone(start, heads, owned, out):
    order_by_degree(start, heads, owned, out)


def make_pattern(n, tails, heads):
    A = csr_array((np.ones(len(tails), bool), (tails, heads)), shape=(n, n))
    return structure.make_symmetric(A.indptr, A.indices)


def get_pattern(G):
    return structure.make_symmetric(G.csr.indptr, G.csr.indices)


def make_cube(side):
    k = np.arange(side**3).reshape(side, side, side)
    return make_pattern(
        k.size,
        np.concatenate([k[1:].ravel(), k[:, 1:].ravel(), k[:, :, 1:].ravel()]),
        np.concatenate([k[:-1].ravel(), k[:, :-1].ravel(), k[:, :, :-1].ravel()]),
    )


def make_mesh(n, dimension):
    cells = Delaunay(np.random.default_rng(n).random((n, dimension))).simplices
    sides = [(i, j) for i in range(dimension + 1) for j in range(i)]
    return make_pattern(n, *(np.concatenate([cells[:, side[end]] for side in sides]) for end in (0, 1)))


def find_neighbours(n, k, dimension):
    points = np.random.default_rng(n).random((n, dimension))
    return make_pattern(n, np.repeat(np.arange(n), k), cKDTree(points).query(points, k + 1)[1][:, 1:].ravel())


def make_clique(n):
    return make_pattern(n, *np.triu_indices(n, 1))


def join(*patterns):
    """Patterns beside each other, without an arc between them."""
    starts, heads, n, m = [np.zeros(1, int)], [], 0, 0
    for start, ends in patterns:
        starts, heads, n, m = [*starts, start[1:] + m], [*heads, ends + n], n + start.size - 1, m + ends.size
    return np.concatenate(starts), np.concatenate(heads).astype(np.int32)


SHAPES = {
    "nothing": lambda: make_pattern(0, [], []),
    "a vertex": lambda: make_pattern(1, [], []),
    "no arcs": lambda: make_pattern(3000, [], []),
    "a path": lambda: get_pattern(gl.generate.path(3000, engine="cpu")),
    "a star": lambda: make_pattern(3000, np.zeros(2999, int), np.arange(1, 3000)),
    "a tree": lambda: make_pattern(3000, np.arange(1, 3000), np.arange(2999) // 2),
    "a clique": lambda: make_clique(700),
    "two cliques": lambda: join(make_clique(300), make_clique(40)),
    "two hubs": lambda: make_pattern(2002, np.repeat(np.arange(2), 2000), np.tile(np.arange(2, 2002), 2)),
    "many components": lambda: join(*[make_clique(k % 9 + 1) for k in range(600)], make_cube(9)),
    "small components": lambda: make_pattern(
        200_000, *[np.add.outer(np.arange(0, 200_000, 4), p).ravel() for p in np.triu_indices(4, 1)]
    ),
    "bipartite": lambda: make_pattern(600, np.repeat(np.arange(300), 300), np.tile(np.arange(300, 600), 300)),
    "an expander": lambda: make_pattern(30_000, *np.random.default_rng(7).integers(0, 30_000, (2, 90_000))),
    "a grid": lambda: get_pattern(gl.generate.grid2d(60, 60, engine="cpu")),
    "a cube": lambda: make_cube(14),
    "hubs": lambda: get_pattern(gl.generate.kronecker(11, 8, seed=3, engine="cpu")),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_vertex_is_named_once(shape):
    start, heads = SHAPES[shape]()
    for order in (compute_order(start, heads), dissect(start.astype(np.int64), heads)):
        np.testing.assert_array_equal(np.sort(order), np.arange(start.size - 1))


@pytest.mark.parametrize("seed", range(30))
def test_no_arc_leads_from_side_to_side(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 400))
    start, heads = make_pattern(n, *rng.integers(0, n, (2, int(rng.integers(0, 3 * n)))))
    side = np.full(n, 9, np.int8)
    sums = bisect_alone(start.astype(np.int32), heads, side)
    np.testing.assert_array_equal(sums, np.bincount(side, minlength=3))
    ends = side[np.repeat(np.arange(n), np.diff(start))], side[heads]
    assert 1 not in ends[0] + ends[1]


@pytest.mark.parametrize(("side", "most"), [(20, 20), (50, 50), (120, 126)])
def test_the_separator_of_a_grid_is_a_line(side, most):
    start, heads = get_pattern(gl.generate.grid2d(side, side, engine="cpu"))
    sides = np.empty(side * side, np.int8)
    first, second, between = bisect_alone(start.astype(np.int32), heads, sides)
    assert between <= most
    assert max(first, second) <= SHARE * side * side


def eliminate(start, heads, owned, order):
    """Eliminate sets of neighbours one by one; return the degree of each vertex when it went, and the least then."""
    near = [set(heads[start[v] : start[v + 1]].tolist()) for v in range(start.size - 1)]
    degrees, least, left = [], [], set(range(owned))
    for v in order.tolist():
        degrees.append(len(near[v]))
        least.append(min(len(near[u]) for u in left))
        left.remove(v)
        for u in near[v]:
            near[u] = (near[u] | near[v]) - {u, v}
    return np.array(degrees), np.array(least)


@pytest.mark.parametrize("seed", range(20))
def test_next_goes_a_vertex_of_few_neighbours(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 120))
    start, heads = make_pattern(n, *rng.integers(0, n, (2, int(rng.integers(0, 4 * n)))))
    owned = int(rng.integers(1, n + 1))
    order = np.full(owned, -1, np.int32)
    order_alone(start.astype(np.int32), heads, owned, order)
    assert sorted(order.tolist()) == list(range(owned))
    degrees, least = eliminate(start, heads, owned, order)
    # degrees are bounds, so that another vertex may have fewer: on trees none has, else few
    assert degrees.sum() <= 1.15 * least.sum() + 3


def test_a_tree_goes_leaf_by_leaf():
    start, heads = SHAPES["a tree"]()
    order = np.empty(3000, np.int32)
    order_alone(start.astype(np.int32), heads, 3000, order)
    assert eliminate(start, heads, 3000, order)[0].max() <= 1


def test_the_rim_counts():
    """The ends of a path go last where many others hang on them, which do not go."""
    tails, heads = (
        np.concatenate([np.arange(4), np.repeat([0, 4], 6)]),
        np.concatenate([np.arange(1, 5), np.arange(5, 17)]),
    )
    start, ends = make_pattern(17, tails, heads)
    order = np.empty(5, np.int32)
    order_alone(start.astype(np.int32), ends, 5, order)
    assert set(order[:3].tolist()) == {1, 2, 3}


def measure(pattern, order, monkeypatch):
    monkeypatch.setattr(structure, "compute_order", lambda *_: order)
    S = structure.analyze(*pattern)
    return np.array([S.cells, S.updates], float)


MEASURED = {
    "roads": (lambda: get_pattern(gl.generate.road(200_000, engine="cpu")), 1.1, 1.2),
    "a grid": (lambda: get_pattern(gl.generate.grid2d(150, 150, engine="cpu")), 1.06, 1.2),
    "a cube": (lambda: make_cube(22), 1.15, 1.25),
    "a mesh of triangles": (lambda: make_mesh(20_000, 2), 1.1, 1.2),
    "a mesh of tetrahedra": (lambda: make_mesh(5000, 3), 1.15, 1.2),
    "nearest neighbours": (lambda: find_neighbours(20_000, 8, 2), 1.1, 1.2),
    "no small separators": (
        lambda: make_pattern(2500, *np.random.default_rng(5).integers(0, 2500, (2, 5000))),
        1.15,
        1.2,
    ),
}


@pytest.mark.parametrize("shape", MEASURED)
def test_fill_is_that_of_metis(shape, monkeypatch):
    pymetis = pytest.importorskip("pymetis")
    make, cells, updates = MEASURED[shape]
    start, heads = pattern = make()
    theirs = pymetis.nested_dissection(pymetis.CSRAdjacency(start.astype(np.int32), heads))[0]
    ratio = measure(pattern, compute_order(*pattern), monkeypatch) / measure(pattern, np.array(theirs), monkeypatch)
    assert ratio[0] <= cells, ratio
    assert ratio[1] <= updates, ratio


def test_fill_of_grids_grows_as_n_log_n(monkeypatch):
    fill = {
        side: measure(pattern, compute_order(*pattern), monkeypatch)[0] / (2 * side * side * np.log2(side))
        for side in (50, 100, 200)
        for pattern in [get_pattern(gl.generate.grid2d(side, side, engine="cpu"))]
    }
    assert max(fill.values()) <= 1.35 * min(fill.values()), fill


PROGRAM = """
import hashlib, numpy as np, graphla as gl
from graphla.algorithms.apsp.elimination.order import compute_order
G = gl.generate.road(150_000, engine="cpu")
print(hashlib.sha256(compute_order(G.csr.indptr, G.csr.indices).tobytes()).hexdigest())
"""


def test_any_number_of_threads_gives_the_same_order():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "GRAPHLA_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "5")
    }
    assert len(found) == 1
