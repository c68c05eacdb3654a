"""Graph files: the names of `graphla.graphs.io`, where users know them."""

from graphla.graphs.io import *  # noqa: F403
from graphla.graphs.io import __all__, __dir__  # noqa: F401
