"""Graphs that ship: the names of `graphla.graphs.datasets`, where users know them."""

from graphla.graphs.datasets import *  # noqa: F403
from graphla.graphs.datasets import __all__, __dir__  # noqa: F401
