"""Colorings by every method against a loop in Python; the verifier against wrong answers."""

from __future__ import annotations

import secrets
from itertools import count

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.coloring import _order, asynchronous
from graphla.algorithms.coloring._order import classify, make_priorities
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import EDGELESS, draw_undirected, list_neighbours, list_pairs, make_undirected
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.coloring)


def color_by_hand(G: gl.Graph, seed: int) -> list[int]:
    """By falling priority, with sets."""
    near, priorities, colors = list_neighbours(G), make_priorities(G, seed), dict[int, int]()
    assert np.unique(priorities).size == G.n
    for v in np.argsort(-priorities).tolist():
        beside = {colors.get(u) for u in near[v]}
        colors[v] = next(c for c in count() if c not in beside)
    return [colors[v] for v in range(G.n)]


def check(G: gl.Graph, name: str, engine: str, seed: int = 0) -> None:
    """The very colors."""
    found = gl.coloring(G.to(get_engine_named(engine)), seed=seed, method=name)
    assert (found.dtype, found.nvals) == ("INT32", G.n)
    assert found.to_numpy().tolist() == color_by_hand(G, seed)
    gl.coloring.verify(G, found.to("cpu"))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for edges in (60, 300, 2500):
        seed = secrets.randbits(31)
        try:
            check(draw_undirected(seed, edges=edges), name, engine, seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {edges} edges") from error


SHAPES = {
    **EDGELESS,
    "a path": (range(1, 200), range(199), 200),
    "a star": (range(1, 120), [0] * 119, 120),
    "32 vertices, complete": (*list_pairs(32), 32),
    "140 vertices, complete": (*list_pairs(140), 140),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    check(make_undirected(tails, heads, n), name, engine)


@pytest.mark.emulated
@pytest.mark.parametrize(("seed", "split"), [(11, 1024), (0, 64)])
def test_the_kernel_in_any_order_of_threads(monkeypatch: pytest.MonkeyPatch, seed: int, split: int) -> None:
    """The answer is that of the loop; the emulator reports races. Blocks share rows of `split` arcs."""
    monkeypatch.setattr(asynchronous, "SPLIT_ROW", split)
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    for G in (draw_undirected(secrets.randbits(32), edges=1500), gl.generate.kronecker(8, engine="cpu")):
        found = gl.coloring(G.to(engine), seed=5, method="asynchronous")
        assert found.to_numpy().tolist() == gl.coloring(G, seed=5).to_numpy().tolist()


@pytest.mark.emulated
def test_more_colors_than_a_warp_looks_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two words the last of 140 vertices that are all neighbours look at a third part of the colors."""
    monkeypatch.setattr(asynchronous, "WORDS", 2)
    engine = CudaEngine(np, make_loader(seed=3, resident=3))
    for G in (make_undirected(*SHAPES["140 vertices, complete"]), draw_undirected(secrets.randbits(32), edges=1500)):
        found = gl.coloring(G.to(engine), method="asynchronous").to_numpy().tolist()
        assert found == gl.coloring(G).to_numpy().tolist()


@pytest.mark.emulated
def test_of_equal_priorities_the_larger_vertex_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hash of one bit many are equal."""
    monkeypatch.setattr(_order, "HASH_BITS", 1)
    engine = CudaEngine(np, make_loader(seed=3, resident=3))
    for G in (gl.generate.grid2d(12, engine="cpu"), draw_undirected(secrets.randbits(32), n=60, edges=2500)):
        found = gl.coloring(G.to(engine), method="asynchronous").to_numpy().tolist()
        assert found == color_by_hand(G, 0) == gl.coloring(G, method="greedy").to_numpy().tolist()


def test_classes_grow_with_the_degree() -> None:
    degrees = np.concatenate([np.arange(5000), 2 ** np.arange(13, 31), 2 ** np.arange(13, 32) - 1]).astype(np.int64)
    classes = classify(np, np.sort(degrees))
    assert (np.diff(classes) >= 0).all()
    assert classes[:128].tolist() == list(range(128))
    assert classes[-1] < 1 << 11


def test_a_larger_graph_and_its_seeds() -> None:
    """With weights in float32, which no method looks at."""
    G = gl.Graph(gl.generate.kronecker(12, weights=(1, 255), engine="cpu").A.apply("identity").new("FP32"))
    found = [gl.coloring(G, seed=seed) for seed in (0, 0, 1)]
    assert found[0].isequal(found[1])
    assert not found[0].isequal(found[2])
    for colors in found:
        gl.coloring.verify(G, colors)
    assert gl.coloring(G, method="algebraic").isequal(found[0])


def test_vertices_of_many_neighbours_go_first() -> None:
    star = gl.generate.star(50, engine="cpu")
    for seed in range(5):
        colors = gl.coloring(star, seed=seed).to_numpy()
        assert (colors[star.degrees.argmax()], sorted(colors.tolist())) == (0, [0] + [1] * (star.n - 1))


def test_bad_input_is_refused() -> None:
    G = draw_undirected(1)
    with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*colorings are of undirected graphs"):
        gl.coloring(gl.Graph(([0, 1], [1, 2])))
    with pytest.raises(NotSupported, match="no method 'rainbow'"):
        gl.coloring(G, method="rainbow")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.coloring(3)  # type: ignore[arg-type]
    for seed in (-1, 1.5, "two"):
        with pytest.raises(InvalidOption, match="seed="):
            gl.coloring(G, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="colors="):
        gl.coloring.verify(G, gl.independent_set(G))


def test_the_verifier_finds_wrong_colors() -> None:
    G = make_undirected([0, 1, 2], [1, 2, 3], 5)
    gl.coloring.verify(G, gl.Vector.from_dense(np.array([0, 1, 0, 1, 0]), engine="cpu"))
    for colors, message in (
        ([0, 1, 1, 0, 0], "1 and 2 are neighbours, and both have the color 1"),
        ([0, 1, 0, 2, 0], "vertex 3 has the color 2, and its neighbours have only 1 smaller"),
        ([0, 1, 0, 1, 1], "vertex 4 has the color 1"),
        ([0, 1, 0, 1, -1], "vertex 4 has the color -1"),
    ):
        with pytest.raises(VerificationError, match=message):
            gl.coloring.verify(G, gl.Vector.from_dense(np.array(colors), engine="cpu"))


def test_a_comparison() -> None:
    found = gl.compare("coloring", draw_undirected(3), repeat=1, seed=4)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "greedy", "NetworkX"}


def test_another_library_may_need_some_more_colors() -> None:
    difference = gl.coloring.difference
    assert difference is not None
    assert difference(np.array([0, 1, 2]), np.array([0, 1, 1]), {}) is None
    assert difference(np.array([0, 1, 2, 3, 4]), np.array([0, 1]), {}) == "5 colors instead of about 2"
