"""``out(mask, accum, replace) << value``: write an expression or a number into a container."""

from __future__ import annotations

from typing import Any, Generic, Never

import numpy as np

from graphla.common.arguments import show, to_array, to_bool
from graphla.common.errors import DimensionMismatch, DomainMismatch, GraphlaError, InvalidOption
from graphla.common.typing import Direction
from graphla.containers.execute import find_engine, run
from graphla.containers.pending import change_element, is_element, is_watched, make_combiner, read_element
from graphla.containers.row_assign import assign_line, is_line
from graphla.language.expr import Expr, ScalarLike
from graphla.language.extract import Extract
from graphla.language.infix import Infix
from graphla.language.kinds import R
from graphla.language.lookup import find_operator, require_untyped
from graphla.language.masks import MaskView, require_mask, to_mask
from graphla.language.operand import Operand
from graphla.language.places import Index
from graphla.language.recording import Recorded, Round, recorders
from graphla.language.scalars import read_scalar
from graphla.planning.plan import read_operand, require_complex
from graphla.planning.steps import AssignStep, CopyStep, Mask, Plan, is_scatter
from graphla.planning.writes import plan_expression, plan_number
from graphla.storage import Distributed
from graphla.storage.cast import cast_number
from graphla.storage.convert import get_array_module, is_any
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.positions import Positions, refuse_repeated, settle
from semirings import BinaryOp, Monoid, binary, monoid
from semirings.dtypes import DType

NUMBERS = bool, int, float, complex
FLAGGED_SHARE = 64
"""An index of less than this part of a dimension is sorted to find repeats; flags cost a byte per place."""


class Writer(Generic[R]):
    """A container and how the next ``<<`` writes into it: mask, accumulator, `replace`, direction, index."""

    def __init__(
        self,
        out: Operand[R],
        mask: MaskView | None = None,
        accum: BinaryOp | Monoid | None = None,
        replace: bool = False,
        direction: Direction | None = None,
        index: Index | None = None,
        input_mask: MaskView | None = None,
    ) -> None:
        if direction is not None and (not isinstance(direction, str) or direction not in ("push", "pull")):
            raise GraphlaError(
                f"direction={show(direction)}: there are 'push' and 'pull', and None to let the plan decide"
            )
        self.out, self.mask = out, mask if mask is None or mask.__class__ is MaskView else to_mask(mask)
        self.replace = replace is True or (replace is not False and to_bool(replace, "replace"))
        self.accum = None if accum is None else to_accumulator(accum, out.dtype)
        self.input_mask = None if input_mask is None else to_mask(input_mask)
        self.direction: Direction | None = direction
        self.index = index

    def __bool__(self) -> Never:
        raise DomainMismatch("__bool__ is not defined for what is about to be written: write C(mask, accum) << …")

    def __eq__(self, other: object) -> Never:
        raise DomainMismatch("__eq__ is not defined for what is about to be written: write C(mask, accum) << …")

    __hash__ = object.__hash__

    def __lshift__(self, value: Expr[R] | ScalarLike | Round) -> None:
        """Compute `value` and write it; in the body of a loop, record that."""
        value = value.resolved if isinstance(value, Infix) else value
        if recorders.anywhere and (recording := recorders.get_innermost()) is not None:
            recording.statements.append(Recorded(self, value))
            return
        if self.index is not None or self.input_mask is not None:
            value = self.convert(value)
            if self.index is not None and is_line(self):
                assign_line(self, value)
                return
            if is_scalar(value) and self.waits():
                self.change_element(read_scalar(value))
                return
        plan = self.plan(value)
        self.out._held = run(self.out.engine, plan)
        self.out.plan = plan

    update = __lshift__

    def plan(self, value: Any) -> Plan:
        """Plan to write a number or an expression."""
        if self.mask is not None and self.mask.of.shape != self.out.shape:
            require_mask(self.mask, self.out.shape)
        if isinstance(value, Expr):
            return self.plan_expr(value) if value.rank else self.plan_scalar(value)
        return self.plan_scalar(value) if is_scalar(value) else self.plan_expr(value)

    def change_element(self, number: Any) -> None:
        """Set, delete or accumulate the element at the index; the change waits until the matrix is read."""
        cell, kind = self.out._resolve_index(self.index), self.out.dtype
        held = None if number is None else cast_number(number, kind).item()
        if self.accum is not None:
            old = read_element(self.out, cell)
            if held is None:
                return
            held = held if old is None else make_combiner(self.accum, kind)(np.asarray(old).item(), held)
        change_element(self.out, cell, held)

    def waits(self) -> bool:
        """Whether what is written is one element of a matrix, which is merged with others when the matrix is read."""
        plain = self.mask is None and self.index is not None and self.out.rank == 2
        return plain and not is_watched() and is_element(self.out, self.out._resolve_index(self.index))

    def convert(self, value: Any) -> Any:
        """Apply the input mask, and make a container of what a sequence assigns to a part: ``v[[0, 1]] = [2, 3]``."""
        if self.input_mask is not None:
            if not isinstance(value, Extract):
                raise DomainMismatch("`input_mask` argument may only be used for extract: C(input_mask=m) << w[I]")
            return value.filter(self.input_mask)
        if self.index is not None and isinstance(value, (list, tuple, np.ndarray)):
            held = to_array(np.asarray, value, "value")
            return self.spread(held) if held.ndim else value
        return value

    def spread(self, values: Any) -> Any:
        """The container of the values that are assigned to a part."""
        shape = tuple(len(part) for part in self.out._resolve_index(self.index) if not isinstance(part, int))
        if not shape:
            raise DomainMismatch(f"Bad type for argument `value`: {show(values)} for a single element")
        if values.shape != shape:
            raise DimensionMismatch(f"shape mismatch: the part has shape {shape}, the value {values.shape}")
        return Expr._containers[values.ndim].from_dense(values, dtype=self.out.dtype, engine=self.out.engine)

    def plan_scalar(self, value: Any) -> Plan:
        """Plan to write a number wherever the mask and the index allow."""
        held = read_scalar(value)
        if held is None:
            return self.plan_removal(self.get_mask(), self.accum)
        index = (
            None
            if self.index is None
            else to_ranges(refuse_repeats(self.out._resolve_index(self.index), self.out.shape))
        )
        return plan_number(held, self.out, index, self.mask, self.accum, self.replace)

    def remove_entries(self) -> None:
        """Remove the entries at the index."""
        if self.waits():
            change_element(self.out, self.out._resolve_index(self.index), None)
            return
        plan = self.plan_removal(None, None)
        self.out._held = run(self.out.engine, plan)
        self.out.plan = plan

    def plan_removal(self, mask: Mask | None, accum: BinaryOp | None) -> Plan:
        """Plan to write nothing: where the mask and the index allow, the entries go, unless they are accumulated."""
        index = self.out._resolve_index(self.index if self.index is not None else (slice(None),) * self.out.rank)
        ranges = to_ranges(index)
        shape = tuple(len(part) for part in ranges or ())
        nothing = type(self.out)(self.out.dtype, *shape, engine=self.out.engine)  # type: ignore[call-arg]
        return Plan(
            AssignStep(nothing._storage, False, ranges or ()),
            self.out._storage,
            self.out.dtype,
            mask,
            accum,
            self.replace,
        )

    def plan_expr(self, value: Any) -> Plan:
        """Plan to write an expression into the container, or into the part at the index."""
        if not isinstance(value, Expr):
            raise DomainMismatch(
                f"Bad type for argument `value`: {show(value)}. Assignment value must be a valid expression "
                "of graphla, or a number"
            )
        out = self.out
        engine, shape = out.engine if value.engine is out.engine else find_engine(out, value), out.shape
        if self.index is not None:
            return self.plan_part(value if value._computed else value.new())
        if value.shape != shape:
            if value.rank != len(shape):
                raise DomainMismatch(f"Bad type for argument `value`: shape {value.shape} for a target of {shape}")
            raise DimensionMismatch(f"the target has shape {shape}, the expression {value.shape}")
        return plan_expression(value, out, out.dtype, engine, self.mask, self.accum, self.replace, self.direction)

    def get_mask(self) -> Mask | None:
        """The mask as plans hold it."""
        return None if self.mask is None else self.mask.to_record()

    def plan_part(self, value: Any) -> Plan:
        """Plan to write an operand into the part at the index."""
        mask, accum = self.get_mask(), self.accum
        index = self.out._resolve_index(self.index)
        shape = tuple(len(part) for part in index if not isinstance(part, int))
        if value.rank != len(shape):
            raise DomainMismatch(f"Bad type for argument `value`: shape {value.shape} for a part of shape {shape}")
        if value.shape != shape:
            raise DimensionMismatch(f"shape mismatch: the part has shape {shape}, the value {value.shape}")
        require_complex(value.dtype, self.out.dtype)
        if accum is not None and accum.monoid is not None and len(index) == len(shape) == 1:
            joined = self.join_repeats(value, index[0], accum)
            if joined is not None:
                return Plan(CopyStep(joined, False), self.out._storage, self.out.dtype, mask, accum, self.replace)
        step = AssignStep(*read_operand(value), to_ranges(index))
        plan = Plan(step, self.out._storage, self.out.dtype, mask, accum, self.replace)
        if is_scatter(plan) and isinstance(index[0], Positions):
            index[0].note_repeats()  # the device looks for them before it writes, and meanwhile the host goes on
        else:
            refuse_repeats(index, self.out.shape)
        return plan

    def join_repeats(self, value: Any, places: Any, accum: BinaryOp) -> Any:
        """The entries of `value` at their places in the target, those of one place joined; None if none is repeated."""
        if isinstance(places, range) or not has_repeats(places, self.out.shape[0]):
            return None
        engine: Any = self.out.engine
        if isinstance(value._storage, Distributed):
            return value._storage.ranks.join_at(value._storage, places, accum, self.out.dtype, self.out.shape[0])
        indices, values = value.to_coo()
        make: Any = type(self.out).from_coo  # type: ignore[attr-defined]
        entries = engine.asarray(settle(places))[engine.asarray(indices)], engine.cast(values, self.out.dtype)
        return make(*entries, self.out.dtype, size=self.out.shape[0], dup_op=accum, engine=engine)._storage


class Updater(Writer[R]):
    """``C(mask, accum, replace)``: the whole container, or with an index a part of it."""

    def __getitem__(self, index: Index) -> Assigner[Any]:
        if self.input_mask is not None:
            raise DomainMismatch("`input_mask` argument may only be used for extract: C(input_mask=m) << w[I]")
        part = Assigner.__new__(Assigner)
        part.__dict__ |= self.__dict__ | {"index": index}  # what the settings are was checked when this was made
        return part

    def __setitem__(self, index: Index, value: Expr[Any] | ScalarLike | Round) -> None:
        self[index] << value


class Assigner(Writer[R]):
    """``C(mask, accum, replace)[I, J]``: a part of a container, where the mask has the shape of the container."""


def to_accumulator(accum: Any, dtype: DType | None = None) -> BinaryOp | None:
    """Convert an accumulator to a binary operator; None stays None."""
    if accum is None or (accum.__class__ is BinaryOp and not accum.positional):
        return accum
    if not isinstance(accum, str) and getattr(accum, "sort", "binary") not in ("binary", "monoid"):
        raise DomainMismatch(
            f"Invalid accum={show(accum)}: an accumulator is a binary operator. Expected type: BinaryOp"
        )
    if not (isinstance(accum, str) or hasattr(accum, "sort") or callable(accum)):
        raise DomainMismatch(f"Invalid accum={show(accum)}: an accumulator is a binary operator, a mask is v.S or v.V")
    op = find_operator(accum, binary, monoid)
    op = op if dtype is None else require_untyped(op, dtype, "accum")
    if getattr(op, "positional", None):
        raise DomainMismatch(f"Invalid accum={op!r}: it is positional and works inside a product only")
    return op.op if isinstance(op, Monoid) else op


def refuse_descriptors(settings: dict[str, Any]) -> None:
    """Refuse unknown settings of a write, such as the descriptors of SuiteSparse."""
    if settings:
        raise InvalidOption(
            f"{', '.join(settings)}: no such setting, or descriptor, of a write: there are mask, accum, replace, "
            "input_mask and direction"
        )


def require_how(how: str, result: Any) -> Any:
    """`result`; refuse a `how` of `wait` that GraphBLAS does not have."""
    if not isinstance(how, str) or how not in ("materialize", "complete"):
        raise InvalidOption(f'`how` argument must be "materialize" or "complete", not {show(how)}')
    return result


def refuse_repeats(index: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Refuse an index that names one place twice."""
    for part, size in zip(index, shape, strict=True):
        if not isinstance(part, (int, range)) and has_repeats(part, size):
            refuse_repeated(part.ranks.collect_positions(part) if isinstance(part, Distributed) else settle(part))
    return index


def has_repeats(places: Any, size: int) -> bool:
    """Whether an array names a place twice: by flags, or by sorting if they are few among many."""
    if isinstance(places, Distributed):
        return places.ranks.has_repeats(places, size)
    if isinstance(places, Positions) and places.is_rising():
        return False
    places = settle(places)
    xp, kernels = get_array_module(places), find_list_kernels(places)
    if kernels is not None and places.dtype == "int64":
        return kernels.count_repeats(places, size) > 0
    if FLAGGED_SHARE * int(places.size) < size:
        ordered = xp.sort(places)
        return is_any(ordered[1:] == ordered[:-1])
    flags = xp.zeros(size, bool)
    flags[places] = True
    return int(xp.count_nonzero(flags)) < int(places.size)


def to_ranges(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """Replace the ints of an index by ranges of length one."""
    return tuple(range(p, p + 1) if isinstance(p, int) else p for p in index)


def is_scalar(value: Any) -> bool:
    """Whether `value` is a number of Python or NumPy, or a Scalar."""
    if isinstance(value, Expr):
        return value.rank == 0
    return isinstance(value, NUMBERS) or getattr(value, "shape", None) == ()
