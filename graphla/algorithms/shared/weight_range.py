"""Weights in a range in which sums, squares and inverses neither overflow nor vanish.

Weights of any dtype are positive here: the largest FP64 number, and the smallest. A graph whose weights leave the range
is replaced by one with weights of FP64 from 0 to 2: those of a row over the largest one of the row, or all of them over
one power of two.
"""

from __future__ import annotations

import math

from graphla.containers.matrix import Matrix
from graphla.graphs.graph import Graph
from semirings import any_rtruediv, binary, monoid
from semirings.dtypes import DType

LIMITS = {"FP32": 2.0**45, "FP64": 2.0**400}
"""Sums of weights up to this, and weights down to its inverse, have squares and inverses with all digits."""


def is_within(G: Graph, dtype: DType) -> bool:
    """Whether sums of the weights of a graph, their squares and inverses are numbers of a dtype."""
    limit = LIMITS[dtype.name]
    return float(G.min_weight) * limit >= 1 and float(G.max_weight) * G.nvals <= limit


def find_power(G: Graph) -> float:
    """The largest power of two that is no more than the largest weight; 1 if there is none."""
    return 2.0 ** (math.frexp(float(G.max_weight))[1] - 1) if G.nvals else 1.0


def find_unit(G: Graph, dtype: DType) -> float:
    """That power, by which all weights are divided; 1 if they are within the range as they are."""
    return 1.0 if not G.nvals or is_within(G, dtype) else find_power(G)


def scale_all(G: Graph, dtype: DType) -> Graph:
    """The graph with all weights over the unit: the same eigenvectors."""
    unit = find_unit(G, dtype)
    return G if unit == 1 else G.cached(f"weights.scaled.{unit}", lambda G: Graph(divide_by(G.A, unit)))


def divide_by(A: Matrix, unit: float) -> Matrix:
    """All entries over a number, in FP64."""
    return A.apply(binary.truediv, right=unit).new("FP64")


def scale_rows(G: Graph, dtype: DType) -> Graph:
    """The graph with the weights of each row over the largest one of the row: the same shares of their sum."""
    return G if not G.nvals or is_within(G, dtype) else G.cached("weights.by_row", divide_rows)


def divide_rows(G: Graph) -> Graph:
    """The quotients, in FP64."""
    largest = G.A.reduce_rowwise(monoid.max).new("FP64")
    return Graph(any_rtruediv(largest.diag() @ G.A).new("FP64"))
