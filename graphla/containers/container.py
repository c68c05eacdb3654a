"""What matrices and vectors share: the update ``out(mask, accum, replace) << expression``, masks and copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.containers.execute import nbytes_of, run
from graphla.containers.row_assign import is_line, write_line
from graphla.engine import engine_named
from graphla.errors import DimensionMismatch, DomainMismatch, GraphlaError, NotSupported
from graphla.language.expr import Expr, Leaf, operand
from graphla.language.operands import common_engine
from graphla.language.recording import Recorded, recorders, refuse_in_loop
from graphla.planning.plan import make_plan, read_operand
from graphla.planning.steps import AssignStep, Mask, Plan, ScalarStep
from graphla.storage import Later
from semirings import BinaryOp, Monoid
from semirings.dtypes import DType, lookup


class Replace:
    """The word `replace` in ``out(mask, replace) << expression``: entries outside the mask go."""

    def __repr__(self) -> str:
        return "replace"


replace = Replace()


class MaskView:
    """``v.S`` (structure) or ``v.V`` (true values) as a mask; ``~`` complements it."""

    def __init__(self, of: Container, structural: bool, complement: bool = False) -> None:
        self.of, self.structural, self.complement = of, structural, complement

    def __invert__(self) -> MaskView:
        return MaskView(self.of, self.structural, not self.complement)

    def __repr__(self) -> str:
        return f"{'~' if self.complement else ''}{self.of.name or 'mask'}.{'S' if self.structural else 'V'}"

    def record(self) -> Mask:
        """The mask as a plan wants it."""
        return Mask(self.of._storage, self.structural, self.complement)


class Container(Leaf):
    """A matrix or a vector on an engine; the only things that change."""

    def __init__(self, storage: Any, engine: Any, name: str | None = None) -> None:
        self._held = storage
        self.engine = engine
        self.name = name
        self.plan: Plan | None = None

    @classmethod
    def _from_storage(cls, storage: Any, engine: Any, name: str | None = None) -> Any:
        """A container of a storage, whose arrays it owns from now on."""
        made = cls.__new__(cls)
        Container.__init__(made, storage, engine, name)
        return made

    def __init_subclass__(cls, rank: int | None = None) -> None:
        if rank is not None:
            Expr._containers[rank] = cls
            cls.rank = rank

    @property
    def _storage(self) -> Any:
        """The frozen record of arrays that holds the entries now."""
        refuse_in_loop()
        return self._held

    @property
    def dtype(self) -> DType:
        return self._held.type

    @property
    def nvals(self) -> int:
        """How many entries there are."""
        refuse_in_loop("look at nvals")
        return self._storage.nvals

    @property
    def S(self) -> MaskView:
        """Mask: where there is an entry."""
        return MaskView(self, True)

    @property
    def V(self) -> MaskView:
        """Mask: where there is an entry whose value is true."""
        return MaskView(self, False)

    def __call__(
        self, *how: Any, mask: Any = None, accum: Any = None, replace: bool = False, direction: Any = None
    ) -> Updater:
        """Say how the next ``<<`` writes: a mask, an accumulator, `replace`, a direction, in any order."""
        settings = {"mask": mask, "accum": accum, "replace": replace}
        for part in how:
            key = (
                "replace"
                if isinstance(part, Replace)
                else "mask"
                if isinstance(part, MaskView | Container)
                else "accum"
            )
            if settings[key] is not None and settings[key] is not False:
                raise GraphlaError(f"{key} was given twice: {settings[key]!r} and {part!r}")
            settings[key] = True if key == "replace" else part
        return Updater(self, direction=direction, **settings)

    def __lshift__(self, value: Any) -> None:
        Updater(self) << value

    def update(self, value: Any) -> None:
        """The same as ``self << value``."""
        Updater(self) << value

    def __setitem__(self, index: Any, value: Any) -> None:
        Updater(self)[index] << value

    @classmethod
    def _compute(cls, expression: Expr, dtype: Any, mask: Any, name: str | None) -> Any:
        """A new container with the value of `expression`."""
        refuse_in_loop("make a new container")
        plan = planned(expression, dtype, mask)
        engine = engine_of(expression)
        result = cls._from_storage(run(engine, plan), engine, name)
        result.plan = plan
        return result

    @classmethod
    def _explain(cls, expression: Expr) -> str:
        plan = planned(expression, None, None)
        return plan.describe(nbytes_of(engine_of(expression), plan))

    @classmethod
    def _estimate(cls, expression: Expr) -> int:
        return nbytes_of(engine_of(expression), planned(expression, None, None))


def planned(expression: Expr, dtype: Any, mask: Any) -> Plan:
    """The plan of ``expression.new(dtype, mask=mask)``."""
    out = expression.dtype if dtype is None else lookup(dtype)
    if mask is None:
        return make_plan(expression, None, out)
    if expression.rank == 0:
        raise NotSupported("a scalar takes no mask")
    return make_plan(expression, None, out, checked_mask(mask, expression.shape))


def engine_of(expression: Expr, *others: Expr) -> Any:
    """The one engine on which all the operands live; where they are numbers, the one for new containers."""
    found = expression.engine
    for other in others:
        found = common_engine(found, other.engine)
    return engine_named() if found is None else found


def checked_mask(mask: Any, shape: tuple[int, ...]) -> Mask:
    """The mask as a record, if it fits."""
    require_mask(mask, shape)
    return mask.record()


def require_mask(mask: Any, shape: tuple[int, ...]) -> None:
    """Refuse what is no mask, or one that does not fit."""
    if mask is None:
        return
    if not isinstance(mask, MaskView):
        raise GraphlaError(f"mask={str(mask).splitlines()[0]}: a mask is v.S (structure) or v.V (values), or ~ of one")
    if mask.of.shape != shape:
        raise DimensionMismatch(f"the mask has shape {mask.of.shape}, the result {shape}")


def checked_accum(accum: Any) -> BinaryOp | None:
    """The accumulator as a binary operator."""
    op = accum.op if isinstance(accum, Monoid) else accum
    if op is None or isinstance(op, BinaryOp):
        return op
    raise GraphlaError(f"accum={accum!r}: an accumulator is a binary operator, such as binary.plus")


class Updater:
    """A container and how it is to be written."""

    def __init__(
        self,
        out: Container,
        mask: Any = None,
        accum: Any = None,
        replace: bool = False,
        direction: Any = None,
        index: Any = None,
    ) -> None:
        if direction not in (None, "push", "pull"):
            raise GraphlaError(f"direction={direction!r}: there are 'push' and 'pull', and None to let the plan decide")
        self.out, self.mask, self.accum, self.replace = out, mask, accum, bool(replace)
        self.direction, self.index = direction, index

    def __getitem__(self, index: Any) -> Updater:
        return Updater(self.out, self.mask, self.accum, self.replace, self.direction, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self[index] << value

    def __call__(self, *how: Any, **settings: Any) -> Updater:
        told = self.out(*how, **settings)
        return Updater(self.out, told.mask, told.accum, told.replace, told.direction, self.index)

    def __lshift__(self, value: Any) -> None:
        """Compute `value` and write it; in the body of a loop, record that."""
        if recorders:
            recorders[-1].append(Recorded(self, value))
            return
        if self.index is not None and is_line(self):
            write_line(self, value)
            return
        mask = None if self.mask is None else checked_mask(self.mask, self.out.shape)
        accum = checked_accum(self.accum)
        plan = self.plan_scalar(value, mask, accum) if is_scalar(value) else self.plan_expr(value, mask, accum)
        self.out._held = run(self.out.engine, plan)
        self.out.plan = plan

    update = __lshift__

    def plan_scalar(self, value: Any, mask: Mask | None, accum: BinaryOp | None) -> Plan:
        """Every place that the mask and the index allow gets `value`."""
        held = getattr(value, "value", value)
        if held is None:
            raise GraphlaError("an empty Scalar cannot be assigned: it has no value")
        index = no_repeats(self.out._resolve_index(self.index)) if self.index is not None else None
        dtype = self.out.dtype
        if not self.out.engine.xp.can_cast(scalar_kind(held), dtype.numpy, casting="same_kind") and dtype.kind != "b":
            raise DomainMismatch(f"{held!r} cannot be stored as {dtype}: make the container of a wider dtype")
        step = ScalarStep(within(held, dtype), as_parts(index))
        return Plan(step, self.out._storage, dtype, mask, accum, self.replace)

    def plan_expr(self, value: Any, mask: Mask | None, accum: BinaryOp | None) -> Plan:
        """The whole of the container, or the part at the index, gets the entries of an expression."""
        if not isinstance(value, Expr):
            raise DomainMismatch(f"{value!r} cannot be assigned: give a scalar or an expression of graphla")
        engine_of(self.out, value)
        if self.index is not None:
            return self.plan_part(operand(value, "the value"), mask, accum)
        if value.shape != self.out.shape:
            raise DimensionMismatch(f"the target has shape {self.out.shape}, the expression {value.shape}")
        overwritten = accum is None and (mask is None or self.replace) and isinstance(self.out._held, Later)
        target = self.out._held if overwritten else self.out._storage  # what nobody reads is not waited for
        return make_plan(value, target, self.out.dtype, mask, accum, self.replace, self.direction)

    def plan_part(self, value: Any, mask: Mask | None, accum: BinaryOp | None) -> Plan:
        index = no_repeats(self.out._resolve_index(self.index))
        shape = tuple(len(part) for part in index if not isinstance(part, int))
        if value.shape != shape:
            raise DimensionMismatch(f"the part has shape {shape}, the value {value.shape}")
        step = AssignStep(*read_operand(value), as_parts(index))
        return Plan(step, self.out._storage, self.out.dtype, mask, accum, self.replace)


def no_repeats(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """An index, unless it would assign twice to one place."""
    for part in index:
        if not isinstance(part, int | range):
            places, counts = np.unique(part, return_counts=True)
            if (counts > 1).any():
                raise GraphlaError(f"index {places[counts > 1][0]} occurs twice: a place can be assigned once")
    return index


def as_parts(index: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """An index whose single positions are ranges of one."""
    return None if index is None else tuple(range(p, p + 1) if isinstance(p, int) else p for p in index)


def is_scalar(value: Any) -> bool:
    """A Python or NumPy number, or a Scalar."""
    if isinstance(value, Expr):
        return isinstance(value, Leaf) and value.rank == 0
    return isinstance(value, bool | int | float) or getattr(value, "shape", None) == ()


def scalar_kind(value: Any) -> Any:
    """The narrowest dtype that says what kind of number this is."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "uint8" if value >= 0 else "int8"
    return "float32" if isinstance(value, float) else value.dtype


def within(value: Any, dtype: DType) -> Any:
    """`value`, if a type of integers can hold it."""
    if dtype.kind in "iu" and not dtype.min <= int(value) <= dtype.max:
        raise DomainMismatch(f"{value!r} does not fit {dtype}, which ends at {dtype.min} and {dtype.max}")
    return value
