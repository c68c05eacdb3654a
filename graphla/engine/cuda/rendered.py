"""Render operators for kernels: a struct, and a comment line that names the operator in compiler messages."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from semirings import IndexUnaryOp, Semiring, UnaryOp, unary
from semirings.cuda import render_binary, render_indexunary, render_semiring, render_unary
from semirings.dtypes import DType
from semirings.operators import ScalarOp


def render_over_semiring(semiring: Semiring, a: DType, b: DType, out: DType) -> str:
    """The struct `S`."""
    title = f"// S = {semiring.name} of {a.name} and {b.name} in {out.name}\n"
    return title + render_semiring(semiring, a, b, out)


def render_over_operator(op: ScalarOp, dtypes: tuple[DType, ...], out: DType | None) -> str:
    """The struct `Op`; out None: the truth of a selection."""
    render: Any = render_binary
    if isinstance(op, UnaryOp | IndexUnaryOp):
        render = render_unary if isinstance(op, UnaryOp) else render_indexunary
    title = f"// Op = {op.name} of {' and '.join(t.name for t in dtypes)} in {out.name if out else 'BOOL'}\n"
    return title + render(op, *dtypes, out, "Op")


write_operator = lru_cache(maxsize=1024)(render_over_operator)
"""The struct of an operator, written once."""


def render_identity(source: DType, target: DType, struct: str) -> str:
    """A struct that casts, as everywhere: what an integer cannot hold becomes its end."""
    return render_unary(unary.identity, source, target, struct)


def name_elementwise(op: Any, dtypes: tuple[DType, ...], scalars: tuple[bool, ...], out: DType) -> str:
    """The element-wise kernel for operands of which some are scalars."""
    kinds = [f"{'One' if one else 'Each'}<{t.c}>" for one, t in zip(scalars, dtypes, strict=False)]
    if isinstance(op, IndexUnaryOp):
        name = "chosen" if scalars[1] else "indexed"  # without positions the thunk is the second operand
        return f"{name}<Op, {kinds[0]}, {dtypes[1].c}, {out.c}>"
    return f"{'one' if len(kinds) == 1 else 'two'}<Op, {', '.join(kinds)}, {out.c}>"
