"""Each engine has rules for each kind of step, its own before those of all engines; a plan names the one it took."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from graphla import Matrix, Vector, binary
from graphla.engine.arrays import rules
from graphla.engine.cpu.engine import CpuEngine
from graphla.engine.cuda.engine import CudaEngine
from graphla.planning.steps import MatMat, MatVec, ProductStep, Step
from semirings import plus_times

KINDS = set(get_args(Step)) - {ProductStep}  # which the engine of many ranks alone has


@pytest.mark.parametrize("kind", [CpuEngine, CudaEngine])
def test_each_step_has_a_rule_and_the_last_one_always_applies(kind: Any) -> None:
    assert set(kind.rules) >= KINDS
    for step in KINDS - {MatVec, MatMat}:
        assert kind.rules[step][-1].when is None, step
        assert all(rule.when is not None for rule in kind.rules[step][:-1]), step


@pytest.mark.parametrize("kind", [CpuEngine, CudaEngine])
def test_the_rules_of_every_engine_come_last(kind: Any) -> None:
    for step, every in rules.RULES.items():
        assert kind.rules[step][-len(every) :] == every
    for result, every in rules.WRITES.items():
        assert kind.writes[result][-len(every) :] == every


def test_a_plan_names_its_rule(engine: Any) -> None:
    A = Matrix.from_coo([0, 1, 1], [1, 0, 2], [1, 2, 3], nrows=3, ncols=3, engine=engine)
    v = Vector.from_coo([1], [5], size=3, engine=engine)
    expression = plus_times(A.T @ v)
    w = expression.new()
    assert w.plan.rule is not None
    assert "of entries" in w.plan.rule
    assert f"  rule: {w.plan.rule}\n" in str(w.plan)
    assert f"  rule: {w.plan.rule}\n" in expression.explain()
    w[[0, 2]] << Vector.from_dense([1, 2], engine=engine)
    assert w.plan.rule == "values scattered in place"
    w(binary.plus) << v
    assert w.plan.rule == "combined without a copy"
