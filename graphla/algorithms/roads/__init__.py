"""Routing on roads: travel-time matrices, routes, isochrones and nearest places, after one preparation of the graph.

Examples
--------
>>> import graphla as gl
>>> roads = gl.roads.prepare(gl.Graph(([0, 1, 2], [1, 2, 3], [5, 2, 4]), n=4, engine="cpu"))
>>> roads.distances([0, 1], [2, 3]).tolist()
[[7, 11], [2, 6]]
>>> roads.paths([(0, 3)])
[[0, 1, 2, 3]]
"""

from graphla.algorithms.roads.answers import Nearest, Reached
from graphla.algorithms.roads.geojson import to_geojson
from graphla.algorithms.roads.prepare import prepare
from graphla.algorithms.roads.roads import Roads

__all__ = ["Nearest", "Reached", "Roads", "prepare", "to_geojson"]
