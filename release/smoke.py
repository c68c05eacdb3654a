"""Every problem once, verified: ``python smoke.py`` where graphla is installed.

It needs no checkout, and no other package. GRAPHLA_ENGINE=cuda tries a GPU.
"""

from __future__ import annotations

import inspect
import sys
import time
from functools import partial
from typing import Any

import numpy as np

import graphla as gl
from graphla import csgraph
from graphla.problem import Problem, all_problems

SIDE = 8
WHOLE = 3
"""What stands for an argument that is no vertex and has no default, such as the length of a walk."""


def make_graph(domain: str) -> gl.Graph:
    """A graph that a problem of such a domain is about."""
    G = gl.generate.grid2d(SIDE, SIDE)
    if domain != "acyclic":
        return G
    rows, cols, _ = G.A.to_coo()
    return gl.Graph((rows[rows < cols], cols[rows < cols]), n=G.n)


def make_arguments(problem: Problem) -> dict[str, Any]:
    """The arguments that a problem needs beside the graph: different vertices, and whole numbers."""
    signature = inspect.signature(type(problem).__call__).parameters.values()
    needed = {p.name: WHOLE for p in signature if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD}
    vertices = {name: place for place, name in enumerate(problem.takes)}
    return {name: value for name, value in (needed | vertices).items() if name not in ("self", "G")}


def try_problem(problem: Problem) -> str:
    """Solve it by its best method and verify all that it gives; return what a comparison says of it."""
    G = make_graph(problem.domain)
    asked = {answer.asked_by: True for answer in problem.gives if answer.asked_by}
    best = problem.choose(G, None, asked).name
    arguments = make_arguments(problem) | asked
    found = gl.compare(problem, G, methods=[best], peers=False, repeat=1, progress=False, **arguments)
    return "; ".join(f"{row.status} {row.note or ''}".strip() for row in found)


def try_algebra() -> str:
    """A search by products, and SciPy's door, against the search by name."""
    G = make_graph("")
    levels = gl.bfs(G, 0, method="algebraic")
    theirs = csgraph.shortest_path(G.A.to_scipy_sparse(), unweighted=True, indices=0)
    same = levels.isequal(gl.bfs(G, 0)) and np.array_equal(
        np.isfinite(theirs), levels.to("cpu").to_dense(fill_value=-1) >= 0
    )
    return "right" if same else "wrong"


def main() -> int:
    """Print a line for each problem; return 1 if one is not right."""
    attempts = {"algebra": try_algebra, **{name: partial(try_problem, each) for name, each in all_problems().items()}}
    failed = 0
    for name, attempt in attempts.items():
        began = time.perf_counter()
        said = attempt()
        failed += said != "right"
        print(f"{name:24} {said}  {time.perf_counter() - began:.2f} s", flush=True)
    print(f"{len(attempts)} tried, {failed} not right, graphla {gl.__version__}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
