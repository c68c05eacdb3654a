"""Weights of NetworkX graphs: an attribute that is named is one of all edges, and what is no number is refused."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import InvalidGraph

KINDS = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


def make(kind: Any, *edges: tuple[Any, Any, dict[str, Any]]) -> Any:
    """A graph of NetworkX with attributes."""
    made = kind()
    made.add_edges_from(edges)
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_no_edge_has_is_refused(kind: Any) -> None:
    roads = make(kind, ("a", "b", {"travel_time": 20.0}), ("b", "c", {"travel_time": 30.0, "length": 2}))
    with pytest.raises(InvalidGraph, match=r"weight='traveltime': no edge has.*'length', 'travel_time'; did you mean"):
        gl.Graph(roads, weight="traveltime", engine="cpu")
    with pytest.raises(InvalidGraph, match=r"weight='length': the edge 'a' → 'b' has none, nor 0 others of 2"):
        gl.Graph(roads, weight="length", engine="cpu")
    assert gl.Graph(roads, weight="travel_time", engine="cpu").max_weight == 30
    with pytest.raises(InvalidGraph, match="they have no attributes"):
        gl.Graph(make(kind, (0, 1, {})), weight="km", engine="cpu")
    assert gl.Graph(kind(), weight="km", engine="cpu").n == 0


@pytest.mark.parametrize("kind", KINDS)
def test_edges_without_the_usual_weight_weigh_one(kind: Any) -> None:
    mixed = make(kind, (0, 1, {"weight": 5}), (1, 2, {}))
    assert gl.sssp(gl.Graph(mixed, engine="cpu"), 0).to_dict() == {0: 0, 1: 5, 2: 6}
    bare = make(kind, (0, 1, {"travel_time": 5}), (1, 2, {}))
    assert gl.sssp(gl.Graph(bare, engine="cpu"), 0).to_dict() == {0: 0, 1: 1, 2: 2}


@pytest.mark.parametrize("value", ["120.0", [3, 4], None, np.nan, np.array([1, 2]), {"km": 3}])
def test_what_is_no_number_is_refused(value: Any) -> None:
    for kind in KINDS:
        streets = make(kind, ("a", "b", {"length": 3.0}), ("x", "y", {"length": value}))
        with pytest.raises(InvalidGraph, match=r"weight='length': the edge 'x' → 'y' has .*a weight is a number"):
            gl.Graph(streets, weight="length", engine="cpu")
    parallel = make(nx.MultiDiGraph, ("x", "y", {"weight": 1.0}), ("x", "y", {"weight": value}))
    with pytest.raises(InvalidGraph, match="weight='weight': the edge 'x' → 'y' has"):
        gl.Graph(parallel, engine="cpu")


def test_numbers_of_every_kind_are_weights() -> None:
    for value in (True, 3, 2.5, np.float32(2), np.int8(4), np.bool_(True)):
        assert gl.Graph(make(nx.DiGraph, (0, 1, {"weight": value})), engine="cpu").max_weight == value
