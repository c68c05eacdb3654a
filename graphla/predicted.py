"""How many bytes the result of a step takes at most."""

from __future__ import annotations

from math import prod

from graphla.steps import (
    CopyStep,
    EwiseStep,
    FilterStep,
    GatherStep,
    KroneckerStep,
    MapStep,
    MatMat,
    MatVec,
    PlaceStep,
    Step,
    Storage,
)


def predicted_bytes(step: Step) -> int:
    """Bytes that the result and the workspace need at most."""
    if isinstance(step, MatVec):
        return step.size * (step.out.bits // 8 + 1)
    if isinstance(step, MatMat):
        return matmat_bytes(step)
    if isinstance(step, EwiseStep | KroneckerStep):
        pair = step.left.nvals, step.right.nvals
        most = prod if isinstance(step, KroneckerStep) else sum if step.union else min
        return most(pair) * (8 + step.out.bits // 8)
    if isinstance(step, MapStep | FilterStep | GatherStep | CopyStep | PlaceStep):
        return step.of.nvals * (8 + item_bytes(step.of))
    return 64


def matmat_bytes(step: MatMat) -> int:
    """At most one entry a product or a cell, whichever is less."""
    cells = step.shape[0] * step.shape[1]
    if step.how == "tiles":
        return cells * (step.out.bits // 8)
    inner = step.left.shape[0] if step.left_turned else step.left.shape[1]
    products = step.left.nvals * step.right.nvals // max(1, inner)
    most = step.mask.of.nvals if step.mask is not None and step.how == "dots" else min(cells, products)
    return most * (4 + step.out.bits // 8)


def item_bytes(storage: Storage) -> int:
    """Bytes of one value."""
    return int(storage.values.dtype.itemsize)
