"""What the methods on the GPU have in common: kernels by name, sizes of grids, fresh answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
BLOCK = 256
RESIDENT_THREADS = 1024  # of a block of a cooperative grid: one block alone has to hide the latencies of a small level

Array = Any


def offset(csr: Any) -> str:
    """The C++ type of the row pointers."""
    return "int" if csr.indptr.dtype == np.int32 else "long long"


def tree(parents: bool) -> str:
    """The C++ type that says whether parents are kept."""
    return "WithParents" if parents else "LevelsOnly"


def kernel(G: Any, file: str, expression: str, *, cooperative: bool = False, takes: type | None = None) -> Any:
    """A kernel of one of this folder's `.cuh` files; `takes` is the record that fills its struct of parameters."""
    return G.engine.kernel(path(file), expression, cooperative=cooperative, takes=takes)


@cache
def path(file: str) -> Path:
    """One of this folder's `.cuh` files; making a path takes longer than a lookup."""
    return FOLDER / f"{file}.cuh"


def blocks(items: int, block: int = BLOCK) -> int:
    """How many blocks cover `items`, one a thread."""
    return max(1, -(-items // block))


def fresh_answer(G: Any, parents: bool) -> tuple[Array, Array]:
    """Arrays for levels and parents, not yet written; parents are empty if they are not asked for."""
    xp = G.engine.xp
    return xp.empty(G.n, np.int32), xp.empty(G.n if parents else 0, np.int32)


def started_answer(G: Any, source: int, parents: bool) -> tuple[Array, Array]:
    """Levels and parents of a search that has seen its source alone."""
    levels, tree_of = fresh_answer(G, parents)
    levels.fill(-1)
    tree_of.fill(-1)
    levels[source] = 0
    if parents:
        tree_of[source] = source
    return levels, tree_of


def given(levels: Array, parents: Array, asked: bool) -> tuple[Array, Array | None]:
    """The answer as the problem wants it."""
    return levels, parents if asked else None
