"""CSR matrices that are computed with row by row, and the part of one that an assignment covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphla.storage import Array, CompressedMatrix
from graphla.storage.formats import choose_index_dtype


@dataclass(frozen=True, eq=False)
class Part:
    """The rows and columns of a target that an assignment covers, as flags.

    Of few rows `places` lists them, in rising order: then the result has these rows alone, and so have the flags.
    """

    rows: Array
    columns: Array
    places: Array | None = None


def are_rows(*storages: Any) -> bool:
    """Whether all are CSR matrices whose columns the kernels can read."""
    return all(map(is_rows, storages))


def is_rows(storage: Any) -> bool:
    """Whether this is a CSR matrix whose columns the kernels can read."""
    return isinstance(storage, CompressedMatrix) and storage.indices.itemsize == 4


def splice_rows(xp: Any, matrix: CompressedMatrix, places: Array, rows: CompressedMatrix) -> CompressedMatrix:
    """Return a matrix with some of its rows, at rising places, replaced by others."""
    begins, ends = matrix.indptr[places].tolist(), matrix.indptr[places + 1].tolist()
    cuts, following = rows.indptr.tolist(), [place + 1 for place in places.tolist()]
    entries = matrix.nvals - sum(ends) + sum(begins) + rows.nvals
    pointers = matrix.indptr.astype(choose_index_dtype(entries))
    stops, shift = [*begins, matrix.nvals], 0
    indices, values = [matrix.indices[: stops[0]]], [matrix.values[: stops[0]]]
    for k, (kept_from, kept_to) in enumerate(zip(ends, stops[1:], strict=True)):
        indices += [rows.indices[cuts[k] : cuts[k + 1]], matrix.indices[kept_from:kept_to]]
        values += [rows.values[cuts[k] : cuts[k + 1]], matrix.values[kept_from:kept_to]]
        shift += cuts[k + 1] - cuts[k] - (ends[k] - begins[k])
        pointers[following[k] : following[k + 1] if k + 1 < len(following) else None] += shift
    return CompressedMatrix(*matrix.shape, pointers, xp.concatenate(indices), xp.concatenate(values))
