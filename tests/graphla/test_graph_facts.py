"""A graph answers from its matrix as it is now, after any way to change it, and through copies and pickles."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import graphla as gl
from graphla.common.errors import DimensionMismatch, InvalidGraph
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from semirings import binary, min_plus
from tests.emulator import make_loader

Change = Callable[[gl.Matrix], None]
WAYS: dict[str, Change] = {}


@cache
def get_engine_named(name: str) -> Any:
    return get_engine("cpu") if name == "cpu" else CudaEngine(np, make_loader(build="plain"))


def add_way(change: Change) -> Change:
    WAYS[change.__name__] = change
    return change


def make_other(A: gl.Matrix) -> gl.Matrix:
    """Four light arcs, three of them new."""
    return gl.Matrix.from_coo([0, 1, 3, 4], [1, 3, 0, 2], [1, 1, 2, 2], "INT32", nrows=5, ncols=5, engine=A.engine)


@add_way
def one_cell(A: gl.Matrix) -> None:
    A[0, 1] = 1


@add_way
def a_row(A: gl.Matrix) -> None:
    A[0, :] << gl.Vector.from_coo([2, 4], [1, 1], "INT32", size=5, engine=A.engine)


@add_way
def write_masked(A: gl.Matrix) -> None:
    A(make_other(A).S) << 1


@add_way
def accumulate(A: gl.Matrix) -> None:
    A(binary.min) << make_other(A)


@add_way
def write_expression(A: gl.Matrix) -> None:
    A << min_plus(A @ A)


@add_way
def update(A: gl.Matrix) -> None:
    A.update(make_other(A))


@add_way
def in_place(A: gl.Matrix) -> None:
    A += make_other(A)


@add_way
def delete(A: gl.Matrix) -> None:
    del A[0, 1]


@add_way
def clear(A: gl.Matrix) -> None:
    A.clear()


@add_way
def grow(A: gl.Matrix) -> None:
    A.resize(7, 7)
    A[2, 6] = 4


@add_way
def shrink(A: gl.Matrix) -> None:
    A.resize(3, 3)


@add_way
def build(A: gl.Matrix) -> None:
    A.build([0, 1], [2, 3], [6, 7], clear=True)


@add_way
def set_diagonal(A: gl.Matrix) -> None:
    A.setdiag(1, 2)


@add_way
def in_a_loop(A: gl.Matrix) -> None:
    gl.loop(lambda _: A << min_plus(A @ A), times=2)


CASES = [pytest.param("cpu", change, id=f"{name}-cpu") for name, change in WAYS.items()] + [
    pytest.param("cuda", WAYS[name], id=f"{name}-cuda", marks=pytest.mark.emulated)
    for name in ("one_cell", "write_masked", "delete", "grow")
]


def list_answers(G: gl.Graph) -> dict[str, Any]:
    """What a graph of INT32 weights says of itself."""
    levels, parents = gl.bfs(G, 0, parents=True)
    distances, before = gl.sssp(G, 0, predecessors=True)
    facts = {"n": G.n, "nvals": G.nvals, "symmetric": G.symmetric, "degrees": G.degrees.tolist()}
    weights = {"least": G.min_weight, "most": G.max_weight, "degree": G.max_degree, "csc": G.csc.indices.tolist()}
    found = {"levels": levels, "parents": parents, "distances": distances, "before": before}
    found["algebraic"] = gl.sssp(G, 0, method="delta_stepping_algebraic")
    pairs = {"all": gl.apsp(G).to_dicts(), "close": gl.closeness(G).to_dict()}
    return {**facts, **weights, **pairs, **{name: vector.to_dict() for name, vector in found.items()}}


def make_square(on: Any) -> gl.Matrix:
    return gl.Matrix.from_coo([0, 1, 2, 1], [1, 2, 1, 4], [4, 5, 5, 8], "INT32", nrows=5, ncols=5, engine=on)


@pytest.mark.parametrize(("on", "change"), CASES)
def test_facts_follow_the_matrix(on: str, change: Change) -> None:
    A = make_square(get_engine_named(on))
    G, before = gl.Graph(A), A._storage
    kept = [part.copy() for part in (before.indptr, before.indices, before.values)]
    assert G.A is A
    was = list_answers(G)
    change(A)
    assert list_answers(G) == list_answers(gl.Graph(A.dup())) != was
    gl.sssp.verify(G, 0, gl.sssp(G, 0))
    for part, old in zip((before.indptr, before.indices, before.values), kept, strict=True):
        np.testing.assert_array_equal(part, old)  # what is frozen stays as it was


def test_a_full_matrix_too() -> None:
    G = gl.Graph(gl.Matrix.from_dense(np.full((3, 3), 5)))
    assert (G.min_weight, G.symmetric) == (5, True)
    G.A[0, 1] = 2
    assert (G.min_weight, G.symmetric, gl.sssp(G, 0).to_dict()[1]) == (2, False, 2)


def test_another_matrix_in_its_place() -> None:
    G = gl.Graph(([0], [1], [7]))
    assert gl.sssp(G, 0).to_dict() == {0: 0, 1: 7}
    G.A = gl.Graph(([0, 1], [1, 2], [1, 1])).A
    assert gl.sssp(G, 0).to_dict() == {0: 0, 1: 1, 2: 2}


def test_a_shape_that_is_no_graph_is_refused_when_it_is_used() -> None:
    G = gl.Graph(([0, 1], [1, 2], [1.0, 2.0]))
    G.A.resize(3, 4)
    assert "shape (3, 4)" in repr(G)
    for use in (lambda: gl.bfs(G, 0), lambda: gl.apsp(G), lambda: G.n, lambda: G.degrees):
        with pytest.raises(DimensionMismatch, match=r"shape \(3, 4\) now.*resize G\.A"):
            use()
    G.A.resize(4, 4)
    assert gl.bfs(G, 0).to_dict() == {0: 0, 1: 1, 2: 2}
    G.A[0, 1] = np.nan
    with pytest.raises(InvalidGraph, match="a weight is NaN: the edge 0 → 1"):
        gl.sssp(G, 0)


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_copies_and_pickles_carry_no_old_facts(again: Any) -> None:
    G = gl.Graph(([0, 1], [1, 2], [4, 5]), name="way")
    gl.sssp(G, 0)
    G.A[0, 1] = 1
    H = again(G)
    assert (H.name, gl.sssp(H, 0).to_dict()) == ("way", {0: 0, 1: 1, 2: 6})
    assert list_answers(H) == list_answers(G)
    H.A = H.A.dup()
    H.A[1, 2] = 9
    assert gl.sssp(H, 0).to_dict()[2] == 10
    assert gl.sssp(G, 0).to_dict()[2] == 6


def test_a_pickle_is_the_arrays_alone() -> None:
    G = gl.generate.kronecker(8, weights=(1, 9), engine="cpu")
    empty = len(pickle.dumps(G))
    list_answers(G)
    assert len(pickle.dumps(G)) == empty


def test_arrays_that_are_shared_are_the_callers_affair() -> None:
    """The docstring of Graph says so."""
    S = scipy.sparse.csr_array(np.array([[0, 3, 0], [0, 0, 4], [0, 0, 0]]))
    shared, own = gl.Graph(S), gl.Graph(S.copy())
    S.data[0] = 1
    assert (shared.A.get(0, 1), own.A.get(0, 1)) == (1, 3)


def make_symmetric() -> gl.Graph:
    G = gl.generate.grid2d(5, 5, engine="cpu")
    assert G.symmetric
    return G


def make_updated() -> gl.Graph:
    G = gl.Graph(([0, 1, 2], [1, 2, 3]), engine="cpu")
    assert G.in_degrees is not None
    return G.update(insert=([0], [3]))


@pytest.mark.parametrize("make", [make_symmetric, make_updated])
def test_a_graph_that_nothing_refers_to_is_gone_before_garbage_is_collected(make: Any) -> None:
    gc.disable()
    try:
        G = make()
        assert G.csc is not None
        rows = weakref.ref(G.csr)
        del G
        assert rows() is None
    finally:
        gc.enable()


def test_a_transpose_knows_its_matrix_as_long_as_that_is_there() -> None:
    G = make_updated()
    rows, back = G.csr, G.csc
    assert back.is_cached("transposed")
    assert back.cached("transposed", None) is rows
    del G, rows
    assert not back.is_cached("transposed")
