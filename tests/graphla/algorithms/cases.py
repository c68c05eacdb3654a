"""Each method of a problem on each engine that runs it, as cases for pytest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphla.problem import Method

MARKS = {"cpu": (), "emulated": pytest.mark.emulated, "cuda": pytest.mark.gpu}
"""Where methods are tested: on the CPU, with their kernels on the emulator, or on a GPU."""
PLACES = {"cpu": ["cpu"], "cuda": ["emulated", "cuda"]}


def list_cases(problem: Any, *first: Any, only: Callable[[Method, str], bool] = lambda *_: True) -> list[Any]:
    """Parameters ``(*first, method, place)`` of each method that ``only(method, engine)`` lets pass."""
    cases = [
        pytest.param(*first, name, place, marks=MARKS[place])
        for name, method in problem.methods.items()
        for engine in method.engines
        if only(method, engine)
        for place in PLACES[engine]
    ]
    assert cases, f"no method of {problem.name} is left to test"
    return cases
