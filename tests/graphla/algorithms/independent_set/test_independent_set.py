"""Independent sets by every method against a loop in Python; the verifier against wrong answers."""

from __future__ import annotations

import secrets

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.shared import random_order
from graphla.algorithms.shared.random_order import make_priorities
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
from tests.graphla.algorithms.graphs import SHAPES, draw_undirected, list_neighbours, make_undirected
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.independent_set)


def choose_by_hand(G: gl.Graph, seed: int) -> list[bool]:
    """By falling priority, with sets."""
    near, priorities, chosen = list_neighbours(G), make_priorities(G, seed), set[int]()
    assert np.unique(priorities).size == G.n
    for v in np.argsort(-priorities).tolist():
        if not near[v] & chosen:
            chosen.add(v)
    return [v in chosen for v in range(G.n)]


def check(G: gl.Graph, name: str, engine: str, seed: int = 0) -> None:
    """The very vertices."""
    found = gl.independent_set(G.to(get_engine_named(engine)), seed=seed, method=name)
    assert (found.dtype, found.nvals) == ("BOOL", G.n)
    assert found.to_numpy().tolist() == choose_by_hand(G, seed)
    gl.independent_set.verify(G, found.to("cpu"))


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for edges in (60, 300, 1500):
        seed = secrets.randbits(31)
        try:
            check(draw_undirected(seed, edges=edges), name, engine, seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {edges} edges") from error


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    check(make_undirected(tails, heads, n), name, engine)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(seed: int) -> None:
    """The answer is that of the loop; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    for G in (draw_undirected(secrets.randbits(32), edges=1500), gl.generate.kronecker(8, engine="cpu")):
        found = gl.independent_set(G.to(engine), seed=5, method="asynchronous")
        assert found.to_numpy().tolist() == gl.independent_set(G, seed=5).to_numpy().tolist()


@pytest.mark.emulated
def test_of_equal_priorities_the_larger_vertex_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hash of one bit nearly all are equal."""
    monkeypatch.setattr(random_order, "HASH_BITS", 1)
    engine = CudaEngine(np, make_loader(seed=3, resident=3))
    G = gl.generate.grid2d(12, engine="cpu")
    found = gl.independent_set(G.to(engine), method="asynchronous").to_numpy().tolist()
    assert found == choose_by_hand(G, 0) == gl.independent_set(G, method="greedy").to_numpy().tolist()


def test_weights_do_not_round_priorities(monkeypatch: pytest.MonkeyPatch) -> None:
    """Priorities of 63 bits that differ in the last ones: FP64, to which weights in float32 lead, drops those."""
    monkeypatch.setattr(random_order, "mix", lambda xp, x, seed: np.full_like(x, 0xFFFFFFFF))
    G = gl.Graph(gl.generate.grid2d(12, weights=(1, 255), engine="cpu").A.apply("identity").new("FP32"))
    assert gl.independent_set(G, method="algebraic").isequal(gl.independent_set(G, method="greedy"))


def test_a_larger_graph_and_its_seeds() -> None:
    G = gl.generate.kronecker(12, engine="cpu")
    sets = [gl.independent_set(G, seed=seed) for seed in (0, 0, 1)]
    assert sets[0].isequal(sets[1])
    assert not sets[0].isequal(sets[2])
    for found in sets:
        gl.independent_set.verify(G, found)
    assert gl.independent_set(G, method="algebraic").isequal(sets[0])


def test_vertices_with_few_neighbours_go_first() -> None:
    star = gl.generate.star(50, engine="cpu")
    for seed in range(5):
        assert int(gl.independent_set(star, seed=seed).to_numpy().sum()) == star.n - 1


def test_bad_input_is_refused() -> None:
    G = draw_undirected(1)
    with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*independent sets are of undirected graphs"):
        gl.independent_set(gl.Graph(([0, 1], [1, 2])))
    with pytest.raises(NotSupported, match="no method 'luby'"):
        gl.independent_set(G, method="luby")
    with pytest.raises(GraphlaError, match="int is no Graph"):
        gl.independent_set(3)  # type: ignore[arg-type]
    for seed in (-1, 1.5, "two"):
        with pytest.raises(InvalidOption, match="seed="):
            gl.independent_set(G, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(DimensionMismatch, match="give a BOOL vector"):
        gl.independent_set.verify(G, gl.core_numbers(G))


def test_the_verifier_finds_wrong_sets() -> None:
    G = make_undirected([0, 1, 2], [1, 2, 3], 5)
    for chosen, message in (([1, 1, 0, 1, 1], "0 and 1 are neighbours"), ([1, 0, 0, 1, 0], "vertex 4 .*not maximal")):
        with pytest.raises(VerificationError, match=message):
            gl.independent_set.verify(G, gl.Vector.from_dense(np.array(chosen, bool), engine="cpu"))


def test_a_comparison() -> None:
    found = gl.compare("independent_set", draw_undirected(3), repeat=1, seed=4)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} == {"algebraic", "greedy"}
