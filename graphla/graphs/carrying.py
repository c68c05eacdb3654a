"""Facts about a graph that are kept true by what changed, and not found again."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.graphs.changes import Change, apply, find_places, is_symmetric, read_values
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, get_array_module, is_any, measure_rows

EXTREMES = {"min_weight": np.minimum, "max_weight": np.maximum}


def carry_facts(
    engine: Any, known: dict[str, Any], old: CompressedMatrix, new: CompressedMatrix, change: Change
) -> dict[str, Any]:
    """The facts about a changed matrix that follow from those about the old one, and its transpose if that was known.

    Symmetry is looked up at the cells that changed; a matrix that was not symmetric may be now, so that is not kept. A
    least or largest weight is kept unless an arc of it has gone and none as extreme came.
    """
    made: dict[str, Any] = carry_transpose(engine, known, old, new, change)
    if "degrees" in known or "max_degree" in known:
        made["degrees"] = cast_indices(measure_rows(new.indptr), "int32")
        made["max_degree"] = int(made["degrees"].max()) if new.nrows else 0
    if "in_degrees" in known and new.is_cached("transposed"):
        back = new.cached("transposed", None)
        made["in_degrees"] = cast_indices(measure_rows(back.indptr), "int32")
    wanted = {name: choose for name, choose in EXTREMES.items() if name in known}
    if not new.nvals or not wanted:
        return made | dict.fromkeys(wanted)
    xp = get_array_module(change.fresh.rows)
    came = xp.concatenate([change.changed.values, change.fresh.values])
    went = [read_values(engine, old, find_places(engine, old, each)) for each in (change.gone, change.changed)]
    for name, choose in wanted.items():
        made |= carry_extreme(name, choose, known[name], xp.concatenate(went), came)
    return made


def carry_transpose(
    engine: Any, known: dict[str, Any], old: CompressedMatrix, new: CompressedMatrix, change: Change
) -> dict[str, Any]:
    """Change the transpose as well, if it is known; and whether the matrix is symmetric, if it was."""
    symmetric = bool(known.get("symmetric"))
    if symmetric and is_symmetric(engine, new, change):
        new.keep_transpose(new)
        return {"symmetric": True}
    if symmetric or old.is_cached("transposed"):
        before = old if symmetric else old.cached("transposed", None)
        new.keep_transpose(apply(engine, before, new.nrows, change.swap()))
    return {"symmetric": False} if symmetric else {}


def carry_extreme(name: str, choose: Any, before: Any, went: Any, came: Any) -> dict[str, Any]:
    """The least or the largest weight, if it follows from what it was, and from the weights that went and came."""
    lost = before is not None and is_any(went == before)
    best = None if not came.size else came.dtype.type((came.min() if choose is np.minimum else came.max()).item())
    if best is None or before is None:
        return {} if lost else {name: before if best is None else best.item()}
    best = choose(best, came.dtype.type(before)).item() if not lost or choose(best, before) == best else None
    return {} if best is None else {name: best}
