"""Describe an expression that is not computed yet, in text and in HTML."""

from __future__ import annotations

import html
from typing import Any

AXES = {0: " by columns", 1: " by rows", None: ""}


def describe(expression: Any) -> str:
    """One line, such as ``min_plus(A @ v): 5 FP32, not computed yet: …``."""
    shape = "×".join(f"{size:,}" for size in expression.shape) or "one value"
    return (
        f"{write_formula(expression)}: {shape} {expression.dtype.name}, not computed yet: "
        "take .new(), or write it with out << expression"
    )


def render_html(expression: Any) -> str:
    """The same description for a notebook."""
    return f"<pre>{html.escape(repr(expression))}</pre>"


def write_formula(e: Any) -> str:
    """The expression in the notation of this package, such as ``min_plus(A @ v)``."""
    if hasattr(e, "semiring"):
        return f"{e.semiring.name}({write_label(e.left)} @ {write_label(e.right)})"
    if hasattr(e, "union"):
        fills = "" if e.fills is None else f", {e.fills[0]}, {e.fills[1]}"
        return f"{e.op.name}({write_label(e.left)} {'|' if e.union else '&'} {write_label(e.right)}{fills})"
    if hasattr(e, "bound"):
        around = [write_label(e.of), *([] if e.bound is None else [str(e.bound)])]
        return f"{e.op.name}({', '.join(reversed(around) if e.bound_left else around)})"
    return {
        "MaskedProduct": lambda: f"{write_formula(e.of)}.mask({e.mask!r})",
        "Select": lambda: f"select.{e.op.name}({write_label(e.of)}, {e.thunk})",
        "Reduce": lambda: f"{e.monoid.name} of {write_label(e.of)}{AXES[e.axis]}",
        "Extract": lambda: f"{write_label(e.of)}[…]",
        "Kronecker": lambda: f"{write_label(e.left)}.kronecker({write_label(e.right)}, {e.op.name})",
    }.get(type(e).__name__, lambda: write_label(e))()


def write_label(of: Any) -> str:
    """The name of a container, or a letter for its kind."""
    if hasattr(of, "of"):
        return f"{write_label(of.of)}.T"
    return of.name or {0: "s", 1: "v", 2: "A"}[of.rank]
