"""What the contracts of import-linter cannot say: what is private to a package, and what problems share."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp
import pytest

GRAPH = grimp.build_graph("graphla", "semirings", cache_dir=None)
IMPORTS = sorted((m, found) for m in GRAPH.modules for found in GRAPH.find_modules_directly_imported_by(m))
SHARED = "graphla.algorithms.shared"
NAME_EACH_OTHER = (
    {"graphla.containers.matrix", "graphla.containers.vector"},
    {"graphla.language.expr", "graphla.language.reading"},
)
"""Pairs of modules whose classes give each other, imported for annotations alone."""


def find_owner(module: str) -> str | None:
    """The package to which a module is private: the one above the first part that begins with an underscore."""
    parts = module.split(".")
    private = (i for i, part in enumerate(parts) if part.startswith("_") and not part.startswith("__"))
    first = next(private, None)
    return None if first is None else ".".join(parts[:first])


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def test_a_module_with_an_underscore_is_imported_within_its_package_alone() -> None:
    wrong = [(m, found) for m, found in IMPORTS if (owner := find_owner(found)) and not is_within(m, owner)]
    assert not wrong


def test_what_problems_share_imports_no_problem() -> None:
    inside = [(m, found) for m, found in IMPORTS if is_within(m, SHARED) and is_within(found, "graphla.algorithms")]
    assert inside
    assert not [(m, found) for m, found in inside if not is_within(found, SHARED)]


def test_no_module_imports_itself_in_the_end() -> None:
    """Imports at the top, in functions and for types alone; two pairs of classes name each other in annotations."""
    edges: dict[str, set[str]] = {}
    for module, found in IMPORTS:
        if {module, found} not in NAME_EACH_OTHER:
            edges.setdefault(module, set()).add(found)
    assert list(TopologicalSorter(edges).static_order())
    for pair in NAME_EACH_OTHER:
        assert all(GRAPH.find_modules_directly_imported_by(module) & pair for module in pair)


@pytest.mark.parametrize(
    ("module", "owner"), [("graphla.a._b", "graphla.a"), ("graphla.a._b.c", "graphla.a"), ("graphla.a.__main__", None)]
)
def test_owners(module: str, owner: str | None) -> None:
    assert find_owner(module) == owner
