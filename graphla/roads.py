"""`graphla.algorithms.roads`, where users know it."""

import sys

from graphla.algorithms import roads

sys.modules[__name__] = roads
