"""Roads in and out: graphs as OSMnx makes them, and GeoJSON."""

from __future__ import annotations

import json

import networkx as nx
import pytest

import graphla as gl
from graphla import errors


def make_streets() -> nx.MultiDiGraph:
    """Streets as OSMnx has them: numbers of OpenStreetMap, parallel edges, lengths and times."""
    M = nx.MultiDiGraph()
    for node, x in zip((4200, 77, 9001), (9.0, 9.1, 9.3), strict=True):
        M.add_node(node, x=x, y=48.0)
    M.add_edge(4200, 77, length=100.0, travel_time=30.0)
    M.add_edge(4200, 77, length=120.0, travel_time=10.0)
    M.add_edge(77, 9001, length=50.0, travel_time=5.0)
    M.add_edge(4200, 9001, length=149.0, travel_time=60.0)
    return M


def test_streets_of_osmnx() -> None:
    M = make_streets()
    fast = gl.roads.prepare(gl.Graph(M, weight="travel_time", engine="cpu"))
    short = fast.customize(gl.Graph(M, weight="length", engine="cpu"))
    assert fast.paths([(4200, 9001)]) == [[4200, 77, 9001]] == [nx.shortest_path(M, 4200, 9001, "travel_time")]
    assert short.paths([(4200, 9001), (9001, 77)]) == [[4200, 9001], []]
    assert fast.isochrone(4200, 10).vertices.tolist() == [4200, 77]
    assert fast.nearest([77], [4200, 9001]).vertices.tolist() == [[9001]]


def test_geojson() -> None:
    M = make_streets()
    fast = gl.roads.prepare(gl.Graph(M, weight="travel_time", engine="cpu"))
    lines = gl.roads.to_geojson(fast.paths([(4200, 9001), (9001, 77), (77, 77)]), M)["features"]
    assert [line["geometry"] and line["geometry"]["type"] for line in lines] == ["LineString", None, "Point"]
    assert lines[0]["geometry"]["coordinates"] == [[9.0, 48.0], [9.1, 48.0], [9.3, 48.0]]
    points = json.loads(json.dumps(gl.roads.to_geojson(fast.isochrone([4200, 77], 10), M)))["features"]
    assert [(p["properties"]["source"], p["properties"]["vertex"], p["properties"]["time"]) for p in points] == [
        (0, 4200, 0), (0, 77, 10), (1, 77, 0), (1, 9001, 5)
    ]  # fmt: skip
    with pytest.raises(errors.InvalidGraph, match="places: vertex 77"):
        gl.roads.to_geojson(fast.isochrone(77, 1), {4200: (0, 0)})
    with pytest.raises(errors.InvalidOption, match="found"):
        gl.roads.to_geojson(3, M)  # pyright: ignore[reportArgumentType]
