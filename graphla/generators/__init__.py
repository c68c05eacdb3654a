"""Generators of graphs: the names of `graphla.graphs.generators`, where users know them."""

from graphla.graphs.generators import *  # noqa: F403
from graphla.graphs.generators import __all__  # noqa: F401
