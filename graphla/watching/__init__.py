"""Traces: the names of `graphla.measuring.watching`, where users know them."""

from graphla.measuring.watching import *  # noqa: F403
from graphla.measuring.watching import __all__  # noqa: F401
