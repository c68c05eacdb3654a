"""The largest scores of each row, the largest first and of equal ones the first place."""

from __future__ import annotations

from typing import Any

Array = Any


def choose_kernels(engine: Any) -> Any:
    """What finds them on an engine."""
    if engine.name == "cuda":
        from graphla.algorithms.shared import largest_cuda as kernels
    else:
        from graphla.algorithms.shared import largest_cpu as kernels
    return kernels


def keep_largest(
    engine: Any, scores: Array, count: int, askers: Array | None = None, out: tuple[Array, Array] | None = None
) -> tuple[Array, Array]:
    """The places of the largest scores of each row, and the scores.

    Parameters
    ----------
    engine : Engine
        Whose arrays these are.
    scores : array
        Of shape (rows, places), in FP32 or FP64; it may be overwritten if there are askers.
    count : int
        How many of each row, from 1 to the number of places.
    askers : array, optional
        int64[rows]: a place of each row whose score counts as −∞.
    out : tuple of array, optional
        Where they are written: int64[rows, count], and as many scores.
    """
    rows = scores.shape[0]
    if out is None:
        out = engine.xp.empty((rows, count), "int64"), engine.xp.empty((rows, count), scores.dtype)
    if rows:
        choose_kernels(engine).find_largest(engine, scores, askers, *out)
    return out
