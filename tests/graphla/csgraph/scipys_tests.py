"""SciPy's own tests of csgraph, with graphla's functions in the place of SciPy's."""

from __future__ import annotations

import importlib.util
import pkgutil
from collections.abc import Callable, Collection
from contextlib import ExitStack
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import pytest
import scipy.sparse.csgraph
import scipy.sparse.csgraph.tests

from graphla.doors import csgraph

PRIVATE = ("test_add_reverse_edges", "test_make_edge_pointers", "test_make_tails")
"""Tests of private functions of SciPy's flow module, which graphla does not have."""
OURS = ("test_connected_components", "test_conversions", "test_shortest_path", "test_spanning_tree", "test_traversal")
"""The modules that test what graphla computes itself."""
Wrap = Callable[[str, Callable[..., Any]], Callable[..., Any]]


def leave(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Use a function as it is."""
    return function


def list_modules() -> list[str]:
    """The names of SciPy's test modules."""
    return [found.name for found in pkgutil.iter_modules(scipy.sparse.csgraph.tests.__path__)]


def collect_tests(modules: Collection[str], wrap: Wrap = leave) -> dict[str, Any]:
    """The tests of SciPy's modules, by names that say their module, and their fixtures."""
    found: dict[str, Any] = {}
    for module_name in modules:
        for name, value in vars(load(module_name, wrap)).items():
            if name.startswith("test_"):
                found[f"{name}__{module_name.removeprefix('test_')}"] = value
            elif type(value).__name__ == "FixtureFunctionDefinition":
                found[name] = value
    return found


def load(module_name: str, wrap: Wrap) -> ModuleType:
    """A new copy of a test module of SciPy, in which every function of csgraph is ours."""
    ours = {name: wrap_function(wrap, name) for name in csgraph.__all__}
    spec = importlib.util.find_spec(f"scipy.sparse.csgraph.tests.{module_name}")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with ExitStack() as stack:  # what the module imports by name, and what its parameters are
        for name, function in ours.items():
            stack.enter_context(patch.object(scipy.sparse.csgraph, name, function))
        spec.loader.exec_module(module)
    stand_in = ModuleType("csgraph")
    vars(stand_in).update(ours)
    for name, value in list(vars(module).items()):
        if value is scipy.sparse.csgraph:
            setattr(module, name, stand_in)
        elif name.startswith("test_"):
            mark(module, name, value)
    return module


def wrap_function(wrap: Wrap, name: str) -> Any:
    """One of our functions, wrapped; the class of errors as it is."""
    value = getattr(csgraph, name)
    return wrap(name, value) if isinstance(value, FunctionType) else value


def mark(module: ModuleType, name: str, test: Any) -> None:
    """Give a test the marks of its module; skip what tests private functions."""
    marks = getattr(module, "pytestmark", [])
    for each in marks if isinstance(marks, list) else [marks]:
        each(test)
    test.pytestmark = [make_list_of_values(each) for each in getattr(test, "pytestmark", [])]
    if name in PRIVATE:
        pytest.mark.skip(reason="it tests a private function of SciPy")(test)


def make_list_of_values(mark: pytest.Mark) -> pytest.Mark:
    """A mark whose values are a list; pytest deprecates iterators there, and SciPy has one."""
    if mark.name != "parametrize" or isinstance(mark.args[1], Collection):
        return mark
    return pytest.mark.parametrize(mark.args[0], list(mark.args[1]), **mark.kwargs).mark
