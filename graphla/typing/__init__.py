"""Types of arguments: the names of `graphla.common.typing` and of `graphla.language.places`, where users know them."""

from graphla.common.typing import *  # noqa: F403
from graphla.language.places import Index as Index
from graphla.language.places import Part as Part
