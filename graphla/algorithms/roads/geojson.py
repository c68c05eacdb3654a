"""Routes and isochrones as GeoJSON (RFC 7946), which web maps and geographic information systems read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphla.algorithms.roads.answers import Reached
from graphla.common.arguments import show, to_list
from graphla.common.errors import InvalidGraph, InvalidOption
from graphla.common.typing import NetworkXGraph, Vertex

Places = Mapping[Vertex, Sequence[float]] | Sequence[Sequence[float]] | NetworkXGraph
"""Longitude and latitude of each vertex: by label or number; or a NetworkX graph whose nodes have ``x`` and ``y``."""


def to_geojson(found: Reached | Sequence[Reached] | Sequence[Sequence[Vertex]], places: Places) -> dict[str, Any]:
    """Convert routes or isochrones to GeoJSON.

    Parameters
    ----------
    found : Reached, list of Reached, or list of list
        What `Roads.isochrone` or `Roads.paths` returned.
    places : mapping, sequence or NetworkX graph
        Longitude and latitude of each vertex in degrees, by its label or number: a dict, an array of shape (n, 2), or a
        graph as OSMnx makes it, whose nodes have ``x`` and ``y``.

    Returns
    -------
    dict
        A FeatureCollection for ``json.dump``. A route is a LineString with its number in ``route`` (without a geometry
        if it has no vertices, a Point if it has one); a vertex that is reached is a Point with its ``vertex``, its
        ``time``, and the number of its ``source``.

    Raises
    ------
    InvalidGraph
        If a vertex has no place.
    InvalidOption
        If `found` is neither.

    Examples
    --------
    >>> import graphla as gl
    >>> roads = gl.roads.prepare(gl.generate.path(3, engine="cpu"))
    >>> found = gl.roads.to_geojson(roads.paths([(0, 2)]), {0: (9.9, 48.4), 1: (9.9, 48.5), 2: (10, 48.5)})
    >>> found["features"][0]["geometry"]
    {'type': 'LineString', 'coordinates': [[9.9, 48.4], [9.9, 48.5], [10.0, 48.5]]}
    """
    several = [found] if isinstance(found, Reached) else to_list(found, "found", "routes or isochrones", InvalidOption)
    where = places if not hasattr(places, "nodes") else {v: (d["x"], d["y"]) for v, d in places.nodes(data=True)}  # type: ignore
    features = []
    for number, each in enumerate(several):
        features += list_points(number, each, where) if isinstance(each, Reached) else [make_line(number, each, where)]
    return {"type": "FeatureCollection", "features": features}


def list_points(number: int, area: Reached, places: Any) -> list[dict[str, Any]]:
    """Return a feature for each vertex that is reached from a source."""
    pairs = zip(area.vertices.tolist(), area.times.tolist(), strict=True)
    return [
        make_feature("Point", find_place(v, places), {"source": number, "vertex": v, "time": time}) for v, time in pairs
    ]


def make_line(number: int, route: Any, places: Any) -> dict[str, Any]:
    """Return the feature of a route."""
    points = [find_place(v, places) for v in to_list(route, "found", "vertices", InvalidOption)]
    if len(points) < 2:
        return make_feature("Point" if points else None, points[0] if points else None, {"route": number})
    return make_feature("LineString", points, {"route": number})


def make_feature(kind: str | None, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    """Return a feature; without a geometry if it has no kind."""
    geometry = None if kind is None else {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def find_place(vertex: Any, places: Any) -> list[float]:
    """Return the coordinates of a vertex."""
    try:
        x, y = places[vertex]
        return [float(x), float(y)]
    except (KeyError, IndexError, TypeError, ValueError):
        raise InvalidGraph(f"places: vertex {show(vertex)} has no longitude and latitude") from None
