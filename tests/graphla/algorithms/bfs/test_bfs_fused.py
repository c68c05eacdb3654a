"""Both kernels of `fused` through each of their ways: thresholds are moved so that small graphs take all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graphla.algorithms.bfs import fused
from graphla.algorithms.bfs._verify import verify
from tests.graphla.algorithms.bfs.graphs import GRAPHS, TinyGraph, fan, from_arcs, star
from tests.graphla.algorithms.bfs.reference import compute_reference_levels

pytestmark = pytest.mark.emulated
NEVER, ALWAYS = 0, 1 << 20

WIDE = {
    "the grid pushes": {"SMALL_ARCS": 0, "GAMMA": NEVER},
    "one block pushes": {"SMALL_ARCS": ALWAYS, "GAMMA": NEVER},
    "all pulled": {"PUSH_COST": ALWAYS, "GAMMA": ALWAYS, "BETA": ALWAYS},
    "pulled and pushed in turn": {"PUSH_COST": ALWAYS, "GAMMA": ALWAYS, "BETA": 1, "SMALL_ARCS": 20},
    "as it is": {},
    "pulled in vain": {"PUSH_COST": 3, "GAMMA": ALWAYS, "SMALL_ARCS": 0},
}
NARROW = {
    "the grid pushes": {"COPIED_VERTICES": (0, 0)},
    "one block with a copy": {"COPIED_VERTICES": (ALWAYS, ALWAYS)},
    "one block in place": {"SHARED_BYTES": 0, "IN_PLACE_VERTICES": (ALWAYS, ALWAYS)},
    "in turn": {"COPIED_VERTICES": (4, 9)},
    "rows of eight": {"MANY_LONGER": -1},
    "rows of four": {"MANY_LONGER": 1},
}

FOR_WIDE = ["kronecker", "uniform", "star", "directed", "fan", "self-loops", "layers", "hairy clique"]


def check(G: TinyGraph, source: int) -> None:
    levels, parents = fused.search(G, source, parents=True)
    np.testing.assert_array_equal(levels, compute_reference_levels(G.csr, source))
    verify(G.csr, source, levels, parents)
    np.testing.assert_array_equal(fused.search(G, source)[0], levels)


@pytest.mark.parametrize(
    "graph", ["kronecker", "uniform", "star", "directed", "fan", "self-loops", "layers", "hairy clique"]
)
@pytest.mark.parametrize("way", WIDE)
def test_wide(way: str, graph: str, emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"NARROW_DEGREE": 0, **WIDE[way]}.items():
        monkeypatch.setattr(fused, name, value)
    G = TinyGraph(GRAPHS[graph], emulated)
    check(G, 0)
    check(G, 1)


@pytest.mark.parametrize("graph", ["grid", "path", "long rows", "directed path", "isolated vertices"])
@pytest.mark.parametrize("way", NARROW)
def test_narrow(way: str, graph: str, emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"DEEP_LEVELS": 0, **NARROW[way]}.items():
        monkeypatch.setattr(fused, name, value)
    G = TinyGraph(GRAPHS[graph], emulated)
    check(G, 1)
    assert G.cached(f"bfs.fused.narrow.{G.engine.device.stream()}", lambda _: None) is not None


def test_many_searches_of_one_graph(emulated: Any) -> None:
    """What is kept between searches is left as the next one needs it."""
    for graph in ("kronecker", "grid"):
        G = TinyGraph(GRAPHS[graph], emulated)
        for source in range(0, 12, 3):
            check(G, source)


def test_long_rows_are_searched_by_a_block(emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub of a star is found by its last leaf, far beyond the first tails it looks at."""
    monkeypatch.setattr(fused, "GAMMA", ALWAYS)
    monkeypatch.setattr(fused, "PUSH_COST", ALWAYS)
    G = TinyGraph(GRAPHS["star"], emulated)
    check(G, G.n - 1)


def test_shallow_graphs_of_low_degree_are_pulled(emulated: Any) -> None:
    G = TinyGraph(GRAPHS["grid"], emulated)
    fused.search(G, 0)
    assert G.cached(f"bfs.fused.narrow.{G.engine.device.stream()}", lambda _: "unset") is None


@pytest.mark.parametrize(("reach", "padded"), [(4, True), (5, False)])
def test_rows_that_do_not_fit_are_not_padded(
    reach: int, padded: bool, emulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ring joined to the next four or five: rows of eight or ten."""
    monkeypatch.setattr(fused, "DEEP_LEVELS", 0)
    v = np.arange(200)
    ring = from_arcs(v.size, np.tile(v, reach), np.concatenate([(v + k + 1) % v.size for k in range(reach)]))
    G = TinyGraph(ring, emulated)
    check(G, 3)
    assert (G.cached(f"bfs.fused.narrow.{G.engine.device.stream()}", lambda _: "unset") is not None) == padded


@pytest.mark.parametrize("leaves", [200, 4000])
def test_a_tail_in_the_middle_of_a_row(leaves: int, emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the strongest tail nor among the first: the warp finds it, or the block."""
    for name, value in WIDE["all pulled"].items():
        monkeypatch.setattr(fused, name, value)
    check(TinyGraph(star(leaves), emulated), leaves // 2)


def test_a_warp_goes_on_from_row_to_row(emulated: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares of many strides over rows of one arc."""
    monkeypatch.setattr(fused, "SMALL_ARCS", ALWAYS)
    monkeypatch.setattr(fused, "GAMMA", NEVER)
    check(TinyGraph(fan(2500), emulated), 0)
