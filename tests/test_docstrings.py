"""Every public callable has a numpydoc docstring whose parameters are those of its signature."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import Validator, validate

import graphla as gl
from tests.surface import list_callables, list_documented

WANTED = {
    "GL03": "one blank line between paragraphs",
    "GL06": "no unknown section",
    "GL07": "sections in their order",
    "GL08": "a docstring",
    "SS01": "a summary",
    "SS03": "a summary that ends with a full stop",
    "SS06": "a summary of one line",
    "PR01": "every parameter",
    "PR02": "no parameter that is not there",
    "PR03": "parameters in their order",
    "PR04": "a type for each parameter",
    "PR07": "a description for each parameter",
    "PR10": "blanks around the colon of a parameter",
    "RT01": "what is returned",
    "RT03": "a description of what is returned",
    "YD01": "what is yielded",
    "EX01": "an example",
}
CALLABLES = list_callables()
NAMESPACES = ("binary", "indexunary", "monoid", "replace", "semiring", "unary")
"""Names whose page is another: the algebra, and the word in ``out(mask, replace)``."""


def list_parameters(obj: Any) -> tuple[str, ...]:
    """The names that a caller may give, stars included."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = inspect.signature(obj).parameters.values()
    return tuple(stars.get(p.kind, "") + p.name for p in found if p.name not in ("self", "cls"))


def list_raised(obj: Any) -> set[str]:
    """The errors of ours that the body of a function raises itself."""
    if not inspect.isfunction(obj):
        return set()
    tree = ast.parse(textwrap.dedent(inspect.getsource(obj)))
    made = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    names = {call.func.id for call in made if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)}
    return {name for name in names if hasattr(gl.errors, name)}


class Documented(Validator):
    """What numpydoc checks, of an object instead of its name; a record may list its fields as attributes."""

    def __init__(self, obj_name: Any) -> None:
        super().__init__(get_doc_object(obj_name))

    @property
    def signature_parameters(self) -> tuple[str, ...]:
        return list_parameters(self.obj)

    @property
    def doc_all_parameters(self) -> dict[str, tuple[str, list[str]]]:
        own = self._doc_parameters(["Parameters", "Other Parameters"])
        fields = self._doc_parameters(["Attributes"])
        return own or {name: fields[name] for name in fields if name in self.signature_parameters}


def find_faults(obj: Any) -> list[str]:
    """What a docstring lacks."""
    found = validate(obj, Documented)["errors"]
    missing = list_raised(obj) - {entry.type or entry.name for entry in Documented(obj).doc["Raises"]}
    return [text for code, text in found if code in WANTED] + [f"Raises lacks {name}" for name in sorted(missing)]


def test_the_reference_lists_what_there_is() -> None:
    listed = dict(list_documented())
    offered = {f"graphla.{name}" for name in gl.__all__} - {f"graphla.{name}" for name in NAMESPACES}
    assert {name for name in offered if not any(each.startswith(name) for each in listed)} == set()


@pytest.mark.parametrize("name", sorted(CALLABLES))
def test_a_public_callable_is_documented(name: str) -> None:
    assert find_faults(CALLABLES[name]) == []
