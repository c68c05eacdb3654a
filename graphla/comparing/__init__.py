"""Methods side by side: the names of `graphla.measuring.comparing`, where users know them."""

from graphla.measuring.comparing import *  # noqa: F403
from graphla.measuring.comparing import __all__  # noqa: F401
