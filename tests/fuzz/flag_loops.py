"""Loops of random statements over arrays of fixed size with flags: the same as in single steps.

Vectors with gaps, and matrices of few rows or few columns, which gain and lose entries from round to round.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla import Matrix, Scalar, Vector, binary, monoid, replace
from graphla.containers.loop import record_body
from graphla.language.recording import Round
from semirings import (
    any_pair,
    lor_land,
    max_min,
    min_plus,
    min_second,
    min_secondi,
    plus_first,
    plus_second,
    plus_times,
)
from tests.fuzz.full_loops import ROUNDS_HOW

SEMIRINGS = (min_plus, plus_first, max_min, min_second, plus_times, plus_second, lor_land, any_pair)
DTYPES = ("INT32", "INT64", "FP64", "FP32", "BOOL")
OPS = (binary.plus, binary.min, binary.max, binary.minus, binary.first, binary.lt, binary.second)
JOINS = (binary.min, binary.max, binary.plus)
KINDS = (
    *("frontier", "product", "masked", "union", "meet", "select", "number", "accumulate", "fold", "positions"),
    *("replace", "drop", "valued", "round", "column"),
)
WIDTHS = (None, None, 1, 3, 31, 32, 33, 64)
KNOWN = (
    *("which may not hold it", "more than", "cannot be joined", "a Scalar that may be empty"),
    *("transposes a square matrix", "which has not few rows or columns"),
)


class DrawnFlags:
    """A body: statements over containers whose entries come and go.

    Parameters
    ----------
    seed : int
        Of all that is drawn.
    engine : Engine or str
        Where the containers live.
    width : int or None, optional
        Rows (or columns) of the matrices; None for vectors. Drawn by default.
    """

    def __init__(self, seed: int, engine: Any, width: Any = "drawn") -> None:
        self.random = np.random.default_rng(seed)
        self.engine = engine
        self.width = self.pick(WIDTHS) if width == "drawn" else width
        n = self.n = int(self.random.integers(20, 150)) + (self.width or 0)
        self.few_rows = self.pick((True, False))
        cells = np.unique(self.random.integers(0, n * n, n * int(self.random.integers(1, 4))))
        values = self.random.integers(0, 5, cells.size)
        self.A = Matrix.from_coo(cells // n, cells % n, values, self.pick(DTYPES), nrows=n, ncols=n, engine=engine)
        self.containers = [self.draw(self.pick(DTYPES)) for _ in range(int(self.random.integers(2, 5)))]
        self.constant = self.draw("INT32")
        self.scalars = [Scalar("FP64", 2)]
        self.statements = [self.make_statement(self.pick(KINDS)) for _ in range(int(self.random.integers(2, 6)))]
        self.times = int(self.random.integers(1, 5))
        self.asks = self.pick(("entries", "true", "times"))

    def pick(self, things: Any) -> Any:
        return things[int(self.random.integers(len(things)))]

    def draw(self, dtype: str) -> Any:
        """A container with none, few, many or all of its entries."""
        width, fill = self.width or 1, self.pick((0.0, 0.05, 0.5, 1.0))
        here = np.flatnonzero(self.random.random(self.n * width) < fill)
        values = self.random.integers(0, 6, here.size).astype(Vector(dtype, 1).dtype.numpy)
        if self.width is None:
            return Vector.from_coo(here, values, dtype, size=self.n, engine=self.engine)
        rows, columns = here % width, here // width
        shape = (width, self.n)
        if not self.few_rows:
            rows, columns, shape = columns, rows, shape[::-1]
        return Matrix.from_coo(rows, columns, values, dtype, nrows=shape[0], ncols=shape[1], engine=self.engine)

    def multiply(self, semiring: Any, x: Any, turned: bool) -> Any:
        """A product of x and the matrix, from the side that fits."""
        M = self.A.T if turned else self.A
        left = self.few_rows if self.width else turned
        return semiring(x @ M) if left else semiring(M @ x)

    def make_statement(self, kind: str) -> Any:
        """A function that writes one statement, or two that belong together."""
        x, y, z, q = (self.pick(self.containers) for _ in range(4))
        op, other, join, s = self.pick(OPS), self.pick(OPS), self.pick(JOINS), self.scalars[0]
        number, semiring, c = int(self.random.integers(3)), self.pick(SEMIRINGS), self.constant
        turned, fold = self.pick((True, False)), self.pick((monoid.plus, monoid.min, monoid.max))
        mask = self.pick((y.S, ~y.S, z.V, ~z.V, c.S, ~c.S, ~x.S, x.S))
        word = [replace] if number else []

        def spread(depth: Any) -> None:
            x(y.S) << depth
            y(~x.S, replace) << self.multiply(any_pair, y, turned)

        return {
            "frontier": spread,
            "product": lambda _: x(*([join] if number else [])) << self.multiply(semiring, y, turned),
            "masked": lambda _: x(mask, *word) << self.multiply(semiring, y, turned),
            "union": lambda _: x << other(op(y | z) | c),
            "meet": lambda _: x(mask, *word) << op(y & z),
            "select": lambda _: x << y.select(">", number),
            "number": lambda _: x(mask, *word) << 3,
            "accumulate": lambda _: x(mask, join) << z,
            "fold": lambda _: s << q.reduce(fold) if self.width is None else s << q.reduce_scalar(fold),
            "positions": lambda _: (
                x << self.multiply(min_secondi if not self.few_rows else min_plus, y, turned)
                if self.width is None and not turned
                else x << y.select("valuene", 2)
            ),
            "replace": lambda _: x(mask, join, replace) << op(z & c),
            "drop": lambda _: x(mask, replace) << x,
            "valued": lambda _: x << y.apply(op, right=number),
            "round": lambda turn: x(mask) << turn,
            "column": lambda _: x << (y.select("indexgt", self.n // 2) if self.width is None else y.select("colle", 2)),
        }[kind]

    def body(self, turn: Any) -> None:
        for write in self.statements:
            write(turn)

    def run(self) -> Any:
        first = self.containers[0]
        written = {id(s.update.out) for s in record_body(self.body, Round())}
        live = first if self.asks == "entries" else None
        condition = self.ask if self.asks == "true" and id(first) in written else None
        with np.errstate(all="ignore"):
            return gl.loop(self.body, while_entries=live, while_true=condition, times=self.times)

    def ask(self) -> Any:
        """A condition over a reduction that may be of nothing."""
        first = self.containers[0]
        return (first.reduce if self.width is None else first.reduce_scalar)(monoid.max) > 1


def check(seed: int, engine: Any = "cpu", width: Any = "drawn") -> str:
    """Run the loop of a seed as a whole and statement by statement, compare what both leave, and return how it ran."""
    whole, parts = DrawnFlags(seed, engine, width), DrawnFlags(seed, engine, width)
    done = whole.run()
    with gl.trace():
        expected = parts.run()
    assert done.rounds == expected.rounds, (done, expected)
    for found, wanted in zip(whole.containers, parts.containers, strict=True):
        assert found.dtype == wanted.dtype
        assert read(found) == pytest.approx(read(wanted), rel=1e-4, nan_ok=True), done
    for found, wanted in zip(whole.scalars, parts.scalars, strict=True):
        assert found.is_empty == wanted.is_empty
        assert found.is_empty or found.value == pytest.approx(wanted.value, rel=1e-4, nan_ok=True)
    assert done.plan in ROUNDS_HOW or done.plan == "one kernel" or done.plan.endswith(KNOWN), done.plan
    return done.plan


def read(container: Any) -> dict[Any, Any]:
    """The entries of a vector or a matrix."""
    if container.rank == 1:
        return container.to_dict()
    rows, columns, values = (container.engine.to_host(each).tolist() for each in container.to_coo())
    return dict(zip(zip(rows, columns, strict=True), values, strict=True))
