"""``gl.compare``: run, verify and time every method of a problem, side by side with other libraries."""

from graphla.measuring.comparing.comparison import Comparison
from graphla.measuring.comparing.row import Row
from graphla.measuring.comparing.run import compare

__all__ = ["Comparison", "Row", "compare"]
