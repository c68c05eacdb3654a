"""The cost of tracing: none when it is off, little when it is on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import graphla as gl
from graphla.containers import execute
from graphla.engine import tracing
from semirings import any_pair

from .common import ENGINES, needs, seconds, synchronise

CALLS, ROUNDS = 100, 40


def run_without_tracing(engine: Any, plan: Any) -> Any:
    """Run a plan as `run_plan` would without tracing."""
    return engine.run(plan)


class Tracing:
    """Time of a small operation, tracing off or on, divided by that without trace hooks: minimum of many, in turn."""

    params = (list(ENGINES),)
    param_names = ("engine",)
    unit = "ratio"

    def setup(self, engine: str) -> None:
        needs(engine)
        self.engine = engine
        self.A = gl.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 1, 1], engine=engine)
        self.q = gl.Vector.from_coo([0], [1], size=3, engine=engine)
        self.many()

    def many(self) -> None:
        for _ in range(CALLS):
            any_pair(self.A.T @ self.q).new()
        synchronise(self.engine)

    def against_none(self, run: Callable[[], Any]) -> float:
        """Return the least seconds with trace hooks divided by the least seconds without."""
        pairs = []
        for _ in range(ROUNDS):
            with patch.object(execute, "run_plan", run_without_tracing):
                without = seconds(self.many)
            pairs.append((seconds(run), without))
        return min(a for a, _ in pairs) / min(b for _, b in pairs)

    def track_off(self, engine: str) -> float:
        assert not tracing.watchers.anywhere
        return self.against_none(self.many)

    def track_on(self, engine: str) -> float:
        def traced() -> None:
            with gl.trace():
                self.many()

        return self.against_none(traced)
