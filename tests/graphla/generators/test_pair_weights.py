"""Weights from pairs of vertices, and the random bits beneath."""

from __future__ import annotations

import numpy as np
import pytest

from graphla.graphs.generators import pair_weights
from graphla.graphs.generators.hashing import derive_state, draw_bits, to_integers_below, to_unit_interval


def test_splitmix_is_as_published():
    """The first outputs of SplitMix64 from the state 1234567, as published with the reference code."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert draw_bits(0, 5, 1234567, np).tolist() == known


def test_pieces_make_no_difference():
    whole = draw_bits(0, 1000, derive_state(3), np)
    pieces = [draw_bits(start, 100, derive_state(3), np) for start in range(0, 1000, 100)]
    assert np.array_equal(whole, np.concatenate(pieces))


def test_streams_differ():
    first = {int(draw_bits(0, 1, derive_state(seed, number), np)[0]) for seed in range(50) for number in range(50)}
    assert len(first) == 2500


def test_draws_are_even():
    bits = draw_bits(0, 100_000, derive_state(1), np)
    assert np.bincount(to_integers_below(bits, 10, np)) == pytest.approx(np.full(10, 10_000), rel=0.05)
    assert to_unit_interval(bits, np).mean() == pytest.approx(0.5, abs=0.01)
    assert to_unit_interval(bits, np).max() < 1


def test_weights_are_even_and_reach_both_ends():
    u = np.arange(100_000)
    weights = pair_weights(u, u + 1, 1, 255)
    counts = np.bincount(weights, minlength=256)
    assert counts[0] == 0
    assert counts[1:].min() > 300
    assert weights.dtype == np.int32


def test_weights_depend_on_pair_and_seed_alone(monkeypatch):
    u, v = np.arange(5000, dtype=np.int32), np.arange(5000, dtype=np.int32)[::-1].copy()
    weights = pair_weights(u, v, 1, 1000, seed=9)
    assert np.array_equal(weights, pair_weights(v, u, 1, 1000, seed=9))
    assert not np.array_equal(weights, pair_weights(u, v, 1, 1000, seed=10))
    monkeypatch.setattr("graphla.graphs.generators.weights.PIECE", 77)
    assert np.array_equal(weights, pair_weights(u.astype(np.int64), v, 1, 1000, seed=9))


def test_fractions_and_negative_weights():
    u = np.arange(10_000)
    fractions = pair_weights(u, u + 1, 0.25, 0.75)
    assert fractions.dtype == np.float32
    assert 0.25 <= fractions.min() < 0.26
    assert 0.74 < fractions.max() < 0.75
    assert set(pair_weights(u, u + 1, -2, 1).tolist()) == {-2, -1, 0, 1}
    assert set(pair_weights(u, u + 1, 7, 7).tolist()) == {7}
