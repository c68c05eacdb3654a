"""``gl.compare``: run, verify and time every method of a problem, side by side with other libraries."""

from graphla.comparing.comparison import Comparison
from graphla.comparing.row import Row
from graphla.comparing.run import compare

__all__ = ["Comparison", "Row", "compare"]
