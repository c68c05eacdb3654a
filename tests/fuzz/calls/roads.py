"""Calls of roads: what is prepared, asked, changed and converted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import graphla as gl
from tests.fuzz.calls.call import Call, plain


def list_calls() -> Iterator[Call]:
    G = gl.Graph(([0, 1, 2, 1], [1, 2, 0, 0], [5, 2, 4, 1]), engine="cpu")
    given: dict[str, Any] = {"turns": {(0, 1, 2): 3}, "u_turn": 1, "order": None, "dtype": "INT64"}
    yield plain("roads.prepare", gl.roads.prepare, G=G, **given)
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("distances", {"sources": [0, 1], "targets": [2]}),
        ("distances", {"pairs": [(0, 2), (1, 0)]}),
        ("paths", {"pairs": [(0, 2), (1, 0)], "ragged": True}),
        ("isochrone", {"sources": [0, 1], "limits": [3, 4]}),
        ("nearest", {"sources": [0, 1], "targets": [1, 2], "k": 1}),
        ("customize", {"weights": [1, 2, 3, 4]}),
    )
    roads = gl.roads.prepare(G)
    for number, (name, arguments) in enumerate(asked):
        method = getattr(gl.roads.Roads, name)
        yield Call(f"roads.{name} {number}", lambda _, m=method, **some: m(roads, **some), arguments, method)
    places = [[8.0, 50.0], [8.5, 50.5], [9.0, 51.0]]
    yield plain("roads.to_geojson", gl.roads.to_geojson, found=roads.paths([(0, 2)]), places=places, G=G)
