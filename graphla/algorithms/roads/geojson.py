"""Routes and isochrones as GeoJSON (RFC 7946), which web maps and geographic information systems read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from graphla.algorithms.roads.answers import Reached
from graphla.common.arguments import show, speaks, to_list
from graphla.common.errors import InvalidGraph, InvalidOption
from graphla.common.typing import NetworkXGraph, Vertex
from graphla.graphs.graph import Graph
from graphla.problem import require_graph

Places = Mapping[Vertex, Sequence[float]] | Sequence[Sequence[float]] | np.ndarray[Any, Any] | NetworkXGraph
"""Longitude and latitude of each vertex: by label or number; or a NetworkX graph whose nodes have ``x`` and ``y``."""


def to_geojson(
    found: Reached | Sequence[Reached] | Sequence[Sequence[Vertex]], places: Places, G: Graph | None = None
) -> dict[str, Any]:
    """Convert routes or isochrones to GeoJSON.

    Parameters
    ----------
    found : Reached, list of Reached, or list of list
        What `Roads.isochrone` or `Roads.paths` returned.
    places : mapping, sequence or NetworkX graph
        Longitude and latitude of each vertex in degrees: by its label, or its number if it has none, a dict, or a
        graph as OSMnx makes it, whose nodes have ``x`` and ``y``; by its number, labels or not, an array of shape
        (n, 2), which needs `G`.
    G : Graph, optional
        The graph of the roads, which says what row of an array a vertex has.

    Returns
    -------
    dict
        A FeatureCollection for ``json.dump``. A route is a LineString with its number in ``route`` (without a geometry
        if it has no vertices, a Point if it has one); a vertex that is reached is a Point with its ``vertex``, its
        ``time``, and the number of its ``source``.

    Raises
    ------
    InvalidGraph
        If a vertex has no place, or one that is no longitude from -180 to 180 and latitude from -90 to 90.
    InvalidOption
        If `found` is neither, or `places` is an array and `G` is missing.

    Examples
    --------
    >>> import graphla as gl
    >>> roads = gl.roads.prepare(gl.generate.path(3, engine="cpu"))
    >>> found = gl.roads.to_geojson(roads.paths([(0, 2)]), {0: (9.9, 48.4), 1: (9.9, 48.5), 2: (10, 48.5)})
    >>> found["features"][0]["geometry"]
    {'type': 'LineString', 'coordinates': [[9.9, 48.4], [9.9, 48.5], [10.0, 48.5]]}
    """
    several = [found] if isinstance(found, Reached) else to_list(found, "found", "routes or isochrones", InvalidOption)
    find, features = get_finder(places, G), []
    for number, each in enumerate(several):
        features += list_points(number, each, find) if isinstance(each, Reached) else [make_line(number, each, find)]
    return {"type": "FeatureCollection", "features": features}


def get_finder(places: Any, G: Graph | None) -> Callable[[Any], list[float]]:
    """Return what finds the coordinates of a vertex."""
    if hasattr(places, "nodes"):
        where = {v: (d["x"], d["y"]) for v, d in places.nodes(data=True) if "x" in d and "y" in d}
        return lambda v: find_place(v, v, where)
    if isinstance(places, Mapping):
        return lambda v: find_place(v, v, places)
    if G is None:
        raise InvalidOption(
            f"places={show(places)}: an array has a row for each number of a vertex: give the graph, too, which says "
            "whose it is: to_geojson(found, places, G); or a dict"
        )
    require_graph(G)
    return lambda v: find_place(v, G.vertex(v, "found"), places)


def list_points(number: int, area: Reached, find: Any) -> list[dict[str, Any]]:
    """Return a feature for each vertex that is reached from a source."""
    pairs = zip(area.vertices.tolist(), area.times.tolist(), strict=True)
    return [make_feature("Point", find(v), {"source": number, "vertex": v, "time": time}) for v, time in pairs]


def make_line(number: int, route: Any, find: Any) -> dict[str, Any]:
    """Return the feature of a route."""
    if not speaks(route, "__iter__") or isinstance(route, str):
        raise InvalidOption(f"found: {show(route)} is no list of vertices: of one route give [route]")
    points = [find(v) for v in route]
    if len(points) < 2:
        return make_feature("Point" if points else None, points[0] if points else None, {"route": number})
    return make_feature("LineString", points, {"route": number})


def make_feature(kind: str | None, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    """Return a feature; without a geometry if it has no kind."""
    geometry = None if kind is None else {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def find_place(vertex: Any, key: Any, places: Any) -> list[float]:
    """Return the coordinates of a vertex, which `places` has at a key."""
    try:
        x, y = map(float, places[key])
        if abs(x) <= 180 and abs(y) <= 90:
            return [x, y]
        raise InvalidGraph(
            f"places: vertex {show(vertex)} is at ({x:g}, {y:g}): give longitudes from -180 to 180 and latitudes from "
            "-90 to 90, in degrees"
        )
    except InvalidGraph:
        raise
    except (KeyError, IndexError, TypeError, ValueError):
        raise InvalidGraph(f"places: vertex {show(vertex)} has no longitude and latitude") from None
