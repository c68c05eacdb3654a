"""A masked product in pieces of rows, so that the entries of few rows stand in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from graphla.common.config import config
from graphla.planning.steps import REDUCED_AT_ONCE, Mask, MatMat
from graphla.storage import CompressedMatrix
from graphla.storage.formats import as_compressed

PIECE_BYTES = 64
"""Bytes that an entry of the mask takes while its piece is computed: its value, its flag, its place on lists."""
LEAST_ENTRIES = 1 << 16


def find_most_entries(product: MatMat) -> int:
    """Return how many entries of the mask a piece may have; fewer under a memory limit."""
    if product.semiring.multiply.positional:
        return product.mask.of.nvals if product.mask is not None else 0  # rows keep their numbers
    if config.memory_limit is None:
        return REDUCED_AT_ONCE
    return max(LEAST_ENTRIES, min(REDUCED_AT_ONCE, config.memory_limit // PIECE_BYTES))


def split_rows(engine: Any, product: MatMat, most: int) -> Iterator[MatMat]:
    """Split a product with a mask into products of ranges of rows, of at most `most` entries of the mask or one row."""
    assert product.mask is not None
    mask = engine.list_mask(product.mask)
    if mask.nvals <= most:
        yield product
        return
    left = as_compressed(engine.xp, engine.orient(product.left, product.left_transposed))
    ends = engine.to_host(mask.indptr)
    first = 0
    while first < mask.nrows:
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + most, side="right")) - 1)
        rows, allowed = take_rows(left, first, last), take_rows(mask, first, last)
        if allowed.nvals and rows.nvals:
            yield replace(
                product,
                left=rows,
                left_transposed=False,
                shape=(last - first, product.shape[1]),
                mask=Mask(allowed, True, False),
            )
        first = last


def take_rows(matrix: CompressedMatrix, first: int, last: int) -> CompressedMatrix:
    """Return a range of rows; columns and values are not copied."""
    pointers = matrix.indptr[first : last + 1]
    begin, end = int(pointers[0]), int(pointers[-1])
    part = slice(begin, end)
    return CompressedMatrix(last - first, matrix.ncols, pointers - begin, matrix.indices[part], matrix.values[part])
