"""Write into a diagonal of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.arguments import to_array, to_int
from graphla.containers.masks import MaskView
from graphla.errors import DimensionMismatch, IndexOutOfBounds
from graphla.language.apply import Select
from graphla.language.expr import Expr
from semirings import binary, indexunary


def set_diagonal(matrix: Any, values: Any, k: int, mask: Any, accum: Any) -> None:
    """``A[i, i + k] = values[i]``: update the diagonal as a vector, and merge it with the rest of the matrix."""
    k = to_int(k, "k")
    line = matrix.diag(k)
    if not (-matrix.nrows < k < matrix.ncols or k == 0):
        raise IndexOutOfBounds(
            f"setdiag: diagonal is out of range, k={k} is none of a matrix of {matrix.nrows} × {matrix.ncols}"
        )
    if isinstance(mask, MaskView) and mask.of.rank == 2:
        if mask.of.shape != matrix.shape:
            raise DimensionMismatch(f"setdiag: the mask has shape {mask.of.shape}, the matrix {matrix.shape}")
        of: Any = mask.of
        mask = MaskView(of.diag(k), mask.structural, mask.complement)
    line(mask=mask, accum=accum) << to_diagonal(line, values)
    places, held = line.to_coo()
    shape = {"nrows": matrix.nrows, "ncols": matrix.ncols, "engine": matrix.engine}
    diagonal = type(matrix).from_coo(places + max(0, -k), places + max(0, k), held, matrix.dtype, **shape)
    rest = Select(matrix, indexunary.offdiag, k).new()
    matrix << binary.second(rest | diagonal)


def to_diagonal(line: Any, values: Any) -> Any:
    """Convert an array to a vector like `line`; a number or an expression stays as it is."""
    if isinstance(values, Expr):
        return values
    if to_array(np.ndim, values, "values") == 0:
        return values
    return type(line).from_dense(values, dtype=line.dtype, engine=line.engine)
