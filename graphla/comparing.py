"""`graphla.measuring.comparing`, where users know it."""

import sys

from graphla.measuring import comparing

sys.modules[__name__] = comparing
