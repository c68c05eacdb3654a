"""Pictures of graphs: what is drawn where, how large, in which colour, and that no text covers another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Circle

import graphla as gl
from graphla.common.errors import DimensionMismatch, DomainMismatch, InvalidGraph, InvalidOption, NotSupported
from graphla.measuring.graph_plot import CIRCLES, COLOURS
from graphla.measuring.pictures import GREY
from tests.graphla.engine.engines import get_engine_named


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    pyplot.switch_backend("agg")
    yield
    pyplot.close("all")


def find(axes: Any, kind: type) -> list[Any]:
    return [artist for artist in axes.get_children() if isinstance(artist, kind)]


def overlap(boxes: list[Any]) -> bool:
    return any(a.overlaps(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("engine", ["cpu", pytest.param("emulated", marks=pytest.mark.emulated)])
def test_vertices_are_points_and_edges_lines(engine: str) -> None:
    G = gl.generate.grid2d(4, 3, engine="cpu").to(get_engine_named(engine))
    places = np.random.default_rng(0).random((12, 2))
    labels = np.arange(12) % 10
    axes = G.plot(labels, places)
    (points,), (lines,) = find(axes, PathCollection), find(axes, LineCollection)
    assert (points.get_offsets() == places).all()
    ends = {tuple(sorted(tuple(end) for end in line.tolist())) for line in lines.get_segments()}
    tails, heads, _ = map(G.engine.to_host, G.A.to_coo())
    assert ends == {tuple(sorted([tuple(places[u]), tuple(places[v])])) for u, v in zip(tails, heads, strict=True)}
    colours = [to_hex(colour) for colour in points.get_facecolors()]
    assert colours == [(*COLOURS, GREY)[min(label, len(COLOURS))] for label in labels]
    sizes, degrees = points.get_sizes(), G.engine.to_host(G.degrees)
    assert all((sizes[i] > sizes[j]) == (degrees[i] > degrees[j]) for i, j in combinations(range(12), 2))


def test_positions_are_those_of_the_layout_and_axes_those_of_the_caller() -> None:
    G = gl.generate.cycle(30, engine="cpu")
    given = pyplot.subplots()[1]
    assert G.plot(axes=given, seed=3) is given
    np.testing.assert_allclose(find(given, PathCollection)[0].get_offsets(), gl.layout(G, seed=3))
    assert {to_hex(each) for each in find(given, PathCollection)[0].get_facecolors()} == {COLOURS[0]}


def test_arcs_of_a_small_directed_graph_have_heads() -> None:
    G = gl.Graph(([0, 1, 1, 2], [1, 0, 2, 2]), engine="cpu")
    axes = G.plot(names=False)
    assert len([text for text in axes.texts if text.arrow_patch is not None]) == 3
    assert not find(axes, LineCollection)


def test_names_do_not_cover_each_other() -> None:
    G = gl.Graph(gl.generate.kronecker(7), labels=[f"vertex {i}" for i in range(128)], engine="cpu")
    axes = G.plot()
    axes.figure.draw_without_rendering()
    assert 5 < len(axes.texts) <= 40
    assert not overlap([text.get_window_extent() for text in axes.texts])
    assert axes.texts[0].get_text() == f"vertex {np.argmax(G.degrees)}"
    assert not G.plot(names=False).texts


def test_communities_are_circles_that_lie_apart() -> None:
    rng = np.random.default_rng(2)
    part = np.repeat(range(5), [60, 40, 30, 20, 10])
    joined = np.triu(rng.random((160, 160)) < np.where(part[:, None] == part, 0.4, 0.02), 1)
    i, j = np.nonzero(joined)
    G = gl.Graph((np.r_[i, j], np.r_[j, i]), engine="cpu")
    places = rng.standard_normal((160, 2))
    for options in ({}, {"positions": places}, {"weights": True}):
        axes = G.plot(part, limit=100, **options)
        circles = find(axes, Circle)
        radii = np.array([circle.radius for circle in circles])
        np.testing.assert_allclose(radii**2 / radii[0] ** 2, [1, 2 / 3, 1 / 2, 1 / 3, 1 / 6])
        for a, b in combinations(circles, 2):
            assert np.hypot(*np.subtract(a.center, b.center)) > a.radius + b.radius
        assert [text.get_text() for text in axes.texts] == ["60", "40", "30", "20", "10"]
        assert axes.get_title() == "160 vertices in 5 communities"
        between = gl.contract(G, part, loops=False)
        (lines,) = find(axes, LineCollection)
        _, _, weight = between.A.select("triu").new().to_coo()
        np.testing.assert_allclose(lines.get_linewidths(), np.maximum(8 * weight / weight.max(), 0.2))


def test_texts_are_within_their_circles_and_the_smallest_communities_are_left_out() -> None:
    sizes = np.arange(CIRCLES + 30, 0, -1)
    part = np.repeat(range(sizes.size), sizes)
    G = gl.Graph((range(part.size - 1), range(1, part.size)), undirected=True, engine="cpu")
    axes = G.plot(part, limit=0)
    circles = find(axes, Circle)
    assert len(circles) == CIRCLES
    assert axes.get_title().endswith(f"in {CIRCLES} communities, and 30 smaller ones")
    axes.figure.draw_without_rendering()
    boxes = {tuple(circle.center): circle.get_window_extent() for circle in circles}
    for text in axes.texts:
        box = text.get_window_extent()
        assert box.width < boxes[text.get_position()].width
    assert not overlap([text.get_window_extent() for text in axes.texts])


def test_by_default_communities_are_those_of_leiden() -> None:
    G = gl.generate.grid2d(30, 30, engine="cpu")
    sizes = np.bincount(gl.leiden(G, seed=4).to_numpy())
    radii = np.array([circle.radius for circle in find(G.plot(limit=10, seed=4), Circle)])
    np.testing.assert_allclose(radii**2 / (radii**2).sum(), sizes / sizes.sum())


def test_corners() -> None:
    for n in (0, 1, 2):
        for limit in (0, 100):
            axes = gl.Graph(([], []), n=n, engine="cpu").plot(limit=limit)
            axes.figure.canvas.draw()


def test_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    G = gl.generate.path(4, engine="cpu")
    for options, error, message in (
        ({"labels": [0, 1]}, DimensionMismatch, "labels="),
        ({"positions": np.zeros((4, 3))}, DimensionMismatch, "positions="),
        ({"positions": np.full((4, 2), np.inf)}, DomainMismatch, "positions: a number is NaN or infinite"),
        ({"axes": 3}, InvalidOption, "axes=3"),
        ({"limit": -1}, InvalidOption, "limit=-1"),
        ({"names": 3}, InvalidOption, "names=3"),
        ({"weights": "w"}, InvalidOption, "weights='w'"),
        ({"seed": -1}, InvalidOption, "seed=-1"),
    ):
        with pytest.raises(error, match=message):
            G.plot(**options)
    with pytest.raises(InvalidGraph, match="a weight is -1"):
        gl.Graph(([0], [1], [-1.0]), engine="cpu").plot(weights=True)
    assert not pyplot.get_fignums()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(NotSupported, match=r"pip install 'graphla\[plot\]'"):
        G.plot()
