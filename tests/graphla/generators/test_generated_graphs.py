"""What each generator promises: size, degrees, symmetry, the same graph from the same seed."""

from __future__ import annotations

import inspect
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.spatial import cKDTree

from graphla.common.errors import InvalidGraph, OutOfMemory
from graphla.graphs import generators
from graphla.graphs.generators.generator import find_draft
from graphla.graphs.generators.geometric import open_window

SMALL = {
    "kronecker": (8,),
    "rmat": (8,),
    "uniform": (300, 6),
    "grid2d": (7, 5),
    "grid3d": (4, 3, 5),
    "random_geometric": (400,),
    "rgg": (8,),
    "hubs": (500, 6, 0.01, 60),
    "gnp": (300, 0.02),
    "planted_partition": (300, 5),
    "lfr": (300,),
    "barabasi_albert": (300, 3),
    "watts_strogatz": (300, 6),
    "road": (500,),
    "path": (9,),
    "cycle": (9,),
    "star": (9,),
    "complete": (9,),
}
RANDOM = ("kronecker", "rmat", "uniform", "random_geometric", "rgg", "hubs", "road")
RANDOM += ("gnp", "planted_partition", "lfr", "barabasi_albert", "watts_strogatz")
TINY = [(name, size) for name in SMALL for size in (0, 1, 2, 3)]


def make(name, *args, **options):
    return getattr(generators, name)(*(args or SMALL[name]), **options)


def to_matrix(coo):
    return csr_array((np.ones(coo.rows.size, np.int64), (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols))


def are_same(a, b):
    return a.rows.size == b.rows.size and np.array_equal(a.rows, b.rows) and np.array_equal(a.cols, b.cols)


def check_simple(coo):
    """Symmetric, sorted, without loops or repeats, int32."""
    keys = coo.rows.astype(np.int64) * max(coo.ncols, 1) + coo.cols
    assert (np.diff(keys) > 0).all()
    assert (coo.rows != coo.cols).all()
    assert coo.rows.dtype == coo.cols.dtype == np.int32
    assert coo.nrows == coo.ncols
    assert abs(to_matrix(coo) - to_matrix(coo).T).sum() == 0


def test_every_generator_is_tested():
    functions = {
        name for name in generators.__all__ if "seed" in inspect.signature(getattr(generators, name)).parameters
    }
    assert functions - {"lfr_communities", "pair_weights"} == set(SMALL)
    assert {g.function.__name__ for g in generators.generators().values()} == set(SMALL) - {"random_geometric"}


@pytest.mark.parametrize("name", SMALL)
def test_graphs_are_simple_and_symmetric(name):
    coo = make(name)
    check_simple(coo)
    assert coo.values is None
    assert coo.rows.size


@pytest.mark.parametrize(("name", "size"), TINY)
def test_tiny_graphs(name, size):
    check_simple(make(name, size))


@pytest.mark.parametrize("name", RANDOM)
def test_the_seed_decides(name):
    assert are_same(make(name, seed=4), make(name, seed=4))
    assert not are_same(make(name, seed=4), make(name, seed=5))


@pytest.mark.parametrize("name", SMALL)
def test_weights_agree_in_both_directions(name):
    coo = make(name, weights=(1, 255), seed=2)
    weights = csr_array((coo.values, (coo.rows, coo.cols)), shape=(coo.nrows, coo.ncols))
    assert abs(weights - weights.T).sum() == 0
    assert coo.values.dtype == np.int32
    assert coo.values.min() >= 1
    assert coo.values.max() <= 255
    assert np.array_equal(coo.values, generators.pair_weights(coo.cols, coo.rows, 1, 255, 2))


@pytest.mark.parametrize("name", ["path", "cycle", "star", "complete"])
def test_small_graphs_as_networkx_makes_them(name):
    theirs = {"star": lambda n: nx.star_graph(n - 1)}.get(name, getattr(nx, f"{name}_graph"))(9)
    assert np.array_equal(to_matrix(make(name)).toarray(), nx.to_numpy_array(theirs, nodelist=range(9)))


def test_grids_as_networkx_makes_them():
    for coo, shape in ((make("grid2d"), (5, 7)), (make("grid3d"), (5, 3, 4))):
        theirs = nx.grid_graph(shape[::-1])
        assert np.array_equal(to_matrix(coo).toarray(), nx.to_numpy_array(theirs, nodelist=list(np.ndindex(*shape))))
    assert are_same(generators.grid2d(4), generators.grid2d(4, 4))
    assert are_same(generators.grid3d(3), generators.grid3d(3, 3, 3))


def test_random_geometric_joins_exactly_what_is_near():
    for n, radius in ((400, 0.11), (400, 0.5), (50, 1.5), (300, 0.003)):
        coo = generators.random_geometric(n, radius, seed=3)
        x, y, *_ = open_window(n, max(1, min(int(1 / radius), int(n**0.5) + 1)), 3, 0, n)
        near = cKDTree(np.c_[x, y]).query_pairs(radius)
        ours = {(u, v) for u, v in zip(coo.rows.tolist(), coo.cols.tolist(), strict=True) if u < v}
        assert ours == near


@pytest.mark.parametrize("name", SMALL)
def test_parts_are_those_of_the_whole(name):
    draft = find_draft(getattr(generators, name))(*SMALL[name])
    draw = draft.prepare()
    whole = draw(0, 1) if draft.has_parts else draw(0, draft.count)
    for parts in (2, 3, 7):
        bounds = [draft.count * part // parts for part in range(parts + 1)]
        drawn = [
            draw(part, parts) if draft.has_parts else draw(first, last - first)
            for part, (first, last) in enumerate(pairwise(bounds))
        ]
        assert max(map(len, drawn)) < len(whole)
        np.testing.assert_array_equal(np.sort(np.concatenate(drawn)), np.sort(whole))


def test_random_geometric_has_the_usual_degree():
    coo = generators.rgg(14)
    assert coo.rows.size / coo.nrows == pytest.approx(0.95 * np.log(2**14), rel=0.05)
    assert connected_components(to_matrix(coo))[0] <= 20


def test_kronecker_falls_into_quadrants_as_graph500_says():
    coo = generators.rmat(16, 16, symmetric=False, simple=False, seed=7)
    u, v = coo.rows >> 15, coo.cols >> 15
    shares = np.bincount(2 * u + v, minlength=4) / u.size
    assert shares == pytest.approx([0.57, 0.19, 0.19, 0.05], abs=0.003)
    low = np.bincount(2 * (coo.rows & 1) + (coo.cols & 1), minlength=4) / u.size
    assert low == pytest.approx([0.57, 0.19, 0.19, 0.05], abs=0.003)
    corner = [((coo.rows | coo.cols) >> shift == 0).mean() for shift in range(16, 8, -1)]
    assert corner == pytest.approx([0.57**level for level in range(8)], rel=0.1), "levels are independent"


def test_kronecker_keeps_what_was_drawn_if_asked():
    coo = generators.kronecker(8, 16, simple=False)
    assert coo.rows.size == 2 * 16 * 256
    assert abs(to_matrix(coo) - to_matrix(coo).T).sum() == 0


def test_kronecker_scrambles_its_vertices():
    degrees = np.bincount(generators.kronecker(12).rows, minlength=1 << 12)
    plain = np.bincount(generators.rmat(12).rows, minlength=1 << 12)
    assert plain.argmax() == 0
    assert degrees.argmax() != 0
    assert abs(np.corrcoef(np.arange(1 << 12), degrees)[0, 1]) < 0.1


def test_hubs_stand_out():
    degrees = np.bincount(generators.hubs(20_000).rows)
    assert (degrees > 900).sum() == 20
    assert np.median(degrees) in (6, 7)
    assert degrees.min() >= 5


def test_roads_are_long_and_joined():
    coo = generators.road(20_000)
    graph = to_matrix(coo)
    assert connected_components(graph)[0] == 1
    assert 2.3 < coo.rows.size / coo.nrows < 2.8
    assert np.bincount(coo.rows).max() <= 4
    assert (np.bincount(coo.rows)[11_000:] == 2).all(), "bends lie on a street"
    assert shortest_path(graph, unweighted=True, indices=0).max() > 200


def test_uniform_degrees():
    degrees = np.bincount(generators.uniform(20_000, 16).rows)
    assert degrees.mean() == pytest.approx(16, rel=0.01)
    assert degrees.std() == pytest.approx(4, rel=0.05)


BAD = {
    "scale=31: it goes from 0 to 30": lambda: generators.kronecker(31),
    "scale=-1": lambda: generators.rmat(-1),
    "scale=2.5: give a whole number": lambda: generators.rgg(2.5),
    "n=True": lambda: generators.path(True),
    "seed=-1": lambda: generators.uniform(9, seed=-1),
    "degree=3: rings give an even number; take 4": lambda: generators.hubs(9, 3),
    "hub_fraction=2": lambda: generators.hubs(9, hub_fraction=2),
    "radius=0": lambda: generators.random_geometric(9, 0),
    "weights=5: give": lambda: generators.path(9, weights=5),
    "weights=(5, 1): the first must be the smaller": lambda: generators.path(9, weights=(5, 1)),
    "weights=('a', 1): give two numbers": lambda: generators.path(9, weights=("a", 1)),
    "must fit into 32 bits": lambda: generators.path(9, weights=(1, 2**40)),
    "must be finite": lambda: generators.path(9, weights=(0, float("inf"))),
    "p=1.5: a probability goes from 0 to 1": lambda: generators.gnp(9, 1.5),
    "p_out=-1": lambda: generators.planted_partition(9, 2, 0.5, -1),
    "groups=0": lambda: generators.planted_partition(9, 0),
    "m=0": lambda: generators.barabasi_albert(9, 0),
    "ends of edges, and at most": lambda: generators.barabasi_albert(2**31 - 1, 4),
    "degree=3: a ring gives an even number; take 4": lambda: generators.watts_strogatz(9, 3),
    "p=2: a share goes from 0 to 1": lambda: generators.watts_strogatz(9, 4, 2),
    "degree=60: a mean degree goes from 1 to max_degree=50": lambda: generators.lfr(99, 60),
    "mixing=-0.1": lambda: generators.lfr(99, mixing=-0.1),
    "max_community=9: it is at least min_community=20": lambda: generators.lfr(99, max_community=9),
    "degree_exponent=1: an exponent is a number above 1": lambda: generators.lfr(99, degree_exponent=1),
    "community_exponent=inf": lambda: generators.lfr_communities(99, community_exponent=float("inf")),
    "abc=(0.9, 0.9, 0)": lambda: generators.rmat(3, abc=(0.9, 0.9, 0)),
    "has 8,000,000,000 vertices": lambda: generators.grid3d(2000),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_arguments(message):
    with pytest.raises(InvalidGraph) as caught:
        BAD[message]()
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", ["kron:30", "complete:1000000", "rgg:30", "grid2d:40000", "road:2000000000"])
def test_too_large_is_refused_before_any_work(spec):
    with pytest.raises(OutOfMemory, match=r"needs about [\d,]+ bytes, and [\d,]+ are free"):
        generators.from_spec(spec)
