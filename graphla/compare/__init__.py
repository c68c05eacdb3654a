"""``gl.compare``: every method of a problem side by side, with other libraries, verified and timed."""

from graphla.compare.comparison import Comparison
from graphla.compare.row import Row
from graphla.compare.run import compare

__all__ = ["Comparison", "Row", "compare"]
