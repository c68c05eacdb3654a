"""`MpiEngine` runs plans on many ranks: each rank plans and runs the steps of its parts on an engine of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from graphla.common.errors import NotSupported
from graphla.common.typing import EngineName
from graphla.engine.mpi import assign, extract, matrices, products
from graphla.engine.mpi.collect import collect, collect_first
from graphla.engine.mpi.distribute import distribute
from graphla.engine.mpi.grid import Grid
from graphla.engine.mpi.kronecker import multiply_kronecker
from graphla.engine.mpi.local import choose_local
from graphla.engine.mpi.matrices import orient
from graphla.engine.mpi.positions import apply_with_positions, reads_positions, select_with_positions
from graphla.engine.mpi.ranks import Ranks
from graphla.engine.mpi.world import get_world
from graphla.engine.rules import Rule
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.steps import (
    ApplyStep,
    AssignStep,
    CopyStep,
    EwiseStep,
    ExtractStep,
    KroneckerStep,
    Mask,
    Plan,
    ProductStep,
    ReduceStep,
    ScalarStep,
    SelectStep,
    Step,
    Storage,
)
from graphla.storage import (
    Array,
    CompressedMatrix,
    Deferred,
    Distributed,
    DistributedMatrix,
    DistributedVector,
    FullMatrix,
    SentinelBlocks,
    SparseVector,
)
from graphla.storage.positions import settle
from semirings import Monoid, monoid
from semirings.dtypes import DType
from semirings.operators import ScalarOp


class MpiEngine:
    """Runs plans on the parts of all ranks; every rank runs the same plans in the same order.

    Attributes
    ----------
    local : Engine
        The engine of this rank.
    ranks : Ranks
        The ranks and their grid.
    why : str
        What decided on the local engine.
    """

    name: ClassVar[EngineName] = "mpi"
    defers_small_inputs: ClassVar[bool] = True
    schedules_products: ClassVar[bool] = True
    holds_words: ClassVar[bool] = False
    streams_words: ClassVar[bool] = False

    def __init__(self, grid: Grid, local: Any, why: str) -> None:
        self.local, self.why, self.xp = local, why, local.xp
        self.ranks = Ranks(grid, local)

    def __repr__(self) -> str:
        return f"MpiEngine({self.local!r} on {self.ranks.grid!r})"

    def explain(self) -> str:
        """Say which engine computes on each rank, and why."""
        return f"{self.ranks.grid.describe()}, each on the engine {self.local.name}: {self.why}"

    # --- the parts of the whole

    def adopt(self, storage: Any) -> Any:
        """Return what a container of this engine may hold: parts, or blocks that are read later."""
        return storage if isinstance(storage, SentinelBlocks) else self.take_part(storage)

    def take_part(self, storage: Any) -> Any:
        """Return a storage of which this rank holds its part; every rank gives the same whole, or a part already."""
        if isinstance(storage, SentinelBlocks):
            return storage.resolve()
        if isinstance(storage, Distributed):
            return storage
        return distribute(self.ranks, storage.resolve() if isinstance(storage, Deferred) else storage)

    def collect(self, storage: Any) -> Any:
        return collect(self.ranks, storage) if isinstance(storage, Distributed) else storage

    def collect_first(self, storage: Any, count: int) -> Any:
        return collect_first(self.ranks, storage, count) if isinstance(storage, Distributed) else storage

    def find_largest(self, number: int) -> int:
        return int(self.ranks.world.all_reduce(number, monoid.max))

    def transpose(self, matrix: Any) -> Any:
        return self.take_part(matrix).transposed

    def read_element(self, storage: Any, cell: tuple[int, int]) -> Any:
        return extract.read_element(self.ranks, self.take_part(storage), cell)

    # --- plans

    def run(self, plan: Plan | KernelPlan | RoundsPlan) -> Any:
        """Run a plan; what the ranks compute is combined, and each keeps its part."""
        if not isinstance(plan, Plan):
            raise NotSupported("a loop over vectors that are spread over ranks runs statement by statement")
        rule = self.find_rule(plan)
        plan.rule = rule.name  # type: ignore[misc]
        spread = self.spread(plan)
        return rule.run(self, spread.step, spread)

    def find_rule(self, plan: Plan) -> Rule:
        """Return the rule for a kind of step."""
        rule = RULES.get(type(plan.step))
        if rule is None:
            raise NotSupported(REFUSED.format(type(plan.step).__name__.removesuffix("Step").lower()))
        return rule

    def name_rule(self, plan: Plan) -> str:
        return self.find_rule(plan).name

    def spread(self, plan: Plan) -> Plan:
        """Replace operands, mask and target that every rank holds as a whole by their parts."""
        step, mask = plan.step, plan.mask
        held = {name: getattr(step, name) for name in OPERANDS if hasattr(step, name)}
        whole = {name: self.take_part(each) for name, each in held.items() if not isinstance(each, Distributed)}
        if whole:
            step = replace(step, **whole)
        if isinstance(step, ExtractStep | AssignStep | ScalarStep) and step.index is not None:
            step = replace(step, index=tuple(map(settle, step.index)))
        if mask is not None and not isinstance(mask.of, Distributed):
            mask = Mask(self.take_part(mask.of), mask.structural, mask.complement)
        target = plan.target if plan.target is None else self.take_part(plan.target)
        return replace(plan, step=step, mask=mask, target=target)

    def write(self, part: Any, plan: Plan, shape: tuple[int, ...]) -> Any:
        """Write this rank's part of a result into its part of the target."""
        return self.run_on_parts(CopyStep(part, False), plan, shape)

    def run_on_parts(self, step: Step, plan: Plan, shape: tuple[int, ...]) -> Any:
        """Run a step on the parts of this rank; the result has the shape of the whole."""
        mask = None if plan.mask is None else Mask(plan.mask.of.part, plan.mask.structural, plan.mask.complement)  # type: ignore
        target = None if plan.target is None else plan.target.part  # type: ignore[union-attr]
        return self.hold(self.ranks.run(replace(plan, step=step, mask=mask, target=target)), shape)

    def hold(self, part: Any, shape: tuple[int, ...]) -> Any:
        """Return this rank's part as the whole of a shape."""
        if len(shape) == 1:
            return DistributedVector(shape[0], part, self.ranks)
        return DistributedMatrix((shape[0], shape[1]), part, self.ranks)

    def multiply(self, step: ProductStep, plan: Plan) -> Any:
        if len(step.shape) == 0:
            return products.multiply_inner(self.ranks, step)
        if len(step.shape) == 2:
            part, written = matrices.multiply(self.ranks, step, plan.mask), False
        else:
            part, written = products.multiply_vector(self.ranks, step, plan)
        plain = plan.accum is None and (plan.mask is None or plan.target is None or plan.replace)
        if written or (plain and part.type == plan.dtype):
            return self.hold(part, step.shape)
        return self.write(part, plan, step.shape)

    def merge(self, step: EwiseStep, plan: Plan) -> Any:
        left, right = (
            orient(side, transposed)
            for side, transposed in ((step.left, step.left_transposed), (step.right, step.right_transposed))
        )
        parts: dict[str, Any] = {"left": left.part, "right": right.part, "at": find_places(plan.mask)}
        return self.run_on_parts(
            replace(step, left_transposed=False, right_transposed=False, **parts), plan, find_shape(left)
        )

    def apply(self, step: ApplyStep, plan: Plan) -> Any:
        of = orient(step.of, step.transposed)
        if reads_positions(step.op):
            return self.write(apply_with_positions(self.ranks, of, step), plan, find_shape(of))
        return self.run_on_parts(replace(step, of=of.part, transposed=False), plan, find_shape(of))

    def select(self, step: SelectStep, plan: Plan) -> Any:
        of = orient(step.of, step.transposed)
        if reads_positions(step.op):
            return self.write(select_with_positions(self.ranks, of, step), plan, find_shape(of))
        return self.run_on_parts(replace(step, of=of.part, transposed=False), plan, find_shape(of))

    def copy(self, step: CopyStep, plan: Plan) -> Any:
        of = orient(step.of, step.transposed)
        return self.run_on_parts(CopyStep(of.part, False), plan, find_shape(of))

    def reduce(self, step: ReduceStep, plan: Plan) -> Any:
        part = step.of.part  # type: ignore[union-attr]
        if step.axis is None:
            number = self.ranks.run(replace(plan, step=replace(step, of=part)))
            return self.ranks.combine_number(number, step.monoid, step.out)
        by_rows = (step.axis == 1) != step.transposed
        size = step.of.shape[0 if by_rows else 1]  # type: ignore[union-attr]
        own = replace(step, of=part, transposed=False, axis=1 if by_rows else 0)
        partial = self.ranks.compute(own, step.out)
        return self.write(self.ranks.combine(partial, size, by_rows, step.monoid, step.out), plan, (size,))

    def extract(self, step: ExtractStep, plan: Plan) -> Any:
        return extract.extract(self, step, plan)

    def assign(self, step: AssignStep, plan: Plan) -> Any:
        target: Any = plan.target
        return self.run_on_parts(assign.move_to_target(self.ranks, step, target), plan, find_shape(target))

    def fill(self, step: ScalarStep, plan: Plan) -> Any:
        target: Any = plan.target
        own = ScalarStep(step.value, assign.find_local_index(self.ranks, step.index, find_shape(target)))
        return self.run_on_parts(own, plan, find_shape(target))

    def kronecker(self, step: KroneckerStep, plan: Plan) -> Any:
        left, right = orient(step.left, step.left_transposed), orient(step.right, step.right_transposed)
        shape = left.shape[0] * right.shape[0], left.shape[1] * right.shape[1]
        return self.write(multiply_kronecker(self.ranks, left, right, step), plan, shape)

    def work_bytes(self, step: Step) -> int:
        """Predict the bytes that a step takes on this rank beyond its result: what it receives of the operands."""
        parts = [getattr(step, name).part for name in OPERANDS if isinstance(getattr(step, name, None), Distributed)]
        return sum(count_bytes(part) for part in parts) if isinstance(step, ProductStep) else 0

    def release(self) -> None:
        self.local.release()

    # --- arrays, which are those of the local engine

    def asarray(self, values: Any) -> Any:
        return self.local.asarray(values)

    def to_host(self, array: Any) -> Any:
        return self.local.to_host(array)

    def read_places(self, place: int, *arrays: Any) -> list[Any]:
        """Return the element at one place of each array, of this rank."""
        return self.local.read_places(place, *arrays)

    def cast(self, values: Array, dtype: DType) -> Array:
        """Convert values to another dtype."""
        return self.local.cast(values, dtype)

    def apply_operator(self, op: ScalarOp, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        return self.local.apply_operator(op, operands, dtypes, out)

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        return self.local.reduce_segments(monoid, values, indptr, out)


OPERANDS = ("left", "right", "of")
REFUSED = "{} of what is spread over ranks is not written: .to('cpu') collects it on each rank, if it fits there"
RULES: dict[type[Any], Rule] = {
    ProductStep: Rule("products of parts, combined", MpiEngine.multiply),
    EwiseStep: Rule("parts that stand together", MpiEngine.merge),
    ApplyStep: Rule("parts", MpiEngine.apply),
    SelectStep: Rule("parts", MpiEngine.select),
    ReduceStep: Rule("sums of parts, combined", MpiEngine.reduce),
    ExtractStep: Rule("entries sent to where they belong", MpiEngine.extract),
    KroneckerStep: Rule("one operand with parts of the other", MpiEngine.kronecker),
    CopyStep: Rule("parts", MpiEngine.copy),
    ScalarStep: Rule("value in each part", MpiEngine.fill),
    AssignStep: Rule("entries sent to where they belong", MpiEngine.assign),
}
"""How each step runs on parts: ``run(engine, step, plan)``; which rule computes a part its own plan knows."""


def find_shape(storage: Any) -> tuple[int, ...]:
    return storage.shape if isinstance(storage, DistributedMatrix) else (storage.size,)


def find_places(mask: Mask | None) -> SparseVector | None:
    """Return the part of a mask that lists the entries it allows."""
    part = None if mask is None or not mask.structural or mask.complement else mask.of.part  # type: ignore[union-attr]
    return part if isinstance(part, SparseVector) else None


def count_bytes(part: Storage) -> int:
    """Bytes of a part of a vector; those of matrices are not sent whole."""
    return 0 if isinstance(part, CompressedMatrix | FullMatrix) else part.nvals * (4 + part.values.dtype.itemsize)


def create_mpi_engine() -> MpiEngine:
    """Create the engine of all ranks of this program; one rank where it was started without a launcher.

    Raises
    ------
    NotSupported
        If several ranks were started and mpi4py is missing.
    """
    world = get_world()
    local, why = choose_local(world)
    return MpiEngine(Grid(world), local, why)
