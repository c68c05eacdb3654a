"""Entries of a compressed matrix beside a full one: only the cells of the former are read."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays.entrywise import replace_values
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries.extract import expand_rows
from graphla.planning.steps import EwiseStep
from graphla.storage import Array, CompressedMatrix, FullMatrix


def is_beside_full(step: EwiseStep) -> bool:
    """Whether a step intersects a full matrix and a compressed one."""
    kinds = {type(step.left), type(step.right)}
    return not step.union and step.at is None and kinds == {FullMatrix, CompressedMatrix}


def intersect(engine: KernelEngine, step: EwiseStep) -> CompressedMatrix:
    """op at the entries of the compressed matrix, which keeps its structure."""
    left, right = engine.orient(step.left, step.left_transposed), engine.orient(step.right, step.right_transposed)
    sparse = left if isinstance(left, CompressedMatrix) else right
    x, y = (read_values(engine, held, sparse) for held in (left, right))
    return replace_values(sparse, engine.bind_operator(step.op, left.type, right.type, step.out)(x, y))  # type: ignore


def read_values(engine: KernelEngine, held: Any, sparse: CompressedMatrix) -> Array:
    """The values of a matrix at the entries of `sparse`."""
    if held is sparse:
        return sparse.values
    return held.values.reshape(-1)[number_cells(engine, sparse)]


def number_cells(engine: KernelEngine, matrix: CompressedMatrix) -> Array:
    """The number of each entry's cell, row after row."""
    cells = engine.xp.multiply(expand_rows(engine, matrix), matrix.ncols, dtype="int64")
    cells += matrix.indices
    return cells
