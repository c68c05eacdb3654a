"""`ArrayEngine`: every plan answered, and its result written into the target."""

from __future__ import annotations

from typing import Any, ClassVar

from graphla.engine.arrays import merge, work
from graphla.engine.arrays.device import is_matrix
from graphla.engine.arrays.entrywise import EntryByEntry, restored
from graphla.engine.arrays.rearrange import Rearrange
from graphla.planning.steps import (
    ApplyStep,
    AssignStep,
    CopyStep,
    EwiseStep,
    ExtractStep,
    Inner,
    KroneckerStep,
    MatMat,
    MatVec,
    Plan,
    ReduceStep,
    ScalarStep,
    SelectStep,
    Step,
    Storage,
)
from graphla.storage import (
    Array,
    BitmapVector,
    Deferred,
    FullVector,
    SparseVector,
    VectorStorage,
)
from graphla.storage.formats import (
    as_cells,
    from_cells,
    suited,
)
from semirings.dtypes import DType

VECTORS = FullVector, BitmapVector, SparseVector


class ArrayEngine(EntryByEntry, Rearrange):
    """Answers plans over one array module; the device adds `matvec`, `matmat`, `apply_operator`, `reduce_segments`."""

    few_wait: ClassVar[bool] = False

    def run(self, plan: Plan) -> Any:
        """Compute the step and write it into the target."""
        step = plan.step
        if isinstance(step, Inner):
            return self.inner(step)
        if isinstance(step, ReduceStep) and step.axis is None:
            return self.reduce_all(step)
        if isinstance(step, CopyStep) and copies_its_mask(step, plan):
            cells = merge.put(self.xp, plan.target, step.of, None, lambda held: self.cast(held, plan.dtype))  # type: ignore
            return self.finished(cells, (cells.size,))
        result, region = self.compute(plan)
        if is_all_of_target(plan):
            return self.whole(result, plan.dtype)
        result = result.resolve() if isinstance(result, Deferred) else result
        if plan.target is None:
            return self.finished(self.written(None, result, plan, region), shape_of(result, plan))
        return self.finished(self.written(plan.target, result, plan, region), shape_of(plan.target, plan))

    def whole(self, result: Storage | Deferred, dtype: DType) -> Storage | Deferred:
        """A result that is all of the target, in the dtype of the target."""
        if result.dtype != dtype.numpy:
            result = result.resolve() if isinstance(result, Deferred) else result
            result = restored(result, self.cast(result.values, dtype))
        return suited(self.xp, result) if isinstance(result, VECTORS) else result

    def work_bytes(self, step: Step) -> int:
        """Predicted bytes that a step takes beside its result."""
        return work.work_bytes(step)

    def release(self) -> None:
        """Let go of work space and of memory that nobody uses."""

    def compute(self, plan: Plan) -> tuple[Storage | Deferred, Any]:
        """The result T of the step, and the part of the target that it covers (None: all)."""
        step = plan.step
        if isinstance(step, ScalarStep):
            return self.assign_scalar(step, plan)
        if isinstance(step, AssignStep):
            return self.assign(step, plan)
        return getattr(self, ANSWERS[type(step)])(step), None

    def written(self, target: Storage | None, result: Storage, plan: Plan, region: Any) -> VectorStorage:
        """C<M, replace> ⊙= T over cells."""
        xp, t = self.xp, as_cells(self.xp, result)

        def cast(values: Array) -> Array:
            return self.cast(values, plan.dtype)

        if target is None:
            t = merge.with_values(t, cast(t.values))
            return t if plan.mask is None or honours_mask(plan) else merge.only(xp, t, plan.mask)
        accumulate = self.combine(plan.accum, plan.dtype, plan.dtype, plan.dtype) if plan.accum else None
        if fits_in_place(target, t, plan):
            return merge.put(xp, target, self.allowed_part(t, plan), accumulate, cast)  # type: ignore[arg-type]
        if plan.replace and honours_mask(plan) and accumulate is None and region is None:
            return merge.with_values(t, cast(t.values))
        return merge.write(xp, as_cells(xp, target), t, plan.mask, accumulate, cast, plan.replace, region)

    def allowed_part(self, result: SparseVector, plan: Plan) -> SparseVector:
        """The entries of `result` that the mask lets through."""
        if plan.mask is None or honours_mask(plan):
            return result
        return merge.only(self.xp, result, plan.mask)  # type: ignore[return-value]

    def finished(self, cells: VectorStorage, shape: tuple[int, ...]) -> Storage:
        """In the format that the plan wants, with the shape of the target."""
        return suited(self.xp, cells) if len(shape) == 1 else from_cells(self.xp, cells, shape)


def shape_of(storage: Any, plan: Plan) -> tuple[int, ...]:
    return storage.shape if is_matrix(storage) else (storage.size,)


def is_all_of_target(plan: Plan) -> bool:
    """Whether nothing of the target survives and no mask is left to apply: the result is the answer."""
    if plan.accum is not None or isinstance(plan.step, (ScalarStep, AssignStep)):  # a tuple: a union would be made anew
        return False
    return plan.mask is None or ((plan.target is None or plan.replace) and honours_mask(plan))


def fits_in_place(target: Storage, result: VectorStorage, plan: Plan) -> bool:
    """Few entries over a bitmap or a full vector, of which no old entry must go."""
    if not (isinstance(target, BitmapVector | FullVector) and isinstance(result, SparseVector)):
        return False
    if plan.mask is not None and plan.replace:
        return False
    return plan.accum is not None or isinstance(plan.step, ScalarStep)


def copies_its_mask(step: CopyStep, plan: Plan) -> bool:
    """``d(q.S) << q`` over a bitmap or a full vector: every place that may be written is, and none loses its entry."""
    if plan.accum is not None or plan.replace or plan.mask is None:
        return False
    structure = plan.mask.structural and not plan.mask.complement and plan.mask.of is step.of
    return structure and isinstance(plan.target, BitmapVector | FullVector) and plan.target is not step.of


def honours_mask(plan: Plan) -> bool:
    """Whether the step has filtered its result by the mask already."""
    if isinstance(plan.step, MatVec | MatMat):
        return plan.step.mask is not None
    if isinstance(plan.step, EwiseStep):
        return plan.step.at is not None
    return isinstance(plan.step, ScalarStep) and plan.step.index is None


ANSWERS = {
    MatVec: "matvec",
    MatMat: "matmat",
    EwiseStep: "ewise",
    ApplyStep: "apply",
    SelectStep: "select",
    ReduceStep: "reduce",
    ExtractStep: "extract",
    KroneckerStep: "kronecker",
    CopyStep: "copy",
}
"""The method that answers each step."""
