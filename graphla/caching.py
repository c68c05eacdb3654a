"""`graphla.measuring.caching`, where users know it."""

import sys

from graphla.measuring import caching

sys.modules[__name__] = caching
