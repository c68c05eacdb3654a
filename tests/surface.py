"""The public surface: every name that users may use, and the callables behind it."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import graphla as gl
import semirings
from graphla import caching, comparing, problem, watching
from graphla.graphs import generators

OURS = ("graphla", "semirings")
MODULES = (problem, generators, watching, caching, comparing, semirings)
"""Modules whose `__all__` users may use, beside what `graphla` itself offers."""


def is_ours(obj: Any) -> bool:
    return (getattr(obj, "__module__", None) or "").split(".")[0] in OURS


REFERENCE = Path(__file__).parents[1] / "docs" / "reference.md"


def list_names() -> Iterator[tuple[str, Any]]:
    """Every public name with what it stands for; the names of modules with those of their contents."""
    yield from list_members("graphla", gl)
    yield from ((name, obj) for name, obj in list_documented() if not isinstance(obj, ModuleType))
    yield from ((f"graphla.generate.{name}", getattr(gl.generate, name)) for name in gl.generate)
    for module in MODULES:
        yield from list_members(module.__name__, module)


def list_documented() -> Iterator[tuple[str, Any]]:
    """What the reference lists, by its full name."""
    package = ""
    for line in read_reference().splitlines():
        if line.startswith(".. currentmodule:: "):
            package = line.split()[-1]
        elif re.fullmatch(r"   [a-z]\w*(\.\w+)*|   [A-Z]\w*", line):
            yield f"{package}.{line.strip()}", attrgetter(line.strip())(importlib.import_module(package))


def read_reference() -> str:
    """The page of the reference with the lists that it asks for."""
    sys.path.append(str(REFERENCE.parent))
    page = [REFERENCE.read_text("utf-8")]
    importlib.import_module("lists").fill_in(None, "reference", page)
    sys.path.remove(str(REFERENCE.parent))
    return page[0]


def list_members(path: str, module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in module.__all__:
        found = getattr(module, name)
        if not isinstance(found, ModuleType):
            yield f"{path}.{name}", found
        elif is_package_of(found, path.partition(".")[0]):
            yield from list_members(f"{path}.{name}", found)


def is_package_of(module: ModuleType, root: str) -> bool:
    """Whether a module belongs to a package and says what it offers."""
    return module.__name__.startswith(f"{root}.") and hasattr(module, "__all__")


def list_callables() -> dict[str, Any]:
    """Functions, classes, methods and problems by name, each once."""
    found: dict[int, tuple[str, Any]] = {}
    for name, obj in (*list_names(), *list_methods()):
        if is_ours(obj) and is_called(obj):
            found.setdefault(id(obj), (name, obj))
    return dict(found.values())


def is_called(obj: Any) -> bool:
    """Whether users call it: a function, a problem, a class that is no mere type of arguments."""
    return inspect.isfunction(obj) or isinstance(obj, problem.Problem) or (inspect.isclass(obj) and not is_type(obj))


def is_type(cls: type) -> bool:
    """A class that users do not call: a protocol, an error that only we raise."""
    return bool(getattr(cls, "_is_protocol", False)) or (issubclass(cls, BaseException) and "__init__" not in vars(cls))


def list_methods() -> Iterator[tuple[str, Any]]:
    """The public methods of public classes, and of the classes of public objects, under the class that defines them."""
    for _, obj in list_names():
        for cls in (obj if inspect.isclass(obj) else type(obj)).__mro__:
            fields = getattr(cls, "__dataclass_fields__", {})
            for name, raw in vars(cls).items():
                if not name.startswith("_") and name not in fields:
                    yield f"{cls.__module__}.{cls.__qualname__}.{name}", inspect.unwrap(getattr(raw, "__func__", raw))
