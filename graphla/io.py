"""`graphla.graphs.io`, where users know it."""

import sys

from graphla.graphs import io

sys.modules[__name__] = io
