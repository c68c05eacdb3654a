"""One product of a matrix and a vector by a direction and a schedule, beside the oracle's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from entry_oracle import assert_same, flatten, make_allowance, matmul, to_column, to_row, transpose, write
from operands import Operand, make_generator, make_vector, to_entries

import graphla as gl
from graphla.planning.plan import make_plan
from graphla.planning.steps import Mask
from semirings import semiring


def make_mask(engine: Any, rng: Any, kind: str, size: int, form: str) -> tuple[Any, Any, Any]:
    """A mask as a plan wants it, as a question, and as a view."""
    if kind == "none":
        return None, make_allowance(None, True, False), None
    M = make_vector(engine, rng, "INT8", size, form)
    structural, complement = kind.endswith("S"), kind.startswith("~")
    view = M.held.S if structural else M.held.V
    record = Mask(M.held._storage, structural, complement)
    return record, make_allowance(M.entries, structural, complement), ~view if complement else view


def multiply(A: Operand, turned: bool, v: Operand, left: bool, name: str, out: str) -> dict[Any, Any]:
    """A v, Aᵀ v, v A or v Aᵀ by the oracle."""
    entries = transpose(A.entries) if turned else A.entries
    if left:
        return flatten(matmul(to_row(v.entries), entries, semiring[name], v.dtype, A.dtype, out))
    return flatten(matmul(entries, to_column(v.entries), semiring[name], A.dtype, v.dtype, out))


def check_matvec(
    engine: Any, A: Operand, v: Operand, name: str, turned: bool, left: bool, way: str, kind: str, form: str
) -> None:
    """One product by one direction and schedule under one mask, into a new vector."""
    read: Any = A.held.T if turned else A.held
    expression = semiring[name](v.held @ read if left else read @ v.held)
    size, out = expression.shape[0], expression.dtype
    record, allows, _ = make_mask(engine, make_generator(name, kind, form), kind, size, form)
    pulls = way in ("pull", "even")
    plan = make_plan(expression, None, out, record, direction="pull" if pulls else "push")
    plan = replace(plan, step=replace(plan.step, schedule={"pull": "rows", "even": "edges"}.get(way, way)))
    wanted = write({}, multiply(A, turned, v, left, name, plan.step.out.name), allows, None, True)
    what = f"{name} {A.dtype} {v.dtype} turned={turned} left={left} {way} mask={kind}/{form}"
    assert_same(to_entries(gl.Vector._from_storage(engine.run(plan), engine)), wanted, what)
