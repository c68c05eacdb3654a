"""Truss numbers and trusses by every method against NetworkX; the verifier against wrong answers."""

from __future__ import annotations

import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.shared.undirected import get_simple
from graphla.algorithms.truss_numbers import peel
from graphla.algorithms.truss_numbers._buckets_cpu import find_support
from graphla.algorithms.truss_numbers._edges import list_ends
from graphla.common.errors import (
    DimensionMismatch,
    GraphlaError,
    InvalidGraph,
    InvalidOption,
    NotSupported,
    VerificationError,
)
from graphla.engine.cuda.engine import CudaEngine
from semirings import binary
from tests.emulator import make_loader
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.algorithms.graphs import EDGELESS, draw_undirected, list_pairs, make_undirected, to_networkx
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.truss_numbers)


def find_numbers(g: Any) -> dict[tuple[int, int], int]:
    """The number of each arc, by the k-trusses of NetworkX for rising k."""
    numbers, k = dict[tuple[int, int], int](), 2
    while g.number_of_edges():
        for u, v in g.edges:
            numbers[u, v] = numbers[v, u] = k
        k += 1
        g = nx.k_truss(g, k)
    return numbers


def check(G: gl.Graph, name: str, engine: str) -> None:
    """Each number, and the arcs of some trusses."""
    expected = find_numbers(to_networkx(G))
    moved = G.to(get_engine_named(engine))
    found = gl.truss_numbers(moved, method=name).to("cpu")
    assert found.dtype == "INT32"
    assert {(u, v): k for u, v, k in zip(*(part.tolist() for part in found.to_coo()), strict=True)} == expected
    gl.truss_numbers.verify(G, found)
    for k in {3, max(expected.values(), default=2)}:
        F = gl.k_truss(moved, k, method=name).to("cpu")
        arcs = set(zip(*(part.tolist() for part in F.to_coo()[:2]), strict=True))
        assert arcs == {arc for arc, number in expected.items() if number >= k}


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str) -> None:
    for edges in (60, 900):
        seed = secrets.randbits(32)
        try:
            check(draw_undirected(seed, edges=edges), name, engine)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {edges} edges") from error


PAIRS = list_pairs(20)
SHAPES = {
    **EDGELESS,
    "a triangle, loops and more": ([0, 1, 2, 0, 1, 2], [1, 2, 0, 0, 1, 3], 5),
    "a path": (range(1, 60), range(59), 60),
    "complete": (*PAIRS, 20),
    "complete, with a strip of triangles": (
        np.concatenate([PAIRS[0], np.arange(18, 58), np.arange(19, 59)]),
        np.concatenate([PAIRS[1], np.arange(20, 60), np.arange(20, 60)]),
        60,
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = SHAPES[shape]
    check(make_undirected(tails, heads, n), name, engine)


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [11, 0])
def test_the_kernel_in_any_order_of_threads(seed: int) -> None:
    """Two edges of a triangle that leave in one round take it from the third once; the emulator reports races."""
    engine = CudaEngine(np, make_loader(seed=seed, resident=3))
    for G in (draw_undirected(secrets.randbits(32), n=40, edges=700), gl.generate.kronecker(7, engine="cpu")):
        simple = get_simple(G)
        ends, expected = list_ends(simple), gl.truss_numbers(G).to_coo()[2]
        support = find_support(simple.csr, ends.ids)
        peel.peel(simple.to(engine), ends, support, 0, False)
        assert (support[ends.ids] + 2).tolist() == expected.tolist()


def test_a_larger_graph() -> None:
    G = gl.generate.kronecker(10, engine="cpu")
    numbers = gl.truss_numbers(G)
    gl.truss_numbers.verify(G, numbers)
    assert gl.truss_numbers(G, method="algebraic").isequal(numbers)
    values = numbers.to_coo()[2]
    assert gl.k_truss(G).nvals == int((values == values.max()).sum()) > 0


def test_trusses_keep_weights_and_lose_loops() -> None:
    G = gl.Graph(([0, 1, 1, 2, 2, 0, 2, 3, 0], [1, 0, 2, 1, 0, 2, 3, 2, 0], [1, 2, 0, 4, 5, 6, 7, 7, 9]), engine="cpu")
    assert gl.k_truss(G, 3).to_dicts() == {0: {1: 1, 2: 6}, 1: {0: 2, 2: 0}, 2: {0: 5, 1: 4}}
    for k in (0, 1, 2):
        assert gl.k_truss(G, k).nvals == 8
    for k in (4, 2**31, 2**70):
        assert gl.k_truss(G, k).nvals == gl.k_truss(G, k, method="algebraic").nvals == 0
    assert gl.k_truss(gl.Graph(([], []), n=0)).nvals == 0


@pytest.mark.parametrize("dtype", ["uint64", "int64", "float64", "uint8", "bool"])
def test_trusses_keep_weights_bit_by_bit(dtype: str) -> None:
    weight = {"uint64": 2**64 - 1, "int64": 2**53 + 1, "float64": 5e-324}.get(dtype, 1)
    G = gl.Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2], np.full(6, weight, dtype)), engine="cpu")
    for found in (gl.k_truss(G, 3), gl.k_core(G, 2)):
        assert found.dtype == G.dtype
        assert found.isequal(G.A)


def test_bad_input_is_refused() -> None:
    G, D = draw_undirected(1), gl.Graph(([0, 1], [1, 2]))
    for call in (gl.truss_numbers, gl.k_truss):
        with pytest.raises(InvalidGraph, match=r"arc 0 → 1 has no reverse.*trusses are of undirected graphs: gl"):
            call(D)
        with pytest.raises(NotSupported, match="no method 'bridges'"):
            call(G, method="bridges")
        with pytest.raises(GraphlaError, match="int is no Graph"):
            call(3)  # type: ignore[arg-type]
    for k in (-1, 1.5, "two"):
        with pytest.raises(InvalidOption, match="k="):
            gl.k_truss(G, k)  # type: ignore[arg-type]
    with pytest.raises(GraphlaError, match="no option 'k'"):
        gl.truss_numbers(G, k=3)
    for wrong in (G.A, gl.core_numbers(G), gl.truss_numbers(draw_undirected(2, edges=200))):
        with pytest.raises(DimensionMismatch, match="numbers"):
            gl.truss_numbers.verify(G, wrong)  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_numbers() -> None:
    G = draw_undirected(3, edges=600)
    numbers = gl.truss_numbers(G)
    gl.truss_numbers.verify(G, numbers)
    tails, heads, values = numbers.to_coo()
    top = int(values.argmax())
    u, v = int(tails[top]), int(heads[top])
    for change, message in ((1, r"too few|more"), (-1, r"more")):
        wrong = numbers.dup()
        wrong[u, v] = wrong[v, u] = int(values[top]) + change
        with pytest.raises(VerificationError, match=message):
            gl.truss_numbers.verify(G, wrong)
    wrong = numbers.dup()
    wrong[u, v] = 2
    with pytest.raises(VerificationError, match="have different numbers"):
        gl.truss_numbers.verify(G, wrong)
    with pytest.raises(VerificationError, match="more"):
        gl.truss_numbers.verify(G, numbers.apply(binary.times, 0).new().apply(binary.plus, 2).new())


def test_a_comparison() -> None:
    found = gl.compare("truss_numbers", draw_undirected(3), repeat=1)
    assert {row.status for row in found} == {"right"}, str(found)
    assert {row.name for row in found} >= {"algebraic", "buckets", "NetworkX"}
