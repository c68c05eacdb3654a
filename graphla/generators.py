"""`graphla.graphs.generators`, where users know it."""

import sys

from graphla.graphs import generators

sys.modules[__name__] = generators
