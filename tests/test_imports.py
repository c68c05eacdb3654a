"""What the contracts of import-linter cannot say: what is private to a package, and what problems share."""

from __future__ import annotations

import grimp
import pytest

GRAPH = grimp.build_graph("graphla", "semirings", cache_dir=None)
IMPORTS = sorted((m, found) for m in GRAPH.modules for found in GRAPH.find_modules_directly_imported_by(m))
SHARED = "graphla.algorithms.shared"


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


@pytest.mark.parametrize(
    ("module", "owner"), [("graphla.a._b", "graphla.a"), ("graphla.a._b.c", "graphla.a"), ("graphla.a.__main__", None)]
)
def test_owners(module: str, owner: str | None) -> None:
    assert find_owner(module) == owner
