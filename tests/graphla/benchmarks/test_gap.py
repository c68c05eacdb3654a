"""The GAP Benchmark Suite: its sources, its graphs, its kernels, and wrong answers."""

from __future__ import annotations

import secrets
from itertools import islice

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, InvalidOption
from graphla.measuring.benchmarks import gap
from graphla.measuring.benchmarks.gap_graphs import add_weights, drop_loops, forget_facts, make_undirected
from graphla.measuring.benchmarks.gap_kernels import draw_below, draw_sources, list_kernels
from graphla.measuring.benchmarks.mersenne_twister import draw_words
from tests.graphla.engine.engines import get_engine_named

PICKED = {
    7: [5, 2, 4, 4, 1, 4, 1, 5, 2, 1, 4, 1],
    1000: [359, 95, 272, 782, 148, 788, 550, 802, 791, 535, 253, 166],
    1024: [895, 656, 206, 620, 910, 146, 491, 743, 958, 218, 1000, 184],
    264346: [10969, 80395, 252154, 207968, 218978, 201976, 235540, 36998, 192892, 131375, 64013, 182893],
    1500000000: [1464651359, 291188095, 1317488272, 623288782, 711812324, 560972791, 1150498535, 171146174],
    2147483647: [817167712, 1317488272, 2123288782, 965996141, 1775348623, 1962539155, 711812324, 2060972791],
}
"""What GAP's SourcePicker, compiled, picks from graphs of so many vertices where v has v % 3 arcs."""


def make_directed(seed: int, n: int = 60, arcs: int = 400) -> gl.Graph:
    """A random directed graph with loops; from the last vertices no arc leads to another, only a loop from some."""
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n - 20, arcs), rng.integers(0, n, arcs)
    cells = np.unique(np.append(tails * n + heads, np.arange(n - 20, n - 8) * (n + 1)))
    return gl.Graph((cells // n, cells % n), n=n, engine="cpu", name="directed")


def test_the_twister_is_that_of_the_standard() -> None:
    """ISO C++ states the 10,000th number of the default seed."""
    assert next(islice(draw_words(5489), 9999, None)) == 9981545732273789042


@pytest.mark.parametrize("n", PICKED)
def test_sources_are_those_of_gap(n: int) -> None:
    assert list(islice((v for v in draw_below(n) if v % 3), len(PICKED[n]))) == PICKED[n]


def test_sources_have_arcs() -> None:
    G = make_directed(3)
    drawn = list(islice(draw_sources(G), 3000))
    assert set(drawn) == set(np.flatnonzero(np.diff(G.csr.indptr)).tolist())
    with pytest.raises(InvalidGraph, match="no vertex has an arc"):
        next(draw_sources(gl.Graph(([], []), n=4, engine="cpu")))


def test_the_graphs_of_the_kernels() -> None:
    G = gl.Graph(([0, 0, 1, 2, 1], [0, 1, 0, 1, 3]), n=5, engine="cpu")
    without = drop_loops(G)
    assert [part.tolist() for part in without.A.to_coo()[:2]] == [[0, 1, 1, 2], [1, 0, 3, 1]]
    assert drop_loops(without) is without
    rows, cols, weights = add_weights(without).A.to_coo()
    assert ((weights >= 1) & (weights <= 255)).all()
    assert weights[0] == weights[1], "the same both ways"
    own = gl.Graph((rows, cols, [4, 4, 9, 1]), n=5, engine="cpu")
    assert add_weights(own) is own
    U = make_undirected(own)
    assert U.symmetric
    assert U.nvals == 6
    assert make_undirected(U) is U
    known = own.cached("something", lambda G: 5)
    assert forget_facts(own).cached("something", lambda G: 6) == 6 != known


def test_every_kernel_on_a_directed_graph() -> None:
    G = make_directed(secrets.randbits(32))
    found = {each.kernel: each for each in gap.run(G, trials=2)}
    assert list(found) == ["bfs", "sssp", "pr", "cc", "bc", "tc"]
    for each in found.values():
        assert (each.verified, each.fault, len(each.seconds)) == (2, "", 2), each
        assert each.average == pytest.approx(sum(each.seconds) / 2)
        assert each.first_seconds is not None
    drawn = list(islice(draw_sources(drop_loops(G)), 8))
    assert found["bfs"].sources == ((drawn[0],), (drawn[1],))
    assert found["bc"].sources == (tuple(drawn[:4]), tuple(drawn[4:]))
    assert found["cc"].sources == ((), ())


def test_trials_by_default_are_those_of_gap() -> None:
    assert {kernel.name: (kernel.trials, kernel.sources) for kernel in list_kernels()} == {
        "bfs": (64, 1),
        "sssp": (64, 1),
        "pr": (16, 0),
        "cc": (16, 0),
        "bc": (16, 4),
        "tc": (3, 0),
    }


def test_triangles_are_those_of_the_undirected_graph() -> None:
    G = make_directed(secrets.randbits(32))
    (tc,) = (kernel for kernel in list_kernels() if kernel.name == "tc")
    rows, cols, _ = G.A.to_coo()
    D = nx.Graph((u, v) for u, v in zip(rows.tolist(), cols.tolist(), strict=True) if u != v)
    assert tc.solve(tc.prepare(drop_loops(G)), ()) == (sum(nx.triangles(D).values()) // 3,)


def test_ranks_stop_after_the_rounds() -> None:
    """A directed ring with a chord takes more than two rounds."""
    G = gl.Graph(([0, 1, 2, 3, 0], [1, 2, 3, 0, 2]), n=4, engine="cpu")
    (ranks,) = gap.run(G, ["pr"], trials=1, rounds=2)
    assert (ranks.verified, ranks.fault) == (1, "")


def test_wrong_answers_are_counted_and_named() -> None:
    G = make_directed(5)
    bfs = list_kernels()[0]
    judge = gap.Judge(bfs, G)
    right = bfs.solve(G, (3,))
    levels = right[0].dup()
    levels[int(levels.to_coo()[0][-1])] = 40
    judge.look_at((3,), right)
    judge.look_at((3,), (levels, right[1]))
    judge.look_at((3,), right)
    assert judge.right == 2
    assert "more than one level" in judge.fault
    tc = list_kernels()[5]
    judge = gap.Judge(tc, make_undirected(G))
    judge.look_at((), (-1,))
    assert (judge.right, bool(judge.fault)) == (0, True)


def test_what_is_no_kernel_is_refused() -> None:
    with pytest.raises(InvalidOption, match="'gc' is no kernel; there are: bfs, sssp, pr, cc, bc, tc"):
        gap.run(make_directed(1), ["gc"])
    with pytest.raises(InvalidOption, match="trials=0"):
        gap.run(make_directed(1), trials=0)
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gap.run(3)  # type: ignore[arg-type]


@pytest.mark.emulated
def test_kernels_on_the_other_engine() -> None:
    G = make_directed(secrets.randbits(32)).to(get_engine_named("emulated"))
    found = gap.run(G, trials=1)
    assert [(each.verified, each.fault) for each in found] == [(1, "")] * 6
    assert found[0].method == gl.bfs.choose(G, None, {"parents": True}).name
