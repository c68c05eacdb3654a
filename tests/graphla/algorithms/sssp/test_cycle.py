"""The search for a negative cycle is exact for whole numbers, however large they are."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.algorithms.sssp.negative_cycle import find_negative_cycle, split
from graphla.common.errors import NegativeCycle

BIG = 2**58
NEARLY = [(0, 1, BIG + 31), (1, 2, -BIG), (2, 0, -20)]
"""A cycle of weight 11, of which sums in floating point make -20."""


def make_arrays(arcs: list[tuple[int, int, int]]) -> tuple[np.ndarray, ...]:
    G = gl.Graph(tuple(np.array(part) for part in zip(*arcs, strict=True)), engine="cpu")
    return G.csr.indptr, G.csr.indices, G.csr.values


def test_a_positive_cycle_of_large_weights_is_not_negative() -> None:
    assert sum(float(weight) for _, _, weight in NEARLY) < 0
    assert find_negative_cycle(*make_arrays(NEARLY), 0) is None
    for less, expected in ((11, None), (12, [0, 1, 2])):
        found = find_negative_cycle(*make_arrays([*NEARLY[:2], (2, 0, -20 - less)]), 0)
        assert (None if found is None else sorted(found)) == expected


def test_a_search_that_goes_on_for_long_finds_no_cycle_that_is_none() -> None:
    """The search begins after 32 rounds: a path of 50 vertices leads away from the cycle."""
    path = [(v, v + 1, 1) for v in range(2, 52)]
    rows, cols, weights = (np.array(part) for part in zip(*NEARLY, *path, strict=True))
    G = gl.Graph((rows, cols, weights), engine="cpu")
    distances = gl.sssp(G, 0, method="algebraic").to_dict()
    assert distances == {0: 0, 1: BIG + 31, **{v: 31 + v - 2 for v in range(2, 53)}}
    weights[2] -= 12
    with pytest.raises(NegativeCycle):
        gl.sssp(gl.Graph((rows, cols, weights), engine="cpu"), 0, method="algebraic")


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint64", "uint8", "bool"])
def test_whole_numbers_are_split_without_loss(dtype: str) -> None:
    ends = [0, 1] if dtype == "bool" else [np.iinfo(dtype).min, 0, 1, np.iinfo(dtype).max]
    units, rests = split(np.array(ends, dtype))
    assert [int(high) * 2**32 + int(low) for high, low in zip(units, rests, strict=True)] == ends
    assert (rests >= 0).all()
