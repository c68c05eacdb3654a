"""`ArrayEngine` runs plans: the first rule that applies computes the step, and another one writes the result."""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.engine.arrays import work
from graphla.engine.arrays.operations import ArrayOperations
from graphla.engine.arrays.write import write
from graphla.engine.rules import Rule, Rules
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
        plan.rule = rule.name
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


def find_rule(rules: Rules, plan: Any) -> Rule:
    """Return the first rule that applies to a plan; a loop is a step of its own."""
    step = plan.step if plan.__class__ is Plan else plan
    for rule in rules[step.__class__]:
        when = rule.when
        if when is None or when(plan if rule.whole else step):
            return rule
    raise LookupError(f"no rule for {step!r}")


def find_step_rule(rules: Rules, step: Any) -> Rule:
    """Return the first rule that computes a step, wherever its result is written."""
    return next(rule for rule in rules[step.__class__] if not rule.whole and (rule.when is None or rule.when(step)))
