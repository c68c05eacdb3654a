"""A function is named by a verb, as `transpose`: its name begins with no participle, and does not end in `of`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("semirings", "graphla", "_graphla_networkx", "tests", "asv_bench", "docs")
IRREGULAR = frozenset(
    {
        *("been", "bent", "born", "bought", "broken", "brought", "built", "caught", "chosen", "dealt", "done", "drawn"),
        *("driven", "felt", "forgotten", "frozen", "given", "gone", "grown", "held", "hidden", "kept", "known", "led"),
        *("left", "lost", "made", "meant", "met", "paid", "said", "seen", "sent", "shaken", "shown", "sold", "sought"),
        *("spent", "spoken", "stolen", "swept", "taken", "taught", "thrown", "told", "torn", "understood", "won"),
        *("worn", "written", "found", "thought"),
    }
)
VERBS = frozenset({"bring", "embed", "exceed", "feed", "heed", "need", "ping", "proceed", "ring", "seed", "speed"})
"""Verbs that end as participles do."""
ALLOWED = {
    "connected_components": "SciPy's name, and NetworkX's",
    "cached": "documented: `Graph.cached`, and what stands in for it in storages and tests",
    "checked": "documented: `Option.checked`",
    "preferred": "documented: `Problem.preferred`",
    "told_by_python": "asv keeps the results of a benchmark only while its text stays the same",
    "warmed": "as above",
    "traced": "as above",
    "clustering": "NetworkX's name",
    "planted_partition": "the name of the model, and NetworkX's",
    "biconnected_components": "NetworkX's name",
    "biconnected_component_edges": "NetworkX's name",
    "crossing_hub": "a kind of graph",
    "disconnected": "a kind of graph",
    "is_package_of": "a predicate",
    "of": "CuPy's word for a device, which `Device` and its doubles in the tests follow",
}
"""Names that stay, with the reason."""
EXEMPT = ("property", "cached_property", "once", "fixture")
"""Decorators of what is read as a value, not called by this name."""


def find_fault(name: str) -> str | None:
    """Say what is wrong with the name of a function, or return None."""
    first = name.lstrip("_").split("_")[0]
    if name.endswith("_of") or name == "of":
        return "ends in `of`, as a noun does"
    if first not in VERBS and (first in IRREGULAR or re.fullmatch(r"[a-z]*[aeiouy][a-z]*(ed|ing)", first)):
        return f"begins with the participle {first!r}"
    return None


def list_functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """List the functions of a module that are called by their name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = (ast.unparse(each).split("(")[0].split(".")[-1] for each in node.decorator_list)
            if not any(name in EXEMPT for name in names):
                yield node


def list_faults(text: str) -> list[str]:
    """List what is wrong with the names of functions in a module."""
    named = ((node.lineno, node.name, find_fault(node.name)) for node in list_functions(text))
    return [f"line {line}: {name} {fault}" for line, name, fault in named if fault and name not in ALLOWED]


@pytest.mark.parametrize("folder", FOLDERS)
def test_functions_are_verbs(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    found = {file.relative_to(ROOT).as_posix(): list_faults(file.read_text("utf-8")) for file in files}
    assert not {name: faults for name, faults in found.items() if faults}


def test_allowed_names_are_in_use() -> None:
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    used = {node.name for file in files for node in list_functions(file.read_text("utf-8"))}
    assert not ALLOWED.keys() - used


@pytest.mark.parametrize(
    "name", ["kept", "told", "turned", "_filled", "parsed_options", "packing", "rows_of", "making_rows", "built"]
)
def test_participles_and_nouns_are_refused(name: str) -> None:
    assert list_faults(f"class A:\n    def {name}(self): ...") == [f"line 2: {name} {find_fault(name)}"]


@pytest.mark.parametrize(
    "name", ["transpose", "is_sorted", "to_dense", "feed", "string_keys", "read", "bring_back", "shred"]
)
def test_verbs_are_taken(name: str) -> None:
    assert not list_faults(f"def {name}(): ...")


def test_properties_may_be_nouns() -> None:
    assert not list_faults("class A:\n    @property\n    def kept(self): ...")


def test_no_two_files_of_tests_have_the_same_name() -> None:
    """Outside of packages a module goes by its name alone: the second of that name could not be imported."""
    files = (path for path in (ROOT / "tests").rglob("test_*.py") if not (path.parent / "__init__.py").exists())
    assert [name for name, count in Counter(path.name for path in files).items() if count > 1] == []
