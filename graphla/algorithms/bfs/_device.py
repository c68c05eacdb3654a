"""What the methods on the GPU have in common: kernels by name, sizes of grids, fresh answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from graphla.engine.cuda.records import Filler

FOLDER = Path(__file__).parent
BLOCK = 256
RESIDENT_THREADS = 1024  # of a block of a cooperative grid: one block alone has to hide the latencies of a small level

Array = Any


def name_tree_type(parents: bool) -> str:
    """The C++ type that says whether parents are kept."""
    return "WithParents" if parents else "LevelsOnly"


def get_kernel(
    G: Any,
    file: str,
    expression: str,
    *,
    cooperative: bool = False,
    takes: Filler | None = None,
    beside: tuple[str, ...] = (),
) -> Any:
    """A kernel of one of this folder's `.cuh` files; `takes` is the record that fills its struct of parameters.

    The kernels `beside` it are compiled in the same module.
    """
    return G.engine.kernel(get_path(file), expression, cooperative=cooperative, takes=takes, beside=beside)


@cache
def get_path(file: str) -> Path:
    """One of the `.cuh` files below this folder; making a path takes longer than a lookup."""
    return next(FOLDER.rglob(f"{file}.cuh"))


def count_blocks(items: int, block: int = BLOCK) -> int:
    """How many blocks cover `items`, one a thread."""
    return max(1, -(-items // block))


def allocate_answer(G: Any, parents: bool) -> tuple[Array, Array]:
    """Arrays for levels and parents, not yet written; parents are empty if they are not asked for."""
    xp = G.engine.xp
    return xp.empty(G.n, np.int32), xp.empty(G.n if parents else 0, np.int32)


def start_answer(G: Any, source: int, parents: bool) -> tuple[Array, Array]:
    """Levels and parents of a search that has seen its source alone."""
    levels, tree_of = allocate_answer(G, parents)
    levels.fill(-1)
    tree_of.fill(-1)
    levels[source] = 0
    if parents:
        tree_of[source] = source
    return levels, tree_of


def make_answer(levels: Array, parents: Array, asked: bool) -> tuple[Array, Array | None]:
    """The answer as the problem wants it."""
    return levels, parents if asked else None
