"""Graphs that are made, as coordinates: seeded, reproducible, the same on NumPy and CuPy; one file a family."""

from graphla.graphs.generators.geometric import random_geometric, rgg
from graphla.graphs.generators.grids import grid2d, grid3d
from graphla.graphs.generators.groups import gnp, planted_partition
from graphla.graphs.generators.kronecker import kronecker, rmat
from graphla.graphs.generators.lfr import lfr, lfr_communities
from graphla.graphs.generators.models import barabasi_albert, watts_strogatz
from graphla.graphs.generators.road import road
from graphla.graphs.generators.small import complete, cycle, path, star
from graphla.graphs.generators.spec import from_spec, generators, is_spec
from graphla.graphs.generators.uniform import hubs, uniform
from graphla.graphs.generators.weights import pair_weights

__all__ = [
    "barabasi_albert",
    "complete",
    "cycle",
    "from_spec",
    "generators",
    "gnp",
    "grid2d",
    "grid3d",
    "hubs",
    "is_spec",
    "kronecker",
    "lfr",
    "lfr_communities",
    "pair_weights",
    "path",
    "planted_partition",
    "random_geometric",
    "rgg",
    "rmat",
    "road",
    "star",
    "uniform",
    "watts_strogatz",
]
