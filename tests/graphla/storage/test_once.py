"""Values that are computed once, and text that is formatted only when read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import graphla as gl
from graphla.planning.plan import make_plan
from graphla.storage.frozen import once


@dataclass(frozen=True, eq=False)
class Record:
    made: list[str]

    @once
    def fact(self) -> int:
        self.made.append("fact")
        return len(self.made)


def test_a_fact_is_made_when_it_is_first_read() -> None:
    record, other = Record([]), Record([])
    assert record.made == []
    assert (record.fact, record.fact, other.fact) == (1, 1, 1)
    assert record.made == ["fact"]


def test_an_expression_asks_its_operands_once() -> None:
    A = gl.Matrix.from_coo([0], [1], [2.0], nrows=3, ncols=3, engine="cpu")
    asked: list[str] = []

    class Watched(gl.Vector):
        @property
        def dtype(self) -> Any:
            asked.append("dtype")
            return super().dtype

    v = Watched._from_storage(gl.Vector.from_coo([1], [1.0], size=3, engine="cpu")._storage, A.engine)
    expression = gl.semiring.min_plus(A @ v)
    before = len(asked)
    assert expression.dtype is expression.dtype
    assert len(asked) == before == 1


def test_reasons_are_formatted_when_read() -> None:
    A = gl.Matrix.from_coo([0], [1], [2.0], nrows=3, ncols=3, engine="cpu")
    expression = gl.semiring.min_plus(A @ A)
    plan = make_plan(expression, None, expression.dtype)
    assert plan.facts[0][0] == "rows: about {:,.0f} products"
    assert plan.why == ("rows: about 0 products",)
    assert plan.why[0] in expression.explain()
