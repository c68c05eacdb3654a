"""A plan as an equation: ``w⟨¬m, replace⟩ = any_pair(A v)``."""

from __future__ import annotations

from typing import Any

from graphla.planning.steps import (
    CopyStep,
    EwiseStep,
    FilterStep,
    FoldStep,
    GatherStep,
    Inner,
    KroneckerStep,
    MapStep,
    MatMat,
    MatVec,
    PlaceStep,
    Plan,
    ScalarStep,
)


def equation(plan: Plan) -> str:
    """What a plan computes and how it is written."""
    accum = f" {plan.accum.name}" if plan.accum is not None else ""
    return f"{left_side(plan)}{accum} = {right_side(plan.step)}"


def left_side(plan: Plan) -> str:
    """The target with its mask."""
    name = letter(plan.target) if plan.target is not None else "new"
    mask = "" if plan.mask is None else f"{'¬' if plan.mask.complement else ''}{'m' if plan.mask.structural else 'm.V'}"
    how = ", ".join(part for part in (mask, "replace" if plan.replace else "") if part)
    return f"{name}⟨{how}⟩" if how else name


def letter(storage: Any) -> str:
    """A capital for a matrix, a small letter for a vector."""
    return "C" if hasattr(storage, "shape") else "w"


def operand(storage: Any, turned: bool = False, names: str = "Av") -> str:
    """An operand by its rank, transposed or not."""
    name = names[0] if hasattr(storage, "shape") else names[1]
    return name + ("ᵀ" if turned else "")


def right_side(step: Any) -> str:
    """What is computed."""
    match step:
        case MatVec():
            product = "v A" if step.flip else "A v"
            return f"{step.semiring.name}({product})"
        case Inner():
            return f"{step.semiring.name}(u v)"
        case MatMat():
            pair = operand(step.left, step.left_turned), operand(step.right, step.right_turned, "Bv")
            return f"{step.semiring.name}({pair[0]} {pair[1]})"
        case EwiseStep():
            sign = "|" if step.union else "&"
            pair = operand(step.left, step.left_turned, "Au"), operand(step.right, step.right_turned, "Bv")
            return f"{step.op.name}({pair[0]} {sign} {pair[1]})"
        case MapStep():
            bound = "" if step.bound is None else f", {step.bound}"
            return f"{step.op.name}({operand(step.of, step.turned)}{bound})"
        case FilterStep():
            return f"select {step.op.name}({operand(step.of, step.turned)}, {step.thunk})"
        case FoldStep():
            over = {None: "", 0: " over columns", 1: " over rows"}[step.axis]
            return f"{step.monoid.name}({operand(step.of, step.turned)}){over}"
        case KroneckerStep():
            return f"{step.op.name}(A ⊗ B)"
        case GatherStep() | PlaceStep() | CopyStep():
            return operand(step.of, step.turned) + ("[…]" if isinstance(step, GatherStep) else "")
        case ScalarStep():
            return str(step.value)
    return type(step).__name__
