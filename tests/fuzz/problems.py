"""Problems on random graphs: every method of bfs, sssp and apsp against SciPy, and its verifier.

The weights are of any dtype; small, zero, negative, fractional, or near the end of the type, where Python's own
integers are the judge. Arcs repeat, vertices have loops or no arcs at all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import NegativeCycleError, bellman_ford, dijkstra

import graphla as gl
from graphla.common.errors import NegativeCycle, Overflow

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")
KINDS = ("small", "zero", "negative", "cycles", "fractional", "end")
JOINS = ("min", "first", "sum")
ROUNDING = {"float32": 2e-5, "float64": 1e-12}


@dataclass(frozen=True, eq=False)
class Case:
    """The graph of a seed."""

    seed: int
    dtype: str
    kind: str
    join: str
    n: int
    rows: Any
    cols: Any
    weights: Any

    def graph(self, engine: Any) -> gl.Graph:
        return gl.Graph((self.rows, self.cols, self.weights), n=self.n, dup=self.join, engine=engine)

    def __str__(self) -> str:
        arcs = [part.tolist() for part in (self.rows, self.cols, self.weights)]
        return f"{self.kind} {self.dtype}: gl.Graph({tuple(arcs)}, n={self.n}, dup={self.join!r})"


def draw(seed: int) -> Case:
    """A graph of up to 24 vertices."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    rows, cols = rng.integers(0, n, (2, int(rng.integers(0, 3 * n + 1))))
    dtype, kind = (str(rng.choice(names)) for names in (DTYPES, KINDS))
    weights = np.asarray(draw_weights(rng, np.dtype(dtype), kind, n, rows, cols)).astype(dtype)
    return Case(seed, dtype, kind, str(rng.choice(JOINS[: 2 if kind == "end" else 3])), n, rows, cols, weights)


def draw_weights(rng: Any, dtype: Any, kind: str, n: int, rows: Any, cols: Any) -> Any:
    """Weights of a kind, as far as the dtype has it; a potential tilts those that may be negative."""
    tilt = rng.integers(0, 6, n)
    tilted = tilt[rows] - tilt[cols] if dtype.kind in "if" else np.zeros(rows.size, int)
    if kind == "end" and dtype.kind != "b":
        top = 0.9 * float(np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max)
        return (rng.uniform(0.2, 1, rows.size) * top).astype(dtype)
    if kind == "fractional" and dtype.kind == "f":
        return rng.random(rows.size) * 10 + 2 * tilted
    if kind == "cycles" and dtype.kind in "if":
        return rng.integers(-2, 8, rows.size)
    return rng.integers(0 if kind in ("zero", "negative") else 1, 6, rows.size) + (tilted if kind == "negative" else 0)


class Reference:
    """What is right, of the graph as it was built."""

    def __init__(self, case: Case, G: gl.Graph) -> None:
        self.case, self.n = case, G.n
        self.parts = [np.asarray(G.engine.to_host(part)) for part in (G.csr.indptr, G.csr.indices, G.csr.values)]

    @cached_property
    def levels(self) -> Any:
        indptr, indices, values = self.parts
        return dijkstra(csr_array((np.ones(values.size), indices, indptr), (self.n, self.n)))

    @cached_property
    def distances(self) -> Any:
        """By row; None where a negative cycle can be reached."""
        if self.case.kind == "end":
            return [self.exact(source) for source in range(self.n)]
        return [self.scipy(source) for source in range(self.n)]

    def scipy(self, source: int) -> dict[int, float] | None:
        indptr, indices, values = self.parts
        weights = csr_array((values.astype(float), indices, indptr), (self.n, self.n))
        try:
            found = (bellman_ford if (values < 0).any() else dijkstra)(weights, indices=source)
        except NegativeCycleError:
            return None
        return {v: float(d) for v, d in enumerate(found) if d < math.inf}

    def exact(self, source: int) -> dict[int, float]:
        """Bellman and Ford over numbers of Python, which do not end; of no negative weights."""
        indptr, indices, values = (part.tolist() for part in self.parts)
        found = {source: 0}
        for _ in range(self.n):
            for u in list(found):
                for arc in range(indptr[u], indptr[u + 1]):
                    through = found[u] + values[arc]
                    found[indices[arc]] = min(found.get(indices[arc], through), through)
        return found


def overflows(case: Case, rows: list[Any]) -> bool:
    """Whether a distance leaves the widest dtype that there is for the weights."""
    ends = {"f": np.finfo("float64").max, "u": 2**64 - 2 if case.dtype == "uint64" else 2**63 - 2}
    last = ends.get(np.dtype(case.dtype).kind, 2**63 - 2)
    return any(row is not None and max(row.values()) > last for row in rows)


def agree(case: Case, found: dict[int, Any], right: dict[int, Any]) -> bool:
    """Whether the distances of a row are right: to the last digit of integers, but for rounding of floats."""
    room = ROUNDING.get(case.dtype, 0.0) * max(map(abs, right.values()))
    return found.keys() == right.keys() and all(abs(found[v] - right[v]) <= room for v in right)


def check(seed: int, engine: Any = "cpu") -> None:
    """Compare the answers of every method on the graph of a seed."""
    case = draw(seed)
    G = case.graph(engine)
    reference, source = Reference(case, G), int(np.random.default_rng(seed).integers(G.n))
    for name in (None, *gl.bfs.methods):
        if name is None or not gl.bfs.methods[name].refusal(G, {}):
            check_bfs(case, G, reference, source, name)
    for problem, look in ((gl.sssp, check_sssp), (gl.apsp, check_apsp)):
        for name in (None, *problem.methods):
            if name is None or not problem.methods[name].refusal(G, {}):
                look(case, G, reference, source, name)


def check_bfs(case: Case, G: gl.Graph, reference: Reference, source: int, name: str | None) -> None:
    levels = gl.bfs(G, source, method=name)
    assert levels.to_dict() == {v: d for v, d in enumerate(reference.levels[source]) if d < math.inf}, (name, str(case))
    gl.bfs.verify(G, source, levels)


def check_sssp(case: Case, G: gl.Graph, reference: Reference, source: int, name: str | None) -> None:
    right = reference.distances[source]
    try:
        d, parents = gl.sssp(G, source, method=name, parents=True)
    except NegativeCycle:
        assert right is None, ("no cycle is negative", name, str(case))
    except Overflow:
        assert overflows(case, [right]), ("it fits", name, str(case))
    else:
        assert right is not None, ("a cycle is negative", name, str(case))
        assert not overflows(case, [right]), ("a distance fits nowhere", name, str(case))
        assert agree(case, d.to_dict(), right), (name, d.to_dict(), right, str(case))
        gl.sssp.verify(G, source, d, parents)


def check_apsp(case: Case, G: gl.Graph, reference: Reference, _: int, name: str | None) -> None:
    rows = reference.distances
    try:
        D, hops = gl.apsp(G, method=name, next_hops=True)
    except NegativeCycle:
        assert None in rows, ("no cycle is negative", name, str(case))
    except Overflow:
        assert overflows(case, rows), ("it fits", name, str(case))
    else:
        assert None not in rows, ("a cycle is negative", name, str(case))
        assert not overflows(case, rows), ("a distance fits nowhere", name, str(case))
        found = D.to_dicts()
        for source, right in enumerate(rows):
            assert agree(case, found[source], right), (name, source, found[source], right, str(case))
        gl.apsp.verify(G, D, hops)
