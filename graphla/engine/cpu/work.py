"""Bytes that the kernels over rows take beside the result of a step; `engine.arrays.work` counts the other steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.arrays import work
from graphla.engine.arrays.by_rows import are_rows
from graphla.engine.cpu.entries.extract import bisects_columns
from graphla.planning.steps import EwiseStep, ExtractStep, SelectStep, Step
from graphla.storage import CompressedMatrix

ROW_BYTES = 48
"""Bytes per row: pointers in one dtype, pointers that split the work, counts, pointers in 64 bits and their copy."""


def work_bytes(step: Step) -> int:
    """Return an upper bound of the work space of a step."""
    own = KERNELS.get(type(step))
    if own is None or not runs_by_rows(step):
        return work.work_bytes(step)
    return sum(map(work.transpose_bytes, work.list_missing_transposes(step))) + own(step)


def runs_by_rows(step: Any) -> bool:
    """Whether kernels over rows compute the step."""
    if isinstance(step, EwiseStep):
        return step.at is None and are_rows(step.left, step.right)
    return isinstance(step.of, CompressedMatrix) and are_rows(step.of)


def ewise_bytes(step: EwiseStep) -> int:
    return ROW_BYTES * (max(step.left.shape) + 1)  # type: ignore[union-attr]


def select_bytes(step: SelectStep) -> int:
    return ROW_BYTES * (max(step.of.shape) + 1)  # type: ignore[union-attr]


def extract_bytes(step: ExtractStep) -> int:
    """Return the bytes of the positions, of the numbers of columns, and of a row while it is sorted.

    Columns that repeat are rows of a transpose, which is built of the rows asked for.
    """
    of: Any = step.of
    rows, columns = (1 if isinstance(part, int) else len(part) for part in step.index)
    if bisects_columns(of, columns):
        return (ROW_BYTES + 40 * columns) * (rows + 1)
    positions = ROW_BYTES * (rows + 1) + 24 * (columns + of.ncols)
    return positions + (work.transpose_bytes(of) if repeats(step.index[1]) else 0)


def repeats(index: Any) -> bool:
    """Whether an index names a position twice."""
    return not isinstance(index, int | range) and np.unique(index).size < len(index)


KERNELS: dict[Any, Any] = {EwiseStep: ewise_bytes, SelectStep: select_bytes, ExtractStep: extract_bytes}
