"""An expression in words: what it is, and how to compute it."""

from __future__ import annotations

import html
from typing import Any

AXES = {0: " by columns", 1: " by rows", None: ""}


def described(expression: Any) -> str:
    """One line, such as ``min_plus(A @ v): 5 FP32, not computed yet: …``."""
    shape = "×".join(f"{size:,}" for size in expression.shape) or "one value"
    return (
        f"{formula(expression)}: {shape} {expression.dtype.name}, not computed yet: "
        "take .new(), or write it with out << expression"
    )


def page(expression: Any) -> str:
    """The same for a notebook."""
    return f"<pre>{html.escape(repr(expression))}</pre>"


def formula(e: Any) -> str:
    """What is asked, in the notation of this package."""
    if hasattr(e, "semiring"):
        return f"{e.semiring.name}({label(e.left)} @ {label(e.right)})"
    if hasattr(e, "union"):
        fills = "" if e.fills is None else f", {e.fills[0]}, {e.fills[1]}"
        return f"{e.op.name}({label(e.left)} {'|' if e.union else '&'} {label(e.right)}{fills})"
    if hasattr(e, "bound"):
        around = [label(e.of), *([] if e.bound is None else [str(e.bound)])]
        return f"{e.op.name}({', '.join(reversed(around) if e.bound_left else around)})"
    return {
        "Select": lambda: f"select.{e.op.name}({label(e.of)}, {e.thunk})",
        "Reduce": lambda: f"{e.monoid.name} of {label(e.of)}{AXES[e.axis]}",
        "Extract": lambda: f"{label(e.of)}[…]",
        "Kronecker": lambda: f"{label(e.left)}.kronecker({label(e.right)}, {e.op.name})",
    }.get(type(e).__name__, lambda: label(e))()


def label(of: Any) -> str:
    """The name of a container, or a letter for its kind."""
    if hasattr(of, "of"):
        return f"{label(of.of)}.T"
    return of.name or {0: "s", 1: "v", 2: "A"}[of.rank]
