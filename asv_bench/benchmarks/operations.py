"""Every operation of the language on a Kronecker graph, on every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphla as gl
from graphla import binary, select
from semirings import any_pair, min_plus, plus_times

from .common import ENGINES, graph, source, synchronise

SPEC = "kron:16?weights=1..255"


def full(G: gl.Graph) -> gl.Vector:
    return gl.Vector.from_scalar(1, G.n, "INT32", engine=G.engine)


def one(G: gl.Graph) -> gl.Vector:
    return gl.Vector.from_coo([source(SPEC)], [1], size=G.n, engine=G.engine)


OPERATIONS: dict[str, Callable[[gl.Graph], Any]] = {
    "mxv plus_times, pull": lambda G: plus_times(G.A @ full(G)),
    "mxv min_plus, pull": lambda G: min_plus(G.A @ full(G)),
    "vxm any_pair, push": lambda G: any_pair(one(G) @ G.A),
    "mxm plus_times, rows": lambda G: plus_times(G.A @ select.tril(G.A, -1).new()),
    "ewise_add": lambda G: binary.plus(G.A | G.A),
    "ewise_mult": lambda G: binary.times(G.A & G.A),
    "apply": lambda G: G.A.apply("ainv"),
    "select": lambda G: select.valuegt(G.A, 128),
    "reduce_rowwise": lambda G: G.A.reduce_rowwise("max"),
    "reduce_scalar": lambda G: G.A.reduce_scalar("plus"),
    "extract": lambda G: G.A[: G.n // 2, : G.n // 2],
}


class Operation:
    """A warm operation into a new container."""

    params = (list(OPERATIONS), list(ENGINES))
    param_names = ("operation", "engine")

    def setup(self, operation: str, engine: str) -> None:
        self.G = graph(SPEC, engine)
        self.time_new(operation, engine)

    def time_new(self, operation: str, engine: str) -> None:
        OPERATIONS[operation](self.G).new()
        synchronise(engine)
