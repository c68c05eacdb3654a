"""The table of differences from python-graphblas says what the programs of both sides do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphla as gl
from tests.graphla.differences import ABSENT, DIFFERENCES, outcome

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
ERRORS = ("AttributeError", "TypeError", "UnknownOperator")
PAGE = (Path(__file__).parents[2] / "docs" / "coming_from.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## python-graphblas") : PAGE.index("## NetworkX")]
ROWS = [line.strip("| ").split(" | ")[0] for line in SECTION.splitlines() if line.startswith("| ")][1:]


def test_each_row_of_the_table_has_a_program_and_each_program_a_row() -> None:
    assert list(DIFFERENCES) == ROWS


@pytest.mark.parametrize("row", DIFFERENCES)
def test_here(row: str) -> None:
    difference = DIFFERENCES[row]
    with gl.config.set(engine="cpu"):
        found = outcome(gl, difference.here or difference.program)
    assert repr(found) == repr(difference.ours)


@pytest.mark.parametrize("row", DIFFERENCES)
def test_there(row: str) -> None:
    gb = pytest.importorskip("graphblas")
    difference = DIFFERENCES[row]
    found = outcome(gb, difference.program)
    assert repr(found) == repr(difference.theirs)


@pytest.mark.parametrize("row", DIFFERENCES)
def test_it_is_a_difference(row: str) -> None:
    difference = DIFFERENCES[row]
    assert repr(difference.theirs) != repr(difference.ours) or difference.here is not None
    if difference.here is not None:
        with gl.config.set(engine="cpu"):
            assert str(outcome(gl, difference.program)) in ERRORS, "the program of theirs runs here, too"


@pytest.mark.parametrize(("namespace", "name"), [(n, name) for n, names in ABSENT.items() for name in names.split()])
def test_what_is_said_not_to_be_here_is_not(namespace: str, name: str) -> None:
    gb = pytest.importorskip("graphblas")
    there, here = (getattr(package, namespace) if namespace else package for package in (gb, gl))
    assert hasattr(there, name)
    assert not hasattr(here, name)
    assert re.search(rf"[`.]{name}\b", SECTION), f"{name} does not stand in the list"


@pytest.mark.parametrize("dtype", ["INT64[2]", {"x": int, "y": float}, np.dtype("i4,f8"), np.dtype((float, 3))])
def test_a_user_defined_type_is_refused_with_the_reason(dtype: Any) -> None:
    with pytest.raises(gl.errors.UnknownDType, match="User-defined types are not supported"):
        gl.Vector(dtype, 3)
