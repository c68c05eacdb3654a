"""Products of few rows and small updates, with cuSPARSE's; the CPU beside SuiteSparse:GraphBLAS."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import graphla as gl
from graphla import binary, replace, select
from semirings import any_pair, min_plus, min_second, plus_first, plus_pair, plus_times

from .common import ENGINES, SAMPLING, graph, needs, synchronise

sys.path.insert(0, str(Path(__file__).parents[1]))
from suitesparse import FAMILIES, algorithms, operands

SPEC = {"cpu": "kron:13?weights=1..255", "cuda": "kron:20?weights=1..255"}
SECONDS = 0.05
"""For each operation beside SuiteSparse."""
Call = Callable[[], Any]
Case = Callable[[gl.Graph], Call]


def draw(G: gl.Graph, seed: int = 7) -> Any:
    return G.engine.xp.random.RandomState(seed)


def draw_rows(G: gl.Graph, count: int, share: float) -> gl.Matrix:
    """Draw a share of the cells of a matrix of `count` rows; all of them are one."""
    cells = G.engine.xp.flatnonzero(draw(G).random_sample(count * G.n) < share)
    ones = G.engine.xp.ones(cells.shape[0], "float32")
    return gl.Matrix.from_coo(cells // G.n, cells % G.n, ones, nrows=count, ncols=G.n, engine=G.engine)


def draw_full(G: gl.Graph, count: int) -> gl.Matrix:
    return gl.Matrix.from_dense(draw(G).random_sample((count, G.n)).astype("float32"), engine=G.engine)


def draw_vector(G: gl.Graph, share: float = 1) -> gl.Vector:
    """Draw a vector in which a share of the places have entries."""
    places = G.engine.xp.flatnonzero(draw(G).random_sample(G.n) < share)
    return gl.Vector.from_coo(places, places.astype("float32"), size=G.n, engine=G.engine)


def permute(G: gl.Graph) -> Any:
    return draw(G, 11).permutation(G.n)


def choose_sources(G: gl.Graph, count: int) -> list[int]:
    """Choose vertices that have arcs."""
    degrees = np.asarray(G.engine.to_host(G.degrees))
    return np.random.default_rng(5).choice(np.flatnonzero(degrees), count, replace=False).tolist()


def multiply_rows(count: int, share: float) -> Case:
    def prepare(G: gl.Graph) -> Call:
        F = draw_rows(G, count, share)
        return lambda: plus_first(F @ G.A).new()

    return prepare


def multiply_full(count: int) -> Case:
    def prepare(G: gl.Graph) -> Call:
        F = draw_full(G, count)
        return lambda: plus_times(F @ G.A).new()

    return prepare


def multiply_by_cusparse(count: int) -> Case:
    """The same product as CuPy computes it, transposed."""

    def prepare(G: gl.Graph) -> Call:
        X = G.engine.xp.asfortranarray(draw(G).random_sample((count, G.n)).astype("float32").T)
        A = G.A.dup("FP32").to_cupyx_sparse()
        return lambda: A @ X

    return prepare


def relate(count: int) -> Case:
    """Betweenness of some sources, as LAGraph writes it."""

    def prepare(G: gl.Graph) -> Call:
        sources = choose_sources(G, count)
        o = SimpleNamespace(
            A=G.A, n=G.n, lib=gl, ring=gl.semiring, op=binary, where={"engine": G.engine}, sources=sources,
            index=lambda places: places,
        )  # fmt: skip
        return lambda: algorithms.betweenness(o)

    return prepare


def search(G: gl.Graph) -> Call:
    """Sixty-four searches, a masked product a level."""
    sources = choose_sources(G, 64)

    def call() -> gl.Matrix:
        F = gl.Matrix.from_coo(range(64), sources, True, "BOOL", nrows=64, ncols=G.n, engine=G.engine)
        seen = F.dup()
        while F.nvals:
            F(~seen.S, replace) << any_pair(F @ G.A)
            seen(F.S) << True
        return seen

    return call


def search_by_name(G: gl.Graph) -> Call:
    sources = choose_sources(G, 64)
    return lambda: gl.bfs(G, sources=sources)


def sort_by_degree(G: gl.Graph) -> gl.Matrix:
    """Return the arcs to smaller vertices, of vertices in the order of rising degrees."""
    p = G.engine.xp.argsort(G.engine.xp.asarray(G.degrees), kind="stable")
    return select.tril(G.A[p, p].new(), -1).new()


def count_triangles(G: gl.Graph) -> Call:
    L = sort_by_degree(G)

    def call() -> Any:
        C = gl.Matrix("INT64", G.n, G.n, engine=G.engine)
        C(L.S) << plus_pair(L @ L.T)
        return C.reduce_scalar("plus").new()

    return call


def sum_triangles(G: gl.Graph) -> Call:
    L = sort_by_degree(G)
    return lambda: plus_pair(L @ L.T).mask(L.S).reduce_scalar("plus").new()


def join(G: gl.Graph) -> Call:
    """Components by labels: the least label of the neighbors, then shortcuts."""

    def call() -> gl.Vector:
        label = gl.Vector.from_dense(G.engine.xp.arange(G.n, dtype="int32"), engine=G.engine)
        before = label.dup()

        def step(_: Any) -> None:
            before << label
            label(binary.min) << min_second(G.A @ label)
            label << label[label]

        gl.loop(step, while_true=lambda: binary.ne(label & before).reduce("lor"), max_rounds=G.n)
        return label

    return call


def scale(side: str) -> Case:
    def prepare(G: gl.Graph) -> Call:
        D = draw_vector(G).diag()
        return {"left": lambda: plus_times(D @ G.A).new(), "right": lambda: plus_times(G.A @ D).new()}[side]

    return prepare


def gather(G: gl.Graph) -> Call:
    x, p = draw_vector(G), permute(G)
    return lambda: x[p].new()


def scatter(G: gl.Graph) -> Call:
    x, y, p = draw_vector(G), draw_vector(G), permute(G)
    return lambda: x[p] << y


def reorder(G: gl.Graph) -> Call:
    p = permute(G)
    return lambda: G.A[p, p].new()


def pull(masked: float) -> Case:
    """The product with a full vector, a share of the results masked."""

    def prepare(G: gl.Graph) -> Call:
        x, mask = draw_vector(G), draw_vector(G, masked)
        return lambda: min_plus(G.A @ x).new(mask=~mask.S)

    return prepare


def push(G: gl.Graph) -> Call:
    """The product with a vector whose vertices have a hundredth of the arcs."""
    degrees = np.asarray(G.engine.to_host(G.degrees))
    order = draw(G).permutation(G.n)
    order = np.asarray(G.engine.to_host(order))
    few = order[: np.searchsorted(np.cumsum(degrees[order]), G.nvals / 100)]
    x = gl.Vector.from_coo(np.sort(few), 1.0, "FP32", size=G.n, engine=G.engine)
    return lambda: min_plus(x @ G.A).new()


def update(change: Callable[[gl.Matrix, Any], Any]) -> Case:
    """Return the case of a change of a copy of A, made once; `few` are 64 places."""

    def prepare(G: gl.Graph) -> Call:
        C, few = G.A.dup(), G.engine.xp.arange(64) * (G.n // 64)
        return lambda: change(C, few)

    return prepare


def set_one(C: gl.Matrix, _: Any) -> None:
    C[3, 5] << 2


def delete_one(C: gl.Matrix, _: Any) -> None:
    del C[3, 5]
    C[3, 5] << 2


def set_block(C: gl.Matrix, few: Any) -> None:
    C[few, few] << 1


LINES: dict[str, Case] = {
    **{f"{k} x n, {s:.0%}, plus_first": multiply_rows(k, s) for k, s in ((1, 0.06), (4, 0.06), (32, 0.02))},
    **{f"full {k} x n, plus_times": multiply_full(k) for k in (1, 4, 32)},
    **{f"betweenness of {k} sources, LAGraph's": relate(k) for k in (4, 32)},
    "64 searches, a masked product a level": search,
    "64 searches, by name": search_by_name,
    "triangles, sorted L @ L.T": count_triangles,
    "triangles, sorted L @ L.T, the sum alone": sum_triangles,
    "components by labels, gl.loop": join,
    "x[p]": gather,
    "x[p] << y": scatter,
    "diag @ A": scale("left"),
    "A @ diag": scale("right"),
    "A[p, p]": reorder,
    "an element set": update(set_one),
    "an element read": update(lambda C, _: C[3, 5].new().value),
    "an element deleted and set": update(delete_one),
    "64 x 64 block assigned": update(set_block),
    "a row taken": update(lambda C, _: C[5, :].new()),
    "a column taken": update(lambda C, _: C[:, 5].new()),
    "pull": pull(0),
    "pull, 90 % masked": pull(0.9),
    "push of 1 % of the arcs": push,
}
OF_CUPY: dict[str, Case] = {f"A @ full n x {k}, cuSPARSE": multiply_by_cusparse(k) for k in (1, 4, 32)}
"""What CuPy computes, on a GPU."""


class Line:
    """A warm operation on matrices."""

    params = ([*LINES, *OF_CUPY], list(ENGINES))
    param_names = ("operation", "engine")
    number, rounds, repeat, warmup_time, timeout = 1, 1, SAMPLING, 0, 300

    def setup(self, operation: str, engine: str) -> None:
        needs(engine)
        if operation in OF_CUPY and engine == "cpu":
            raise NotImplementedError("it is CuPy's")
        self.run = {**LINES, **OF_CUPY}[operation](graph(SPEC[engine], engine))
        self.time_call(operation, engine)

    def time_call(self, operation: str, engine: str) -> None:
        self.run()
        synchronise(engine)


class AgainstSuiteSparse:
    """Times of the CPU engine over those of SuiteSparse:GraphBLAS, in turn, with the same number of threads."""

    params = (["kron9", "kron13"], list(FAMILIES))
    param_names = ("graph", "family")
    timeout, unit = 900, "ratio"

    def setup(self, name: str, family: str) -> None:
        needs("cpu")
        if importlib.util.find_spec("graphblas") is None:
            raise NotImplementedError("python-graphblas is not installed")
        import against_suitesparse as peer
        import graphblas as gb

        gb.ss.config["nthreads"] = peer.THREADS
        cells = operands.GRAPHS[name]()
        self.peer = peer
        self.mine, self.other = (operands.Operands(lib, cells, "float32") for lib in (gl, gb))

    def track_mean(self, name: str, family: str) -> float:
        """Return the geometric mean over the operations of the family."""
        ratios = []
        for _, _, case in self.peer.list_cases(self.mine, [family]):
            ours, theirs, _ = self.peer.measure_in_turn(case(self.mine), case(self.other), SECONDS)
            ratios.append(ours / theirs)
        return math.exp(float(np.mean(np.log(ratios))))
