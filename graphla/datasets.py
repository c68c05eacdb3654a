"""`graphla.graphs.datasets`, where users know it."""

import sys

from graphla.graphs import datasets

sys.modules[__name__] = datasets
