"""Graphs that are made, as coordinates: seeded, reproducible, the same on NumPy and CuPy; one file a family."""

from graphla.generators.geometric import random_geometric, rgg
from graphla.generators.grids import grid2d, grid3d
from graphla.generators.kronecker import kronecker, rmat
from graphla.generators.road import road
from graphla.generators.small import complete, cycle, path, star
from graphla.generators.spec import from_spec, generators, is_spec
from graphla.generators.uniform import hubs, uniform
from graphla.generators.weights import pair_weights

__all__ = [
    "complete",
    "cycle",
    "from_spec",
    "generators",
    "grid2d",
    "grid3d",
    "hubs",
    "is_spec",
    "kronecker",
    "pair_weights",
    "path",
    "random_geometric",
    "rgg",
    "rmat",
    "road",
    "star",
    "uniform",
]
