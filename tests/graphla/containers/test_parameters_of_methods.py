"""Methods take the parameters that python-graphblas's take, and constructors a name and an engine."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Vector

ELSEWHERE = {"opts", "args", "kwargs", "self"}
"""Descriptors of SuiteSparse, and what takes anything."""
POSITIONAL = {"expr", "row_indices", "col_indices", "nested_dicts", "edgelist", "d"}
"""Given without their names: `value`, `indices`, `nested`, `edges` and `entries` here."""


def list_parameters(function: Any) -> set[str]:
    try:
        return set(inspect.signature(function).parameters)
    except ValueError:
        return set()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", ["Matrix", "Vector", "Scalar"])
def test_no_parameter_is_missing(kind: str) -> None:
    gb = pytest.importorskip("graphblas")
    theirs, ours = getattr(gb, kind), getattr(gl, kind)
    shared = [name for name in dir(theirs) if not name.startswith("_") and hasattr(ours, name)]
    methods = [name for name in shared if callable(getattr(theirs, name)) and callable(getattr(ours, name))]
    assert len(methods) > 10
    missing = {
        name: list_parameters(getattr(theirs, name)) - list_parameters(getattr(ours, name)) - ELSEWHERE - POSITIONAL
        for name in methods
    }
    assert {name: names for name, names in missing.items() if names} == {}


MAKERS = {
    "Matrix.from_coo": ([0], [1], [2]),
    "Matrix.from_csr": ([0, 1], [0], [5]),
    "Matrix.from_csc": ([0, 1], [0], [5]),
    "Matrix.from_dense": ([[1, 2]],),
    "Matrix.from_dicts": ({0: {1: 2}},),
    "Matrix.from_edgelist": ([(0, 1)],),
    "Matrix.from_scalar": (1, 2, 2),
    "Vector.from_coo": ([0], [1]),
    "Vector.from_dense": ([1, 2],),
    "Vector.from_dict": ({1: 2},),
    "Vector.from_pairs": ([(1, 2)],),
    "Vector.from_scalar": (1, 2),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_constructors_take_a_name_and_an_engine(maker: str) -> None:
    made = getattr({"Matrix": Matrix, "Vector": Vector}[maker[:6]], maker[7:])(*MAKERS[maker], name="x", engine="cpu")
    assert (made.name, made.engine.name) == ("x", "cpu")
    assert made.nvals > 0


def test_diagonals_take_a_name() -> None:
    v = Vector.from_coo([0, 1], [3, 4], engine="cpu")
    assert (v.diag(name="D").name, v.diag().diag(name="d").name) == ("D", "d")
    assert v.diag(dtype=float, name="D").diag().to_dict() == {0: 3.0, 1: 4.0}


def test_an_edge_list_without_values() -> None:
    A = Matrix.from_coo([0, 1], [1, 0], [2, 3], engine="cpu")
    edges, values = A.to_edgelist(values=False)
    assert (edges.tolist(), values) == ([[0, 1], [1, 0]], None)
    assert A.to_edgelist("FP32")[1].dtype == np.float32
