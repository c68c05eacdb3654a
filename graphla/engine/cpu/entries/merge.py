"""C = A ∪ B, A ∩ B, or the entries of A inside or outside B: one walk over the rows of both."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.cpu import source
from graphla.engine.cpu.entries import structure
from graphla.engine.cpu.entries.one_pass import fill_once
from graphla.storage import Array, CompressedMatrix, SparseVector
from graphla.storage.convert import cast_indices, choose_index_dtype, match_pointers
from semirings import unary
from semirings.dtypes import DType
from semirings.python import render_function


class Pair:
    """The structure of two matrices of one shape, whose rows are walked over together."""

    def __init__(self, left: CompressedMatrix, right: CompressedMatrix) -> None:
        self.pointers = match_pointers(left.indptr, right.indptr)
        self.fewer = self.pointers[right.nvals < left.nvals]
        self.width = left.ncols

    def fill_sum(self, kernel: Any, given: tuple[Any, ...], dtype: str) -> CompressedMatrix:
        """Fill rows of at most as many entries as both have."""
        return fill_once(kernel, self.pointers, self.pointers, (*self.pointers, *given), self.width, dtype)

    def fill_left(self, kernel: Any, given: tuple[Any, ...], dtype: str) -> CompressedMatrix:
        """Fill rows of at most as many entries as the left one has."""
        return fill_once(kernel, self.pointers, self.pointers[:1], (*self.pointers, *given), self.width, dtype)

    def fill_fewer(self, kernel: Any, given: tuple[Any, ...], dtype: str) -> CompressedMatrix:
        """Fill rows of at most as many entries as the one with fewer entries has."""
        return fill_once(kernel, self.pointers, (self.fewer,), (*self.pointers, *given), self.width, dtype)


def unite(
    engine: ArrayOperations, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType, fills: Any = None
) -> CompressedMatrix:
    """Compute op where both have an entry; elsewhere take the entry that there is, or op with the fill of the other."""
    types = left.type, right.type
    if shares_structure(left, right):
        return combine_values(engine, left, right, op, out)
    pair = Pair(left, right)
    module, values = compile_merge("merge", op, *types, out), (left.indices, left.values, right.indices, right.values)
    if fills is None:
        return pair.fill_sum(module.unite, values, out.numpy)
    stand_ins = tuple(map(engine.fill_value, fills, types))
    return pair.fill_sum(module.unite_filled, (*values, *stand_ins), out.numpy)


def unite_vectors(left: SparseVector, right: SparseVector, op: Any, out: DType) -> SparseVector:
    """Compute op where both have an entry, elsewhere take the entry that there is: the union of two rows."""
    columns = [cast_indices(side.indices, choose_index_dtype(left.size)) for side in (left, right)]
    pointers = [np.array([0, entries.shape[0]], "int32") for entries in columns]
    room = left.nvals + right.nvals
    indices, values = np.empty(room, choose_index_dtype(left.size)), np.empty(room, out.numpy)
    kernel = compile_merge("merge", op, left.type, right.type, out).unite
    rows = columns[0], left.values, columns[1], right.values
    count = kernel(0, 1, 0, *pointers, *rows, np.empty(2, "int32"), indices, values)
    return SparseVector(left.size, indices[:count], values[:count])


def overlay(target: CompressedMatrix, result: CompressedMatrix) -> CompressedMatrix:
    """Return the entries of a result, and those of a target elsewhere."""
    given = target.indices, target.values, result.indices, result.values
    return Pair(target, result).fill_sum(structure.overlay, given, target.dtype)


def replace_part(target: CompressedMatrix, result: CompressedMatrix, rows: Array, columns: Array) -> CompressedMatrix:
    """Return the entries of a target outside its flagged rows and columns, and those of a result, which are inside."""
    given = target.indices, target.values, result.indices, result.values, rows, columns
    return Pair(target, result).fill_sum(structure.replace_part, given, target.dtype)


def intersect(
    engine: ArrayOperations, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType
) -> CompressedMatrix:
    """Compute op where both have an entry."""
    if shares_structure(left, right):
        return combine_values(engine, left, right, op, out)
    given = left.indices, left.values, right.indices, right.values
    return Pair(left, right).fill_fewer(
        compile_merge("merge", op, left.type, right.type, out).intersect, given, out.numpy
    )


def filter_by(matrix: CompressedMatrix, mask: CompressedMatrix, complement: bool) -> CompressedMatrix:
    """Return the entries of a matrix where the mask has an entry; with `complement` those where it has none."""
    pair, given = Pair(matrix, mask), (matrix.indices, matrix.values, mask.indices)
    if complement:
        return pair.fill_left(structure.copy_outside, given, matrix.dtype)
    return pair.fill_fewer(structure.copy_inside, given, matrix.dtype)


def shares_structure(left: CompressedMatrix, right: CompressedMatrix) -> bool:
    """Whether two matrices have the same arrays of structure, as A and a function of its values have."""
    return left.indptr is right.indptr and left.indices is right.indices


def combine_values(
    engine: ArrayOperations, left: CompressedMatrix, right: CompressedMatrix, op: Any, out: DType
) -> CompressedMatrix:
    """Compute op of the values of two matrices with the same structure."""
    values = engine.apply_operator(op, (left.values, right.values), (left.type, right.type), out)
    return CompressedMatrix(*left.shape, left.indptr, left.indices, values)


@lru_cache(maxsize=2048)
def compile_merge(template: str, op: Any, left: DType, right: DType, out: DType) -> ModuleType:
    """Compile a template of unions and intersections for an operator: of matrices `merge`, of vectors `flags`."""
    texts = (
        render_function(op, "apply", (left, right), out),
        render_function(unary.identity, "cast_left", (left,), out),
        render_function(unary.identity, "cast_right", (right,), out),
    )
    return source.make_module(template, "\n\n".join(texts))
