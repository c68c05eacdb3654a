"""How many files of graphla a warm call goes through: bounds that fall, and do not creep up.

The journeys are those of `docs/architecture.md`, on the CPU; every call of a function of Python counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import graphla as gl
from graphla import Vector, replace
from semirings import any_pair, plus_times

ROOT = Path(gl.__file__).parent
BOUNDS = {"bfs": 8, "statement": 17, "full product": 20, "pagerank": 12, "sssp": 14}


def make_journeys() -> dict[str, Callable[[], Any]]:
    """The calls, on a Kronecker graph whose facts are known after the first."""
    G = gl.generate.kronecker(10, engine="cpu")
    A, level = G.A, Vector.from_coo([0], [0], size=G.n, engine="cpu")
    q, x = (Vector.from_coo([0], [True], size=G.n, engine="cpu") for _ in range(2))
    w = Vector.from_scalar(1.0, G.n, engine="cpu")

    def search() -> None:
        q(~level.S, replace) << any_pair(A.T @ x)

    return {
        "bfs": lambda: gl.bfs(G, 0),
        "statement": search,
        "full product": lambda: w << plus_times(A @ w),
        "pagerank": lambda: gl.pagerank(G),
        "sssp": lambda: gl.sssp(G, 0),
    }


def list_files(call: Callable[[], Any]) -> list[str]:
    """The files of graphla whose functions a call runs, in order."""
    seen: dict[str, None] = {}

    def note(frame: Any, event: str, arg: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            seen[str(path.relative_to(ROOT))] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return list(seen)


@pytest.mark.parametrize("name", BOUNDS)
def test_a_warm_call_goes_through_few_files(name: str) -> None:
    call = make_journeys()[name]
    for _ in range(3):
        call()
    files = list_files(call)
    assert files, "nothing of graphla ran"
    assert len(files) <= BOUNDS[name], files
