"""Topological orders and cycles by every method against NetworkX; the verifier against wrong answers."""

from __future__ import annotations

import pickle
import secrets

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import CyclicGraph, DimensionMismatch, GraphlaError, NotSupported, VerificationError
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import list_arcs, list_pairs, make_directed, to_networkx
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.topological_order)


def make_acyclic(seed: int, n: int = 90, arcs: int = 300) -> gl.Graph:
    """Arcs from earlier to later vertices of a random order, with hubs and vertices without an arc."""
    rng = np.random.default_rng(seed)
    ends = np.sort(np.stack([(rng.random(arcs) ** 3 * n).astype(int), rng.integers(0, n, arcs)]), axis=0)
    names, (tails, heads) = rng.permutation(n), ends[:, ends[0] < ends[1]]
    return gl.Graph((names[tails], names[heads]), n=n + 3, dup="first", engine="cpu")


def check(G: gl.Graph, name: str, engine: str) -> None:
    """The generations of NetworkX, one after the other."""
    generations = [sorted(each) for each in nx.topological_generations(to_networkx(G, nx.DiGraph))]
    order, levels = gl.topological_order(G.to(get_engine_named(engine)), levels=True, method=name)
    assert (order.dtype, levels.dtype) == ("INT32", "INT32")
    assert order.to_numpy(-1).tolist() == [v for each in generations for v in each]
    expected = {v: k for k, each in enumerate(generations) for v in each}
    assert levels.to_numpy(-1).tolist() == [expected[v] for v in range(G.n)]
    gl.topological_order.verify(G, order.to("cpu"), levels.to("cpu"))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for arcs in (30, 300, 1500):
        seed = secrets.randbits(31)
        try:
            check(make_acyclic(seed, arcs=arcs), name, engine)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {arcs} arcs") from error


SHAPES = {
    "empty": ([], [], 0),
    "one vertex": ([], [], 1),
    "no arcs": ([], [], 5),
    "a path": (range(150), range(1, 151), 151),
    "a path backward": (range(1, 151), range(150), 151),
    "a star": ([119] * 119, range(119), 120),
    "into a star": (range(1, 120), [0] * 119, 120),
    "complete": (*list_pairs(40), 40),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    check(make_directed(tails, heads, n), name, engine)


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_a_cycle_is_named(name: str, engine: str) -> None:
    """The same one by every method: an arc of each pair of neighbours in it is an arc of the graph."""
    seed = secrets.randbits(31)
    G = make_acyclic(seed, n=60, arcs=150)
    tails, heads = (part.astype(int) for part in G.A.to_coo()[:2])
    rng = np.random.default_rng(seed)
    for closing in (1, 5, 40):
        back = rng.choice(tails.size, closing)
        both = np.concatenate([tails, heads[back]]), np.concatenate([heads, tails[back]])
        C = gl.Graph(both, n=G.n, dup="first", engine="cpu")
        moved = C.to(get_engine_named(engine))
        cycle, arcs = gl.find_cycle(moved, method=name), set(list_arcs(C))
        assert len(set(cycle)) == len(cycle) > 0, seed
        assert min(cycle) == cycle[0]
        assert all(arc in arcs for arc in zip(cycle, [*cycle[1:], cycle[0]], strict=True)), seed
        assert cycle == gl.find_cycle(C, method="algebraic")
        with pytest.raises(CyclicGraph, match=f"the graph has a cycle.*: {cycle[0]} → ") as caught:
            gl.topological_order(moved, method=name)
        assert list(caught.value.vertices) == cycle
    assert gl.find_cycle(G.to(get_engine_named(engine)), method=name) == []


def test_cycles_of_few_arcs() -> None:
    assert gl.find_cycle(gl.Graph(([2], [2]), n=4)) == [2]
    assert gl.find_cycle(gl.Graph(([0, 1, 1, 2], [1, 0, 2, 1]))) == [0, 1]
    ring = [3, 0, 2, 4, 1]
    assert gl.find_cycle(gl.Graph((ring, np.roll(ring, -1)), n=6)) == [0, 2, 4, 1, 3]
    assert gl.find_cycle(gl.Graph(([], []), n=0)) == []
    error = pickle.loads(pickle.dumps(CyclicGraph((1, 2))))
    assert (error.vertices, str(error)) == (
        (1, 2),
        "the graph has a cycle, so there is no topological order: 1 → 2 → 1",
    )


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(seed: int) -> None:
    """Rows shared by warps, long rows and short ones; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    upper = gl.Graph(gl.select.triu(gl.generate.kronecker(9, engine="cpu").A, 1).new())
    for G in (make_acyclic(secrets.randbits(31), n=2500, arcs=6000), upper):
        order, levels = gl.topological_order(G.to(engine), levels=True, method="frontiers")
        gl.topological_order.verify(G, order.to("cpu"), levels.to("cpu"))


def test_bad_input_is_refused() -> None:
    G = make_acyclic(1)
    for call in (gl.topological_order, gl.find_cycle):
        with pytest.raises(NotSupported, match="no method 'dfs'"):
            call(G, method="dfs")
        with pytest.raises(GraphlaError, match="int is no Graph"):
            call(3)  # type: ignore[arg-type]
        with pytest.raises(GraphlaError, match="no option 'direction'"):
            call(G, direction="in")
    with pytest.raises(GraphlaError, match="levels='yes'"):
        gl.topological_order(G, levels="yes")  # type: ignore[call-overload]
    with pytest.raises(DimensionMismatch, match="order=3"):
        gl.topological_order.verify(G, 3)  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_orders() -> None:
    G = gl.Graph(([0, 1], [1, 2]), n=4, engine="cpu")
    for order, levels, message in (
        ([0, 3, 2, 1], None, "arc 1 → 2 leads from place 3 to 2"),
        ([0, 0, 1, 2], None, "vertex 3 does not occur"),
        ([0, 3, 1, 2], [0, 1, 3, 0], "vertex 2 has level 3, and 2 is right"),
        ([3, 0, 1, 2], [0, 1, 2, 0], "3 has place 0, where by levels 0 stands"),
    ):
        vectors = [gl.Vector.from_dense(np.array(x, "int32"), engine="cpu") for x in (order, levels) if x is not None]
        with pytest.raises(VerificationError, match=message):
            gl.topological_order.verify(G, *vectors)


def test_a_comparison() -> None:
    found = gl.compare("topological_order", make_acyclic(3), repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "kahn", "NetworkX"}
