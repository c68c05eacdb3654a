"""Types of arguments: the names of `graphla.common.typing`, where users know them."""

from graphla.common.typing import *  # noqa: F403
