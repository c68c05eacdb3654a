"""Types of what stands between the brackets of a vector or a matrix."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from graphla.common.typing import Position
from graphla.language.expr import Expr
from graphla.language.kinds import AnyVector

Part: TypeAlias = slice | range | list[int] | np.ndarray[Any, Any] | Expr[AnyVector]
"""Several indices of one dimension; the Vector holds integers."""
Index: TypeAlias = Position | Part | tuple[Position | Part, Position | Part]
"""What stands between the brackets of a vector, or of a matrix."""
