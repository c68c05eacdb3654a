"""Format a plan as an equation, as in ``w⟨¬m, replace⟩ = any_pair(A v)``."""

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
    ProductStep,
    ReduceProductStep,
    ReduceStep,
    ScalarStep,
    SelectStep,
    WordProduct,
    WordStep,
)


def format_equation(plan: Plan) -> str:
    """Format the equation of a plan."""
    accum = f" {plan.accum.name}" if plan.accum is not None else ""
    return f"{format_target(plan)}{accum} = {format_step(plan.step)}"


def format_target(plan: Plan) -> str:
    """Format the target of a plan with its mask."""
    name = choose_letter(plan.target) if plan.target is not None else "new"
    mask = "" if plan.mask is None else f"{'¬' if plan.mask.complement else ''}{'m' if plan.mask.structural else 'm.V'}"
    how = ", ".join(part for part in (mask, "replace" if plan.replace else "") if part)
    return f"{name}⟨{how}⟩" if how else name


def is_matrix(storage: Any) -> bool:
    """Whether a storage is one of a matrix."""
    return len(getattr(storage, "shape", ())) == 2


def choose_letter(storage: Any) -> str:
    """Choose the letter of the target: C for a matrix, w for a vector."""
    return "C" if is_matrix(storage) else "w"


def format_operand(storage: Any, transposed: bool = False, names: str = "Av") -> str:
    """Format an operand by its rank, transposed or not; `names` holds the letters for a matrix and a vector."""
    name = names[0] if is_matrix(storage) else names[1]
    return name + ("ᵀ" if transposed else "")


def format_step(step: Any) -> str:
    """Format the right-hand side of the equation."""
    match step:
        case MatVec():
            product = "v A" if step.flip else "A v"
            return f"{step.semiring.name}({product})"
        case ProductStep():
            pair = (
                format_operand(step.left, step.left_transposed),
                format_operand(step.right, step.right_transposed, "Bv" if is_matrix(step.left) else "Av"),
            )
            return f"{step.semiring.name}({pair[0]} {pair[1]})"
        case Inner():
            return f"{step.semiring.name}(u v)"
        case MatMat():
            pair = (
                format_operand(step.left, step.left_transposed),
                format_operand(step.right, step.right_transposed, "Bv"),
            )
            return f"{step.semiring.name}({pair[0]} {pair[1]})"
        case EwiseStep():
            sign = "|" if step.union else "&"
            pair = (
                format_operand(step.left, step.left_transposed, "Au"),
                format_operand(step.right, step.right_transposed, "Bv"),
            )
            return f"{step.op.name}({pair[0]} {sign} {pair[1]})"
        case ApplyStep():
            bound = "" if step.bound is None else f", {step.bound}"
            return f"{step.op.name}({format_operand(step.of, step.transposed)}{bound})"
        case SelectStep():
            return f"select {step.op.name}({format_operand(step.of, step.transposed)}, {step.thunk})"
        case ReduceStep():
            over = {None: "", 0: " over columns", 1: " over rows"}[step.axis]
            return f"{step.monoid.name}({format_operand(step.of, step.transposed)}){over}"
        case ReduceProductStep():
            return f"{step.monoid.name}({format_step(step.product)})"
        case KroneckerStep():
            return f"{step.op.name}(A ⊗ B)"
        case ExtractStep() | AssignStep() | CopyStep():
            return format_operand(step.of, step.transposed) + ("[…]" if isinstance(step, ExtractStep) else "")
        case WordProduct():
            return f"{step.semiring.name}(F {format_operand(step.matrix, step.transposed, 'Bv')})"
        case WordStep():
            if step.words is None:
                return str(step.value)
            return "F" if step.other is None else f"F {'|' if step.union else '&'} G"
        case ScalarStep():
            return str(step.value)
    return type(step).__name__
