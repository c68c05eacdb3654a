"""Problems in the reference: they are called as functions are, and their text says the call once."""

from __future__ import annotations

import inspect
from typing import Any

from graphla.problem import Problem


def show_call(app: Any, what: str, name: str, value: Any, options: Any, signature: Any, returns: Any) -> Any:
    """The arguments of a problem, for a list that takes it for data."""
    if not isinstance(value, Problem) or signature:
        return None
    call = inspect.signature(value)
    plain = [each.replace(annotation=each.empty) for each in call.parameters.values()]
    return str(call.replace(parameters=plain, return_annotation=call.empty)), None


def drop_call(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Leave out the call that the docstring of a problem shows: it stands above it."""
    if isinstance(value, Problem):
        lines[:] = [line for line in lines if not line.startswith(f"{value.name}(")]
