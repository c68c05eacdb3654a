"""Problems in the reference: they are called as functions are, and their text says the call once."""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.ext.autosummary import Autosummary, import_by_name, mangle_signature

from graphla.problem import Problem


class Calls(Autosummary):
    """A list of names, in which a problem has its arguments, though it is no function."""

    def get_items(self, names: list[str]) -> list[tuple[str, str | None, str, str]]:
        return [(shown, call or show_call(real), text, real) for shown, call, text, real in super().get_items(names)]


def show_call(name: str) -> str:
    """The arguments of a problem as a list has room for them; nothing for other names."""
    value = import_by_name(name)[1]
    return mangle_signature(str(strip(inspect.signature(value)))) if isinstance(value, Problem) else ""


def strip(call: inspect.Signature) -> inspect.Signature:
    """A signature without annotations."""
    plain = [each.replace(annotation=each.empty) for each in call.parameters.values()]
    return call.replace(parameters=plain, return_annotation=call.empty)


def drop_call(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Leave out the call that the docstring of a problem shows: it stands above it."""
    if isinstance(value, Problem):
        lines[:] = [line for line in lines if not line.startswith(f"``{value.name}(")]
