"""Closeness by every method against NetworkX, and the verifier against wrong answers."""

from __future__ import annotations

import random
import secrets
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import DimensionMismatch, InvalidGraph, InvalidOption, VerificationError
from tests.graphla.algorithms.betweenness.test_betweenness import list_shapes, make_network
from tests.graphla.algorithms.cases import list_cases
from tests.graphla.engine.engines import get_engine_named

CASES = list_cases(gl.closeness)


def make_weighted(seed: int, directed: bool) -> Any:
    """A graph some of whose lengths are zero or fractions."""
    network, chosen = make_network(seed, directed), random.Random(seed)
    for u, v in network.edges:
        network[u][v]["weight"] = chosen.choice([0.0, 0.1, 0.5, 1.25, 3.0])
    return network


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_random_graphs(name: str, engine: str, directed: bool) -> None:
    seed = secrets.randbits(32)
    network = make_weighted(seed, directed)
    G = gl.Graph(network, engine=get_engine_named(engine))
    for weights in (False, True):
        distance = "weight" if weights else None
        for options, expected in (
            ({"improved": True}, nx.closeness_centrality(network, None, distance)),
            ({"improved": False}, nx.closeness_centrality(network, None, distance, wf_improved=False)),
            ({"harmonic": True}, nx.harmonic_centrality(network, None, distance)),
        ):
            sources = range(G.n if engine == "cpu" else 7)
            found = gl.closeness(G, sources, weights=weights, method=name, **options)
            wanted = [expected[v] if v in sources else np.nan for v in range(G.n)]
            np.testing.assert_allclose(
                found.to_numpy(np.nan), wanted, rtol=1e-9, err_msg=f"seed {seed}, {weights}, {options}"
            )
            gl.closeness.verify(G, found, sources, weights=weights, **options)


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_some_sources_and_the_other_direction(name: str, engine: str) -> None:
    network = make_network(secrets.randbits(32), directed=True)
    G = gl.Graph(network, engine=get_engine_named(engine))
    expected = nx.closeness_centrality(network.reverse())
    found = gl.closeness(G, [5, 3, 5], direction="out", method=name)
    assert found.to_dict() == pytest.approx({v: expected[v] for v in (3, 5)})
    gl.closeness.verify(G, found, [3, 5], direction="out")


@pytest.mark.parametrize("shape", list_shapes())
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_corners(shape: str, name: str, engine: str) -> None:
    tails, heads, n = list_shapes()[shape]
    G = gl.Graph((tails, heads), n=n, engine=get_engine_named(engine))
    for harmonic in (False, True):
        found = gl.closeness(G, harmonic=harmonic, method=name)
        assert found.nvals == n
        gl.closeness.verify(G, found, harmonic=harmonic)


def test_more_sources_than_a_word_has_bits() -> None:
    G = gl.generate.kronecker(8, engine="cpu")
    assert gl.closeness(G).nvals == 256
    gl.closeness.verify(G, gl.closeness(G))


def test_bad_input_is_refused() -> None:
    G = gl.Graph(([0, 1], [1, 2], [1, -2]), engine="cpu")
    with pytest.raises(InvalidGraph, match="smallest weight is -2"):
        gl.closeness(G, weights=True)
    with pytest.raises(InvalidGraph, match="sources=9 is no vertex"):
        gl.closeness(G, [9])
    with pytest.raises(InvalidOption, match="direction='up': there are 'in', 'out'"):
        gl.closeness(G, direction="up")  # type: ignore[arg-type]


def test_the_verifier_finds_wrong_values() -> None:
    G = gl.Graph(make_network(7, directed=False), engine="cpu")
    wrong = gl.closeness(G)
    wrong[int(wrong.to_numpy().argmax())] = 0.9
    with pytest.raises(VerificationError, match=r"closeness: vertex \d+ has 0.9 instead of .*1 differ"):
        gl.closeness.verify(G, wrong)
    with pytest.raises(VerificationError, match="instead of nan"):
        gl.closeness.verify(G, gl.closeness(G), [3])
    with pytest.raises(DimensionMismatch, match="a vector of numbers of size 40"):
        gl.closeness.verify(G, gl.Vector("FP64", 3, engine="cpu"))


@pytest.mark.parametrize("asked", [{}, {"harmonic": True}, {"improved": False, "weights": True, "direction": "out"}])
def test_a_comparison_asks_the_same_of_everyone(asked: dict[str, Any]) -> None:
    found = gl.compare("closeness", gl.Graph(make_network(3, directed=True), engine="cpu"), repeat=1, **asked)
    assert {row.status for row in found} <= {"right", "refused"}, str(found)
    assert {row.name for row in found if row.status == "right"} >= {"algebraic", "searches", "NetworkX"}
