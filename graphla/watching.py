"""`graphla.measuring.watching`, where users know it."""

import sys

from graphla.measuring import watching

sys.modules[__name__] = watching
