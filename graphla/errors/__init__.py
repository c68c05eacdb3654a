"""What can go wrong, by kind: the names of `graphla.common.errors`, where users know them."""

from graphla.common.errors import *  # noqa: F403
from graphla.common.errors import __all__, __dir__  # noqa: F401
