"""The rows from which arcs are drawn, prepared once: their places in the graph, sums of weights, and times in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from graphla.algorithms.shared.weight_sums import add_up_rows, require_weights
from graphla.storage import CompressedMatrix
from graphla.storage.convert import expand_rows, gather, make_range, order_stably

Array = Any
NO_SUMS, NO_TIMES, NO_PLACES = (np.zeros(0, kind) for kind in (np.uint64, np.float64, np.int64))


@dataclass(frozen=True, eq=False)
class Rows:
    """The neighbours of each vertex on the side to which samples grow; arrays that are empty do not matter.

    Parameters
    ----------
    size : int
        The number of vertices that neighbours are among.
    indptr, indices : array
        Row pointers, and neighbours.
    places : array
        int64: where each stands among the entries of the graph; empty if in the same place.
    sums : array
        uint64: running sums of the weights of each row.
    times : array
        The time of each, rising in each row.
    spare : list of array
        Arrays of `size` places that hold -1, for whoever takes one to number vertices, and puts it back so.
    """

    size: int
    indptr: Array
    indices: Array
    places: Array
    sums: Array
    times: Array
    spare: list[Array] = field(default_factory=list)


def make_rows(
    engine: Any, matrix: CompressedMatrix, inward: bool, weighted: bool, times: Array | None, of_arcs: bool
) -> Rows:
    """Prepare a matrix: its columns if samples grow against the arcs, each row in the order of times if there are.

    These are `of_arcs`, else of the neighbours to which arcs lead.
    """
    xp = engine.xp
    rows, values, places = matrix, cast("Any", matrix.values), xp.asarray(NO_PLACES)
    if inward:
        numbers = make_range(xp, range(matrix.nvals))
        rows = engine.transpose(CompressedMatrix(matrix.nrows, matrix.ncols, matrix.indptr, matrix.indices, numbers))
        places = rows.values
    stamps = xp.asarray(NO_TIMES)
    if times is not None:
        given = engine.asarray(times)
        stamps = given[rows.indices] if not of_arcs else given[places] if inward else given
        order = order_stably(stamps)
        order = order[order_stably(expand_rows(rows)[order])]
        places, stamps = places[order] if inward else order, stamps[order]
        rows = CompressedMatrix(rows.nrows, rows.ncols, rows.indptr, rows.indices[order], None)
    sums = xp.asarray(NO_SUMS)
    if weighted:
        if matrix.nvals:
            require_weights(values.min().item(), values.max().item())
        values = gather(values, places) if places.size else values
        held = CompressedMatrix(rows.nrows, rows.ncols, rows.indptr, rows.indices, values)
        sums = add_up_rows(engine, held)
    return Rows(rows.ncols, rows.indptr, rows.indices, places, sums, stamps)


def get_rows(
    engine: Any, matrix: CompressedMatrix, inward: bool, weighted: bool, times: Array | None, of_arcs: bool
) -> Rows:
    """The rows of a matrix, kept with it; those in the order of times only until others are asked for."""
    name = "samples", inward, weighted
    if times is None:
        return matrix.cached(name, lambda matrix: make_rows(engine, matrix, inward, weighted, None, of_arcs))
    known = matrix.cached((*name, of_arcs), lambda _: {})
    if "times" not in known or not np.array_equal(known["times"], times):
        known.update(times=times.copy(), rows=make_rows(engine, matrix, inward, weighted, times, of_arcs))
    return known["rows"]
