"""Public signatures say what they take: at most one parameter in twenty is `Any`."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import graphla
import semirings

PACKAGES = graphla.__name__, semirings.__name__
SELF = ("self", "cls")


def list_public_names(of: Any) -> Iterator[Any]:
    """What users reach from a package or a class without an underscore."""
    names = getattr(of, "__all__", None) or dir(of)
    for name in names:
        value = inspect.getattr_static(of, name) if isinstance(of, type) else getattr(of, name)
        if name in ("__init__", "__call__") or not name.startswith("_"):
            yield value


def is_ours(value: Any) -> bool:
    return (getattr(value, "__module__", None) or "").split(".")[0] in PACKAGES


def find_functions(of: Any, seen: set[int]) -> Iterator[Callable[..., Any]]:
    """Functions and methods that users can call, each once."""
    for value in list_public_names(of):
        inner = getattr(value, "__func__", value)
        if isinstance(inner, types.ModuleType) and inner.__name__.split(".")[0] in PACKAGES:
            kinds: list[Any] = [inner] if hasattr(inner, "__all__") or inner.__name__ in PACKAGES else []
        elif isinstance(inner, types.FunctionType):
            kinds = []
            if is_ours(inner) and id(inner) not in seen:
                seen.add(id(inner))
                yield inner
        else:
            kinds = [inner] if isinstance(inner, type) else [type(inner)]
            kinds = [kind for kind in kinds if is_ours(kind)]
        for kind in kinds:
            if id(kind) not in seen:
                seen.add(id(kind))
                yield from find_functions(kind, seen)


def list_parameters(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Each parameter, and its annotation as it is written."""
    annotations = inspect.unwrap(function).__annotations__
    for name in inspect.signature(function).parameters:
        if name not in SELF:
            yield name, str(annotations.get(name, "none"))


def is_any(annotation: str) -> bool:
    return annotation in ("Any", "typing.Any", "none", "object")


FUNCTIONS = [f for package in (graphla, semirings) for f in find_functions(package, set())]
PARAMETERS = [(f, name, kind) for f in FUNCTIONS for name, kind in list_parameters(f)]


def test_few_parameters_are_any() -> None:
    loose = [f"{f.__qualname__}({name}: {kind})" for f, name, kind in PARAMETERS if is_any(kind)]
    assert len(PARAMETERS) > 300
    assert len(loose) <= len(PARAMETERS) / 20, f"{len(loose)} of {len(PARAMETERS)}: {', '.join(loose)}"


def test_containers_and_problems_are_counted() -> None:
    names = {f.__qualname__ for f in FUNCTIONS}
    assert {"Vector.from_coo", "Elementwise.apply", "Graph.__init__", "Bfs.__call__", "Operator.__call__"} <= names
