"""A plan as an equation: ``w⟨¬m, replace⟩ = any_pair(A v)``."""

from __future__ import annotations

from typing import Any

from graphla.planning.steps import (
    ApplyStep,
    AssignStep,
    CopyStep,
    EwiseStep,
    ExtractStep,
    Inner,
    KroneckerStep,
    MatMat,
    MatVec,
    Plan,
    ReduceStep,
    ScalarStep,
    SelectStep,
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


def operand(storage: Any, transposed: bool = False, names: str = "Av") -> str:
    """An operand by its rank, transposed or not."""
    name = names[0] if hasattr(storage, "shape") else names[1]
    return name + ("ᵀ" if transposed else "")


def right_side(step: Any) -> str:
    """What is computed."""
    match step:
        case MatVec():
            product = "v A" if step.flip else "A v"
            return f"{step.semiring.name}({product})"
        case Inner():
            return f"{step.semiring.name}(u v)"
        case MatMat():
            pair = operand(step.left, step.left_transposed), operand(step.right, step.right_transposed, "Bv")
            return f"{step.semiring.name}({pair[0]} {pair[1]})"
        case EwiseStep():
            sign = "|" if step.union else "&"
            pair = operand(step.left, step.left_transposed, "Au"), operand(step.right, step.right_transposed, "Bv")
            return f"{step.op.name}({pair[0]} {sign} {pair[1]})"
        case ApplyStep():
            bound = "" if step.bound is None else f", {step.bound}"
            return f"{step.op.name}({operand(step.of, step.transposed)}{bound})"
        case SelectStep():
            return f"select {step.op.name}({operand(step.of, step.transposed)}, {step.thunk})"
        case ReduceStep():
            over = {None: "", 0: " over columns", 1: " over rows"}[step.axis]
            return f"{step.monoid.name}({operand(step.of, step.transposed)}){over}"
        case KroneckerStep():
            return f"{step.op.name}(A ⊗ B)"
        case ExtractStep() | AssignStep() | CopyStep():
            return operand(step.of, step.transposed) + ("[…]" if isinstance(step, ExtractStep) else "")
        case ScalarStep():
            return str(step.value)
    return type(step).__name__
