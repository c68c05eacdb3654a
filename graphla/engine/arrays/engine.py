"""`ArrayEngine` runs plans: the first rule that applies computes the step, and another one writes the result."""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.engine.arrays import work
from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.arrays.write import write
from graphla.engine.rules import Rules, find_rule, find_step_rule
from graphla.planning.steps import Plan, Step


class ArrayEngine(ArrayOperations):
    """Runs plans with one array module by a table of rules."""

    defers_small_inputs: ClassVar[bool] = False
    schedules_products: ClassVar[bool] = True
    holds_words: ClassVar[bool] = False
    streams_words: ClassVar[bool] = False
    rules: ClassVar[Rules]
    """The ways to run each kind of step."""

    def run(self, plan: Any) -> Any:
        """Run a plan, or a loop, by the first rule that applies; a plan remembers which one that was."""
        rule = find_rule(self.rules, plan)
        plan.__dict__["rule"] = rule.name
        if rule.whole:
            return rule.run(self, plan)
        return write(self, plan, rule.run(self, plan.step))

    def compute(self, step: Step) -> Any:
        return find_step_rule(self.rules, step).run(self, step)

    def name_rule(self, plan: Plan) -> str:
        """Name the rule by which a plan runs."""
        return find_rule(self.rules, plan).name

    def work_bytes(self, step: Step) -> int:
        """Predict the bytes of work space that a step takes beyond its result."""
        return work.work_bytes(step)

    def release(self) -> None:
        """Free the work space and unused memory."""
