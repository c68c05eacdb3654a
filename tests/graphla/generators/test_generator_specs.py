"""Generators as texts."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.common.errors import InvalidGraph, NotSupported
from graphla.graphs import generators
from graphla.graphs.generators import from_spec, is_spec


@pytest.mark.parametrize(
    ("spec", "direct"),
    [
        ("kron:6", lambda: generators.kronecker(6)),
        ("kron:6,4?seed=3", lambda: generators.kronecker(6, 4, seed=3)),
        ("rmat:6?degree=4&symmetric=false", lambda: generators.rmat(6, 4, symmetric=False)),
        ("uniform:100,8?weights=1..9", lambda: generators.uniform(100, 8, weights=(1, 9))),
        ("grid2d:5", lambda: generators.grid2d(5)),
        ("grid3d:2,3,4?weights=0.5..2&seed=8", lambda: generators.grid3d(2, 3, 4, weights=(0.5, 2), seed=8)),
        ("rgg:6,0.3", lambda: generators.rgg(6, 0.3)),
        ("hubs:50,4,0.1,9", lambda: generators.hubs(50, 4, 0.1, 9)),
        ("road:50", lambda: generators.road(50)),
    ],
)
def test_specs(spec, direct):
    ours, theirs = from_spec(spec), direct()
    assert np.array_equal(ours.rows, theirs.rows)
    assert np.array_equal(ours.cols, theirs.cols)
    assert np.array_equal(ours.values, theirs.values)


def test_the_array_module_is_passed_where_it_has_a_meaning():
    assert from_spec("kron:3", xp=np).nrows == from_spec("rgg:3", xp=np).nrows == 8


def test_every_example_is_a_spec():
    for generator in generators.generators().values():
        assert is_spec(generator.example.split()[0])
    for text in ("road.gr", "C:\\graphs\\a.mtx", "data:x.gr", "a/b:3", "kron"):
        assert not is_spec(text)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kron:", "kron takes 1 to 2 numbers: kron:18"),
        ("kron:1,2,3", "kron takes 1 to 2 numbers"),
        ("kron:x", "'x' is not a number"),
        ("kron:2.5", "scale=2.5: give a whole number"),
        ("kron:5?sed=3", "'sed=3' is none of its options: edge_factor, weights, seed, simple"),
        ("kron:5?scale=3", "'scale=3' is none of its options"),
        ("kron:5?seed", "'seed' is none of its options"),
        ("kron:5?seed=x", "'x' is not a number"),
        ("kron:5?weights=3", "give a range such as 1..255"),
        ("kron:5?weights=a..3", "'a' is not a number"),
        ("kron:5?weights=nan..3", "the first must be the smaller"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(InvalidGraph) as caught:
        from_spec(spec)
    assert message in str(caught.value)


def test_an_unknown_generator_lists_what_there_is():
    with pytest.raises(NotSupported, match=r"no generator 'krn'; there are: .*kron:18 or kron:18,16"):
        from_spec("krn:3")
