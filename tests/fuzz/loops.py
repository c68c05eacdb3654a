"""Loops of random statements, over vectors of every form and dtype: the same as statement by statement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Vector, binary, replace
from graphla.planning.loops.kernel import MOST_NUMBERS, MOST_VECTORS
from semirings import any_pair, lor_land, max_min, min_first, min_plus, plus_first, plus_times
from tests.fuzz import full_loops
from tests.fuzz.full_loops import ROUNDS_HOW

SEMIRINGS = (min_plus, plus_first, any_pair, lor_land, max_min, min_first, plus_times)
DTYPES = ("INT32", "INT64", "INT64", "FP64", "FP32", "BOOL", "UINT8")
ACCUMS = (None, None, None, binary.plus, binary.min, binary.first, binary.second)
TERMS = ("copy", "number", "round", "bound", "meet", "join", "select", "union", "typed")


class Drawn:
    """A body: statements over a few vectors, a product among them."""

    def __init__(self, seed: int, engine: Any) -> None:
        self.random = random = np.random.default_rng(seed)
        n = int(random.integers(20, 120))
        cells = np.unique(random.integers(0, n * n, n * int(random.integers(1, 5))))
        shape = {"nrows": n, "ncols": n, "engine": engine}
        values = random.integers(0, 5, cells.size)
        self.A = gl.Matrix.from_coo(cells // n, cells % n, values, str(random.choice(DTYPES)), **shape)
        self.vectors = [self.draw_vector(n, engine) for _ in range(int(random.integers(2, 6)))]
        count = int(random.integers(2, 6))
        product = int(random.integers(count))
        self.statements = [self.draw_statement("product" if k == product else None) for k in range(count)]
        self.times = int(random.integers(1, 5))

    def pick(self, things: Any) -> Any:
        return things[int(self.random.integers(len(things)))]

    def draw_vector(self, n: int, engine: Any) -> Vector:
        places = np.sort(self.random.permutation(n)[: self.pick((0, 2, n // 3, n))])
        values = self.random.integers(0, 6, places.size)
        return Vector.from_coo(places, values, self.pick(DTYPES), size=n, engine=engine)

    def draw_statement(self, kind: str | None) -> tuple[Any, ...]:
        masks = [None, *(m for v in self.vectors for m in (v.S, v.V, ~v.S, ~v.V))]
        mask = self.pick(masks)
        return (
            self.pick(self.vectors),
            mask,
            self.pick(ACCUMS),
            mask is not None and self.pick((True, False)),
            self.make_term(kind),
        )

    def make_term(self, kind: str | None) -> Any:
        x, y, flip = self.pick(self.vectors), self.pick(self.vectors), self.pick((True, False))
        M, number = self.pick((self.A, self.A.T)), int(self.random.integers(3))
        of_one, of_two = (
            self.pick((binary.plus, binary.minus, binary.min)),
            self.pick((binary.plus, binary.lt, binary.first)),
        )
        return {
            "product": lambda: self.pick(SEMIRINGS)(M @ x if flip else x @ M),
            "copy": lambda: x,
            "number": lambda: number,
            "round": lambda: None,
            "bound": lambda: x.apply(of_one, left=number) if flip else x.apply(of_one, right=number),
            "meet": lambda: of_two(x & y),
            "join": lambda: of_two(x | y),
            "select": lambda: x.select(self.pick((">", "<=", "valuene", "rowle")), number),
            "union": lambda: x.ewise_union(y, self.pick((binary.minus, binary.lt, binary.max, binary.eq)), 0, 1),
            "typed": lambda: of_two[self.pick(DTYPES)](x | y if flip else x & y),
        }[kind or self.pick(TERMS)]()

    def body(self, turn: Any) -> None:
        for out, mask, accum, replaces, value in self.statements:
            how = [part for part in (mask, accum, replace if replaces else None) if part is not None]
            out(*how) << (turn if value is None else value)


def check(seed: int, engine: Any = "cpu") -> None:
    """Run the loop of a seed as one kernel and statement by statement, and compare what both leave.

    Every third seed draws a loop over full vectors, with Scalars, conditions and positions.
    """
    if seed % 3 == 2:
        full_loops.check(seed, engine)
        return
    whole, parts = Drawn(seed, engine), Drawn(seed, engine)
    done = gl.loop(whole.body, times=whole.times)
    with gl.trace():
        gl.loop(parts.body, times=parts.times)
    limits = f"more than {MOST_NUMBERS} bound numbers", f"more than {MOST_VECTORS} vectors"
    assert done.plan in {"one kernel", *ROUNDS_HOW} or any(limit in done.plan for limit in limits), done.plan
    for found, wanted in zip(whole.vectors, parts.vectors, strict=True):
        assert found.dtype == wanted.dtype
        assert found.to_dict() == pytest.approx(wanted.to_dict(), rel=1e-6)
