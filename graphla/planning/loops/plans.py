"""The plan of a recorded loop: one kernel, rounds over arrays of fixed size, or the reason why it is neither.

A matrix keeps the plans of the loops that multiply with it, each under its `LoopKey`; so a loop that runs again, over
other contents, is planned once.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphla.language.apply import Reduce
from graphla.planning.loops.kernel import KernelPlan, plan_kernel, read_slot
from graphla.planning.loops.key import LoopKey, get_counted
from graphla.planning.loops.parts import reduce_rows
from graphla.planning.loops.rounds import RoundsPlan, plan_flagged, plan_static
from graphla.planning.loops.slots import Unfused
from graphla.storage import FullVector
from graphla.storage.frozen import quick

SCHEDULES = (
    (plan_static, "where entries are is the same in each round"),
    (plan_kernel, "one product of a square matrix and a vector"),
    (plan_flagged, "no single kernel: {1}"),
)
"""Ways to run a loop, and why one is taken if those before are refused."""
MOST_PLANNED = 16
"""Plans of loops that a matrix keeps, and the process of loops without a product."""


@quick()
class ReadyLoop:
    """A loop that can run.

    Attributes
    ----------
    plan : KernelPlan, RoundsPlan or None
        The plan; None if the statements run one by one.
    vectors, scalars : sequence
        What each slot and each cell holds; None for what a round computes itself.
    why : str
        Why it is this plan; of none, why there is none.
    """

    plan: Any
    vectors: Sequence[Any]
    scalars: Sequence[Any]
    why: str


@quick()
class PlannedLoop:
    """The plan of a loop without the contents of its containers, which are numbered as a `LoopKey` names them.

    Attributes
    ----------
    engine : Engine
        Where it runs.
    plan : KernelPlan, RoundsPlan or None
        As in `ReadyLoop`, without contents.
    vectors, scalars, matrices : tuple of int or None
        The container of each slot, of each cell and of each product.
    why : str
        As in `ReadyLoop`.
    """

    engine: Any
    plan: Any
    vectors: tuple[Any, ...]
    scalars: tuple[Any, ...]
    matrices: tuple[int, ...]
    why: str

    def fill(self, leaves: list[Any], limit: int) -> ReadyLoop:
        """The loop over containers."""
        plan, vectors = self.plan, [None if k is None else leaves[k] for k in self.vectors]
        scalars = [None if k is None else leaves[k] for k in self.scalars]
        if plan is not None:
            matrices = [leaves[k]._storage for k in self.matrices]
            plan = plan.refill(read_contents(plan, vectors), scalars, matrices, limit)
        return ReadyLoop(plan, vectors, scalars, self.why)


def read_contents(plan: KernelPlan | RoundsPlan, vectors: list[Any]) -> tuple[Any, ...]:
    """The storages of containers."""
    if isinstance(plan, KernelPlan):
        return tuple(read_slot(vector) for vector in vectors)
    return tuple(None if vector is None else get_contents(vector) for vector in vectors)


def get_contents(leaf: Any) -> Any:
    """The storage of a container, of an array of positions, or of rows that are reduced once."""
    if isinstance(leaf, Reduce):
        return reduce_rows(leaf)
    return get_counted(leaf) if hasattr(leaf, "_held") else FullVector(leaf)


def plan_loop(task: Any, limit: int) -> ReadyLoop:
    """Choose the schedule of a loop: the first of three that can run its body, with the reason.

    Where no entry comes or goes, rounds need no flags. Else one kernel is best: it keeps the frontier as a queue.
    """
    refusals: list[str] = []
    for schedule, reason in SCHEDULES:
        try:
            return ReadyLoop(*schedule(task.statements, task.live, task.condition, limit), reason.format(*refusals))
        except Unfused as refusal:
            refusals.append(str(refusal))
    return ReadyLoop(None, (), (), "{1}; as rounds over arrays of fixed size, {2}".format(*refusals))


def make_planned(engine: Any, ready: ReadyLoop, leaves: list[Any]) -> PlannedLoop:
    """The plan of a loop without the contents of its containers."""
    plan = ready.plan
    if plan is None:
        return PlannedLoop(engine, None, (), (), (), ready.why)
    places = {id(leaf): place for place, leaf in enumerate(leaves)}
    storages = {
        id(leaf._storage): place for place, leaf in enumerate(leaves) if hasattr(leaf, "_held") and leaf.rank == 2
    }
    vectors, scalars = number(ready.vectors, places), number(ready.scalars, places)
    matrices = tuple(storages[id(matrix)] for matrix in plan.matrices)
    return PlannedLoop(engine, plan.empty(), vectors, scalars, matrices, ready.why)


def number(containers: Sequence[Any], places: dict[int, int]) -> tuple[int | None, ...]:
    """The place of each container, or of its array of positions."""
    return tuple(None if each is None else places[id(getattr(each, "array", each))] for each in containers)


without_product: dict[Any, PlannedLoop] = {}


def get_planned(key: LoopKey) -> PlannedLoop | None:
    """The plan of an earlier loop with this key."""
    return find_plans(key).get(key.parts)


def keep_planned(key: LoopKey, engine: Any, ready: ReadyLoop) -> None:
    """Keep a plan, in the place of the oldest one if there are many."""
    plans = find_plans(key)
    plans[key.parts] = make_planned(engine, ready, key.leaves)
    while len(plans) > MOST_PLANNED:
        plans.pop(next(iter(plans)), None)


def find_plans(key: LoopKey) -> dict[Any, PlannedLoop]:
    """Where plans with the first matrix of a key are kept."""
    return without_product if key.matrix is None else key.matrix.cached("planned_loops", make_plans)


def make_plans(_: Any) -> dict[Any, PlannedLoop]:
    """Room for the plans of a matrix."""
    return {}
