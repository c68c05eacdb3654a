"""What is told to who writes something else than graphla takes: the argument, its value, and the way out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array

import graphla as gl
from graphla import Matrix, Vector, binary, semiring

A = Matrix.from_coo([0, 0, 1], [1, 2, 2], [4, 9, 3], nrows=3, ncols=3, engine="cpu")
v = Vector.from_coo([0], [1], size=3, engine="cpu")
G = gl.Graph(A)
JOIN = "give dup_op=binary.plus, binary.first …"
TABLE = np.array([[0, 1], [1, 2], [2, 0]])


@pytest.mark.parametrize(
    ("write", "told"),
    [
        (lambda: A.apply(A), "give an operator, such as binary.plus, the name of one, or a function such as lambda x:"),
        (lambda: A.select(len), "len() is not possible; write where(condition, a, b)"),
        (lambda: A.mxm(A, "min_plux"), "there is no operator 'min_plux'; the nearest are min_plus"),
        (lambda: A.ewise_add(A, "zzz"), "there is no operator 'zzz'; there are absdiff, absfirst"),
        (lambda: semiring.min_plu, "there is no semiring operator 'min_plu'; the nearest are min_plus"),
        (lambda: binary.zzz, "there is no binary operator 'zzz'; there are absdiff"),
        (lambda: (A + A)[0, 1] << 3, "an expression does not support item assignment: take .new()"),
        (lambda: v.apply("abs")[[0, 1]](v.S) << 3, "an expression does not support item assignment: take .new()"),
        (lambda: (A @ A)[:, 0].update(3), "an expression does not support item assignment: take .new()"),
        (lambda: A.T[0, 1](binary.plus) << 3, "a transpose does not support item assignment: assign to the matrix"),
        (lambda: A[0], "index 0 has 1 parts for 2 dimensions: write A[i, j], or A[i, :] for a row"),
        (lambda: v[0, 1], "index (0, 1) has 2 parts for 1 dimensions: write v[i]"),
        (lambda: v(v) << v, "mask=Vector 3 INT64, 1 entry, bitmap, on cpu: a mask is v.S (structure)"),
        (lambda: Matrix.from_coo([1, 0, 0], [0, 1, 1], [1, 2, 3]), f"the entry (0, 1) occurs twice: {JOIN}, or"),
        (lambda: Vector.from_coo([2, 2], [1, 2]), f"place 2 occurs twice: {JOIN}, to join the values"),
        (lambda: gl.Graph(([0, 0], [1, 1])), f"{JOIN}, or of a Graph dup='first', 'min' or 'sum', to join the values"),
        (lambda: gl.Graph(TABLE), "shape (3, 2); of a table of arcs give the columns: gl.Graph((E[:, 0], E[:, 1]))"),
        (lambda: gl.bfs(A, 0), "Matrix is no Graph: gl.Graph(…) makes one of a matrix, an array, arcs or NetworkX's"),
        (lambda: gl.sssp(csr_array(np.eye(3)), 0), "csr_array is no Graph: gl.Graph(…) makes one"),
        (lambda: gl.apsp(np.eye(3)), "ndarray is no Graph: gl.Graph(…) makes one"),
        (lambda: gl.roads.prepare(nx.Graph()), "Graph is no Graph: gl.Graph(…) makes one of a matrix, an array"),
        (lambda: gl.pagerank(G, personalization=["a", "b"]), "{'a'}, a set of vertices, or [['a']]"),
        (lambda: gl.pagerank(G, personalization=[3]), "{3}, a set of vertices, or [[3]], a list of seed sets"),
        (lambda: gl.pagerank(G, personalization=[{1}, {2: -1}]), "personalization[1]={2: -1}: the weights of vertices"),
        (lambda: gl.roads.prepare(G, order=__file__), "cannot be read as an order: it is no archive of arrays"),
        (lambda: gl.Graph(TABLE.T), "of an edge_index of shape (2, m) give the rows: gl.Graph((E[0], E[1]))"),
        (lambda: gl.shortest_path(A, 0, 1), "Matrix is no Graph"),
        (lambda: gl.closeness(A), "Matrix is no Graph"),
        (lambda: gl.sssp(G, 0, parent=True), "has no option 'parent'; it has: delta, limit, parents, targets"),
        (lambda: gl.generate.kroneker(3), "there is no generator 'kroneker'; there are: barabasi_albert, complete"),
        (lambda: gl.read(""), "file='': it names no file"),
    ],
)  # fmt: skip
def test_the_way_out_is_told(write: Callable[[], Any], told: str) -> None:
    with pytest.raises(Exception, match=re.escape(told)) as found:
        write()
    assert "\n" not in str(found.value)


def test_a_matrix_that_is_not_square_is_no_table_of_arcs() -> None:
    for source in (csr_array(np.ones((3, 2))), Matrix("BOOL", 3, 2, engine="cpu")):
        with pytest.raises(gl.errors.DimensionMismatch, match=r"shape \(3, 2\); as a graph from its rows") as refusal:
            gl.Graph(source)
        assert "table of arcs" not in str(refusal.value)
