"""Ranks and centralities that are a fixed point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import graphla as gl
from tests.fuzz.calls.call import Call, make_operands, plain


def list_calls() -> Iterator[Call]:
    G = make_operands()["G"]
    ranking: dict[str, Any] = {"damping": 0.8, "tolerance": 1e-4, "max_rounds": 90, "personalization": {0: 1}}
    ranking |= {"weights": True, "dangling": "ignore", "convention": "gap", "dtype": "FP64", "method": None}
    first = {"start": list(range(1, G.n + 1))}
    yield plain("pagerank", gl.pagerank, G=G, **first, **ranking)
    yield plain("pagerank rounds", gl.pagerank, G=G, rounds=3)
    yield plain("pagerank many", gl.pagerank, G=G, personalization=[[0], {1: 2.0}], top=2)
    yield plain("pagerank push", gl.pagerank, G=G, personalization={0: 1.0}, top=2, method="push", epsilon=1e-2)
    rounds: dict[str, Any] = {"tolerance": 1e-3, "max_rounds": 50, "weights": True, "dtype": "FP32", "method": None}
    for problem in (gl.katz, gl.eigenvector, gl.hits):
        yield plain(f"{problem.name} rounds", problem, G=G, rounds=3)
    yield plain("katz", gl.katz, G=G, alpha=0.01, beta=1.0, **first, **rounds)
    yield plain("eigenvector", gl.eigenvector, G=G, **first, **rounds)
    yield plain("hits", gl.hits, G=G, **rounds)
